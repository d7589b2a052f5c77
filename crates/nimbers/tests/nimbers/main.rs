//! Tests of Obstruction: its rules, and its solver against values that are known otherwise.

mod canonical;
mod known_nimbers;
mod memo;
mod obstruction;
mod octal;
mod plain_nimbers;
mod region;
mod shape_notation;
mod shapes;
