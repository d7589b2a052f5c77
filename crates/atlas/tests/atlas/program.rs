//! The program `phutbase-atlas`.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::Totals;
use phutbase_tables::strip::metadata::StripMetadata;

/// The charts of an atlas with tables.
const PICTURES: [&str; 5] = ["ratio", "longest", "depths", "losses", "errors"];

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
fn the_atlas_is_one_text_with_its_pictures() {
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
    for name in PICTURES {
        assert!(markdown.contains(&format!("]({name}.svg)")), "{name}");
        let picture = std::fs::read_to_string(directory.join(format!("{name}.svg"))).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("viewBox"));
    }
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
    for text in [
        "ran none of these checkers",
        "theorem for every length: `law_N_holds`",
        "false from 9 squares on",
        // The growth of the wins of 200, 220 and 240 squares, extrapolated by another program, has these digits.
        "tends to 0.676697323,",
    ] {
        assert!(markdown.contains(text), "{text}");
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
    for (longest, metric, omitted) in [
        (12, Metric::Wdl, &["theory monotonicity", "theory forward"][..]),
        (10, Metric::Dtw, &["theory forward"]),
    ] {
        let tables = tempfile::tempdir().unwrap();
        generate_in(tables.path(), longest, metric);
        atlas(tables.path(), "--out . --length 9 --oddish-squares 2").ok();
        let markdown = markdown(tables.path());
        has(
            &markdown,
            &["theory replace o@ .@", "theory dawson", "check_proofs"],
        );
        for absent in omitted.iter().chain(&["up to length 0", " 0 boards"]) {
            assert!(!markdown.contains(absent), "{longest} {metric}: {absent}");
        }
    }
}

/// There is an atlas with any tables; one that disagrees with the counts is refused.
#[test]
fn any_tables_will_do_but_they_must_agree() {
    let out = tempfile::tempdir().unwrap();
    let tables = tempfile::tempdir().unwrap();
    let options = format!("--out {} --length 9 --oddish-squares 3", out.path().display());
    let run = || atlas(tables.path(), &options);
    run().ok();
    generate_in(tables.path(), 12, Metric::Wdl);
    let file = generate_in(tables.path(), 10, Metric::Dtw);
    run().ok();
    has(
        &markdown(out.path()),
        &["every position of lengths 3 to 144", "| 12 | 14,352 |"],
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
