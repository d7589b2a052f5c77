//! The mathematics held against exact values.
//!
//! What is claimed about the games becomes a computation with a verdict, from tables where there are some.
//!
//! * [`draws`] — draws and mutual draws (the open question of Sarkar, *Phutball draws*), from tables;
//! * [`find`] — positions of one value, depth and pattern, from tables;
//! * [`half`] — half boards, read from the ball to a goal line: what potentials are functions of;
//! * [`potentials`] — the two potentials of Grossman & Nowakowski;
//! * [`values`], [`compare`] — all values of a length, and a potential's prediction held against them;
//! * [`watch`] — stopping, progress and errors of long computations;
//! * [`exact`] — the exact potential: two numbers per half board that decide every position;
//! * [`generalized`] — the generalized potential against the strip;
//! * [`monotonicity`] — does a stone more, or a square less, on the way to the goal ever hurt? Empty strips;
//! * [`forward`] — how many turns that are not forward the winner needs;
//! * [`directional`] — where the directional game parts from the ordinary one;
//! * [`tempo`], [`chain`] — does having the move ever hurt, and do half strips form chains? From tables, of any length;
//! * [`proof`] — a claimed win played out against every reply, by the rules alone;
//! * [`oddish`] — Oddish Phutball: Theorem 1, Lemma 2, and the strategy of the proof played out.

pub mod chain;
pub mod compare;
pub mod directional;
pub mod draws;
pub mod exact;
pub mod find;
pub mod forward;
pub mod generalized;
pub mod half;
pub mod monotonicity;
pub mod oddish;
pub mod pitch_draws;
pub mod potentials;
pub mod proof;
pub mod tempo;
pub mod values;
pub mod watch;
