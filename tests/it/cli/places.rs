//! Where tables are looked for: every place by itself, their order, and what is said where there is none.

use crate::common::cli::{Run, phutbase};
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

    /// Puts a table of who wins on 30 squares somewhere; the depths are nowhere.
    fn put(&self, directory: &str) {
        self.put_as(directory, "strip-30-wdl.phut");
    }

    fn put_as(&self, directory: &str, name: &str) {
        let directory = self.path(directory);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::copy(Path::new("tables").join(name), directory.join(name)).unwrap();
    }
}

/// A strip that is not among the tables in the program.
fn of_30() -> String {
    format!(".o@{}", ".".repeat(27))
}

fn winner(run: Run) -> Json {
    run.json()["winner"].clone()
}

#[test]
fn every_place_alone_serves_a_question() {
    let probe = format!("probe --json {}", of_30());
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
    let run = command.args(["probe", "--json", &of_30()]).output().unwrap();
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
    let strips = |metric: &str| -> Vec<usize> {
        let of = lengths
            .iter()
            .filter(|line| line["metric"] == metric && line["game"] == "strip");
        of.map(|line| line["boards"].as_str().unwrap().parse().unwrap())
            .collect()
    };
    assert_eq!(strips("dtw"), (3..=24).collect::<Vec<_>>());
    assert_eq!(strips("wdl"), [32, 40, 48, 64]);
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
fn the_first_place_that_has_a_table_is_asked_and_says_so() {
    let home = Home::new();
    home.put("data/phutbase");
    home.put("work/tables");
    home.put_as("work/tables", "strip-12-dtw.phut");
    let lines = home.run("tables --json").ok().json_lines();
    let of = |place: &str, boards: &str| -> Option<bool> {
        let line = lines
            .iter()
            .find(|line| line["place"] == place && line["boards"] == boards)?;
        line["hidden"].as_bool()
    };
    assert_eq!(of("working directory", "30"), Some(false));
    assert_eq!(of("data directory", "30"), Some(true));
    assert_eq!(of("working directory", "12"), Some(false));
    assert_eq!(of("program", "12"), Some(true));
    assert_eq!(of("program", "13"), Some(false));
    assert_eq!(of("program", "30"), None);
    // A table that is damaged is not passed over in silence.
    std::fs::write(home.path("work/tables/strip-30-wdl.phut"), b"PHUTBASE").unwrap();
    let run = home.run(&format!("probe {}", of_30()));
    assert!(run.refusal(1).contains("strip-30-wdl.phut"), "{run:?}");
    let text = home.run("tables").ok().stdout;
    assert!(text.contains("not asked: an earlier place has them"), "{text}");
    assert!(text.contains("bytes long, its header says"), "{text}");
    assert!(text.contains("rules: Grossman & Nowakowski"), "{text}");
}

#[test]
fn what_is_made_goes_to_the_data_directory_and_is_found() {
    let home = Home::new();
    let run = home.run("generate 25 --metric wdl").ok();
    let file = home.path("data/phutbase/strip-25-wdl.phut");
    assert!(file.exists());
    let place = home.path("data/phutbase");
    assert!(
        run.stderr.contains(&format!("writing to {}", place.display())),
        "{run:?}"
    );
    assert!(run.stdout.contains(&file.display().to_string()), "{run:?}");
    let probe = home.run(&format!("probe --json .@{}", ".".repeat(23)));
    assert_eq!(probe.json()["game"], "strip");
    // Told otherwise, it writes elsewhere.
    let mut command = home.phutbase("generate 3..4");
    let variable = home.path("variable");
    Run::from(command.env("PHUTBASE_TABLES", &variable).output().unwrap()).ok();
    assert!(variable.join("strip-4-dtw.phut").exists());
    // What is missing is made, what is there in any place is not.
    home.run("draws 23..25").ok();
    assert!(!home.path("data/phutbase/strip-23-dtw.phut").exists());
}

#[test]
fn a_missing_table_names_every_place_and_a_command_that_is_accepted() {
    let home = Home::new();
    let data = home.path("data/phutbase").display().to_string();
    for (position, command) in [
        (of_30(), "make it with: phutbase generate 30"),
        (
            format!(".@{}", ".".repeat(68)),
            "make it with: phutbase generate 70 --metric wdl",
        ),
        (
            "3/3/3/1@1/3/3/3/3 A".to_string(),
            "make it with: phutbase generate 8x3",
        ),
        (
            "5/5/2@2/5/5/5 A".to_string(),
            "make it, in hours and on a large disk, with: phutbase generate 6x5 --scratch DIR",
        ),
        (
            "9/9/9/9/4@4/9/9/9/9 A".to_string(),
            "phutbase certify POSITION --out FILE",
        ),
    ] {
        let run = Run::from(home.phutbase("probe").arg(&position).output().unwrap());
        let message = run.refusal(1);
        assert!(
            message.contains(&format!("in 'tables', '{data}', '")),
            "{message}"
        );
        assert!(
            message.contains("share/phutbase' or the program itself"),
            "{message}"
        );
        assert!(message.ends_with(command), "{message}");
    }
    home.run("generate 30").ok();
    home.run(&format!("probe {}", of_30())).ok();
    let run = home.run("test-engine 64 --by best -- none");
    assert!(run.refusal(1).contains("take days"), "{run:?}");
}
