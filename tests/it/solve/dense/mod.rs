//! The dense engine: against the slow one, and part by part.

mod against_reference;
mod sweep;
mod walk;
