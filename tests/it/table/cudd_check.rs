//! `scripts/check_with_cudd.py`, which trusts nothing but the rules and docs/FORMAT.md, must find good tables good and tampered ones
//! wrong.
//!
//! Where `python3` cannot import the package `dd` there is nothing to test: the tests say so and pass, unless
//! `PHUTBASE_REQUIRE` names `cudd`.

use crate::common::container::{LengthCounts, StripMetadata, directory as directory_of, resealed};
use crate::common::tools::available;
use crate::table::support::{
    METRICS, Planes, bytes_of, follows, generate_in, generate_pitch_in, generate_under, generated, plant,
    strip, table,
};
use phutbase::games::rules::Rules;
use phutbase::table::Metric;
use serde_json::Value as Json;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_with_cudd.py");

fn python(arguments: &[&str]) -> std::io::Result<Output> {
    let mut command = Command::new("python3");
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(arguments)
        .output()
}

/// A directory for tables, if the script can run here; says so if not.
fn ready() -> Option<TempDir> {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| match python(&["-c", "import dd.autoref"]) {
        Err(error) => Some(format!("python3 cannot be run: {error}")),
        Ok(output) if output.status.success() => None,
        Ok(_) => Some("python3 has no package 'dd'".into()),
    });
    available("cudd", why_not.as_deref()).then(|| tempfile::tempdir().unwrap())
}

/// What the script says about some tables, and its exit code.
fn checked(paths: &[PathBuf], options: &[&str]) -> (Vec<Json>, i32) {
    let mut arguments = [&[SCRIPT, "--json"], options].concat();
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let output = python(&arguments).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let results = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let results: Vec<Json> = results.collect();
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

/// At 20 squares the directional game has other depths than the ordinary one, at 22 squares other winners.
#[test]
fn a_directional_table_is_checked_by_its_own_rules() {
    let Some(directory) = ready() else { return };
    let tables = [(20, Metric::Dtw), (22, Metric::Wdl)];
    let make = |(length, metric)| generate_under(Rules::Directional, directory.path(), length, metric);
    let good = tables.map(make);
    let (results, code) = checked(&good, &[]);
    assert_eq!(code, 0, "{results:?}");
    let directional = results.iter().all(|result| result["rules"] == "directional");
    assert!(directional, "{results:?}");
    let other_head = |bytes: Vec<u8>| resealed(&bytes, |parts| parts.kind ^= 0x100);
    let own = good.map(|path| other_head(std::fs::read(path).unwrap()));
    let ordinary = tables.map(|(length, metric)| other_head(generated(length, metric)));
    refused(&[own, ordinary].concat());
}

#[test]
fn good_tables_are_good() {
    let Some(directory) = ready() else { return };
    for metric in METRICS {
        let paths = (3..=16).map(|length| generate_in(directory.path(), length, metric));
        let paths: Vec<PathBuf> = paths.collect();
        for options in [&[][..], &["--pure"]] {
            let count = if options.is_empty() { paths.len() } else { 8 };
            let (results, code) = checked(&paths[..count], options);
            assert_eq!(code, 0, "{results:?}");
            for (result, length) in results.iter().zip(3..) {
                assert_eq!(result["ok"], true, "{result}");
                assert_eq!(result["length"], length);
                assert_eq!(result["metric"], metric.to_string());
                if !options.is_empty() {
                    assert_eq!(result["library"], "dd.autoref");
                }
            }
        }
    }
}

/// One value changed at a time; the position that is named must be one that does not follow.
#[test]
fn planted_faults_are_found_and_named() {
    let Some(_) = ready() else { return };
    let (mut planted, mut tables) = (Vec::new(), Vec::new());
    plant(8, 13, |planes, metric, _| {
        tables.push(planes.bytes(metric));
        planted.push((planes, metric));
    });
    assert!(tables.len() > 200, "{}", tables.len());
    for (result, (mut planes, metric)) in refused(&tables).into_iter().zip(planted) {
        let position = result["position"].as_str().unwrap_or_else(|| panic!("{result}"));
        assert!(!follows(&mut planes, &strip(position), metric), "{result}");
    }
}

/// Sets that follow from themselves are not enough for a proof, nor are levels in another order.
#[test]
fn a_proof_needs_its_levels() {
    let Some(_) = ready() else { return };
    let good = table(22, Metric::Wdl).sets(22).unwrap();
    let roots = good.roots();
    assert_eq!(good.levels(), 2);
    let with_roots = |roots: &[u32]| bytes_of(&good, roots, Rules::Ordinary, Metric::Wdl);
    let tables = [
        with_roots(&roots[2..]),
        with_roots(&[&roots[2..], &roots[..2]].concat()),
        with_roots(&[&roots[..2], roots].concat()),
        with_roots(&[roots[1], roots[0], roots[2], roots[3]]),
        with_roots(&roots[..2]),
    ];
    let results = refused(&tables);
    let fault = |number: usize| results[number]["fault"].as_str().unwrap();
    for number in [0, 1, 3] {
        assert!(fault(number).contains("level 0"), "{}", fault(number));
    }
    assert!(fault(2).contains("level 1"), "{}", fault(2));
    assert_eq!(fault(4), "a win of Left, but not stored as one");
}

/// The counts of any length, beside the sets.
#[test]
fn wrong_counts_are_found() {
    let Some(_) = ready() else { return };
    type Edit = fn(&mut LengthCounts);
    let edits: [(Metric, &str, usize, Edit); 6] = [
        (Metric::Dtw, "wins", 9, |counts| counts.wins[0] -= 1),
        (Metric::Dtw, "losses", 4, |counts| counts.losses[0] -= 1),
        (Metric::Dtw, "longest_win", 6, |counts| counts.longest_win -= 2),
        (Metric::Dtw, "longest_loss", 8, |counts| counts.longest_loss -= 2),
        (Metric::Wdl, "losses", 9, |counts| counts.losses[0] -= 1),
        (Metric::Wdl, "wins", 3, |counts| counts.wins[0] -= 1),
    ];
    let tables = edits.map(|(metric, _, length, edit)| {
        resealed(&generated(9, metric), |parts| {
            parts.edit(|metadata: &mut StripMetadata| edit(&mut metadata.lengths[length - 3]));
        })
    });
    for (result, (_, name, length, _)) in refused(&tables).iter().zip(edits) {
        let expected = format!("of {length} squares the table says {name} = ");
        assert!(
            result["fault"].as_str().unwrap().contains(&expected),
            "{expected}: {result}"
        );
        assert!(result["position"].is_null());
    }
}

#[test]
fn what_is_no_table_of_strips_is_refused() {
    let Some(directory) = ready() else { return };
    let pitch = generate_pitch_in(Rules::Ordinary, directory.path(), "3x3");
    let damaged = directory.path().join("damaged.phut");
    let mut bytes = generated(8, Metric::Dtw);
    let (entries, _) = directory_of(&bytes);
    bytes[entries[1].1 as usize] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let missing = directory.path().join("missing.phut");
    let (results, code) = checked(&[pitch, damaged, missing], &[]);
    assert_eq!(code, 1);
    let complaints = [
        "no table of strips",
        "checksum mismatch in frame 0",
        "cannot read it",
    ];
    for (result, complaint) in results.iter().zip(complaints) {
        assert_eq!(result["ok"], false);
        assert!(result["fault"].as_str().unwrap().contains(complaint), "{result}");
    }
    assert_eq!(python(&[SCRIPT]).unwrap().status.code(), Some(2));
    assert_eq!(python(&[SCRIPT, "--what"]).unwrap().status.code(), Some(2));
    // In words, with the position.
    let mut planes = Planes::of_reference(5);
    planes.make_draw(&strip("..@.."));
    let path = directory.path().join("planted.phut");
    std::fs::write(&path, planes.bytes(Metric::Dtw)).unwrap();
    let output = python(&[SCRIPT, path.to_str().unwrap()]).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("WRONG: '"), "{text}");
}
