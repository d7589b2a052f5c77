//! `phutbase verify` of strips.

use crate::prelude::*;
use phutbase_tables::strip::metadata::StripMetadata;
use phutbase_tables::strip::write::write;

#[test]
fn good_tables_are_found_good() {
    let tables = Tables::made("14");
    tables.run("generate 10 --metric wdl").ok();
    let lines = tables.lines("verify");
    let names: Vec<String> = lines
        .iter()
        .map(|line| format!("{}{}", line["boards"], line["metric"]))
        .collect();
    assert_eq!(names, [r#""14""dtw""#, r#""10""wdl""#]);
    for (line, length) in lines.iter().zip([14u64, 10]) {
        let expected = (&json!(true), &Json::Null, &Json::Null, &json!([3, length]));
        assert_eq!(
            (&line["ok"], &line["error"], &line["position"], &line["settles"]),
            expected
        );
        assert_eq!(line["positions"], (length - 2) << (length - 1));
        assert!(std::fs::exists(line["file"].as_str().unwrap()).unwrap(), "{line}");
    }
    let text = tables.run("verify").ok().stdout;
    for proved in [
        "every winner and depth on 3 to 14 squares is proved ply by ply (Lemma 1); no draw (",
        "every winner on 3 to 10 squares is proved by proper turns (Theorem N, Lemma 1); no draw (",
        "every length: no position is a draw, and the rule says who wins (proved in Coq: proofs/RuleSolved.v",
    ] {
        has(&text, &[proved]);
    }
    // A length is verified in the tables that answer for it, and by the rule.
    for (length, files) in [
        (9, json!(["14", "10", "9"])),
        (12, json!(["14", "12"])),
        (14, json!(["14", "14"])),
        (15, json!(["15"])),
    ] {
        let lines = tables.lines(&format!("verify {length}"));
        let boards: Json = lines.iter().map(|line| line["boards"].clone()).collect();
        assert_eq!(boards, files);
        let rule = lines.last().unwrap();
        let expected = json!(["solution", true, true, [3, length]]);
        assert_eq!(fields(rule, "source ok proof settles"), expected);
        assert!(rule.get("file").is_none(), "{rule}");
    }
}

/// The sets of the rule count, and what their check takes.
#[test]
fn who_wins_by_the_rule_is_checked_within_the_memory_limit() {
    let tables = Tables::none();
    let text = tables.run("verify 3..64").ok().stdout;
    has(
        &text,
        &["rule: 571,849,066,284,996,100,096 positions, every winner on 3 to 64 squares is proved"],
    );
    for (memory, refusal) in [
        (
            "1MiB",
            "needs 15.0 MiB of memory and 1.0 MiB may be used: allow more with --memory",
        ),
        ("16MiB", "bytes of memory and"),
    ] {
        tables
            .run(&format!("verify 64 --memory {memory}"))
            .refuses(3, &[refusal]);
    }
    tables.run("verify 64 --memory 40MiB").ok();
}

#[test]
fn an_enumeration_agrees_on_every_value_of_every_length() {
    let tables = Tables::made("14");
    tables.run("generate 12 --metric wdl").ok();
    let lines = tables.lines("verify 3..14 --by-enumeration");
    for (line, length) in lines.iter().zip(3..=14) {
        let expected = json!([length.to_string(), "dtw", true]);
        assert_eq!(fields(line, "boards metric ok"), expected);
    }
    std::fs::remove_file(tables.dtw(14)).unwrap();
    let line = tables.run("verify 11 --by-enumeration --json").json();
    assert_eq!(fields(&line, "ok metric"), json!([true, "wdl"]));
    tables
        .run("verify 12 --by-enumeration --memory 10KiB")
        .fails(3, &["length 12", "memory"]);
}

#[test]
fn a_damaged_table_fails_the_check_with_its_file_and_the_reason() {
    let tables = Tables::made("9");
    let size = std::fs::metadata(tables.dtw(9)).unwrap().len() as usize;
    for at in [1, 20, 40, size / 2, size - 1] {
        flip_byte(&tables.dtw(9), at);
        for (arguments, good) in [("verify", 0), ("verify 8", 1), ("verify 5 --by-enumeration", 0)] {
            let run = tables.run(&format!("{arguments} --json"));
            let message = run.failure(3).to_string();
            has(&message, &["strip-9-dtw.phut"]);
            let (of_rule, others): (Vec<Json>, Vec<Json>) =
                (run.json_lines().into_iter()).partition(|line| line["source"] == "solution");
            assert!(others.iter().all(|line| line["error"] == message), "{run:?}");
            assert_eq!(of_rule.len(), good, "{run:?}");
            let text = tables.run(arguments);
            assert_eq!(text.failure(3), message);
            assert_eq!(text.stdout.lines().count(), good, "{text:?}");
            // The exit code does not depend on the reader of the output.
            assert_eq!(run_unread(&mut tables.phutbase(arguments)).failure(3), message);
        }
        flip_byte(&tables.dtw(9), at);
    }
    tables.run("verify").ok();
}

/// The table whose winners are compared, or the nimbers, may be damaged.
#[test]
fn damage_fails_only_the_check_of_the_damaged_table() {
    let tables = Tables::made("9");
    tables.run("generate 8 --metric wdl").ok();
    let check = |file: &str, good: [bool; 2]| {
        let run = tables.run("verify --json");
        run.fails(3, &[file]);
        assert_eq!(run.stderr.matches(file).count(), 1, "{run:?}");
        let lines = run.json_lines();
        let found: Vec<Json> = lines.iter().map(|line| line["ok"].clone()).collect();
        assert_eq!(found, good, "{run:?}");
    };
    let whole = std::fs::read(tables.dtw(9)).unwrap();
    flip_byte(&tables.dtw(9), 20);
    check("strip-9-dtw.phut", [false, true]);
    std::fs::write(tables.dtw(9), &whole).unwrap();
    damage_frame(&tables.dtw(9), 0);
    check("strip-9-dtw.phut", [false, true]);
    std::fs::write(tables.dtw(9), &whole).unwrap();
    std::fs::write(tables.path().join("obstruction.phut"), "no table").unwrap();
    check("obstruction.phut", [true, true]);
}

/// Writes the table again; if `wrong`, with the wins in two plies as those in one.
fn write_again(tables: &Tables, length: usize, wrong: bool) {
    let table = StripTable::open(&tables.dtw(length)).unwrap();
    let (graph, mut roots) = table.sets(length).unwrap().reduced().unwrap();
    if wrong {
        roots[0] = roots[1];
    }
    write(&graph, &roots, Metric::Dtw, tables.path()).unwrap();
}

#[test]
fn a_table_with_a_wrong_value_fails_the_check_with_the_position() {
    let tables = Tables::made("9");
    let good = std::fs::read(tables.dtw(9)).unwrap();
    write_again(&tables, 9, false);
    assert!(std::fs::read(tables.dtw(9)).unwrap() == good);
    write_again(&tables, 9, true);
    for arguments in ["verify --json", "verify 9 --by-enumeration --json"] {
        let run = tables.run(arguments);
        run.fails(1, &["strip-9-dtw.phut", "'"]);
        let line = &run.json_lines()[0];
        assert_eq!(fields(line, "ok proof settles"), json!([false, false, null]));
    }
    let named = &tables.run("verify --json").json_lines()[0]["position"];
    let named: Strip = named.as_str().unwrap().parse().unwrap();
    assert_eq!(named.length(), 9);
}

#[test]
fn a_wrong_count_of_a_shorter_length_fails_the_check() {
    let tables = Tables::made("9");
    let good = std::fs::read(tables.dtw(9)).unwrap();
    let edits: [fn(&mut StripMetadata); 3] = [
        // One win fewer and one loss more on 6 squares: the sum still agrees.
        |metadata| {
            metadata.lengths[3].wins.0 -= 1u8;
            metadata.lengths[3].losses.0 += 1u8;
        },
        |metadata| metadata.lengths[3].wins.0 -= 1u8,
        |metadata| metadata.lengths[4].longest_win += 2,
    ];
    for edit in edits {
        std::fs::write(tables.dtw(9), resealed(&good, |parts| parts.edit(edit))).unwrap();
        for arguments in ["verify", "verify 6", "verify 9"] {
            let run = tables.run(arguments);
            run.fails(1, &["strip-9-dtw.phut"]);
        }
    }
}

/// A fault is printed where it is found, not at the end, which an interrupted run does not reach.
#[test]
fn a_fault_is_printed_before_the_next_table_is_checked() {
    let tables = Tables::shipped(&["strip-144-wdl.phut"]);
    generate_in(tables.path(), 9, Metric::Dtw);
    damage_frame(&tables.dtw(9), 0);
    let mut child = (tables
        .phutbase("verify")
        .stderr(Stdio::piped())
        .stdout(Stdio::null()))
    .spawn()
    .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    let fault = errors.next().unwrap().unwrap();
    assert!(fault.contains("strip-9-dtw.phut: damaged"), "{fault}");
    send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(errors.next().unwrap().unwrap().contains("interrupted"));
}
