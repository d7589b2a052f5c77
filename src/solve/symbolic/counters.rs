//! Counters: what the work costs. Look-ups are sampled, one in a fixed number of entries, so that counting costs no time.

use serde::Serialize;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The operations, by the lowest bits of their codes.
const NAMES: [&str; 16] = [
    "",
    "or",
    "and",
    "place",
    "place backward",
    "jump right",
    "fly right",
    "jump left",
    "landed left",
    "run left",
    "only",
    "replace",
    "close",
    "close",
    "",
    "",
];

/// Look-ups of one operation in the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lookups {
    /// The operation.
    pub operation: &'static str,
    /// Results that were found.
    pub hits: u64,
    /// Results that had to be computed.
    pub misses: u64,
}

/// Something that was done several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// The number of times.
    pub count: u64,
    /// Wall-clock time of all together.
    pub seconds: f64,
}

impl Times {
    /// Counts one more, which began then and ends now.
    pub fn add(&mut self, begun: Instant) {
        self.count += 1;
        self.seconds += begun.elapsed().as_secs_f64();
    }
}

/// What a store has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counters {
    /// Nodes that were made.
    pub nodes_made: u64,
    /// The most nodes at one time.
    pub peak_nodes: u64,
    /// Look-ups in the unique table, estimated from samples.
    pub node_lookups: u64,
    /// Slots that these read, estimated from samples.
    pub node_probes: u64,
    /// Look-ups in the cache, estimated from samples.
    pub lookups: Vec<Lookups>,
    /// Collections.
    pub collections: Times,
    /// Enlargements of tables.
    pub growing: Times,
    /// Where the time of a search by levels went.
    pub phases: Phases,
    /// Its sweeps.
    pub sweeps: Vec<Sweep>,
}

/// Seconds of wall-clock time by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Phases {
    /// Boards that the level below decides.
    pub won_anyway: f64,
    /// Jumps.
    pub jumps: f64,
    /// Placements.
    pub close: f64,
    /// New boards in place of the old ones.
    pub replace: f64,
}

impl AddAssign for Phases {
    fn add_assign(&mut self, more: Phases) {
        self.won_anyway += more.won_anyway;
        self.jumps += more.jumps;
        self.close += more.close;
        self.replace += more.replace;
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
    /// Nodes that were made.
    pub nodes_made: u64,
}

impl Sweep {
    /// A sweep that begins.
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

/// What threads count together.
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

    /// The counts, each sample standing for `factor` look-ups; `times` has the rest.
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
