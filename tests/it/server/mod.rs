//! The HTTP API.

mod api;
pub mod support;
