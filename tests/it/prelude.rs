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
pub use phutbase::diagram::count::contains;
pub use phutbase::diagram::graph::{Graph, Ref};
pub use phutbase::diagram::pattern::Pattern;
pub use phutbase::game::{Game, Successor};
pub use phutbase::games::half::Half;
pub use phutbase::games::obstruction::{Board, Form, Grid, Sum, Term};
pub use phutbase::games::oddish::{Oddish, OddishGame};
pub use phutbase::games::pitch::{Landing, Pitch, PitchGame, Points, Shape};
pub use phutbase::games::position::Phutball;
pub use phutbase::games::rules::Rules;
pub use phutbase::games::strip::positions as all_positions;
pub use phutbase::games::strip::{After, AnyStrip, Strip, StripGame, Turn};
pub use phutbase::generate::{GenerateError, Outcome, Request, Strips, TablesLock, generate};
pub use phutbase::job::{Job, Stopped};
pub use phutbase::nimber::Nimber;
pub use phutbase::outcome::{Depth, Side, Value, Verdict, Wdl};
pub use phutbase::random::Uniform;
pub use phutbase::solve::dense::DenseSolver;
pub use phutbase::solve::pitch::{PitchSolver, Setup};
pub use phutbase::solve::reference;
pub use phutbase::solve::simd::Simd;
pub use phutbase::solve::symbolic::SymbolicLimits;
pub use phutbase::table::Metric;
pub use phutbase::table::board_table::BoardTable;
pub use phutbase::table::container::cache::FrameCache;
pub use phutbase::table::error::TableError;
pub use phutbase::table::pitch::PitchTable;
pub use phutbase::table::strip::StripTable;
pub use phutbase::table::tablebase::Tablebase;
pub use phutbase::verify;
pub use phutbase::verify::Fault;
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
