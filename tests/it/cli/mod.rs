//! The program as a user runs it.

mod batch;
mod checks;
mod crafted;
mod directional;
mod disk;
mod docs;
mod draws;
mod export;
mod generate;
mod help;
mod kills;
mod obstruction;
mod pitch;
mod places;
mod probe;
mod report;
mod resume;
mod usage;
