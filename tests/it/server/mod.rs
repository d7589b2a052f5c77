//! The HTTP API.

mod api;
mod directional;
mod page;
mod slow;
pub mod support;
