//! Small files with correct checksums, crafted to cost time or memory: every verb answers or fails
//! soon, uses little memory, and names the file in one line.

use crate::prelude::*;
use phutbase_tables::pitch::metadata::PitchMetadata;
use phutbase_tables::strip::write::write;

/// Limit of the address space in KiB; threads and allocator reserves take some hundred thousand.
const MOST_KIBIBYTES: u64 = 3 << 20;

/// Limit of processor time in seconds, for all threads together. Wall time would depend on the
/// load.
const MOST_SECONDS: u64 = 60;

/// Runs the program on tables within the limits of memory and time.
fn limited(tables: &Tables, arguments: &str) -> Run {
    let arguments = format!("--tables {} {arguments}", tables.path().display());
    limited_to(MOST_KIBIBYTES, tables, &arguments)
}

/// Runs the program with a limit on the address space.
fn limited_to(kibibytes: u64, tables: &Tables, arguments: &str) -> Run {
    let mut shell = Command::new("sh");
    let limit = format!("ulimit -v {kibibytes}; ulimit -t {MOST_SECONDS}; exec \"$0\" \"$@\"");
    shell.args(["-c", &limit, env!("CARGO_BIN_EXE_phutbase")]);
    // No other tables of these lengths can be found there.
    shell
        .current_dir(tables.path())
        .env("XDG_DATA_HOME", tables.path());
    let run: Run = (shell.args(arguments.split_whitespace()))
        .output()
        .unwrap()
        .into();
    assert!(
        matches!(run.code, Some(0 | 1 | 3)) && !run.stderr.contains("panicked"),
        "{arguments}: {run:?}"
    );
    run
}

/// Runs verbs on a strip; those in `refusing` must fail, because the table is wrong.
fn check_strip(tables: &Tables, length: usize, verbs: &[&str], refusing: &[&str]) {
    for verb in verbs {
        let run = limited(tables, &verb.replace('N', &length.to_string()));
        if refusing.iter().any(|refusing| verb.starts_with(refusing)) {
            // 1: a wrong value; 3: unbounded work is refused.
            let code = run.code.filter(|code| [1, 3].contains(code));
            run.fails(code.unwrap(), &[&format!("strip-{length}-")]);
        }
    }
}

/// Five squares select which of the next 32 holds a stone; the ball is on the 38th. The diagram has
/// few nodes read from the left and 2^32 read from the right. Before this set comes a small one.
fn a_set_that_has_no_mirror_image(length: usize) -> (Graph, [Ref; 2]) {
    let mut graph = Graph::new(length);
    let rest = graph.ternary(37, Ref::BOTTOM, Ref::BOTTOM, Ref::TOP).unwrap();
    let mut addresses: Vec<Ref> = (5..37)
        .map(|stone| {
            (5..37).rev().fold(rest, |below, square| {
                let empty = if square == stone { Ref::BOTTOM } else { below };
                graph.ternary(square, empty, below, Ref::BOTTOM).unwrap()
            })
        })
        .collect();
    for square in (0..5).rev() {
        addresses = (addresses.chunks(2))
            .map(|pair| graph.ternary(square, pair[0], pair[1], Ref::BOTTOM).unwrap())
            .collect();
    }
    let ball_on_1 = graph.ternary(1, Ref::BOTTOM, Ref::BOTTOM, Ref::TOP).unwrap();
    let small = graph.ternary(0, ball_on_1, Ref::BOTTOM, Ref::BOTTOM).unwrap();
    (graph, [small, addresses[0]])
}

#[cfg(unix)]
#[test]
fn a_diagram_that_claims_draws_which_cannot_be_counted() {
    // Counting draws does not read depths, and each count runs until its limit.
    let without_depths = ["verify N", "theory forward N --replay-length 0"];
    let with_depths = ["find N --suite --sample 1", "verify N", "stats N"];
    for (metric, length, verbs) in [
        (Metric::Dtw, 41, &with_depths[..]),
        (Metric::Wdl, 65, &without_depths),
    ] {
        let tables = Tables::none();
        let (graph, sets) = a_set_that_has_no_mirror_image(length);
        let path = write(&graph, &sets, metric, tables.path()).unwrap();
        assert!(std::fs::metadata(path).unwrap().len() < 20_000);
        check_strip(&tables, length, verbs, &["find", "verify", "stats N"]);
    }
}

/// A pitch of 6 x 5 whose 10,737,418,240 positions all may be draws, in 3 MB.
fn pitch_of_draws(good: &Path, counted: u64) -> Vec<u8> {
    let frame = zstd::bulk::compress(&[0; 1 << 16], 3).unwrap();
    resealed(&std::fs::read(good).unwrap(), |parts| {
        parts.set_frames(&vec![frame; (4 * 3) << (29 - 16)]);
        let positions = (4 * 5) << 29;
        parts.edit(|metadata: &mut PitchMetadata| {
            (metadata.rows, metadata.columns) = (6, 5);
            metadata.order = (0..30).collect();
            metadata.draws = counted;
            metadata.depths = vec![positions - counted];
            metadata.depths.retain(|&wins| wins > 0);
            metadata.longest_win = String::new();
        });
    })
}

#[cfg(unix)]
#[test]
fn a_pitch_whose_draws_are_too_many() {
    let made = Tables::made("4x3");
    let good = made.path().join("pitch-4x3-dtw.phut");
    for counted in [(4 * 5) << 29, 7] {
        let tables = Tables::none();
        let bytes = pitch_of_draws(&good, counted);
        assert!(bytes.len() < 4_000_000, "{}", bytes.len());
        std::fs::write(tables.path().join("pitch-6x5-dtw.phut"), bytes).unwrap();
        for verb in ["verify 6x5", "stats 6x5", "find 6x5 --value draw --cycles"] {
            let run = limited(&tables, verb);
            run.fails(3, &["pitch-6x5-dtw.phut"]);
        }
        limited(&tables, "stats").ok();
    }
}

#[cfg(unix)]
#[test]
fn resealed_headers_of_pitches_and_nimbers_are_refused_by_every_verb() {
    let good = Tables::made("4x3");
    good.run("generate obstruction:3x3").ok();
    let refused = |name: &str, verbs: &[&str], edit: &dyn Fn(&mut Parts)| {
        let tables = Tables::none();
        let bytes = resealed(&std::fs::read(good.path().join(name)).unwrap(), edit);
        std::fs::write(tables.path().join(name), &bytes).unwrap();
        for verb in verbs {
            let run = limited(&tables, verb);
            run.fails(3, &[name]);
            assert!(
                std::fs::read(tables.path().join(name)).unwrap() == bytes || verb.starts_with("generate"),
                "{verb}"
            );
        }
    };
    for verb in [
        "stats 4x3",
        "verify 4x3",
        "find 4x3 --value draw --cycles",
        "probe 3/1o1/1@1/3",
    ] {
        refused("pitch-4x3-dtw.phut", &[verb], &|parts| {
            parts.edit(|metadata: &mut PitchMetadata| metadata.depths = vec![u64::MAX; 1000])
        });
    }
    let verbs = ["probe obstruction:3x3", "generate obstruction:3x3"];
    let nimbers = |edit: &dyn Fn(&mut Parts)| {
        refused("obstruction.phut", &verbs, edit);
    };
    for place in 0..5 {
        nimbers(&|parts| parts.section("grids")[place] = 255);
    }
    nimbers(&|parts| parts.section("grids").extend([1; 5]));
    nimbers(&|parts| _ = parts.section("grids").pop());
    // A torus with rows and columns swapped, and a box of one layer, which is a rectangle.
    nimbers(&|parts| parts.section("grids")[25..].copy_from_slice(&[2, 1, 3, 2, 1]));
    nimbers(&|parts| parts.section("grids")[25..].copy_from_slice(&[6, 1, 3, 3, 1]));
    nimbers(&|parts| _ = parts.metadata.pop());
    // A huge number of boards.
    nimbers(&|parts| {
        parts
            .metadata
            .splice(parts.metadata.len() - 1.., [252, 255, 255, 255, 255])
            .for_each(drop)
    });
}

/// A position whose jumps reach more boards than the limit, in a certificate that lists no turn or
/// one.
#[cfg(unix)]
#[test]
fn a_certificate_costs_time_in_proportion_to_its_size() {
    let board = "15/1ooo2o1o1oo1oo/2o3o4oooo/oo1o1oo2o2o1o/2o1o1ooo1o3o/o2o3o1oo2o1/1ooooo2oo2oo1/2oo1o2o4oo/o1o8oooo/4ooo@1o5/\
                 o1o3o3o1o2/3o3o7/o6o3o3/1ooo1o2o1ooooo/oo1o2o1ooooo1o/o1o1o3o2oo2/3o1oo2o2ooo/o1o3o2oo2o1/15";
    let tables = Tables::none();
    let file = tables.path().join("crafted.cert");
    for (side, listed) in [("A", ""), ("B", ""), ("A", "a1")] {
        let mut text = format!("phutbase certificate 1\nclaim draw\nposition {board} {side}\n");
        text += &match listed {
            "" => "alfred 0\nbetty 0\n".to_string(),
            turn => format!("alfred 1\n{turn} {board} A\nbetty 0\n"),
        };
        std::fs::write(&file, text).unwrap();
        let run = limited_to(200_000, &tables, &format!("verify {}", file.display()));
        run.fails(1, &["more than 32768 boards"]);
    }
}
