//! Tests of claims: those of the verbs against the definition, theorems on short strips, and refuted ones by
//! their boards.

mod counterexamples;
mod families;
mod forward;
mod forward_value;
mod generalized;
mod halves;
mod near_stones;
mod oddish;
mod oddish_turns;
mod refuted;
mod replace;
mod reversible;
mod support;
mod theorems;
