//! The program as a user runs it.

mod batch;
mod crafted;
mod damage;
mod directional;
mod disk;
mod docs;
mod draws;
mod export;
#[cfg(unix)]
mod files;
mod generate;
mod help;
mod json;
mod kills;
mod limits;
#[cfg(unix)]
mod long_runs;
mod messages;
mod obstruction;
#[cfg(unix)]
mod out;
mod pitch;
mod places;
mod probe;
mod report;
mod resume;
mod robust;
mod stats;
mod usage;
mod verify;
