//! Small files with right checksums that are made to cost time or memory: every verb answers or refuses soon, within memory that such a
//! file warrants, and names the file in one line.

use crate::common::cli::{Run, Tables};
use crate::common::container::{Parts, resealed};
use phutbase::diagram::graph::{Graph, Ref};
use phutbase::games::rules::Rules;
use phutbase::table::Metric;
use phutbase::table::pitch::metadata::Metadata;
use phutbase::table::strip::write::{Source, write};
use std::path::Path;
use std::process::Command;

/// Kibibytes of addresses that a run may have: threads and the reserves of the allocator take some hundred thousand.
const MOST_KIBIBYTES: u64 = 3 << 20;

/// Seconds of processor time that a run may take, of all its threads together: how long that is, a busy machine decides.
const MOST_SECONDS: u64 = 60;

/// Runs the program on tables, within limits of memory and time.
fn limited(tables: &Tables, arguments: &str) -> Run {
    let arguments = format!("--tables {} {arguments}", tables.path().display());
    limited_to(MOST_KIBIBYTES, tables, &arguments)
}

/// Runs the program within so many kibibytes of addresses.
fn limited_to(kibibytes: u64, tables: &Tables, arguments: &str) -> Run {
    let mut shell = Command::new("sh");
    let limit = format!("ulimit -v {kibibytes}; ulimit -t {MOST_SECONDS}; exec \"$0\" \"$@\"");
    shell.args(["-c", &limit, env!("CARGO_BIN_EXE_phutbase")]);
    // Where there is no other table of these lengths.
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

/// The verbs that go through a strip.
const VERBS: [&str; 9] = [
    "find N --value win --limit 3",
    "find N --value draw",
    "find N --value win --ball 18 --stones 3..9 --limit 3",
    "suite N --per-depth 1",
    "verify N",
    "stats N",
    "stats --ball 18 N",
    "stats",
    "draws N",
];

/// Runs verbs on a strip; those that must not end well, because what the table says is not so.
fn check_strip(tables: &Tables, length: usize, verbs: &[&str], refusing: &[&str]) {
    for verb in verbs {
        let run = limited(tables, &verb.replace('N', &length.to_string()));
        if refusing.iter().any(|refusing| verb.starts_with(refusing)) {
            // A wrong value is a failed check, work without a bound a refusal.
            let code = run.code.filter(|code| [1, 3].contains(code));
            run.fails(code.unwrap(), &[&format!("strip-{length}-")]);
        }
    }
}

/// Five squares say which of the 32 after them holds a stone, and then the ball stands on the 38th: a few nodes read from the left, 2^32
/// from the right.
fn a_set_that_has_no_mirror_image(length: usize) -> (Graph, Ref) {
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
    (graph, addresses[0])
}

#[cfg(unix)]
#[test]
fn a_diagram_that_claims_draws_which_cannot_be_counted() {
    // Who counts draws takes no notice of depths, and each count goes on until its limit.
    let without_depths = [
        "find N --value draw",
        "verify N",
        "theory forward N --replay-length 0",
    ];
    for (metric, length, verbs) in [(Metric::Dtw, 41, &VERBS[..]), (Metric::Wdl, 65, &without_depths)] {
        let tables = Tables::none();
        let (graph, set) = a_set_that_has_no_mirror_image(length);
        let source = Source {
            rules: Rules::Ordinary,
            diagram: &graph,
            roots: &[Ref::BOTTOM, set],
            metric,
        };
        let path = write(&source, tables.path()).unwrap();
        assert!(std::fs::metadata(path).unwrap().len() < 20_000);
        check_strip(
            &tables,
            length,
            verbs,
            &["find N --value draw", "suite", "verify", "stats N", "draws"],
        );
    }
}

/// Two sets of right halves, of which the second contains the first, with 250,000 pairs of nodes at every square: stones have weights,
/// others in the second set, and a set contains the halves whose sum is divisible by a prime number, or the others too if they end with a
/// stone.
fn two_sets_that_take_long_to_compare(length: usize, [first, second]: [usize; 2]) -> (Graph, Ref) {
    let mut graph = Graph::new(length);
    let last = graph.binary(length - 1, Ref::BOTTOM, Ref::TOP).unwrap();
    let mut weighed = |base: usize, divisor: usize, divisible: Ref, other: Ref| {
        let mut below = vec![other; divisor];
        below[0] = divisible;
        for square in (3..length - 1).rev() {
            let weight = base.pow(square as u32 % 6);
            below = (0..divisor)
                .map(|sum| {
                    graph
                        .binary(square, below[sum], below[(sum + weight) % divisor])
                        .unwrap()
                })
                .collect();
        }
        below[0]
    };
    let (small, large) = (
        weighed(2, first, last, Ref::BOTTOM),
        weighed(3, second, last, Ref::TOP),
    );
    let [small, large] = [small, large].map(|set| {
        let ball_on_2 = graph.ternary(2, Ref::BOTTOM, Ref::BOTTOM, set).unwrap();
        graph.ternary(1, ball_on_2, ball_on_2, set).unwrap()
    });
    let set = graph.ternary(0, small, large, Ref::BOTTOM).unwrap();
    (graph, set)
}

#[cfg(unix)]
#[test]
fn sets_that_take_long_to_compare_are_refused() {
    let length = 104;
    let tables = Tables::none();
    let (graph, set) = two_sets_that_take_long_to_compare(length, [499, 503]);
    let source = Source {
        rules: Rules::Ordinary,
        diagram: &graph,
        roots: &[set, set],
        metric: Metric::Wdl,
    };
    let path = write(&source, tables.path()).unwrap();
    assert!(std::fs::metadata(path).unwrap().len() < 100_000);
    let run = limited(&tables, "theory chain 104");
    run.fails(3, &["strip-104-wdl.phut", "memory"]);
    limited(&tables, "theory tempo 104");
}

/// A pitch of 6 x 5 all of whose 10,737,418,240 positions may be draws, in three megabytes.
fn pitch_of_draws(good: &Path, counted: u64) -> Vec<u8> {
    let frame = zstd::bulk::compress(&[0; 1 << 16], 3).unwrap();
    resealed(&std::fs::read(good).unwrap(), |parts| {
        parts.set_frames(&vec![frame; (4 * 3) << (29 - 16)]);
        let positions = (4 * 5) << 29;
        parts.edit(|metadata: &mut Metadata| {
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
        for verb in ["verify 6x5", "stats 6x5", "draws 6x5"] {
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
    let verbs = ["stats 4x3", "verify 4x3", "draws 4x3", "probe 3/1o1/1@1/3"];
    let pitch = |edit: &dyn Fn(&mut Metadata)| {
        refused("pitch-4x3-dtw.phut", &verbs, &|parts| {
            parts.edit(|metadata| edit(metadata))
        });
    };
    pitch(&|metadata| (metadata.rows, metadata.columns) = (8, 5));
    pitch(&|metadata| (metadata.rows, metadata.columns) = (255, 255));
    pitch(&|metadata| metadata.draws = u64::MAX);
    pitch(&|metadata| metadata.depths = vec![u64::MAX; 1000]);
    pitch(&|metadata| metadata.depths.push(0));
    pitch(&|metadata| metadata.order = vec![0; 12]);
    let verbs = ["probe obstruction:3x3", "generate obstruction:3x3"];
    let nimbers = |edit: &dyn Fn(&mut Parts)| {
        refused("obstruction.phut", &verbs, edit);
    };
    for place in 0..5 {
        nimbers(&|parts| parts.section("grids")[place] = 255);
    }
    nimbers(&|parts| parts.section("grids").extend([1; 5]));
    nimbers(&|parts| _ = parts.section("grids").pop());
    // A torus lying on its side, and a box of one layer, which is a rectangle.
    nimbers(&|parts| parts.section("grids")[25..].copy_from_slice(&[2, 1, 3, 2, 1]));
    nimbers(&|parts| parts.section("grids")[25..].copy_from_slice(&[6, 1, 3, 3, 1]));
    nimbers(&|parts| _ = parts.metadata.pop());
    // Any number of boards.
    nimbers(&|parts| {
        parts
            .metadata
            .splice(parts.metadata.len() - 1.., [252, 255, 255, 255, 255])
            .for_each(drop)
    });
}

/// A position whose jumps lead to more boards than any search looks at, in a certificate that lists nothing, or only it.
#[cfg(unix)]
#[test]
fn a_certificate_costs_what_its_size_warrants() {
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
