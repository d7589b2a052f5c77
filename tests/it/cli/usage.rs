//! What every command has in common: usage, bad input, exit codes, and what goes to which stream.

use crate::common::cli::{Run, Tables, phutbase, run, run_unread, run_with};

#[test]
fn bad_usage_ends_with_exit_code_2_and_nothing_on_stdout() {
    let cases = [
        "",
        "solve",
        "--no-such-option",
        "generate --no-such-option",
        "generate --length 5",
        "generate --max-length 5",
        "generate --pitch 3x3",
        "generate ten",
        "generate 8 9",
        "generate --metric depth",
        "generate --memory much",
        "generate --checkpoint-every often",
        "probe",
        "probe .@. .@.",
        "probe .@. --batch positions.txt",
        "probe --batch - --line",
        "stats x",
        "verify -3",
        "draws 9..3",
        "find",
        "find 3..9",
        "find 9 --depth 9..3",
        "find 9 --depth 0",
        "find 9 --value win --depth 4",
        "find 9 --value loss --depth 5",
        "obstruction nimber 3x3",
        "theory rule",
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
        ("generate 2", "3 to 128 squares, not 2"),
        ("generate 129", "3 to 128 squares, not 129"),
        ("draws 3..2", "3 to 128 squares, not 2"),
        ("draws 9..3", "ends before it begins"),
        ("generate 2x3", "a pitch has 3 to 19 rows"),
        (
            "generate obstruction:12x11",
            "a board of Obstruction has 1 to 128 squares",
        ),
        (
            "generate oddish:5",
            "takes strips, a pitch, or a board of Obstruction",
        ),
        ("generate oddish:5", "phutbase theory oddish oddish:5"),
        (
            "stats oddish:3",
            "takes strips, a pitch, or a board of Obstruction",
        ),
        ("verify oddish:3", "phutbase theory oddish oddish:3"),
        ("find obstruction:3x3", "phutbase probe obstruction:3x3"),
        ("find 7x3", "takes the strips of one length"),
        ("suite 7x3", "takes strips"),
        ("generate 5 --memory 0", "--memory '0': give a positive number"),
        ("generate 5 --memory=-1", "--memory '-1': give a positive number"),
        ("generate 5 --memory nan", "give a positive number"),
        ("generate 5 --memory inf", "give a positive number"),
        (
            "generate 5 --checkpoint-every=-1",
            "--checkpoint-every '-1': give a number of seconds",
        ),
        (
            "generate 5 --checkpoint-every nan",
            "--checkpoint-every 'nan': give a number of seconds",
        ),
        ("generate 5 --threads 0", "--threads '0': 0 is not in 1..=4096"),
        (
            "generate 5 --threads 4097",
            "--threads '4097': 4097 is not in 1..=4096",
        ),
        ("probe .@. --threads 0", "--threads '0'"),
        ("stats --threads 0", "--threads '0'"),
        ("verify --threads 0", "--threads '0'"),
        ("draws 5 --threads 0", "--threads '0'"),
    ];
    for (arguments, reason) in cases {
        let run = tables.run(arguments);
        run.refuses(2, &[reason]);
    }
    assert_eq!(
        tables.names(),
        [""; 0],
        "nothing is made for a request that makes no sense"
    );
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
        ("o@x..", "'x' on square 2 is not a square"),
        ("..@.b.q", "'b' on square 4 is not a square"),
        ("o@.. Left", "'Left' after the board is not a side"),
        ("o@.. l", "'l' after the board is not a side"),
        ("o@.. L R", "'R' after the board is not a side"),
        ("o@.\n..", "'..' after the board is not a side"),
        ("o@\u{1b}[2J.", "'\\u{1b}' on square 2 is not a square"),
    ]
    .map(|(position, reason)| (position.to_string(), reason))
    .into()
}

#[test]
fn malformed_positions_say_what_is_wrong_and_where() {
    let tables = Tables::made("7");
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
    let tables = Tables::made("4");
    let option = format!(" --tables '{}'", tables.path().display());
    // The command at the end of a message.
    let advised = |run: Run| {
        let message = run.refusal(1).to_string();
        let (_, command) = message.rsplit_once("phutbase ").unwrap();
        command
            .strip_suffix(&option)
            .unwrap_or_else(|| panic!("{message}"))
            .to_string()
    };
    for arguments in [
        "stats 6",
        "verify 6",
        "stats 3..6",
        "theory tempo 6",
        "theory chain 6",
    ] {
        assert_eq!(
            advised(tables.run(arguments)),
            "generate 6 --metric dtw",
            "{arguments}"
        );
    }
    for length in [65, 100, 128] {
        let position = format!(".@{}", ".".repeat(length - 2));
        let command = advised(tables.run_with("probe", &position));
        assert_eq!(command, format!("generate {length} --metric wdl"));
    }
    // The command makes the table.
    tables.run(&advised(tables.run("stats 6"))).ok();
    tables.run("verify 6").ok();
}

#[test]
fn a_directory_that_is_not_there_has_no_tables_and_is_not_made() {
    let tables = Tables::none();
    let nowhere = tables.path().join("not here");
    let nowhere = nowhere.to_str().unwrap();
    for arguments in ["stats --tables", "verify --tables", "stats 3 --tables"] {
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
    for arguments in ["probe .@. --tables", "stats --tables", "generate 3 --tables"] {
        let run = Run::from(phutbase(arguments).arg(&file).output().unwrap());
        run.refuses(3, &[file.to_str().unwrap()]);
    }
}

#[test]
fn options_may_stand_before_or_after_what_they_belong_to() {
    let tables = Tables::made("4");
    let directory = tables.path().to_str().unwrap();
    let after = run(&format!("probe .@o. --json --tables {directory}")).ok();
    let before = run(&format!("--json --tables {directory} probe .@o.")).ok();
    assert_eq!(after.stdout, before.stdout);
    assert!(after.stdout.starts_with('{'), "{after:?}");
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let tables = Tables::made("9");
    let cases = [
        "probe .@.o..o.. --line",
        "probe .@.o..o.. --json",
        "stats",
        "stats --json",
        "verify",
        "verify --json",
        "draws 3..9",
        "generate 3..9 --json",
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
    let tables = Tables::made("5");
    for arguments in ["probe .@o..", "stats --json", "verify", "draws 3..5"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(tables.phutbase(arguments).stdout(full).output().unwrap());
        assert!(run.failure(3).starts_with("cannot write the output: "), "{run:?}");
    }
}

/// Combinations of boards and options in which the option would change nothing.
#[test]
fn options_that_change_nothing_are_refused() {
    for arguments in [
        "generate 3x3 --metric wdl",
        "generate 9 --seconds 5",
        "generate obstruction:3x3 --scratch .",
        "generate 9 --scratch .",
        "draws 9 --count-only",
        "draws 9 --scratch .",
        "verify 9 --memory 1",
        "verify 3x3 --by-enumeration",
        "verify --by-enumeration",
        "draws 3x3 --count-only --limit 2",
        "probe oddish:.^. --line",
        "probe obstruction:3x3 --line",
        "suite 9 --format epd",
        "theory oddish oddish:2..3 --limit 3",
        "stats obstruction:3x3 --ball 1",
        "theory potential 3..9 --memory 1",
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(2), "'{arguments}': {run:?}");
        assert_eq!(run.stdout, "", "'{arguments}'");
        assert!(!run.stderr.is_empty(), "'{arguments}'");
        // It is refused before anything is begun.
        assert!(!run.stderr.contains("writing to"), "'{arguments}': {run:?}");
    }
}

/// What a command says with its exit code does not depend on who reads the rest.
#[test]
fn a_failure_is_one_whoever_reads() {
    let tables = Tables::made("9");
    let path = |name: &str| tables.path().join(name).display().to_string();
    let drawn = "4/1o2/o3/3o/@1o1/4 A";
    run_with(&format!("certify --out {}", path("good.cert")), drawn).ok();
    let text = std::fs::read_to_string(path("good.cert")).unwrap();
    let line = (text
        .lines()
        .find(|line| line.ends_with(drawn) && !line.starts_with("position")))
    .unwrap();
    std::fs::write(path("false.cert"), text.replace(line, &format!("a1 {drawn}"))).unwrap();
    std::fs::write(path("lines"), "x\n.@.\n").unwrap();
    let mut commands = Vec::new();
    for json in ["", "--json"] {
        commands.push(phutbase(&format!("verify {} {json}", path("false.cert"))));
        let mut certify = phutbase(&format!("certify --boards 100 --nodes 100 {json}"));
        certify.arg("9/9/9/9/4@4/9/9/9/9 A");
        commands.push(certify);
        let mut test = tables.phutbase(&format!("test-engine 6..9 --sample 40 {json} --"));
        test.args([env!("CARGO_BIN_EXE_phutbase"), "ugi", "--player", "random"]);
        commands.push(test);
    }
    commands.push(tables.phutbase(&format!("probe --batch {}", path("lines"))));
    commands.push(tables.phutbase(&format!("probe .@{}", ".".repeat(125))));
    commands.push(tables.phutbase("verify 12"));
    commands.push(phutbase("verify nowhere.cert"));
    for verb in [
        "suite 126..127",
        "suite 126..127 --json",
        "find 127",
        "stats 12",
        "report --out FILE/atlas",
        "generate 4x3 --memory 0.0000001",
        "serve --bind 1.2.3.4",
        "play --tables FILE/none .@.",
    ] {
        let verb = verb.replace("FILE", &path("lines"));
        commands.push(match verb.starts_with("play") {
            true => phutbase(&verb),
            false => tables.phutbase(&verb),
        });
    }
    for mut command in commands {
        let read = Run::from(command.output().unwrap());
        assert!(matches!(read.code, Some(1 | 3)), "{command:?}: {read:?}");
        let unread = run_unread(&mut command);
        let code = read.code.unwrap();
        assert_eq!(unread.failure(code), read.failure(code), "{command:?}");
    }
    crate::common::cli::flip_byte(&tables.dtw(9), 20);
    for arguments in [
        "verify",
        "verify --json",
        "stats",
        "stats --json",
        "draws 8..9",
        "draws 8..9 --json",
        "find 9 --depth 3",
    ] {
        let (read, unread) = (tables.run(arguments), run_unread(&mut tables.phutbase(arguments)));
        assert_eq!(unread.failure(3), read.failure(3), "{arguments}");
    }
}

/// More positions than anybody waits for: what is asked for ends when nobody reads on.
#[test]
fn a_long_list_ends_when_nobody_reads_it() {
    let mut child = phutbase("find 36 --limit 1000000000000")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.next().unwrap().unwrap().contains('@'));
    drop(lines);
    assert!(child.wait().unwrap().success());
}
