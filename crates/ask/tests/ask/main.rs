//! Tests of answers as JSON.

mod answers;
mod lines;
