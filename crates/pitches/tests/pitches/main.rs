//! Tests of the solver of pitches, compared with the reference solver.

mod against_reference;
mod certify;
mod checkpoint;
mod directional;
mod layout;
mod scratch;
mod unfinished;
mod wins;
mod work_list;
