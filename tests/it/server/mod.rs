//! The HTTP API.

mod api;
mod page;
mod slow;
pub mod support;
