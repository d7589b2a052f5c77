//! The HTTP API.

mod api;
mod slow;
pub mod support;
