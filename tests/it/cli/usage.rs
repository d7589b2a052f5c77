//! What every command has in common: usage, bad input, exit codes, and what goes to which stream.

use crate::common::cli::{Run, Tables, phutbase, run, run_unread};

const COMMANDS: [&str; 5] = ["generate", "probe", "stats", "verify", "draws"];

#[test]
fn bad_usage_ends_with_exit_code_2_and_nothing_on_stdout() {
    let cases = [
        "",
        "solve",
        "--no-such-option",
        "generate --no-such-option",
        "generate --length",
        "generate --length ten",
        "generate --length 8 --max-length 9",
        "generate --metric depth",
        "generate --memory much",
        "generate --checkpoint-every often",
        "probe",
        "probe .@. .@.",
        "probe .@. --batch positions.txt",
        "probe --batch - --line",
        "stats --length x",
        "verify --length -3",
        "draws",
        "draws --max-length",
    ];
    for arguments in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(2), "'{arguments}': {run:?}");
        assert_eq!(run.stdout, "", "'{arguments}'");
        assert!(!run.stderr.is_empty(), "'{arguments}'");
    }
}

#[test]
fn numbers_out_of_range_are_named_with_the_range() {
    let tables = Tables::none();
    let cases = [
        ("generate --length 2", "lengths 3 to 40"),
        ("generate --length 41", "lengths 3 to 40"),
        ("generate --max-length 0", "lengths 3 to 40"),
        ("generate --max-length 2", "lengths 3 to 40"),
        ("generate --max-length 41", "lengths 3 to 40"),
        ("draws --max-length 2", "lengths 3 to 40"),
        ("draws --max-length 41", "lengths 3 to 40"),
        (
            "generate --length 5 --memory 0",
            "--memory 0: give a positive number",
        ),
        (
            "generate --length 5 --memory=-1",
            "--memory -1: give a positive number",
        ),
        ("generate --length 5 --memory nan", "give a positive number"),
        (
            "generate --length 5 --checkpoint-every=-1",
            "--checkpoint-every -1: ",
        ),
        (
            "generate --length 5 --checkpoint-every nan",
            "--checkpoint-every NaN: ",
        ),
        (
            "generate --length 5 --threads 0",
            "--threads 0: give a number from 1 to 4096",
        ),
        (
            "generate --length 5 --threads 4097",
            "--threads 4097: give a number from 1 to 4096",
        ),
        ("probe .@. --threads 0", "--threads 0"),
        ("stats --threads 0", "--threads 0"),
        ("verify --threads 0", "--threads 0"),
        ("draws --max-length 5 --threads 0", "--threads 0"),
    ];
    for (arguments, reason) in cases {
        let run = tables.run(arguments);
        let message = run.refusal(2);
        assert!(message.contains(reason), "'{arguments}': {message}");
    }
    assert_eq!(
        tables.names(),
        [""; 0],
        "nothing is made for a request that makes no sense"
    );
}

#[test]
fn help_names_every_command_and_shows_an_example() {
    let help = run("--help").ok().stdout;
    for command in COMMANDS {
        assert!(
            help.lines().any(|line| line.trim_start().starts_with(command)),
            "{command}: {help}"
        );
        let own = run(&format!("{command} --help")).ok().stdout;
        for option in ["--tables <DIR>", "--threads <T>", "--json"] {
            assert!(own.contains(option), "{command}: {own}");
        }
        assert_eq!(run(&format!("help {command}")).ok().stdout, own);
    }
    assert!(help.contains("phutbase probe \"o@o.o.o....\""), "{help}");
    let generate = run("generate --help").ok().stdout;
    let every = generate.split("--checkpoint-every <SECONDS>").nth(1).unwrap();
    assert!(every.contains("[default: 30]"), "{generate}");
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(
        run("--version").ok().stdout,
        format!("phutbase {}\n", env!("CARGO_PKG_VERSION"))
    );
}

/// A malformed position, and what the message must say of it.
fn malformed() -> Vec<(String, &'static str)> {
    let long = format!(".@{}", ".".repeat(127));
    [
        ("", "a strip of 0 squares"),
        ("o.o..", "no ball in 'o.o..'"),
        ("o@..@.o", "two balls, on squares 1 and 4"),
        (
            "@....",
            "the ball stands on goal-line square 0: it must stand between squares 0 and 4",
        ),
        ("o..o@ R", "the ball stands on goal-line square 4"),
        (".@", "a strip of 2 squares: lengths from 3 to 128"),
        (&long, "a strip of 129 squares: lengths from 3 to 128"),
        ("o@x..", "'x' on square 2 is no square"),
        ("..@.b.q", "'b' on square 4 is no square"),
        ("o@.. Left", "'Left' after the board is no side"),
        ("o@.. l", "'l' after the board is no side"),
        ("o@.. L R", "'R' after the board is no side"),
        ("o@.\n..", "'..' after the board is no side"),
        ("o@\u{1b}[2J.", "'\\u{1b}' on square 2 is no square"),
    ]
    .map(|(position, reason)| (position.to_string(), reason))
    .into()
}

#[test]
fn malformed_positions_say_what_is_wrong_and_where() {
    let tables = Tables::made("--max-length 7");
    for (position, reason) in malformed() {
        for arguments in ["probe", "probe --json"] {
            let run = tables.run_with(arguments, &position);
            let message = run.refusal(2);
            assert!(message.starts_with("position '"), "{message}");
            assert!(message.contains(reason), "'{position}': {message}");
        }
    }
}

#[test]
fn a_missing_length_names_the_command_that_makes_it() {
    let tables = Tables::made("--max-length 4");
    let command = format!(
        "phutbase generate --length 6 --tables '{}'",
        tables.path().display()
    );
    for arguments in [
        "probe ..@...",
        "probe ..@... --json",
        "stats --length 6",
        "verify --length 6",
    ] {
        let run = tables.run(arguments);
        let message = run.failure(1);
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert!(
            message.contains("no table for length 6 in '"),
            "{arguments}: {message}"
        );
        assert!(message.ends_with(&command), "{arguments}: {message}");
    }
    // The command does what it promises.
    tables.run("generate --length 6").ok();
    assert_eq!(tables.probe("..@...")["length"], 6);
}

#[test]
fn lengths_past_the_dense_engine_are_sent_to_the_symbolic_one() {
    let tables = Tables::made("--max-length 4");
    for length in [41, 100, 128] {
        let run = tables.run_with("probe", &format!(".@{}", ".".repeat(length - 2)));
        let message = run.refusal(1);
        assert!(
            message.contains(&format!("no table for length {length} in '")),
            "{message}"
        );
        let command =
            format!("phutbase generate --engine symbolic --metric wdl --length {length} --tables '");
        assert!(message.contains(&command), "{message}");
    }
    let run = tables.run_with("probe", &format!(".@{}", ".".repeat(38)));
    assert!(
        run.refusal(1).contains("phutbase generate --length 40"),
        "{run:?}"
    );
}

#[test]
fn a_directory_that_is_not_there_has_no_tables_and_is_not_made() {
    let tables = Tables::none();
    let nowhere = tables.path().join("not here");
    let nowhere = nowhere.to_str().unwrap();
    for arguments in [
        "probe .@. --tables",
        "stats --tables",
        "verify --tables",
        "stats --length 3 --tables",
    ] {
        let run = Run::from(phutbase(arguments).arg(nowhere).output().unwrap());
        let message = run.failure(1);
        assert!(message.contains("phutbase generate"), "{message}");
        assert!(message.contains(&format!("--tables '{nowhere}'")), "{message}");
    }
    assert_eq!(tables.names(), [""; 0]);
}

#[test]
fn a_file_in_place_of_the_directory_is_an_error_of_one_line() {
    let tables = Tables::none();
    let file = tables.path().join("file");
    std::fs::write(&file, "").unwrap();
    for arguments in [
        "probe .@. --tables",
        "stats --tables",
        "generate --length 3 --tables",
    ] {
        let run = Run::from(phutbase(arguments).arg(&file).output().unwrap());
        let message = run.refusal(1);
        assert!(message.contains(file.to_str().unwrap()), "{message}");
    }
}

#[test]
fn options_may_stand_before_or_after_what_they_belong_to() {
    let tables = Tables::made("--max-length 4");
    let directory = tables.path().to_str().unwrap();
    let after = run(&format!("probe .@o. --json --tables {directory}")).ok();
    let before = run(&format!("--json --tables {directory} probe .@o.")).ok();
    assert_eq!(after.stdout, before.stdout);
    assert!(after.stdout.starts_with('{'), "{after:?}");
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let tables = Tables::made("--max-length 9");
    let cases = [
        "probe .@.o..o.. --line",
        "probe .@.o..o.. --json",
        "stats",
        "stats --json",
        "verify",
        "verify --json",
        "draws --max-length 9",
        "generate --max-length 9 --json",
        "--help",
        "--version",
    ];
    for arguments in cases {
        let run = match arguments.starts_with('-') {
            true => run_unread(&mut phutbase(arguments)),
            false => run_unread(&mut tables.phutbase(arguments)),
        };
        assert_eq!(run.code, Some(0), "{arguments}: {run:?}");
        for word in ["panicked", "phutbase: ", "rror"] {
            assert!(!run.stderr.contains(word), "{arguments}: {run:?}");
        }
    }
}

/// `/dev/full` takes no byte.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let tables = Tables::made("--max-length 5");
    for arguments in ["probe .@o..", "stats --json", "verify", "draws --max-length 5"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(tables.phutbase(arguments).stdout(full).output().unwrap());
        assert!(run.failure(1).starts_with("cannot write the output: "), "{run:?}");
    }
}
