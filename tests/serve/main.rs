//! The HTTP API.

mod api;
mod board;
mod bodies;
mod clients;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod directional;
mod hosts;
mod openapi;
mod page;
mod puzzles;
mod slow;
mod support;
mod turn;

use common::prelude;
