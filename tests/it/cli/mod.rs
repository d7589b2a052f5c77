//! The program as a user runs it.

mod batch;
mod certify;
mod completions;
mod crafted;
mod damage;
mod directional;
mod disk;
mod docs;
mod effects;
mod engine_claims;
#[cfg(unix)]
mod engine_stops;
mod export;
#[cfg(unix)]
mod files;
mod find;
mod generate;
mod help;
mod json;
mod kills;
mod limits;
#[cfg(unix)]
mod long_runs;
mod long_strips;
mod match_claims;
mod match_engines;
mod match_record;
mod matches;
mod messages;
mod obstruction;
#[cfg(unix)]
mod out;
mod pitch;
mod play;
mod probe;
mod resume;
mod robust;
mod serve;
mod stats;
mod suite;
mod tables;
mod test_engine;
mod theory;
mod ugi;
mod usage;
mod verify;
