//! The program `phutbase-atlas`.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::Totals;
use phutbase_table::strip::metadata::StripMetadata;
use phutbase_theory::proper::exceptions;
use phutbase_verify::inclusion::turns::TurnKind;

/// The charts of an atlas with tables.
const PICTURES: [&str; 9] = [
    "ratio", "longest", "depths", "losses", "errors", "numbers", "classes", "states", "nodes",
];

/// Runs the program with a directory of tables, in it; options are split at blanks.
fn atlas(tables: &Path, options: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase-atlas"));
    command.arg("--tables").arg(tables).current_dir(tables);
    command.args(options.split(' ')).output().unwrap().into()
}

fn markdown(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("atlas.md")).unwrap()
}

#[test]
fn the_atlas_is_one_page_and_a_markdown_twin_with_its_pictures() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("new/atlas");
    let tables = tempfile::tempdir().unwrap();
    for name in ["strip-36-dtw.phut", "obstruction.phut"] {
        std::fs::copy(repository("tables").join(name), tables.path().join(name)).unwrap();
    }
    generate_in(tables.path(), 20, Metric::Wdl);
    let options = format!(
        "--out {} --length 21 --oddish-squares 8 --json",
        directory.display()
    );
    let written = atlas(tables.path(), &options).json();
    let page = std::fs::read_to_string(directory.join("atlas.html")).unwrap();
    let markdown = markdown(&directory);
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
}

/// A claim that the tables do not examine has no verdict.
#[test]
fn claims_that_nothing_examines_are_omitted() {
    for (longest, metric, claim, omitted) in [
        (12, Metric::Wdl, "theory chain", "theory monotonicity"),
        (10, Metric::Dtw, "theory monotonicity", "theory chain"),
    ] {
        let tables = tempfile::tempdir().unwrap();
        generate_in(tables.path(), longest, metric);
        atlas(tables.path(), "--out . --length 9 --oddish-squares 2").ok();
        let markdown = markdown(tables.path());
        has(&markdown, &[claim, "theory tempo", "theory dawson"]);
        has(
            &markdown,
            &[&format!(
                "| **holds** | every board of 3 to {longest} squares, by diagrams | `phutbase theory proper {longest}` |"
            )],
        );
        for absent in [omitted, "up to length 0", " 0 boards"] {
            assert!(!markdown.contains(absent), "{longest} {metric}: {absent}");
        }
    }
}

/// The atlas covers the lengths of the tables. Without tables, or if they disagree, there is none.
#[test]
fn any_tables_will_do_but_they_must_agree() {
    let out = tempfile::tempdir().unwrap();
    let tables = tempfile::tempdir().unwrap();
    let options = format!("--out {} --length 9 --oddish-squares 3", out.path().display());
    let run = || atlas(tables.path(), &options);
    run().fails(1, &["length 3"]);
    generate_in(tables.path(), 12, Metric::Wdl);
    let file = generate_in(tables.path(), 10, Metric::Dtw);
    run().ok();
    has(
        &markdown(out.path()),
        &["every position of lengths 3 to 12", "| 12 | 14,352 |"],
    );
    // A table with one win too few on 6 squares.
    let wrong = resealed(&std::fs::read(&file).unwrap(), |parts| {
        parts.edit(|metadata: &mut StripMetadata| {
            metadata.lengths[3].wins.0 -= 1u8;
            metadata.lengths[3].losses.0 += 1u8;
        });
    });
    std::fs::write(&file, wrong).unwrap();
    run().fails(1, &["length 6"]);
    // A misnamed table.
    std::fs::copy(tables.path().join("strip-12-wdl.phut"), &file).unwrap();
    run().fails(3, &["strip-10-dtw.phut"]);
}

/// Law N is checked: on wrong values it is false, with an example.
#[test]
fn a_law_that_a_table_contradicts_is_false() {
    let mut seen = false;
    plant(9, 101, |planes, metric, _| {
        let sets = planes.table(metric).sets(9).unwrap();
        let law_n = exceptions(&sets, &TurnKind::PROPER, 1, &Job::default()).unwrap();
        let (Metric::Wdl, false, Some(board)) = (metric, seen, law_n.first.first()) else {
            return;
        };
        let tables = tempfile::tempdir().unwrap();
        std::fs::write(tables.path().join("strip-9-wdl.phut"), planes.bytes(metric)).unwrap();
        atlas(tables.path(), "--out . --length 9 --oddish-squares 2").ok();
        let markdown = markdown(tables.path());
        let line = markdown
            .lines()
            .find(|line| line.starts_with("| Law N: "))
            .unwrap();
        has(line, &["| **false** |"]);
        has(&markdown, &[&board.to_string()]);
        seen = true;
    });
    assert!(seen);
}

#[test]
fn options_out_of_range_and_blocked_directories_are_refused() {
    let tables = tempfile::tempdir().unwrap();
    for (code, options, part) in [
        (2, "--length 8", "from 9"),
        (2, "--length 65", "to 64"),
        (3, "--out /dev/null/x", "/dev/null/x"),
    ] {
        atlas(tables.path(), options).refuses(code, &[part]);
    }
    assert!(
        atlas(tables.path(), "--help")
            .ok()
            .stdout
            .contains("phutbase-atlas --out")
    );
}

/// An atlas without tables takes no time to fail, one with many takes minutes.
#[test]
#[cfg(unix)]
fn a_signal_ends_the_work_soon() {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase-atlas"));
    command
        .arg("--tables")
        .arg(repository("tables"))
        .arg("--out")
        .arg(out.path());
    let child = (command.stdout(Stdio::piped()).stderr(Stdio::piped())).spawn();
    let child = child.unwrap();
    std::thread::sleep(Duration::from_millis(600));
    send("INT", child.id());
    let begun = Instant::now();
    let run = Run::from(child.wait_with_output().unwrap());
    run.fails(130, &["interrupted", "of the atlas; nothing was saved"]);
    assert!(begun.elapsed() < Duration::from_secs(5));
}
