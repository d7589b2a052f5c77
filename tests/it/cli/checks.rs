//! `phutbase stats`, `verify` and `draws`.

use crate::common::cli::{Run, Tables, flip_byte, phutbase, run_unread};
use crate::common::{pinned_depths, pinned_totals};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::table::container::read::Container;
use phutbase::table::dense::DenseTable;
use phutbase::table::writer::{DenseSource, write};
use phutbase::table::{Metric, low_bits};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A table's values with one depth byte changed: what an engine with a fault would write.
struct Faulty {
    table: DenseTable,
    /// The player to move, the ball's square, and the pattern.
    place: (Side, usize, u64),
    depth: u8,
}

impl Faulty {
    fn high_bits(&self) -> usize {
        self.length() - 1 - low_bits(self.length())
    }
}

impl DenseSource for Faulty {
    fn length(&self) -> usize {
        self.table.header().length
    }

    fn rules(&self) -> Rules {
        Rules::Ordinary
    }

    fn engine(&self) -> &str {
        "faulty"
    }

    /// Every block has its own key, which says where it stands.
    fn key(&self, _: Side, ball: usize, high: u64) -> u32 {
        ((ball as u32) << self.high_bits()) | high as u32
    }

    fn depths(&self, to_move: Side, key: u32, bytes: &mut [u8; 4096]) {
        let (ball, high) = (
            (key >> self.high_bits()) as usize,
            u64::from(key) & ((1 << self.high_bits()) - 1),
        );
        let block = self.table.block(to_move, ball, high).unwrap();
        bytes[..block.len()].copy_from_slice(&block);
        let low = low_bits(self.length());
        let (faulty_to_move, faulty_ball, pattern) = self.place;
        if (to_move, ball, high) == (faulty_to_move, faulty_ball, pattern >> low) {
            bytes[(pattern & ((1 << low) - 1)) as usize] = self.depth;
        }
    }
}

/// Replaces a table by one that says of `position` that Left wins in `depth` plies (0: not at all).
fn make_faulty(tables: &Tables, position: &str, depth: u8) {
    let strip: Strip = position.parse().unwrap();
    let faulty = Faulty {
        table: DenseTable::new(Container::open(&tables.dtw(strip.length())).unwrap(), 0).unwrap(),
        place: (strip.side(), strip.ball(), strip.pattern() as u64),
        depth,
    };
    write(&faulty, Metric::Dtw, tables.path()).unwrap();
}

#[test]
fn stats_of_every_length_are_the_pinned_ones() {
    let tables = Tables::made("3..14");
    let lines = tables.run("stats --json").ok().json_lines();
    let pinned = pinned_totals();
    assert_eq!(lines.len(), 12, "lengths 3 to 14");
    for (line, totals) in lines.iter().zip(pinned) {
        let length = totals.length;
        assert_eq!(
            (&line["game"], &line["boards"]),
            (&json!("strip"), &json!(length.to_string()))
        );
        assert_eq!(line["metric"], "dtw");
        assert_eq!(line["positions"], (length as u64 - 2) << (length - 1));
        assert_eq!(line["wins"], totals.wins, "length {length}");
        assert_eq!(line["losses"], totals.losses, "length {length}");
        assert_eq!(line["draws"], totals.draws, "length {length}");
        assert_eq!(line["longest"], totals.longest, "length {length}");
        assert_eq!(
            line["bytes"],
            std::fs::metadata(tables.dtw(length)).unwrap().len()
        );
        let longest = |field: &str| line[field].as_u64().unwrap();
        assert_eq!(
            longest("longest_win").max(longest("longest_loss")),
            totals.longest
        );
        assert_eq!(
            (longest("longest_win") % 2, longest("longest_loss") % 2),
            (1, 0),
            "{line}"
        );
        // By itself a table is shown with what has to be counted.
        let mut details = tables.run(&format!("stats --json {length}")).json();
        let object = details.as_object_mut().unwrap();
        assert_eq!(object.remove("mutual_draws"), Some(json!(0)), "length {length}");
        assert!(object.remove("depths").unwrap().is_object());
        assert_eq!(details, *line);
    }
}

/// The depths of a line of `stats --json`: map of plies to positions.
fn depths(line: &Json) -> BTreeMap<u16, u64> {
    let depths = line["depths"].as_object().unwrap();
    depths
        .iter()
        .map(|(plies, count)| (plies.parse().unwrap(), count.as_u64().unwrap()))
        .collect()
}

#[test]
fn depths_are_the_pinned_ones_and_the_example_is_a_longest_win() {
    let tables = Tables::made("3..12");
    let pinned = pinned_depths();
    for length in 3..=12usize {
        let line = tables.run(&format!("stats --json {length}")).json();
        let depths = depths(&line);
        if let Some(pinned) = pinned.get(&length) {
            assert_eq!(&depths, pinned, "length {length}");
        }
        assert_eq!(
            depths.values().sum::<u64>(),
            line["positions"].as_u64().unwrap(),
            "length {length}"
        );
        let longest_win = depths.keys().rev().find(|&plies| plies % 2 == 1).unwrap();
        assert_eq!(line["longest_win"], *longest_win);
        let answer = tables.probe(line["longest_win_example"].as_str().unwrap());
        assert_eq!(answer["position"].as_str().unwrap().len(), length);
        let found = (&answer["side"], &answer["value"], &answer["depth"]);
        assert_eq!(found, (&json!("left"), &json!("win"), &line["longest_win"]));
    }
    assert!(pinned.contains_key(&8) && pinned.contains_key(&12));
}

#[test]
fn the_text_of_stats_is_a_table_and_for_one_length_its_depths() {
    let tables = Tables::made("3..12");
    let text = tables.run("stats").ok().stdout;
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[0],
        [
            "boards",
            "positions",
            "wins",
            "losses",
            "draws",
            "longest",
            "size"
        ]
    );
    assert_eq!(rows.len(), 13, "{text}");
    assert!(text.ends_with("positions with Left to move, on a pitch with Alfred to move\n"));
    assert_eq!(
        rows[10][..6],
        ["12", "20,480", "14,352", "6,128", "0", "19"],
        "{text}"
    );

    let text = tables.run("stats 12").ok().stdout;
    let rows: Vec<&str> = text.lines().map(str::trim).collect();
    for (plies, count, outcome) in [(1, "5,390", "wins"), (2, "2,695", "losses"), (19, "1", "wins")] {
        let words: Vec<String> = vec![plies.to_string(), count.to_string(), outcome.to_string()];
        let found = rows
            .iter()
            .any(|row| row.split_whitespace().eq(words.iter().map(String::as_str)));
        assert!(found, "{words:?} in {text}");
    }
    assert!(
        rows.last().unwrap().starts_with("a longest win, in 19 plies: "),
        "{text}"
    );
}

#[test]
fn stats_of_a_wdl_table_have_counts_and_no_depths() {
    let tables = Tables::made("12 --metric wdl");
    let line = tables.run("stats 12 --json").json();
    let counts = ["metric", "wins", "losses", "draws"].map(|field| &line[field]);
    assert_eq!(counts, [&json!("wdl"), &json!(14352), &json!(6128), &json!(0)]);
    for field in [
        "longest",
        "longest_win",
        "longest_loss",
        "longest_win_example",
        "depths",
    ] {
        assert_eq!(line.get(field), Some(&Json::Null), "{field}");
    }
    let text = tables.run("stats 12").ok().stdout;
    let command = format!(
        "phutbase generate 12 --metric dtw --tables '{}'",
        tables.path().display()
    );
    assert!(text.contains(&command), "{text}");
}

#[test]
fn without_tables_stats_and_verify_name_the_command() {
    let tables = Tables::none();
    for command in ["stats", "stats --json", "verify", "verify --json"] {
        let run = tables.run(command);
        let expected = format!(
            "make some with: phutbase generate --tables '{}'",
            tables.path().display()
        );
        assert!(run.refusal(1).ends_with(&expected), "{run:?}");
    }
}

#[test]
fn good_tables_are_found_good() {
    let tables = Tables::made("3..14");
    tables.run("generate 10 --metric wdl").ok();
    let lines = tables.run("verify --json").ok().json_lines();
    let checked: Vec<String> = lines
        .iter()
        .map(|line| {
            format!(
                "{}{}",
                line["boards"].as_str().unwrap(),
                line["metric"].as_str().unwrap()
            )
        })
        .collect();
    let expected: Vec<String> = (3..=10)
        .map(|length| format!("{length}dtw"))
        .chain(["10wdl".to_string()])
        .collect();
    assert_eq!(checked[..9], expected);
    assert_eq!(checked.len(), 13);
    for line in &lines {
        let length: u64 = line["boards"].as_str().unwrap().parse().unwrap();
        assert_eq!(
            (&line["ok"], &line["error"], &line["position"]),
            (&json!(true), &Json::Null, &Json::Null)
        );
        assert_eq!(line["positions"], (length - 2) << (length - 1));
        assert!(std::fs::exists(line["file"].as_str().unwrap()).unwrap(), "{line}");
    }
    let one = tables.run("verify 12").ok();
    assert!(
        one.stdout
            .contains("strip-12-dtw.phut: 20,480 positions, every depth follows"),
        "{one:?}"
    );
    assert_eq!(one.stdout.lines().count(), 1);
    assert!(one.stderr.contains("checking 20,480 positions"), "{one:?}");
}

#[test]
fn a_damaged_table_fails_the_check_with_its_file_and_the_reason() {
    let tables = Tables::made("3..9");
    let size = std::fs::metadata(tables.dtw(8)).unwrap().len() as usize;
    for at in [1, 20, size / 2, size - 1] {
        flip_byte(&tables.dtw(8), at);
        let run = tables.run("verify --json");
        let message = run.failure(1).to_string();
        assert!(message.contains("strip-8-dtw.phut"), "byte {at}: {message}");
        let lines = run.json_lines();
        let last = lines.last().unwrap();
        assert_eq!(
            (&last["boards"], &last["ok"]),
            (&json!("8"), &json!(false)),
            "byte {at}"
        );
        assert_eq!(last["error"].as_str().unwrap(), message, "byte {at}");
        let good = lines[..lines.len() - 1]
            .iter()
            .map(|line| (&line["ok"], &line["error"]));
        assert!(good.eq((3..8).map(|_| (&json!(true), &Json::Null))), "{run:?}");
        let text = tables.run("verify 8");
        assert_eq!(text.failure(1), message);
        assert_eq!(text.stdout, "");
        tables.run("verify 9").ok();
        flip_byte(&tables.dtw(8), at);
    }
    tables.run("verify").ok();
}

#[test]
fn a_table_with_a_wrong_value_fails_the_check_with_the_position() {
    // Right values: Left wins in 1, and in 2.
    for (position, depth) in [("..@o.", 3), ("..@oo R", 0), ("..@oo R", 4)] {
        let tables = Tables::made("3..6");
        make_faulty(&tables, position, depth);
        let run = tables.run("verify --json");
        let message = run.failure(1);
        assert!(message.contains("strip-5-dtw.phut"), "{message}");
        let lines = run.json_lines();
        assert_eq!(lines.len(), 3, "{run:?}");
        assert_eq!(
            (&lines[2]["boards"], &lines[2]["ok"]),
            (&json!("5"), &json!(false))
        );
        let named = lines[2]["position"]
            .as_str()
            .unwrap_or_else(|| panic!("{position}: {message}"));
        assert!(message.contains(&format!("'{named}'")), "{message}");
        // What is named is the position itself, or one whose turns lead to it.
        let strip: Strip = named.parse().unwrap();
        let next = strip
            .turns()
            .into_iter()
            .map(|turn| strip.play(turn).unwrap().notation(strip.side().opponent()));
        assert!(
            named == position || next.into_iter().any(|next| next == position),
            "{named} for {position}"
        );
    }
}

#[test]
fn an_unaltered_copy_by_the_same_means_passes_the_check() {
    let tables = Tables::made("3..6");
    let before = tables.run("stats --json 5").json();
    make_faulty(&tables, "..@o.", 1);
    tables.run("verify").ok();
    let after = tables.run("stats --json 5").json();
    assert_eq!(before["depths"], after["depths"]);
}

#[test]
fn the_check_goes_on_and_its_exit_code_stands_when_nobody_reads_its_output() {
    let tables = Tables::made("3..9");
    let middle = std::fs::metadata(tables.dtw(9)).unwrap().len() as usize / 2;
    flip_byte(&tables.dtw(9), middle);
    for arguments in ["verify", "verify --json"] {
        let run = run_unread(&mut tables.phutbase(arguments));
        assert!(run.failure(1).contains("strip-9-dtw.phut"), "{run:?}");
    }
}

#[test]
fn draws_makes_what_is_missing_and_finds_none_on_short_strips() {
    let tables = Tables::none();
    let first = tables.run("draws 3..10 --json").ok();
    let lines = first.json_lines();
    assert_eq!(lines.len(), 8);
    for (line, totals) in lines.iter().zip(pinned_totals()) {
        let positions = totals.wins + totals.losses;
        let expected = json!({
            "game": "strip", "boards": totals.length.to_string(), "metric": "dtw", "positions": positions,
            "wins": totals.wins, "losses": totals.losses, "draws": 0, "longest": totals.longest,
            "mutual_draws": 0, "examples": [],
        });
        assert_eq!(line, &expected);
    }
    assert!(
        first
            .stderr
            .contains("length 10 (dtw): the dense engine, 4,096 positions"),
        "{first:?}"
    );
    let names: Vec<String> = tables.table_names();
    assert_eq!(names.len(), 8, "{names:?}");

    let again = tables.run("draws 3..10 --json").ok();
    assert_eq!((again.stdout, again.stderr.as_str()), (first.stdout, ""));
    // Only what is missing is made.
    std::fs::remove_file(tables.dtw(6)).unwrap();
    let text = tables.run("draws 3..10").ok();
    assert_eq!(text.stderr.lines().count(), 1, "{text:?}");
    assert!(text.stderr.starts_with("length 6 (dtw): "), "{text:?}");
    assert_eq!(tables.table_names(), names);
    assert_eq!(text.stdout.lines().count(), 9);
    assert!(
        text.stdout
            .contains("length  10, Left to move: 4,096 positions, 0 draws, 0 mutual\n"),
        "{text:?}"
    );
    assert!(text.stdout.ends_with("lengths 3 to 10: no draw\n"), "{text:?}");
}

#[test]
fn draws_searches_wdl_tables_as_well_and_refuses_damaged_ones() {
    let tables = Tables::made("3..8 --metric wdl");
    let run = tables.run("draws 3..8").ok();
    assert_eq!(run.stderr, "", "nothing is generated");
    assert!(run.stdout.ends_with("lengths 3 to 8: no draw\n"), "{run:?}");
    let file = tables.path().join("strip-8-wdl.phut");
    flip_byte(&file, 20);
    let run = tables.run("draws 3..8");
    assert!(run.failure(1).contains("strip-8-wdl.phut"), "{run:?}");
}

/// One damaged table is told of, and is nothing to the others: not in an overview, not beside a whole one of its length.
#[test]
fn a_damaged_table_disables_nothing_else() {
    let tables = Tables::made("3..8");
    tables.run("generate 7 --metric wdl").ok();
    flip_byte(&tables.dtw(5), 40);
    flip_byte(&tables.dtw(7), 40);
    let run = tables.run("stats --json");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("strip-5-dtw.phut") && run.stderr.contains("damaged"),
        "{run:?}"
    );
    let lines = run.json_lines();
    let seen: Vec<&str> = (lines.iter().map(|line| line["boards"].as_str().unwrap())).collect();
    assert_eq!(seen, ["3", "4", "5", "6", "7", "7", "8"]);
    assert!(lines[2]["error"].as_str().unwrap().contains("strip-5-dtw.phut"));
    assert!(lines[4]["error"].as_str().unwrap().contains("strip-7-dtw.phut"));
    assert_eq!(lines[5]["metric"], "wdl", "the one of length 7 that is whole");
    std::fs::write(tables.path().join("obstruction.phut"), "no table").unwrap();
    let answer = tables.probe(".@.o...");
    assert!(
        answer["winner"].is_string() && answer["depth"].is_null(),
        "{answer}"
    );
}

/// Starts a command, sends it a Ctrl-C when it has begun its work, and returns what it said and how long it took to end.
#[cfg(unix)]
fn interrupted(mut command: std::process::Command) -> (Run, Duration) {
    use std::io::{BufRead, BufReader, Read};
    let mut child = (command.stdout(Stdio::piped()).stderr(Stdio::piped()))
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    stderr.read_line(&mut said).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    stderr.read_to_string(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: said,
    };
    (run, begun.elapsed())
}

#[test]
#[cfg(unix)]
fn verify_says_what_it_is_at_and_an_interrupt_ends_it_soon() {
    let (run, time) = interrupted(phutbase("verify 96"));
    assert!(
        run.stderr.starts_with("tables/strip-96-wdl.phut: checking "),
        "{run:?}"
    );
    let message = run.failure(1);
    assert!(
        message.starts_with("interrupted: tables/strip-96-wdl.phut is not checked to the end"),
        "{message}"
    );
    assert!(
        message.ends_with("equations of the levels, 0 of 10 checked"),
        "{message}"
    );
    // Much less than a minute, which the rest would take. Where nothing else is to be done it is less than a second.
    assert!(time < Duration::from_secs(4), "{time:?}");
}

#[test]
#[cfg(unix)]
fn long_work_says_beforehand_about_how_long_it_will_take() {
    let tables = Tables::none();
    let (run, _) = interrupted(tables.phutbase("generate 70 --metric wdl"));
    let first = run.stderr.lines().next().unwrap();
    assert!(
        first.contains(", about ") && first.contains(" on this machine, at most "),
        "{first}"
    );
    let quick = tables.run("generate 12").ok();
    assert!(!quick.stderr.contains("on this machine"), "{quick:?}");
}
