//! `scripts/check_with_cudd.py`, which trusts nothing but the rules and docs/FORMAT.md, must find good tables good and tampered ones
//! wrong.
//!
//! Where `python3` cannot import the package `dd` there is nothing to test: the tests say so and pass, unless
//! `PHUTBASE_REQUIRE` names `cudd`.

use crate::common::container::{DiagramMetadata, directory as directory_of, resealed};
use crate::common::tools::available;
use crate::table::support::{
    Planes, both_sides, fault_at, fault_on_level_0, generate_diagrams_in, generate_directional_in,
    generate_in, open_diagrams,
};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::table::Metric;
use phutbase::table::diagram::write::{Source, write};
use serde_json::Value as Json;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_with_cudd.py");

fn python(arguments: &[&str]) -> std::io::Result<Output> {
    Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(arguments)
        .output()
}

/// Whether the script can run here; says so if not.
fn dd_is_there() -> bool {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| match python(&["-c", "import dd.autoref"]) {
        Err(error) => Some(format!("python3 cannot be run: {error}")),
        Ok(output) if output.status.success() => None,
        Ok(_) => Some("python3 has no package 'dd'".into()),
    });
    available("cudd", why_not.as_deref())
}

/// What the script says about some tables, and its exit code.
fn checked(paths: &[PathBuf], options: &[&str]) -> (Vec<Json>, i32) {
    let paths = paths.iter().map(|path| path.to_str().unwrap());
    let arguments: Vec<&str> = [SCRIPT, "--json"]
        .into_iter()
        .chain(options.iter().copied())
        .chain(paths.clone())
        .collect();
    let output = python(&arguments).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let results: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(results.len(), paths.len());
    (results, output.status.code().unwrap())
}

/// Tables with bytes of their own, none of which the script may find good; what it says about each.
fn refused(tables: &[Vec<u8>]) -> Vec<Json> {
    let directory = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..tables.len())
        .map(|number| directory.path().join(format!("tampered-{number}.phut")))
        .collect();
    for (path, bytes) in paths.iter().zip(tables) {
        std::fs::write(path, bytes).unwrap();
    }
    let (results, code) = checked(&paths, &[]);
    assert_eq!(code, 1);
    for result in &results {
        assert_eq!(result["ok"], false, "{result}");
    }
    results
}

fn diagram(length: usize, metric: Metric) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::read(generate_diagrams_in(directory.path(), length, metric)).unwrap()
}

/// At 20 squares the directional game has other depths than the ordinary one, at 22 squares other winners.
#[test]
fn a_directional_table_is_checked_by_its_own_rules() {
    if !dd_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let tables = [(20, Metric::Dtw), (22, Metric::Wdl)];
    let good = tables.map(|(length, metric)| generate_directional_in(directory.path(), length, metric));
    let (results, code) = checked(&good, &[]);
    assert_eq!(code, 0, "{results:?}");
    assert!(
        results.iter().all(|result| result["rules"] == "directional"),
        "{results:?}"
    );
    let other_head = |bytes: Vec<u8>| resealed(&bytes, |parts| parts.kind ^= 0x100);
    let own = good.map(|path| other_head(std::fs::read(path).unwrap()));
    let ordinary = tables.map(|(length, metric)| other_head(diagram(length, metric)));
    refused(&[own, ordinary].concat());
}

#[test]
fn good_tables_are_good() {
    if !dd_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for metric in Metric::ALL {
        let lengths: Vec<usize> = (3..=16).collect();
        let paths: Vec<PathBuf> = lengths
            .iter()
            .map(|&length| generate_diagrams_in(directory.path(), length, metric))
            .collect();
        for options in [&[][..], &["--pure"]] {
            let count = if options.is_empty() { paths.len() } else { 8 };
            let (results, code) = checked(&paths[..count], options);
            assert_eq!(code, 0, "{results:?}");
            for (result, length) in results.iter().zip(&lengths) {
                assert_eq!(result["ok"], true, "{result}");
                assert_eq!(result["length"], *length);
                assert_eq!(result["metric"], metric.to_string());
                if !options.is_empty() {
                    assert_eq!(result["library"], "dd.autoref");
                }
            }
        }
    }
}

/// One value changed at a time, as in `tests/diagram_tables.rs`; the position that is named must be one that does not follow.
#[test]
fn planted_faults_are_found_and_named() {
    if !dd_is_there() {
        return;
    }
    let good = Planes::of_reference(8);
    let (mut planted, mut tables) = (Vec::new(), Vec::new());
    for position in both_sides(8).step_by(13) {
        for change in [-2i16, 2, 255] {
            let mut planes = good.clone();
            let byte = planes.left_wins(&position);
            *byte = match change {
                255 if *byte == 0 => 1 + position.side() as u8, // a win where there is none
                255 => 0,
                _ if *byte == 0 => continue,
                _ if i16::from(*byte) + change <= 0 => continue,
                _ => (i16::from(*byte) + change) as u8,
            };
            if good.clone().left_wins(&position) == &0 {
                *planes.left_wins(&position.mirror()) = 0; // the other player does not win it as well
            }
            tables.push(planes.diagram_bytes(Metric::Dtw));
            planted.push((planes.clone(), Metric::Dtw));
            if change == 255 {
                tables.push(planes.diagram_bytes(Metric::Wdl));
                planted.push((planes, Metric::Wdl));
            }
        }
    }
    assert!(tables.len() > 200, "{}", tables.len());
    for (result, (mut planes, metric)) in refused(&tables).into_iter().zip(planted) {
        let position = result["position"].as_str().unwrap_or_else(|| panic!("{result}"));
        let position: Strip = position.parse().unwrap();
        let fault = match metric {
            Metric::Dtw => fault_at(&mut planes, &position, metric),
            Metric::Wdl => fault_on_level_0(&mut planes, &position),
        };
        assert!(fault.is_some(), "{result}");
    }
}

/// Sets that follow from themselves are not enough for a proof, nor are levels in another order.
#[test]
fn a_proof_needs_its_levels() {
    if !dd_is_there() {
        return;
    }
    let good = open_diagrams(diagram(22, Metric::Wdl), "good.phut").unwrap();
    let roots = good.roots();
    assert_eq!(good.levels(), 2);
    let with_roots = |roots: &[u32]| {
        let source = Source {
            rules: Rules::Ordinary,
            diagram: &good.nodes(),
            roots,
            metric: Metric::Wdl,
        };
        let directory = tempfile::tempdir().unwrap();
        std::fs::read(write(&source, directory.path()).unwrap()).unwrap()
    };
    let tables = [
        with_roots(&roots[2..]),
        with_roots(&[&roots[2..], &roots[2..]].concat()),
        with_roots(&[&roots[2..], &roots[..2]].concat()),
        with_roots(&[&roots[..2], &roots[..2]].concat()),
        with_roots(&[roots[1], roots[0], roots[2], roots[3]]),
        with_roots(&roots[..2]),
    ];
    let results = refused(&tables);
    let fault = |number: usize| results[number]["fault"].as_str().unwrap();
    for number in [0, 1, 2, 4] {
        assert!(fault(number).contains("level 0"), "{}", fault(number));
    }
    assert!(fault(3).contains("level 1"), "{}", fault(3));
    assert_eq!(fault(5), "a win of Left, but not stored as one");
}

/// What the header and the description say beside the sets.
#[test]
fn wrong_statistics_are_found() {
    if !dd_is_there() {
        return;
    }
    let dtw = diagram(9, Metric::Dtw);
    let wdl = diagram(9, Metric::Wdl);
    let edited = |good: &[u8], edit: fn(&mut DiagramMetadata)| resealed(good, |parts| parts.edit(edit));
    let tables = [
        edited(&dtw, |metadata| {
            metadata.wins[0] -= 1;
            metadata.losses[0] += 1;
        }),
        edited(&wdl, |metadata| {
            metadata.losses[0] -= 1;
            metadata.draws[0] += 1;
        }),
        // The last square of the example of the longest win.
        edited(&dtw, |metadata| {
            let last = metadata.example.pop().unwrap();
            metadata.example.push(if last == '.' { 'o' } else { '.' });
        }),
        edited(&dtw, |metadata| {
            *metadata.depths.get_mut(&1).unwrap() -= 1;
            *metadata.depths.get_mut(&2).unwrap() += 1;
        }),
    ];
    let names = ["wins", "losses", "longest_win = '", "depths"];
    for (result, name) in refused(&tables).iter().zip(names) {
        assert!(
            result["fault"].as_str().unwrap().contains(name),
            "{name}: {result}"
        );
        assert!(result["position"].is_null());
    }
}

#[test]
fn what_is_no_diagram_table_is_refused() {
    if !dd_is_there() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dense = generate_in(directory.path(), 8, Metric::Dtw);
    let damaged = directory.path().join("damaged.phut");
    let mut bytes = diagram(8, Metric::Dtw);
    let (entries, _) = directory_of(&bytes);
    bytes[entries[1].1 as usize] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let missing = directory.path().join("missing.phut");
    let (results, code) = checked(&[dense, damaged, missing], &[]);
    assert_eq!(code, 1);
    for (result, complaint) in results.iter().zip([
        "dense layout",
        "the checksum of section 'nodes'",
        "cannot read it",
    ]) {
        assert_eq!(result["ok"], false);
        assert!(result["fault"].as_str().unwrap().contains(complaint), "{result}");
    }
    assert_eq!(python(&[SCRIPT]).unwrap().status.code(), Some(2));
    assert_eq!(python(&[SCRIPT, "--what"]).unwrap().status.code(), Some(2));
    // In words, with the position.
    let mut planes = Planes::of_reference(5);
    planes.make_draw(&"..@..".parse().unwrap());
    let path = directory.path().join("planted.phut");
    std::fs::write(&path, planes.diagram_bytes(Metric::Dtw)).unwrap();
    let output = python(&[SCRIPT, path.to_str().unwrap()]).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("WRONG: '"), "{text}");
}
