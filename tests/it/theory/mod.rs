//! Claims as the program prints them, and directional Phutball. Other tests of claims are in
//! `crates/theory/tests`.

mod directional;
mod replace;
