//! The program as a user runs it.

mod batch;
mod checks;
mod crafted;
mod disk;
mod draws;
mod generate;
mod kills;
mod obstruction;
mod pitch;
mod probe;
mod report;
mod resume;
mod usage;
