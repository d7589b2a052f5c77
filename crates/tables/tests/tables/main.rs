//! Tests of files: their readers, writers and checks, and questions about boards of any length.

mod cache;
mod container;
mod crafted;
mod damage;
mod directional;
mod draws;
mod format;
mod lengths;
mod names;
mod nimbers;
mod pitch_table;
mod places;
mod python_reader;
mod round_trip;
mod values;
mod witness;
mod won;

use phutbase_fixtures::prelude::*;

/// The values of some strips in a table.
fn verdicts(table: &StripTable, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
    strips.iter().map(|strip| table.verdict(strip)).collect()
}
