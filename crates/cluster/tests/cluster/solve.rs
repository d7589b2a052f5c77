//! Several processes solving a pitch: same result as one process, balanced memory.

use super::{begin, run, setup};
use crate::threads;
use phutbase_cluster::Part;
use phutbase_cluster::share::Share;
use phutbase_fixtures::prelude::*;
use phutbase_pitches::solver::Prepared;

/// Returns the depth bytes of some chunks.
fn depths(solver: &PitchSolver, is_own: impl Fn(usize) -> bool) -> Vec<(usize, Vec<u8>)> {
    let depths = solver.depths().unwrap();
    let chunks = (0..solver.layout().chunks()).filter(|&chunk| is_own(chunk));
    let copy = |chunk| {
        let mut bytes = vec![0; depths.pieces.chunk_bytes(chunk)];
        depths.copy_chunk(chunk, 0, &mut bytes);
        (chunk, bytes)
    };
    chunks.map(copy).collect()
}

#[test]
fn several_processes_find_the_same_bits() {
    for text in ["5x3", "3x7", "4x5", "19x1"] {
        let mut alone = PitchSolver::new(text.parse().unwrap(), true).unwrap();
        alone.finish().unwrap();
        let expected = depths(&alone, |_| true);
        for count in [2, 3, 7] {
            let found = threads::run(count, |team| {
                let mut cluster = begin(text, &team);
                cluster.finish().unwrap();
                let solver = &cluster.solver;
                assert_eq!(solver.counts(), alone.counts(), "{text}, {count} processes");
                for (own, all) in solver.sets.iter().flatten().zip(alone.sets.iter().flatten()) {
                    assert!(own.is_empty() || own[..] == all[..], "{text}, {count} processes");
                }
                depths(solver, |chunk| cluster.owner(chunk) == team.rank())
            });
            let mut found: Vec<_> = found.into_iter().flatten().collect();
            found.sort();
            assert!(found == expected, "{text}, {count} processes");
        }
    }
}

#[test]
fn shares_of_memory_are_even_where_there_are_many_chunks() {
    for (text, count) in [
        ("8x3", 2),
        ("8x3", 4),
        ("7x4", 4),
        ("7x4", 8),
        ("6x6", 8),
        ("6x6", 64),
        ("6x6", 512),
        ("12x3", 512),
    ] {
        let prepared = Prepared::new(&setup(text)).unwrap();
        let share = Share::of(&prepared, (0, count), 1);
        let (layout, stores) = (&prepared.layout, &prepared.stores);
        let work = |chunk: usize| (stores.places.size(chunk) + stores.reach_size(chunk)) as u64;
        let mut sizes = vec![0; count];
        for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
            sizes[share.owner(chunk)] += work(chunk);
        }
        let (most, all) = (sizes.iter().max().unwrap(), sizes.iter().sum::<u64>());
        assert!(
            most * count as u64 * 4 <= all * 5,
            "{text}, {count}: {most} of {all}"
        );
    }
}

/// Rows, columns, depths, counts of plies, chunks, and the other files with their checksums.
type Metadata = (u8, u8, bool, Vec<u64>, Vec<u32>, Vec<(String, u32)>);

/// Lists a file twice instead of another one with as many chunks.
#[test]
fn a_checkpoint_with_a_chunk_twice_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("6x3.checkpoint");
    let file = path.clone();
    run(7, move |team| {
        let mut cluster = begin("6x3", &team);
        cluster.step(&Job::default()).unwrap();
        cluster.save(&file).unwrap();
    });
    let chunks = |suffix: &str| {
        let file = directory.path().join(format!("6x3.checkpoint{suffix}"));
        Parts::of(&std::fs::read(file).unwrap())
            .metadata::<Metadata>()
            .4
            .len()
    };
    let crafted = resealed(&std::fs::read(&path).unwrap(), |parts| {
        parts.edit(|(.., others): &mut Metadata| {
            others.sort_by_key(|(suffix, _)| chunks(suffix));
            let pair = others
                .windows(2)
                .position(|pair| chunks(&pair[0].0) == chunks(&pair[1].0));
            let first = pair.expect("two files have as many chunks");
            others[first + 1] = others[first].clone();
        });
    });
    std::fs::write(&path, crafted).unwrap();
    let resumed = PitchSolver::resume(&setup("6x3"), &path, &Job::default());
    let error = resumed.err().expect("chunks are missing").to_string();
    assert!(error.contains("every chunk once"), "{error}");
}

/// Saves after three plies with `saved` processes, and resumes with others.
#[test]
fn checkpoints_resume_with_any_number_of_processes() {
    let mut whole = PitchSolver::new(shape("6x3"), true).unwrap();
    whole.finish().unwrap();
    let expected = depths(&whole, |_| true);
    for saved in [1, 3] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("6x3.checkpoint");
        let file = path.clone();
        run(saved, move |team| {
            let mut cluster = begin("6x3", &team);
            for ply in 0..4 {
                cluster.step(&Job::default()).unwrap();
                if ply > 0 {
                    cluster.save(&file).unwrap();
                }
            }
        });
        let files = std::fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(files, saved, "parts of the older checkpoint are removed");
        let mut alone = PitchSolver::resume(&setup("6x3"), &path, &Job::default()).unwrap();
        assert_eq!(alone.counts().len(), 4);
        alone.finish().unwrap();
        assert_eq!(alone.counts(), whole.counts());
        assert!(depths(&alone, |_| true) == expected, "{saved} processes");
        for resumed in [1, 2, 4, 5] {
            let path = path.clone();
            let found = run(resumed, move |team| {
                let mut cluster = Part::of(&setup("6x3"), &team).unwrap().resume(&path).unwrap();
                assert_eq!(cluster.solver.counts().len(), 4);
                cluster.finish().unwrap();
                let own = |chunk| cluster.owner(chunk) == team.rank();
                (cluster.solver.counts().to_vec(), depths(&cluster.solver, own))
            });
            assert!(found.iter().all(|(counts, _)| counts == whole.counts()));
            let mut found: Vec<_> = found.into_iter().flat_map(|(_, depths)| depths).collect();
            found.sort();
            assert!(found == expected, "{saved} processes, then {resumed}");
        }
        std::fs::remove_file(directory.path().join("6x3.checkpoint")).unwrap();
    }
}
