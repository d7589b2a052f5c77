//! The names that most tests use. Modules import only what is missing here.

pub use crate::common::cli::{
    Run, Tables, damage_frame, fields, flip_byte, frames, has, lines, phutbase, run, run_unread, run_with,
    usage_error,
};
pub use crate::common::container::{LengthCounts, Parts, StripMetadata, directory, resealed};
pub use crate::common::levels::{levels, needed};
pub use crate::common::tools::{available, is_alone, make_pipe, python, send};
pub use crate::common::{RULES, finished, pinned_totals, random_numbers, reference_value, reference_values};
pub use crate::decide::only;
pub use crate::games::pitch_support::{pitch, random_pitch, shape, shapes_up_to};
pub use crate::table::support::{
    METRICS, NAME, Planes, both_sides, bytes_of, contained, generate_in, generate_pitch_in, generated, names,
    open, plant, positions, refused, sample, shipped, strip, table,
};
pub use ethnum::U256;
pub use num_bigint::BigUint;
pub use phutbase_base::game::{Game, Successor};
pub use phutbase_base::job::{Job, Stopped};
pub use phutbase_base::nimber::Nimber;
pub use phutbase_base::outcome::{Depth, Side, Value, Verdict, Wdl};
pub use phutbase_base::random::Uniform;
pub use phutbase_diagram::count::contains;
pub use phutbase_diagram::graph::{Graph, Ref};
pub use phutbase_diagram::pattern::Pattern;
pub use phutbase_generate::{GenerateError, Outcome, Request, Strips, TablesLock, generate};
pub use phutbase_machine::simd::Simd;
pub use phutbase_pitches::solver::{PitchSolver, Setup};
pub use phutbase_rules::half::Half;
pub use phutbase_rules::obstruction::{Board, Form, Grid, Sum, Term};
pub use phutbase_rules::oddish::{Oddish, OddishGame};
pub use phutbase_rules::pitch::{Landing, Pitch, PitchGame, Points, Shape};
pub use phutbase_rules::position::Phutball;
pub use phutbase_rules::rules::Rules;
pub use phutbase_rules::strip::positions as all_positions;
pub use phutbase_rules::strip::{After, AnyStrip, Strip, StripGame, Turn};
pub use phutbase_strips::dense::DenseSolver;
pub use phutbase_strips::reference;
pub use phutbase_strips::symbolic::SymbolicLimits;
pub use phutbase_table::Metric;
pub use phutbase_table::board_table::BoardTable;
pub use phutbase_table::container::cache::FrameCache;
pub use phutbase_table::error::TableError;
pub use phutbase_table::pitch::PitchTable;
pub use phutbase_table::strip::StripTable;
pub use phutbase_table::tablebase::Tablebase;
pub use phutbase_verify::Fault;
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
