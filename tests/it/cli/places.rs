//! Where tables are looked for: every place by itself, their order, and what is said where there is none.

use crate::common::cli::{Run, phutbase, usage_error};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A working directory and a data directory of its own.
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

    /// The program, started in the working directory.
    fn phutbase(&self, arguments: &str) -> Command {
        let mut command = phutbase(arguments);
        command
            .current_dir(self.path("work"))
            .env("XDG_DATA_HOME", self.path("data"));
        command
    }

    fn run(&self, arguments: &str) -> Run {
        self.phutbase(arguments).output().unwrap().into()
    }

    /// Copies one of the project's tables to a place: by default the only one that is not embedded.
    fn put(&self, directory: &str) {
        self.put_table(directory, "strip-128-wdl.phut");
    }

    fn put_table(&self, directory: &str, name: &str) {
        let directory = self.path(directory);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::copy(Path::new("tables").join(name), directory.join(name)).unwrap();
    }
}

/// A strip of 70 squares, which no embedded table holds.
fn long_strip() -> String {
    format!(".o@{}", ".".repeat(67))
}

fn winner(run: Run) -> Json {
    run.json()["winner"].clone()
}

#[test]
fn every_place_alone_serves_a_question() {
    let probe = format!("probe --json {}", long_strip());
    for (directory, tables, variable) in [
        ("named", Some("named"), None),
        ("variable", None, Some("variable")),
        ("work/tables", None, None),
        ("data/phutbase", None, None),
    ] {
        let home = Home::new();
        let ask = || {
            let mut command = home.phutbase(&probe);
            if let Some(name) = tables {
                command.arg("--tables").arg(home.path(name));
            }
            if let Some(name) = variable {
                command.env("PHUTBASE_TABLES", home.path(name));
            }
            Run::from(command.output().unwrap())
        };
        assert_eq!(ask().code, Some(1), "{directory}");
        home.put(directory);
        assert_eq!(winner(ask()), "right", "{directory}");
    }
}

#[test]
fn tables_beside_the_program_serve_too() {
    // On the same disk as the program: a link to it, which nobody has open for writing.
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
    let run = command.args(["probe", "--json", &long_strip()]).output().unwrap();
    assert_eq!(winner(run.into()), "right");
}

#[test]
fn the_program_itself_has_small_tables() {
    let home = Home::new();
    // Positions of the paper, and of each kind of table.
    for (position, winner, depth) in [
        ("o@o.o.o....", "left", Some(13)),
        ("o@o.ooo....", "right", None),
        (&format!(".@{}", ".".repeat(62)), "right", None),
        ("obstruction:6x6", "first", None),
    ] {
        let answer = Run::from(home.phutbase("probe --json").arg(position).output().unwrap()).json();
        assert_eq!(answer["winner"], winner, "{position}");
        if let Some(depth) = depth {
            assert_eq!(answer["depth"], depth, "{position}");
        }
    }
    let drawn = "3/3/2o/1o1/3/@2/3 A";
    let answer = Run::from(home.phutbase("probe --json").arg(drawn).output().unwrap()).json();
    assert_eq!(answer["game"], "pitch");
    let lengths: Vec<Json> = home.run("tables --json").ok().json_lines();
    let strips = |metric: &str| -> Vec<String> {
        let of = lengths
            .iter()
            .filter(|line| line["metric"] == metric && line["game"] == "strip");
        of.map(|line| line["boards"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(
        (strips("dtw"), strips("wdl")),
        (vec!["3..36".to_string()], vec!["3..64".to_string()])
    );
    let pitches: Vec<&str> = (lengths.iter())
        .filter(|line| line["game"] == "pitch")
        .map(|line| line["boards"].as_str().unwrap())
        .collect();
    assert_eq!(pitches.len(), 15);
    assert!(pitches.contains(&"7x3"));
    let bytes: u64 = lengths.iter().map(|line| line["bytes"].as_u64().unwrap()).sum();
    assert!(bytes < 3_000_000, "{bytes}");
}

#[test]
fn the_first_place_that_has_a_table_is_asked_and_the_others_are_marked() {
    let home = Home::new();
    home.put("data/phutbase");
    home.put("work/tables");
    home.put_table("work/tables", "strip-64-wdl.phut");
    let lines = home.run("tables --json").ok().json_lines();
    let hidden = |place: &str, boards: &str| -> Option<bool> {
        let mut lines = lines.iter();
        lines.find(|line| line["place"] == place && line["boards"] == boards)?["hidden"].as_bool()
    };
    assert_eq!(hidden("working directory", "3..128"), Some(false));
    assert_eq!(hidden("data directory", "3..128"), Some(true));
    assert_eq!(hidden("working directory", "3..64"), Some(false));
    assert_eq!(hidden("program", "3..64"), Some(true));
    assert_eq!(hidden("program", "3..36"), Some(false));
    assert_eq!(hidden("program", "3..128"), None);
    // `tables` shows what is wrong with a damaged one.
    std::fs::write(home.path("work/tables/strip-128-wdl.phut"), b"PHUTBASE").unwrap();
    let text = home.run("tables").ok().stdout;
    assert!(
        text.contains("shadowed by an earlier place") && text.contains("strip-128-wdl.phut"),
        "{text}"
    );
    // The same table in the next place answers.
    let run = home.run(&format!("probe --json {}", long_strip())).ok();
    assert!(run.stderr.contains("strip-128-wdl.phut"), "{run:?}");
    assert_eq!(winner(run), "right");
}

#[test]
fn a_new_table_goes_to_the_data_directory_and_is_found() {
    let home = Home::new();
    // No embedded table has these rules.
    let run = home.run("generate 12 --rules directional").ok();
    let file = home.path("data/phutbase/directional-strip-12-dtw.phut");
    assert!(file.exists());
    let place = home.path("data/phutbase");
    assert!(
        run.stderr.contains(&format!("writing to {}", place.display())),
        "{run:?}"
    );
    assert!(run.stdout.contains(&file.display().to_string()), "{run:?}");
    let probe = home.run("probe --json .@.......... --rules directional");
    assert_eq!(probe.json()["rules"], "directional");
    // A length that a table in any place holds is not made again.
    home.run("draws 23..25").ok();
    home.run("draws 3..12 --rules directional").ok();
    assert_eq!(
        std::fs::read_dir(&place).unwrap().count(),
        2,
        "the table and the lock file"
    );
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
    for (position, command) in [
        (long_strip(), "phutbase generate 70 --metric wdl"),
        ("3/3/3/1@1/3/3/3/3 A".to_string(), "phutbase generate 8x3"),
        (
            "5/5/2@2/5/5/5 A".to_string(),
            "phutbase generate 6x5 --scratch DIR",
        ),
        (
            "9/9/9/9/4@4/9/9/9/9 A".to_string(),
            "phutbase certify POSITION --out FILE",
        ),
    ] {
        let run = Run::from(home.phutbase("probe").arg(&position).output().unwrap());
        let message = run.refusal(1);
        for part in ["'tables'", &data, "share/phutbase'", "the program itself"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(message.ends_with(command), "{message}");
        // POSITION is a placeholder.
        assert!(command.contains("POSITION") || usage_error(command).is_none());
    }
    // The command makes the table.
    let probe = || home.run("probe .@..... --rules directional");
    let missing = probe();
    let (_, command) = missing.refusal(1).split_once("phutbase ").unwrap();
    home.run(command).ok();
    probe().ok();
    let run = home.run("test-engine 64 --by best -- none");
    run.refuses(1, &["phutbase generate 64 --metric dtw"]);
}
