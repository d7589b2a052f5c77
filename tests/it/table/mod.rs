//! Files: their readers, writers and checkers.

mod cache;
mod container;
mod crafted;
mod cudd_check;
mod damage;
mod directional;
mod draws;
mod format;
mod lengths;
mod lock;
mod nimbers;
mod packing;
mod pitch_table;
mod python_reader;
mod round_trip;
pub mod support;
mod values;
mod verify;
mod witness;
