//! The dense engine: against the slow one, and part by part.

mod against_reference;
mod checkpoint;
mod sweep;
mod walk;
