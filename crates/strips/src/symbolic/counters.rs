//! Cost counters. Look-ups are sampled in a fixed fraction of the entries, so that counting is
//! cheap. The numbers of one thread repeat. Several threads may compute the same result, some
//! results again and again; if one of these is in a sampled entry, the number of misses may double.

use serde::Serialize;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The names of the operations, indexed by the lowest bits of their codes.
const NAMES: [&str; 16] = [
    "",
    "place",
    "or",
    "and",
    "place before ball",
    "jump right",
    "fly right",
    "jump left",
    "landed left",
    "run left",
    "only",
    "replace",
    "close",
    "close",
    "place after ball",
    "mirror",
];

/// Cache look-ups of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lookups {
    /// The operation.
    pub operation: &'static str,
    /// Number of results found.
    pub hits: u64,
    /// Number of results computed.
    pub misses: u64,
}

/// The number and the total time of repeated events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// The number of times.
    pub count: u64,
    /// Total wall-clock time.
    pub seconds: f64,
}

impl Times {
    /// Adds an event that started at `begun` and ends now.
    pub fn add(&mut self, begun: Instant) {
        self.count += 1;
        self.seconds += begun.elapsed().as_secs_f64();
    }
}

/// The costs of a store and its solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counters {
    /// Number of nodes created.
    pub nodes_made: u64,
    /// Maximum number of nodes at one time.
    pub peak_nodes: u64,
    /// Look-ups in the unique table, estimated from samples.
    pub node_lookups: u64,
    /// Slots that these read, estimated from samples.
    pub node_probes: u64,
    /// Look-ups in the cache, estimated from samples.
    pub lookups: Vec<Lookups>,
    /// Garbage collections.
    pub collections: Times,
    /// Enlargements of the tables.
    pub growing: Times,
    /// Time of a solver by levels, by phase.
    pub phases: Phases,
    /// Sweeps of a solver by levels.
    pub sweeps: Vec<Sweep>,
}

/// Seconds of wall-clock time by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Phases {
    /// Boards that the level below decides.
    pub won_from_below: f64,
    /// Jumps.
    pub jumps: f64,
    /// Placements.
    pub close: f64,
    /// Replacing the boards of a zone.
    pub replace: f64,
    /// Mirror images of what has changed.
    pub mirror: f64,
    /// Tests which ball squares are complete.
    pub complete: f64,
}

impl AddAssign for Phases {
    fn add_assign(&mut self, more: Phases) {
        self.won_from_below += more.won_from_below;
        self.jumps += more.jumps;
        self.close += more.close;
        self.replace += more.replace;
        self.mirror += more.mirror;
        self.complete += more.complete;
    }
}

/// One sweep over the zones.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sweep {
    /// The level.
    pub level: usize,
    /// The sweep, from 1.
    pub sweep: usize,
    /// Wall-clock time.
    pub seconds: f64,
    /// Zones that were recomputed.
    pub recomputed: usize,
    /// Zones that changed.
    pub changed: usize,
    /// Number of nodes created.
    pub nodes_made: u64,
}

impl Sweep {
    /// Starts the counters of a sweep.
    pub fn new(level: usize, sweep: usize) -> Sweep {
        Sweep {
            level,
            sweep,
            ..Sweep::default()
        }
    }

    /// Adds a zone.
    pub fn add(&mut self, begun: Instant, nodes_made: u64, changed: bool) {
        self.seconds += begun.elapsed().as_secs_f64();
        self.recomputed += 1;
        self.changed += usize::from(changed);
        self.nodes_made += nodes_made;
    }
}

/// Counters shared by threads.
#[derive(Default)]
pub(super) struct Samples {
    /// Hits and misses of each operation.
    recalls: [[AtomicU64; 2]; 16],
    /// Look-ups in the unique table, and slots read.
    probes: [AtomicU64; 2],
}

impl Samples {
    /// Counts a look-up in the cache.
    #[cold]
    pub fn recalled(&self, operation: u32, hit: bool) {
        self.recalls[operation as usize % 16][usize::from(!hit)].fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a look-up in the unique table.
    #[cold]
    pub fn probed(&self, slots: usize) {
        for (counter, more) in self.probes.iter().zip([1, slots as u64]) {
            counter.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Returns the counts, each sample representing `factor` look-ups, combined with those in
    /// `times`.
    pub fn scaled(&self, factor: u64, times: &Counters) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed) * factor;
        let lookups = NAMES
            .iter()
            .zip(&self.recalls)
            .map(|(&operation, [hits, misses])| Lookups {
                operation,
                hits: read(hits),
                misses: read(misses),
            });
        let [node_lookups, node_probes] = self.probes.each_ref().map(read);
        Counters {
            node_lookups,
            node_probes,
            lookups: lookups.filter(|count| count.hits + count.misses > 0).collect(),
            ..times.clone()
        }
    }
}
