//! The directories searched for tables: each alone, their order, and the messages without any.

use crate::prelude::*;
use phutbase_fixtures::tables::everything;
use tempfile::TempDir;

/// A temporary working directory and data directory.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        std::fs::create_dir(home.path("work")).unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program, run in the working directory.
    fn phutbase(&self, arguments: &str) -> Command {
        let mut command = phutbase(arguments);
        command
            .current_dir(self.path("work"))
            .env("XDG_DATA_HOME", self.path("data"));
        command
    }

    fn run(&self, arguments: &str) -> Run {
        Run::of(&mut self.phutbase(arguments))
    }

    /// Writes a table that is longer than the embedded ones to a directory.
    fn put(&self, directory: &str) {
        let directory = self.path(directory);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(
            directory.join("strip-255-levels.phut"),
            everything(Metric::Levels),
        )
        .unwrap();
    }

    /// Copies one of the project's tables to a directory.
    fn put_table(&self, directory: &str, name: &str) {
        let directory = self.path(directory);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::copy(table_file(name), directory.join(name)).unwrap();
    }
}

/// A file that cannot be opened or used is skipped, and a name outside 3 to 255 squares is no table's.
#[cfg(unix)]
#[test]
fn a_file_that_nobody_named_takes_no_answer_away() {
    let home = Home::new();
    let place = home.path("data/phutbase");
    std::fs::create_dir_all(&place).unwrap();
    std::os::unix::fs::symlink("nowhere", place.join("strip-40-dtw.phut")).unwrap();
    for name in ["100-levels", "300-wdl", "4294967296-wdl", "2-dtw"] {
        std::fs::write(place.join(format!("strip-{name}.phut")), "").unwrap();
    }
    for length in [38, 90, 256, 300] {
        let board = format!("{}@{}", ".".repeat(length / 2), "o.".repeat(length / 4));
        let answer = home.run(&format!("probe {board} --json")).json();
        assert_eq!(
            fields(&answer["reason"], "by"),
            json!(["solution"]),
            "{length} squares"
        );
    }
    let tables = home.run("tables --json").json_lines();
    let file = |line: &Json| line["file"].as_str().unwrap().to_string();
    let (own, others): (Vec<&Json>, Vec<&Json>) = tables.iter().partition(|line| file(line).starts_with('/'));
    let named = own.iter().filter(|line| line.get("boards").is_some());
    assert_eq!((own.len(), named.count()), (5, 2), "{own:?}");
    assert!(others.len() > 10, "{others:?}");
    // The lengths that are counted end.
    assert!(home.run("stats --json").json_lines().len() > 3);
}

/// A name of a file cannot speak to the terminal.
#[cfg(unix)]
#[test]
fn control_characters_of_names_are_escaped() {
    let home = Home::new();
    let place = home.path("data\u{1b}[31m/phutbase");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("strip-9\u{7}-dtw.phut"), "").unwrap();
    std::fs::write(place.join("strip-9-dtw.phut"), "").unwrap();
    let mut command = home.phutbase("tables");
    let run: Run = command
        .env("XDG_DATA_HOME", home.path("data\u{1b}[31m"))
        .output()
        .unwrap()
        .into();
    has(
        &run.stdout,
        &[
            "data\\u{1b}[31m/phutbase",
            "strip-9\\u{7}-dtw.phut",
            "not a phutbase file",
        ],
    );
    let is_plain = |symbol: char| symbol == '\n' || !symbol.is_control();
    assert!(run.stdout.chars().all(is_plain), "{run:?}");
}

/// A question about a table of 200 squares, which no embedded table contains.
const LONG_STRIPS: &str = "theory forward 200 --limit 1 --replay-length 0 --memory 1MiB --json";

fn longest_strip(run: Run) -> Json {
    run.json()["boards"].clone()
}

#[test]
fn every_place_alone_serves_a_question() {
    for (directory, tables, variable) in [
        ("named", Some("named"), None),
        ("variable", None, Some("variable")),
        ("work/tables", None, None),
        ("data/phutbase", None, None),
    ] {
        let home = Home::new();
        let ask = || {
            let mut command = home.phutbase(LONG_STRIPS);
            if let Some(name) = tables {
                command.arg("--tables").arg(home.path(name));
            }
            if let Some(name) = variable {
                command.env("PHUTBASE_TABLES", home.path(name));
            }
            Run::from(command.output().unwrap())
        };
        // A named directory must exist; elsewhere the memory does not suffice to solve the length.
        assert_eq!(ask().code, Some(3), "{directory}");
        home.put(directory);
        assert_eq!(longest_strip(ask()), "200", "{directory}");
    }
}

/// A table of zeros and one with a false name, in a place that the user did not name, leave their
/// boards to the next longest table, and each is reported once.
#[test]
fn damaged_tables_in_the_working_directory_do_not_hide_shorter_ones() {
    let home = Home::new();
    home.put_table("work/tables", "strip-64-levels.phut");
    let mut random = random_numbers(8).map(|number| number as usize);
    let mut board = || {
        let ball = 1 + random.next().unwrap() % 298;
        let square = |at| {
            if at == ball {
                '@'
            } else {
                ['.', 'o'][random.next().unwrap() % 2]
            }
        };
        (0..300).map(square).chain(['\n']).collect::<String>()
    };
    let boards: String = (0..100).map(|_| board()).collect();
    let ask = || {
        let mut command = home.phutbase("probe --batch -");
        let mut child = (command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped()))
        .spawn()
        .unwrap();
        child.stdin.take().unwrap().write_all(boards.as_bytes()).unwrap();
        Run::from(child.wait_with_output().unwrap()).ok()
    };
    let expected = ask();
    has(&expected.stdout, &["\"backward_turns\":0"]);
    let tables = home.path("work/tables");
    std::fs::write(tables.join("strip-200-levels.phut"), [0; 5000]).unwrap();
    std::fs::copy(
        tables.join("strip-64-levels.phut"),
        tables.join("strip-120-levels.phut"),
    )
    .unwrap();
    let found = ask();
    assert_eq!(found.stdout, expected.stdout);
    assert_eq!(found.stderr.lines().count(), 2, "{}", found.stderr);
}

#[test]
fn tables_beside_the_program_serve_too() {
    // A hard link needs the same disk; a copy could still be open for writing, and could not be
    // run.
    let home = Home(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    for directory in ["bin", "work"] {
        std::fs::create_dir(home.path(directory)).unwrap();
    }
    let program = home.path("bin/phutbase");
    std::fs::hard_link(env!("CARGO_BIN_EXE_phutbase"), &program).unwrap();
    home.put("share/phutbase");
    let mut command = Command::new(program);
    command
        .current_dir(home.path("work"))
        .env("XDG_DATA_HOME", home.path("data"));
    let run = command.args(LONG_STRIPS.split(' ')).output().unwrap();
    assert_eq!(longest_strip(run.into()), "200");
}

#[test]
fn the_program_itself_has_small_tables() {
    let home = Home::new();
    // A position of the paper, and one for each kind of table.
    for (position, winner) in [
        ("o@o.o.o....", json!("left")),
        ("obstruction:6x6", json!("first")),
        ("3/3/2o/1o1/3/@2/3", json!(null)),
    ] {
        let answer = home.run(&format!("probe --json {position}")).json();
        assert_eq!(answer["winner"], winner, "{position}");
    }
    assert_eq!(longest_strip(home.run("stats 64 --json")), "64");
    let listed = home.run("tables --json").ok().json_lines();
    let of = |game: &str| {
        let of_game = listed.iter().filter(|line| line["game"] == game);
        of_game
            .map(|line| fields(line, "boards metric"))
            .collect::<Vec<_>>()
    };
    let strips = [json!(["3..36", "dtw"]), json!(["3..64", "levels"])];
    assert_eq!(of("strip"), strips);
    assert_eq!(of("pitch").len(), 15);
    let bytes: u64 = listed.iter().map(|line| line["bytes"].as_u64().unwrap()).sum();
    assert!(bytes < 3_000_000, "{bytes}");
}

/// A table of levels was named like one of who wins before there were two metrics.
#[test]
fn a_table_of_levels_under_an_old_name_is_listed_with_its_new_one() {
    let home = Home::new();
    home.put_table("old", "strip-64-levels.phut");
    let old = home.path("old/strip-64-wdl.phut");
    std::fs::rename(home.path("old/strip-64-levels.phut"), &old).unwrap();
    let advice = "rename it to 'strip-64-levels.phut'";
    let run = |question: &str| home.run(&format!("{question} --tables {}", home.path("old").display()));
    has(&run("tables").ok().stdout, &[advice]);
    for question in ["verify", "export 64 --format csv"] {
        run(question).refuses(3, &["strip-64-wdl.phut", advice]);
    }
    std::fs::rename(&old, home.path("old/strip-64-levels.phut")).unwrap();
    run("stats").ok();
}

#[test]
fn the_first_directory_with_a_table_answers_and_the_others_are_marked() {
    let home = Home::new();
    home.put("data/phutbase");
    home.put("work/tables");
    home.put_table("work/tables", "strip-64-wdl.phut");
    let lines = home.run("tables --json").ok().json_lines();
    let shadowed = |place: &str, boards: &str| -> Option<bool> {
        let mut lines = lines.iter();
        let is_of = |line: &&Json| line["place"] == place && line["boards"] == boards;
        lines.find(is_of)?["shadowed"].as_bool()
    };
    assert_eq!(shadowed("working directory", "3..255"), Some(false));
    assert_eq!(shadowed("data directory", "3..255"), Some(true));
    assert_eq!(shadowed("working directory", "3..64"), Some(false));
    assert_eq!(shadowed("program", "3..36"), Some(false));
    assert_eq!(shadowed("program", "3..255"), None);
    // `tables` reports the damage.
    std::fs::write(home.path("work/tables/strip-255-levels.phut"), b"PHUTBASE").unwrap();
    let text = home.run("tables").ok().stdout;
    has(
        &text,
        &["shadowed by an earlier directory", "strip-255-levels.phut"],
    );
    // The same table in the next directory answers.
    let run = home.run(LONG_STRIPS).ok();
    assert!(run.stderr.contains("strip-255-levels.phut"), "{run:?}");
    assert_eq!(longest_strip(run), "200");
}

#[test]
fn a_new_table_goes_to_the_data_directory_and_is_found() {
    let home = Home::new();
    // No embedded table has these rules.
    let run = home.run("generate 4x3 --rules directional -v").ok();
    let file = home.path("data/phutbase/directional-pitch-4x3-dtw.phut");
    assert!(file.exists());
    let place = home.path("data/phutbase");
    has(&run.stderr, &[&format!("writing to {}", place.display())]);
    assert!(run.stdout.contains(&file.display().to_string()), "{run:?}");
    let probe = home.run("probe --json 3/@2/3/3 --rules directional");
    assert_eq!(probe.json()["rules"], "directional");
    // The variable names another directory.
    let mut command = home.phutbase("generate 3..4");
    let variable = home.path("variable");
    Run::from(command.env("PHUTBASE_TABLES", &variable).output().unwrap()).ok();
    assert!(variable.join("strip-4-dtw.phut").exists());
}

#[test]
fn a_missing_table_names_every_place_and_a_command_that_makes_it() {
    let home = Home::new();
    let data = home.path("data/phutbase").display().to_string();
    for (question, command) in [
        ("probe 3/3/3/1@1/3/3/3/3", "phutbase generate 8x3"),
        ("probe 5/5/2@2/5/5/5", "phutbase generate 6x5 --scratch DIR"),
        (
            "probe 9/9/9/9/4@4/9/9/9/9",
            "phutbase certify POSITION --out FILE",
        ),
    ] {
        let run = home.run(question);
        let message = run.refusal(1);
        for part in ["'tables'", &data, "share/phutbase'", "the program itself"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(message.ends_with(command), "{message}");
        // POSITION is a placeholder.
        assert!(command.contains("POSITION") || usage_error(command).is_none());
    }
    // The command makes the table.
    let probe = || home.run("probe 3/@2/3/3 --rules directional");
    let missing = probe();
    let (_, command) = missing.refusal(1).split_once("phutbase ").unwrap();
    home.run(command).ok();
    probe().ok();
    let run = home.run("test-engine 40 --by best -- none");
    run.refuses(1, &["phutbase generate 40 --metric dtw"]);
    // No machine makes these.
    for far in ["test-engine 64 --by best -- none", "stats 200 --bfile longest"] {
        let run = home.run(far);
        assert!(!run.refusal(1).contains("generate"), "{run:?}");
    }
}

#[test]
fn checksums_tell_which_files_were_changed() {
    run("tables --check --tables tables").ok();
    let tables = Tables::shipped(&["pitch-3x1-dtw.phut", "pitch-3x2-dtw.phut"]);
    let list = tables.path().join("SHA256SUMS");
    let checksums = |code| {
        let run = tables.run("tables --check --json");
        assert_eq!(run.code, Some(code), "{run:?}");
        let lines = run.json_lines();
        let here = lines.iter().filter(|line| line["place"] == "--tables");
        here.map(|line| line["checksum"].clone()).collect::<Vec<_>>()
    };
    std::fs::copy("tables/SHA256SUMS", &list).unwrap();
    assert_eq!(checksums(0), [true, true], "the sums of the shipped tables");
    // Files that the list of their directory omits are not compared, whatever their name.
    std::fs::write(&list, "00  pitch-3x1-dtw.phut\n").unwrap();
    assert_eq!(checksums(1), [json!(false), Json::Null]);
    // Damage is found with and without a list.
    flip_byte(&tables.path().join("pitch-3x2-dtw.phut"), 30);
    assert_eq!(checksums(3), [json!(false), Json::Null]);
    std::fs::remove_file(&list).unwrap();
    assert_eq!(checksums(3), [Json::Null, Json::Null]);
    let damaged = tables.run("tables --check");
    damaged.fails(3, &["pitch-3x2-dtw.phut: damaged", "phutbase generate 3x2"]);
}

/// Copies get such names on other systems and in browsers.
#[test]
fn tables_under_a_wrong_name_are_listed_with_the_right_one() {
    let tables = Tables::shipped(&["strip-36-dtw.phut", "strip-64-wdl.phut", "pitch-3x1-dtw.phut"]);
    let path = |name: &str| tables.path().join(name);
    std::fs::rename(path("strip-64-wdl.phut"), path("STRIP-64-WDL.PHUT")).unwrap();
    std::fs::copy(path("pitch-3x1-dtw.phut"), path("pitch-3x1-dtw (1).phut")).unwrap();
    std::fs::write(path("notes.phut"), "notes").unwrap();
    let text = tables.run("tables").ok();
    has(
        &text.stdout,
        &[
            "STRIP-64-WDL.PHUT: not read under this name; rename it to 'strip-64-wdl.phut'",
            "pitch-3x1-dtw (1).phut: not read under this name; 'pitch-3x1-dtw.phut' is beside it",
            "notes.phut: not a phutbase file",
        ],
    );
    let lines = tables.run("tables --check --json").ok().json_lines();
    let unread = lines.iter().filter(|line| line["boards"].is_null());
    let found: Vec<Json> = unread.map(|line| line["error"].is_string().into()).collect();
    assert_eq!((lines.len(), found), (5, vec![json!(true); 3]));
}

#[cfg(unix)]
#[test]
fn a_listed_pipe_is_unusable_and_does_not_block() {
    let tables = Tables::none();
    make_pipe(&tables.path().join("pitch-3x1-dtw.phut"));
    std::fs::write(tables.path().join("SHA256SUMS"), "00  pitch-3x1-dtw.phut\n").unwrap();
    let mut child = (tables
        .phutbase("tables --check")
        .stdout(Stdio::null())
        .stderr(Stdio::null()))
    .spawn()
    .unwrap();
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(code, Some(3));
}
