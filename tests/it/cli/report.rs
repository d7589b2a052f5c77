//! `phutbase report` as a user meets it.

use crate::common::cli::{Run, phutbase, run};
use crate::common::{Totals, pinned_totals};
use num_bigint::BigUint;
use phutbase::report::limit::estimate;
use phutbase::report::tables::read;
use phutbase::table::directory::Tablebase;
use std::collections::BTreeMap;
use std::path::Path;

/// The pictures of an atlas with tables.
const PICTURES: [&str; 10] = [
    "ratio", "longest", "depths", "losses", "errors", "numbers", "classes", "states", "nodes", "bytes",
];

/// A directory with some of the project's tables.
fn some_tables(directory: &Path, wanted: impl Fn(&str) -> bool) {
    std::fs::create_dir(directory).unwrap();
    for entry in std::fs::read_dir("tables").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".phut") && wanted(&name) {
            std::fs::copy(Path::new("tables").join(&name), directory.join(&name)).unwrap();
        }
    }
}

#[test]
fn the_atlas_is_one_page_and_a_markdown_twin_with_its_pictures() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("new/atlas");
    // Without diagrams of 22 squares nothing is played out by the rules alone, which takes long.
    let tables = out.path().join("tables");
    some_tables(&tables, |name| {
        !name.ends_with("-wdl.phut")
            || ["26", "66", "72"]
                .iter()
                .any(|length| name == format!("strip-{length}-wdl.phut"))
    });
    let command = format!(
        "report --out {} --tables {} --dense-length 13 --symbolic-length 21 --oddish-squares 8 --json",
        directory.display(),
        tables.display()
    );
    let done = run(&command).ok();
    assert!(
        done.stderr.contains("arrays up to 13 squares take"),
        "{}",
        done.stderr
    );
    let written = done.json();
    assert_eq!(written["claims"], 21);
    let page = std::fs::read_to_string(directory.join("atlas.html")).unwrap();
    let markdown = std::fs::read_to_string(directory.join("atlas.md")).unwrap();
    // Nothing is fetched from anywhere.
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src=") && !links.contains("@import"));
    for name in PICTURES {
        assert!(markdown.contains(&format!("]({name}.svg)")), "{name}");
        let picture = std::fs::read_to_string(directory.join(format!("{name}.svg"))).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("viewBox"));
    }
    assert_eq!(page.matches("<figure>").count(), PICTURES.len());
    // Counts by arrays and diagrams, the tables' counts past them, a claim, a position that shows it, the proof of it, pitches, nimbers.
    for text in [
        "31,492",
        "13,564",
        "112,508,165,530,215,464,210,555",
        "lengths 3 to 32, 66 and 72",
        "there are 295 such boards of 26 squares",
        "false from 66 squares on",
        ".@.o..o..",
        "the reference solver",
        "| 30 | 10 × 3 | 12,884,901,888 | **279,406** |",
        "| 7 | 1 | 1 | 1 | **0** | 5 | 1 | 1 | **0** |",
    ] {
        assert!(markdown.contains(text), "{text}");
    }
    assert!(page.contains("31,492") && page.contains("class=\"board\""));
    // The rules come before the claims, and the sequences stand beside the page.
    let place = |heading: &str| markdown.find(heading).unwrap_or_else(|| panic!("{heading}"));
    assert!(place("## Rules and definitions") < place("## Claims and verdicts"));
    let sequences = std::fs::read_to_string(directory.join("sequences.csv")).unwrap();
    let mut lines = sequences.lines();
    assert_eq!(lines.next(), Some("squares,positions,wins,losses,draws,longest"));
    for totals in pinned_totals() {
        let Totals {
            length,
            wins,
            losses,
            draws,
            longest,
        } = totals;
        let all = wins + losses + draws;
        let line = format!("{length},{all},{wins},{losses},{draws},{longest}");
        assert!(lines.any(|found| found == line), "{line}");
    }
    // The commands that are quick to run again. Some write to the data directory.
    let again = |command: &str| {
        let run = phutbase(command)
            .env("XDG_DATA_HOME", out.path().join("data"))
            .output();
        Run::from(run.unwrap()).ok();
    };
    for command in ["generate obstruction:", "theory monotonicity", "draws 7x3"] {
        let claim = markdown.split(&format!("`phutbase {command}")).nth(1).unwrap();
        again(&format!("{command}{}", claim.split('`').next().unwrap()));
    }
    let make = markdown.split("which `phutbase ").nth(1).unwrap();
    again(&format!("{} --seconds 0", make.split('`').next().unwrap()));
}

/// Without tables there is an atlas too, of what is computed; and tables that say something else than what is computed are refused.
#[test]
fn any_set_of_tables_will_do_but_they_must_agree_with_what_is_computed() {
    let out = tempfile::tempdir().unwrap();
    let tables = out.path().join("tables");
    let command = format!(
        "report --tables {} --out {} --dense-length 9 --symbolic-length 9 --oddish-squares 3",
        tables.display(),
        out.path().join("atlas").display()
    );
    let markdown = || std::fs::read_to_string(out.path().join("atlas/atlas.md")).unwrap();
    run(&command).ok();
    assert!(!markdown().contains("Tables are at hand") && !markdown().contains("bytes.svg"));
    some_tables(&tables, |name| {
        ["strip-4-wdl.phut", "strip-26-wdl.phut", "strip-30-wdl.phut"].contains(&name)
    });
    run(&command).ok();
    assert!(markdown().contains("Tables are at hand for lengths 4, 26 and 30"));
    assert!(markdown().contains("| 30 | 10,319,253,805 |"));
    // 293 and 2, as tests/data/forward_levels.tsv says; shorter lengths that have no table may refute it as well.
    assert!(markdown().contains("Left needs a turn backward; there are 295 such boards of 26 squares"));
    assert!(
        markdown().contains("Forward play is enough") && !markdown().contains("false from 26 squares on")
    );
    // A wrong table: another length under this name.
    std::fs::copy("tables/strip-5-wdl.phut", tables.join("strip-4-wdl.phut")).unwrap();
    run(&command).failure(1);
}

/// The estimate from the lengths up to 64 foretells the count of length 72, which it has not seen.
#[test]
fn the_estimated_limit_foretells_a_count_that_it_has_not_seen() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("tables");
    some_tables(&directory, |name| {
        let length = name
            .strip_prefix("strip-")
            .and_then(|rest| rest.strip_suffix("-wdl.phut"));
        length.is_some_and(|length| length.parse::<usize>().unwrap() <= 72)
    });
    let tables = Tablebase::open(&directory).unwrap();
    let mut wins: BTreeMap<usize, BigUint> = read(&tables)
        .unwrap()
        .into_iter()
        .map(|stored| (stored.length, stored.wins))
        .collect();
    assert!(wins.contains_key(&72));
    wins.split_off(&65);
    let before = estimate(&wins).unwrap();
    assert_eq!(before.length, 64);
    let summed =
        |length: usize| wins[&length].to_string().parse::<f64>().unwrap() / 2f64.powi(length as i32 - 1);
    // Growth by squares 65 to 72, if the distance to the limit shrinks by the factor found.
    let growth = before.share + (before.growth - before.share) * before.decay.powi(8);
    let foretold = (summed(64) + 8.0 * growth) / 70.0;
    // Of 165,282,826,900,437,582,479,360 positions 112,508,165,530,215,464,210,555 are won.
    let exact = 112_508_165_530_215_464_210_555f64 / 165_282_826_900_437_582_479_360f64;
    assert!((foretold - exact).abs() < 2e-7, "{foretold} {exact}");
}

#[test]
fn lengths_out_of_range_are_bad_usage_and_a_bad_directory_is_a_failure() {
    run("report --dense-length 8").refusal(2);
    run("report --symbolic-length 65").refusal(2);
    run("report --dense-length 9 --symbolic-length 9 --oddish-squares 3 --out /dev/null/x").failure(1);
}
