//! The pitch engine: against the slow one, and part by part.

mod against_reference;
mod checkpoint;
mod layout;
mod looked;
mod mirror;
mod ranks;
