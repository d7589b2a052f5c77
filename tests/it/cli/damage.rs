//! Tables with one damaged frame. Every query of the table fails and names the file if the user named
//! its directory; otherwise the next directory answers, with a warning.

use crate::prelude::*;

/// Length of the damaged table.
const LENGTH: usize = 22;
const FILE: &str = "strip-22-dtw.phut";

/// Positions of several lengths, all in the table.
const POSITIONS: [&str; 5] = [
    "o@o.o.o....",
    ".@.",
    "..o@.o....o..... R",
    "....oo.o@.o..o..",
    ".@......o.....",
];

/// The positions with `damaged` in the middle, for a batch.
fn batch() -> Vec<u8> {
    POSITIONS.join("\n").into_bytes()
}

/// Verbs that read all nodes of the table.
const WHOLE_TABLE: [&str; 9] = [
    "find 9 --value win --limit 3",
    "find 22 --depth 5 --json",
    "find 9 --suite --sample 1",
    "find 22 --suite --sample 5 --json",
    "export 9 --format csv",
    "stats 9",
    "stats 22 --json",
    "stats 9 --ball 3",
    "theory monotonicity 9",
];

#[test]
fn in_a_named_place_every_query_that_needs_the_frame_fails_and_names_the_file() {
    let tables = Tables::made(&LENGTH.to_string());
    let whole = std::fs::read(tables.dtw(LENGTH)).unwrap();
    for frame in 0..frames(&tables.dtw(LENGTH)) {
        damage_frame(&tables.dtw(LENGTH), frame);
        for position in POSITIONS {
            for verb in ["probe", "probe --json"] {
                tables.run_with(verb, position).refuses(3, &[FILE]);
            }
        }
        let run = tables.run_on("probe --batch -", &batch());
        let answers = run.json_lines();
        assert_eq!((run.code, answers.len()), (Some(1), POSITIONS.len()));
        for (line, answer) in (1..).zip(&answers) {
            let error = answer["error"].as_str().unwrap_or_default();
            assert!(answer["number"] == line && error.contains(FILE), "{answer}");
        }
        std::fs::write(tables.dtw(LENGTH), &whole).unwrap();
    }
    damage_frame(&tables.dtw(LENGTH), 0);
    for arguments in WHOLE_TABLE {
        let run = tables.run(arguments);
        run.fails(3, &[FILE]);
        assert_eq!(run.stdout, "", "{arguments}");
    }
}

/// Runs in a directory whose `tables` are damaged.
fn run_in(directory: &Path, arguments: &str, last: Option<&str>) -> Run {
    let mut command = phutbase(arguments);
    command.current_dir(directory).args(last);
    Run::of(&mut command)
}

#[test]
fn in_the_working_directory_the_table_is_passed_over_with_a_warning() {
    let home = Tables::none();
    let file = home.path().join("tables").join(FILE);
    std::fs::create_dir(home.path().join("tables")).unwrap();
    std::fs::copy(Tables::made(&LENGTH.to_string()).dtw(LENGTH), &file).unwrap();
    damage_frame(&file, frames(&file) - 1);
    let elsewhere = Tables::embedded();
    let check = |arguments: &str, last: Option<&str>| {
        let run = run_in(home.path(), arguments, last).ok();
        has(&run.stderr, &["warning: ", FILE]);
        let mut command = elsewhere.phutbase(arguments);
        let expected = Run::from(command.args(last).output().unwrap()).ok();
        assert!(!expected.stderr.contains("warning"), "{expected:?}");
        assert_eq!(run.stdout, expected.stdout, "{arguments}");
    };
    for position in POSITIONS {
        for verb in ["probe", "probe --json --line"] {
            check(verb, Some(position));
        }
    }
    std::fs::write(home.path().join("positions"), batch()).unwrap();
    check("probe --batch", home.path().join("positions").to_str());
    for arguments in WHOLE_TABLE
        .into_iter()
        .filter(|arguments| !arguments.starts_with("theory"))
    {
        // 'stats' names the file that answers; with --tables it searches no other directory.
        if arguments.starts_with("stats") {
            let run = run_in(home.path(), arguments, None).ok();
            has(&run.stderr, &["warning: ", FILE]);
        } else {
            check(arguments, None);
        }
    }
}

/// A damaged table does not hide the others from overviews and queries.
#[test]
fn a_damaged_table_disables_nothing_else() {
    let tables = Tables::made("8");
    tables.run("generate 6").ok();
    tables.run("generate 9 --metric wdl").ok();
    flip_byte(&tables.dtw(6), 40);
    let run = tables.run("stats --json");
    run.fails(3, &["strip-6-dtw.phut"]);
    let lines = run.json_lines();
    // One line for all lengths of the damaged table.
    for (line, boards) in lines.iter().zip(["3..6", "7", "8", "9"]) {
        assert_eq!(
            (&line["boards"], line["error"].is_string()),
            (&boards.into(), boards == "3..6")
        );
    }
    assert_eq!(lines.len(), 4);
    assert_eq!(run.stderr.matches("strip-6-dtw.phut").count(), 1, "{run:?}");
    tables.run_with("probe", ".@.").fails(3, &["strip-6-dtw.phut"]);
    assert!(tables.probe(".@.....")["depth"].is_number());
    let text = tables.run("stats");
    assert!(
        text.failure(3).contains("strip-6-dtw.phut") && text.stdout.contains("strip-6-dtw.phut"),
        "{text:?}"
    );
    std::fs::write(tables.path().join("obstruction.phut"), "no table").unwrap();
    assert_eq!(tables.probe(".@.....")["winner"], "right");
}
