//! The HTTP API.

mod api;
mod bodies;
mod clients;
mod directional;
mod hosts;
mod openapi;
mod page;
mod slow;
pub mod support;
