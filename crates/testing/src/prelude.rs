//! The names that most tests use.

pub use crate::boards::{
    both_sides, both_sides_under, positions, positions_under, random_numbers, repository, sample, strip,
    table_file,
};
pub use crate::compare::{same_json, same_output};
pub use crate::levels::{levels, needed};
pub use crate::pitch::{pitch, random_pitch, shape, shapes_up_to};
pub use crate::run::Run;
pub use crate::tools::{available, fields, has, is_alone, make_pipe, python, send};
pub use ethnum::U256;
pub use num_bigint::BigUint;
pub use phutbase_base::game::{Game, Successor};
pub use phutbase_base::job::{Job, Stopped};
pub use phutbase_base::nimber::Nimber;
pub use phutbase_base::outcome::{Depth, Side, Value, Verdict, Wdl};
pub use phutbase_base::random::Uniform;
pub use phutbase_rules::obstruction::{Board, Form, Grid, Sum, Term};
pub use phutbase_rules::oddish::{Oddish, OddishGame};
pub use phutbase_rules::pitch::{Landing, Pitch, PitchGame, Points, Shape};
pub use phutbase_rules::position::Phutball;
pub use phutbase_rules::rules::Rules;
pub use phutbase_rules::strip::positions as all_positions;
pub use phutbase_rules::strip::{After, AnyStrip, Strip, StripGame, Turn};
pub use phutbase_sets::count::contains;
pub use phutbase_sets::graph::{Graph, Ref};
pub use phutbase_sets::pattern::Pattern;
pub use proptest::prelude::*;
pub use rayon::prelude::*;
pub use serde_json::{Value as Json, json};
pub use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub use std::io::{BufRead, BufReader, Read, Write};
pub use std::ops::RangeInclusive;
pub use std::path::{Path, PathBuf};
pub use std::process::{Child, Command, Stdio};
pub use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub use std::sync::{Arc, LazyLock, OnceLock};
pub use std::time::{Duration, Instant};
