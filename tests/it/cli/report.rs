//! `phutbase report`.

use crate::prelude::*;
use phutbase_fixtures::values::Totals;
use phutbase_table::strip::metadata::StripMetadata;
use phutbase_theory::proper::exceptions;
use phutbase_theory::replace::{Replacement, compare};
use phutbase_verify::inclusion::turns::TurnKind;

/// The charts of an atlas with tables.
const PICTURES: [&str; 9] = [
    "ratio", "longest", "depths", "losses", "errors", "numbers", "classes", "states", "nodes",
];

#[test]
fn the_atlas_is_one_page_and_a_markdown_twin_with_its_pictures() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("new/atlas");
    let tables = Tables::shipped(&["strip-36-dtw.phut", "obstruction.phut"]);
    tables.run("generate 20 --metric wdl").ok();
    let command = format!(
        "report --out {} --length 21 --oddish-squares 8 --json",
        directory.display()
    );
    let written = tables.run(&command).json();
    let page = std::fs::read_to_string(directory.join("atlas.html")).unwrap();
    let markdown = std::fs::read_to_string(directory.join("atlas.md")).unwrap();
    let section = markdown
        .split("## Claims and verdicts")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let rows = section
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Claim |"));
    assert_eq!(written["claims"], rows.count());
    // The page loads nothing from elsewhere.
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src=") && !links.contains("@import"));
    for name in PICTURES {
        assert!(markdown.contains(&format!("]({name}.svg)")), "{name}");
        let picture = std::fs::read_to_string(directory.join(format!("{name}.svg"))).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("viewBox"));
    }
    assert_eq!(page.matches("<figure>").count(), PICTURES.len());
    // Counts of the engines, counts of the tables, a claim with a position that shows it and its
    // proof, pitches, nimbers.
    for text in [
        "31,492",
        "13,564",
        ".@.o..o..",
        "proved by the rules alone, against every reply",
        "| 30 | 10 × 3 | 12,884,901,888 | **279,406** |",
        "| 7 | 1 | 1 | 1 | **0** | 5 | 1 | 1 | **0** |",
    ] {
        assert!(markdown.contains(text), "{text}");
    }
    assert!(page.contains("31,492") && page.contains("class=\"board\""));
    assert!(page.contains("<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg "));
    // Both name what was not run, and word a verdict alike.
    for text in [
        "ran none of these checkers",
        "was not run for this atlas",
        "false from 9 squares on",
    ] {
        assert!(markdown.contains(text) && page.contains(text), "{text}");
    }
    // The rules come before the claims; the sequences are in a separate file.
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
    // Commands of the atlas that are quick to run again. Some write to the data directory.
    let again = |command: &str| {
        let run = phutbase(command)
            .env("XDG_DATA_HOME", out.path().join("data"))
            .output();
        Run::from(run.unwrap()).ok();
    };
    for command in ["generate obstruction:", "theory monotonicity", "generate 7x3"] {
        let claim = markdown.split(&format!("`phutbase {command}")).nth(1).unwrap();
        again(&format!("{command}{}", claim.split('`').next().unwrap()));
    }
    let make = markdown.split("which `phutbase ").nth(1).unwrap();
    again(&format!("{} --time 0s", make.split('`').next().unwrap()));
}

/// A claim that the tables do not examine has no verdict.
#[test]
fn claims_that_nothing_examines_are_omitted() {
    for (boards, claim, omitted) in [
        ("12 --metric wdl", "theory chain", "theory monotonicity"),
        ("10", "theory monotonicity", "theory chain"),
    ] {
        let tables = Tables::made(boards);
        tables.run("report --out . --length 9 --oddish-squares 2").ok();
        let markdown = std::fs::read_to_string(tables.path().join("atlas.md")).unwrap();
        has(&markdown, &[claim, "theory tempo", "theory dawson"]);
        let longest = boards.split(' ').next().unwrap();
        has(
            &markdown,
            &[&format!(
                "| **holds** | every board of 3 to {longest} squares, by diagrams | `phutbase theory proper {longest}` |"
            )],
        );
        for absent in [omitted, "up to length 0", " 0 boards"] {
            assert!(!markdown.contains(absent), "{boards}: {absent}");
        }
    }
}

/// The atlas covers the lengths of the tables. Without tables, or if they disagree, there is none.
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
    // A table with one win too few on 6 squares.
    let file = tables.dtw(10);
    let wrong = resealed(&std::fs::read(&file).unwrap(), |parts| {
        parts.edit(|metadata: &mut StripMetadata| {
            metadata.lengths[3].wins.0 -= 1u8;
            metadata.lengths[3].losses.0 += 1u8;
        });
    });
    std::fs::write(&file, wrong).unwrap();
    report(&tables).fails(1, &["length 6"]);
    // A misnamed table.
    std::fs::copy(tables.path().join("strip-12-wdl.phut"), &file).unwrap();
    report(&tables).fails(3, &["strip-10-dtw.phut"]);
}

/// Law N and Law M are checked: on wrong values they are false, with an example.
#[test]
fn laws_that_a_table_contradicts_are_false() {
    let mut seen = [false; 2];
    plant(9, 101, |planes, metric, _| {
        let sets = planes.table(metric).sets(9).unwrap();
        let law_n = exceptions(&sets, &TurnKind::PROPER, 1, &Job::default())
            .unwrap()
            .first;
        let word = Replacement::parse("o@", ".@").unwrap();
        let law_m = [Side::Left, Side::Right].map(|side| compare(&sets, &word, side, 1).unwrap().first);
        let broken = [law_n, law_m.concat()].map(|found| found.first().copied());
        let is_new = (0..2).any(|law| broken[law].is_some() && !seen[law]);
        if metric != Metric::Wdl || !is_new {
            return;
        }
        let tables = Tables::none();
        std::fs::write(tables.path().join("strip-9-wdl.phut"), planes.bytes(metric)).unwrap();
        tables.run("report --out . --length 9 --oddish-squares 2").ok();
        let markdown = std::fs::read_to_string(tables.path().join("atlas.md")).unwrap();
        for (law, name) in ["| Law N: ", "| Law M "].into_iter().enumerate() {
            let line = markdown.lines().find(|line| line.starts_with(name)).unwrap();
            let verdict = ["| **holds** |", "| **false** |"][usize::from(broken[law].is_some())];
            has(line, &[verdict]);
            let example = broken[law].map_or(String::new(), |board| board.to_string());
            has(&markdown, &[&example]);
            seen[law] |= broken[law].is_some();
        }
    });
    assert_eq!(seen, [true; 2]);
}
