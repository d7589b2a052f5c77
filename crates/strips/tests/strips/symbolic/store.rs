//! The node store: growth, and concurrent insertion by several threads.

use phutbase_fixtures::prelude::*;
use phutbase_strips::symbolic::cache::Key;
use phutbase_strips::symbolic::store::{Halt, Id, Store};

/// Stores this many different results; returns the outcome and the store.
fn after_remembering(results: u32, memory: u64) -> (Result<(), Halt>, Store) {
    let limits = SymbolicLimits {
        memory,
        ..SymbolicLimits::default()
    };
    let store = Store::new(8, limits).unwrap();
    (remember(&store, results), store)
}

/// Stores this many different results.
fn remember(store: &Store, results: u32) -> Result<(), Halt> {
    let key = |number| Key {
        operation: 1,
        first: Id(number),
        second: Id(number),
    };
    (0..results).try_for_each(|number| store.remember(key(number), Id::TOP))
}

/// The work goes on with a smaller cache if the system refuses a larger one.
#[cfg(target_os = "linux")]
#[test]
fn a_refused_larger_cache_does_not_end_the_work() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    if !is_alone("symbolic::store::a_refused_larger_cache_does_not_end_the_work") {
        return;
    }
    let many = 100 * Store::new(8, SymbolicLimits::default()).unwrap().results() as u32;
    let (result, mut store) = after_remembering(many, 1 << 30);
    let (results, capacity) = (store.results(), store.capacity());
    assert_eq!(result, Err(Halt::Full));
    // Enough for small allocations, and less than what remains free at any growth.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kibibytes: u64 = size.unwrap().trim().trim_end_matches(" kB").parse().unwrap();
    let mut limit = getrlimit(Resource::As);
    limit.current = Some((kibibytes << 10) + (16 << 20));
    setrlimit(Resource::As, limit).unwrap();
    store.grow().unwrap();
    assert_eq!((store.results(), store.capacity()), (results, capacity));
    assert_eq!(remember(&store, many), Ok(()));
    assert_eq!(store.grow(), Err(Halt::Refused));
}

#[test]
fn a_cache_that_is_written_over_again_and_again_grows_within_the_memory_limit() {
    let fewest = Store::new(8, SymbolicLimits::default()).unwrap().results() as u32;
    let many = 100 * fewest;
    assert_eq!(after_remembering(fewest / 2, 1 << 30).0, Ok(()));
    let (result, mut store) = after_remembering(many, 1 << 30);
    let (results, capacity) = (store.results(), store.capacity());
    assert_eq!(result, Err(Halt::Full));
    store.grow().unwrap();
    assert_eq!((store.results(), store.capacity()), (2 * results, capacity));
    assert_eq!(after_remembering(many, store.bytes() - 1).0, Ok(()));
}

/// The cache grows only as long as the store takes no more than the share that it may take.
#[test]
fn the_cache_leaves_a_share_of_the_memory_to_nodes() {
    let empty = Store::new(8, SymbolicLimits::default()).unwrap();
    let many = 100 * empty.results() as u32;
    let larger = empty.bytes() + 16 * empty.results() as u64;
    // A quarter of so little memory is not the store's.
    for (memory, results) in [
        (larger, [Ok(()); 3]),
        (2 * larger, [Ok(()), Ok(()), Err(Halt::Full)]),
        (4 * larger, [Ok(()), Err(Halt::Full), Err(Halt::Full)]),
        // More than any machine has.
        (1 << 60, [Ok(()), Err(Halt::Full), Err(Halt::Full)]),
    ] {
        for (percent, result) in [0, 50, 100].into_iter().zip(results) {
            let (_, mut store) = after_remembering(0, memory);
            store.leave_to_cache(percent);
            assert_eq!(remember(&store, many), result, "{percent} % of {memory} bytes");
        }
    }
}

/// Makes random nodes from existing children, and returns the last ones.
fn make(store: &Store, seed: u64, nodes: usize) -> Result<Vec<Id>, Halt> {
    let mut layers = vec![vec![Id::BOTTOM, Id::TOP]];
    let mut numbers = random_numbers(seed);
    for level in (0..60).rev() {
        let below = layers.last().expect("the leaves");
        let made = (0..nodes).map(|_| {
            let mut child = || below[numbers.next().unwrap() as usize % below.len()];
            store.binary(level, child(), child())
        });
        let made = made.collect::<Result<Vec<Id>, Halt>>()?;
        layers.push(made);
    }
    Ok(layers.concat())
}

/// Creates a store with room for this many nodes.
fn roomy(nodes: usize) -> Store {
    let mut store = Store::new(60, SymbolicLimits::default()).unwrap();
    while store.capacity() < nodes {
        store.grow().unwrap();
    }
    store
}

/// Near the limit the room grows by less than half, so more memory holds more nodes.
#[test]
fn room_grows_nearly_to_the_limit() {
    let capacity = |memory| {
        let limits = SymbolicLimits {
            memory,
            ..SymbolicLimits::default()
        };
        let mut store = Store::new(60, limits).unwrap();
        while store.grow().is_ok() {}
        assert!(store.bytes() <= memory);
        store.capacity()
    };
    let capacities: BTreeSet<usize> = (64..128).map(|mebibytes| capacity(mebibytes << 20)).collect();
    assert!(capacities.len() > 6, "{capacities:?}");
}

/// Threads make the same nodes in different orders while the table fills: every node has one
/// number, the nodes are those made by a single thread, and every number reads as its node.
#[test]
fn threads_find_one_number_for_every_node() {
    for round in 0..8 {
        let (alone, shared) = (roomy(1 << 15), roomy(1 << 16));
        let expected: Vec<Vec<Id>> = (0..4)
            .map(|seed| make(&alone, round + seed % 2, 200).unwrap())
            .collect();
        let found: Vec<Vec<Id>> = std::thread::scope(|scope| {
            let shared = &shared;
            let threads =
                [0, 1, 2, 3].map(|seed| scope.spawn(move || make(shared, round + seed % 2, 200).unwrap()));
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let mut numbers = HashMap::new();
        for (&expected, &found) in expected.iter().flatten().zip(found.iter().flatten()) {
            assert_eq!(*numbers.entry(expected).or_insert(found), found);
            let (one, other) = (alone.node(expected), shared.node(found));
            assert_eq!(one.level(), other.level());
            assert_eq!(
                [numbers[&one.empty], numbers[&one.stone]],
                [other.empty, other.stone]
            );
        }
        let distinct: HashSet<Id> = numbers.values().copied().collect();
        assert_eq!(distinct.len(), numbers.len());
    }
}

/// Nodes survive collection and growth, and making them again finds them.
#[test]
fn nodes_survive_growth_and_collections() {
    let limits = SymbolicLimits::default();
    let mut store = Store::new(60, limits).unwrap();
    let mut kept = loop {
        match make(&store, 5, 300) {
            Ok(made) => break made,
            Err(Halt::Full) => store.grow().unwrap(),
            Err(halt) => panic!("{halt:?}"),
        }
    };
    let portable = |store: &Store, roots: &[Id]| {
        let mut known = HashMap::from([(Id::BOTTOM, 0), (Id::TOP, 1)]);
        let set = |&root: &Id| (store.node(root).level(), digest(store, root, &mut known));
        roots.iter().map(set).collect::<Vec<_>>()
    };
    let before = portable(&store, &kept);
    let nodes = store.nodes();
    // Garbage, up to the available room.
    let _ = make(&store, 6, 10);
    let mut marks = store.mark(&kept).unwrap();
    store.sweep(&mut marks);
    kept.iter_mut().for_each(|set| marks.renumber(set));
    let results = store.surviving_results(&marks);
    store.end_collection(marks, results);
    assert!(store.nodes() <= nodes);
    assert_eq!(portable(&store, &kept), before);
    while store.capacity() < 2 * nodes {
        store.grow().unwrap();
    }
    assert_eq!(make(&store, 5, 300).unwrap(), kept);
}

/// A collection that is stopped while it marks leaves the store as it was; one that is stopped
/// later drops the results.
#[test]
fn a_collection_can_be_stopped() {
    let mut store = roomy(1 << 15);
    let mut kept = make(&store, 5, 300).unwrap();
    let stopped = Job::default();
    stopped.stop();
    store.watch(stopped.clone());
    assert!(matches!(store.mark(&kept), Err(Halt::Interrupted)));
    store.watch(Job::default());
    assert_eq!(make(&store, 5, 300).unwrap(), kept);

    let mut marks = store.mark(&kept).unwrap();
    store.sweep(&mut marks);
    kept.iter_mut().for_each(|set| marks.renumber(set));
    store.watch(stopped);
    let results = store.surviving_results(&marks);
    assert!(matches!(results, Err(Halt::Interrupted)));
    store.end_collection(marks, results);
    assert_eq!(make(&store, 5, 300).unwrap(), kept);
}

/// Returns a hash of a set; `known` has those of other sets of the store.
fn digest(store: &Store, id: Id, known: &mut HashMap<Id, u64>) -> u64 {
    if let Some(&found) = known.get(&id) {
        return found;
    }
    let node = store.node(id);
    let (empty, stone) = (digest(store, node.empty, known), digest(store, node.stone, known));
    let found = empty
        .wrapping_mul(3)
        .wrapping_add(stone.wrapping_mul(5))
        .wrapping_add(node.level() as u64);
    known.insert(id, found);
    found
}
