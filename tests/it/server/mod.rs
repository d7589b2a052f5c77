//! The HTTP API.

mod api;
mod clients;
mod directional;
mod page;
mod slow;
pub mod support;
