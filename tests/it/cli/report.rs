//! `phutbase report` as a user meets it.

use crate::common::cli::{Run, Tables, phutbase, run};
use crate::common::container::resealed;
use crate::common::{Totals, pinned_totals};
use num_bigint::BigUint;
use phutbase::report::limit::estimate;
use phutbase::table::strip::metadata::Metadata;
use phutbase::table::tablebase::Tablebase;
use std::collections::BTreeMap;
use std::path::Path;

/// The pictures of an atlas with tables.
const PICTURES: [&str; 9] = [
    "ratio", "longest", "depths", "losses", "errors", "numbers", "classes", "states", "nodes",
];

#[test]
fn the_atlas_is_one_page_and_a_markdown_twin_with_its_pictures() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("new/atlas");
    // With the table of 128 squares it takes minutes.
    let tables = Tables::none();
    for name in ["strip-36-dtw.phut", "strip-64-wdl.phut", "obstruction.phut"] {
        std::fs::copy(Path::new("tables").join(name), tables.path().join(name)).unwrap();
    }
    let command = format!(
        "report --out {} --length 21 --oddish-squares 8 --json",
        directory.display()
    );
    let written = tables.run(&command).json();
    assert_eq!(written["claims"], 20);
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
        "lengths 3 to 64",
        "there are 3 such boards of 22 squares",
        "there are 9 such boards of 44 squares",
        "false from 22 squares on",
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

/// The atlas goes as far as the tables; without any, and where they disagree, there is none.
#[test]
fn any_tables_will_do_but_they_must_agree() {
    let out = tempfile::tempdir().unwrap();
    let tables = Tables::none();
    let report = |tables: &Tables| {
        let out = out.path().join("atlas");
        tables.run(&format!(
            "report --out {} --length 9 --oddish-squares 3",
            out.display()
        ))
    };
    let markdown = || std::fs::read_to_string(out.path().join("atlas/atlas.md")).unwrap();
    report(&tables).fails(1, &["length 3"]);
    tables.run("generate 12 --metric wdl").ok();
    tables.run("generate 10").ok();
    report(&tables).ok();
    assert!(markdown().contains("every position of lengths 3 to 12"));
    assert!(markdown().contains("| 12 | 14,352 |"));
    // A table that counts one win too few on 6 squares.
    let file = tables.dtw(10);
    let wrong = resealed(&std::fs::read(&file).unwrap(), |parts| {
        parts.edit(|metadata: &mut Metadata| {
            metadata.lengths[3].wins.0 -= 1u8;
            metadata.lengths[3].losses.0 += 1u8;
        });
    });
    std::fs::write(&file, wrong).unwrap();
    report(&tables).fails(1, &["length 6"]);
    // A table under another's name.
    std::fs::copy(tables.path().join("strip-12-wdl.phut"), &file).unwrap();
    report(&tables).fails(3, &["strip-10-dtw.phut"]);
}

/// The estimate from the lengths up to 64 foretells the count of length 72, which it has not seen.
#[test]
fn the_estimated_limit_foretells_a_count_that_it_has_not_seen() {
    let tables = Tablebase::open(Path::new("tables")).unwrap();
    let table = tables.best(72).unwrap();
    let wins = |length: usize| table.summary(length).unwrap().wins;
    let known: BTreeMap<usize, BigUint> = (3..=64).map(|length| (length, wins(length))).collect();
    let before = estimate(&known).unwrap();
    assert_eq!(before.length, 64);
    let summed =
        |length: usize| wins(length).to_string().parse::<f64>().unwrap() / 2f64.powi(length as i32 - 1);
    // Growth by squares 65 to 72, if the distance to the limit shrinks by the factor found.
    let growth = before.share + (before.growth - before.share) * before.decay.powi(8);
    let foretold = (summed(64) + 8.0 * growth) / 70.0;
    // Of 165,282,826,900,437,582,479,360 positions 112,508,165,530,215,464,210,555 are won.
    let exact = 112_508_165_530_215_464_210_555f64 / 165_282_826_900_437_582_479_360f64;
    assert!((foretold - exact).abs() < 2e-7, "{foretold} {exact}");
}

#[test]
fn lengths_out_of_range_are_bad_usage_and_a_bad_directory_is_a_failure() {
    run("report --length 8").refusal(2);
    run("report --length 65").refusal(2);
    run("report --length 9 --oddish-squares 3 --out /dev/null/x").failure(3);
}
