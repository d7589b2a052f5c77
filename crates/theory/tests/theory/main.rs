//! Tests of claims of the papers, compared with exact values.

mod counterexamples;
mod exact;
mod families;
mod find;
mod forward;
mod forward_value;
mod generalized;
mod halves;
mod near_stones;
mod oddish;
mod oddish_turns;
mod pitch_draws;
mod potential;
mod replace;
mod reversible;
mod support;
