//! Common to all commands: usage, bad input, exit codes, and output streams.

use crate::prelude::*;
use std::ffi::OsString;
use std::path::Path;

/// Every line of the file: one line on stderr for a mistake that clap does not describe in several,
/// nothing on stdout, and no file. A panic would have another exit code.
#[test]
fn commands_that_cannot_be_carried_out_are_refused_with_the_reason() {
    let tables = Tables::embedded();
    for line in include_str!("../../data/refusals.tsv").lines().skip(1) {
        let [code, command, part] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let mut process = tables.phutbase("");
        let run = Run::of(process.args(shlex::split(command).unwrap()));
        let place = format!("tests/data/refusals.tsv, '{command}'");
        assert!(
            run.code == code.parse().ok() && run.stdout.is_empty(),
            "{place}: expected exit code {code} and nothing on stdout: {run:?}"
        );
        assert!(
            !part.is_empty() && run.stderr.contains(part),
            "{place}: expected '{part}' on stderr: {run:?}"
        );
        let has_begun = run.stderr.contains("writing to");
        assert!(code != "2" || !has_begun, "{line}: {run:?}");
    }
    assert!(tables.table_names().is_empty());
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
    for arguments in "stats 6 --bfile longest; verify 6 --by-enumeration; export 6 --format csv".split("; ") {
        assert_eq!(
            advised(tables.run(arguments)),
            "generate 6 --metric dtw",
            "{arguments}"
        );
    }
    // Every table of winners can be made.
    for length in [65, 144, 255] {
        let command = advised(tables.run(&format!("export {length} --format csv")));
        assert_eq!(command, format!("generate {length} --metric wdl"));
    }
    // The command makes the table.
    let arguments = "verify 6 --by-enumeration";
    tables.run(&advised(tables.run(arguments))).ok();
    tables.run(arguments).ok();
}

#[test]
fn a_missing_directory_is_an_error_for_verbs_that_read_and_made_by_those_that_write() {
    let home = Tables::none();
    let nowhere = home.path().join("not here");
    let on = |arguments: &str| -> Run {
        let mut command = phutbase("--tables");
        command.arg(&nowhere).args(arguments.split(' '));
        Run::of(&mut command)
    };
    for arguments in [
        "probe .@.",
        "probe obstruction:3x3",
        "find 9",
        "find 3x1 --value draw --cycles",
        "stats",
        "stats 3",
        "export 9 --format csv",
        "tables",
        "find 9 --suite --sample 5 --depth 3",
        "verify",
        "test-engine 9 --by best -- none",
        "theory monotonicity 9",
        "play .@.",
        "serve --port 0",
        "ugi",
    ] {
        on(arguments).fails(3, &[nowhere.to_str().unwrap()]);
    }
    assert_eq!(home.names(), [""; 0]);
    for arguments in ["generate 3", "generate obstruction:1x1", "generate 3x1"] {
        assert_eq!(on(arguments).code, Some(0), "{arguments}");
        std::fs::remove_dir_all(&nowhere).unwrap();
    }
}

/// No embedded table and none of the working directory answers.
#[test]
fn only_the_named_directory_is_used() {
    let tables = Tables::none();
    std::fs::create_dir(tables.path().join("tables")).unwrap();
    std::fs::copy(
        "tables/strip-36-dtw.phut",
        tables.path().join("tables/strip-36-dtw.phut"),
    )
    .unwrap();
    for arguments in [
        "probe 3/@2/3",
        "find 9 --depth 3",
        "stats",
        "stats 9 --bfile longest",
        "stats obstruction:3x3",
        "export 9 --format csv",
        "find 9 --suite --sample 5 --depth 3",
        "verify",
        "verify obstruction:3x3",
        "test-engine 9 --by best -- none",
        "theory monotonicity 3..9",
    ] {
        tables.run(arguments).fails(1, &[tables.path().to_str().unwrap()]);
    }
    assert!(tables.run("tables").ok().stdout.contains("no tables"));
    assert_eq!(tables.lines("tables"), [0; 0]);
    // It is listed alone.
    tables.run("generate 3").ok();
    let listed = tables.lines("tables");
    assert_eq!((listed.len(), &listed[0]["place"]), (1, &"--tables".into()));
}

/// Options may stand before the verb, after it, and after a claim; the last directories count.
#[test]
fn options_before_and_after_the_verb_both_count() {
    let [five, pitch] = ["5", "3x1"].map(Tables::made);
    let places = |before: &[&Path], verb: &str, after: &[&Path]| {
        let named = |places: &[&Path]| -> Vec<OsString> {
            let words = places
                .iter()
                .map(|place| ["--tables".into(), place.as_os_str().into()]);
            words.flatten().collect()
        };
        let mut command = phutbase("");
        command
            .args(named(before))
            .args(verb.split(' '))
            .args(named(after));
        Run::from(command.output().unwrap())
    };
    let [five, pitch] = [five.path(), pitch.path()];
    for (before, after) in [(&[five, pitch][..], &[][..]), (&[], &[five, pitch])] {
        assert_eq!(places(before, "--json tables", after).ok().json_lines().len(), 2);
        places(before, "theory monotonicity 5", after).ok();
    }
    assert_eq!(
        places(&[pitch], "tables --json", &[five]).ok().json_lines().len(),
        1
    );
    places(&[pitch], "theory --quiet monotonicity 5", &[five]).ok();
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
fn closed_output_is_not_an_error() {
    let tables = Tables::made("9");
    let cases = [
        "probe .@.o..o.. --line",
        "probe .@.o..o.. --json",
        "stats",
        "stats --json",
        "verify",
        "verify --json",
        "generate 3..9 --json",
        "--help",
        "--version",
    ];
    for arguments in cases {
        let run = if arguments.starts_with('-') {
            run_unread(&mut phutbase(arguments))
        } else {
            run_unread(&mut tables.phutbase(arguments))
        };
        assert_eq!(run.code, Some(0), "{arguments}: {run:?}");
        for word in ["panicked", "phutbase: ", "rror"] {
            assert!(!run.stderr.contains(word), "{arguments}: {run:?}");
        }
    }
}

/// Every write to `/dev/full` fails.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let tables = Tables::made("5");
    for arguments in [
        "probe .@o..",
        "stats --json",
        "verify",
        "--help",
        "--version",
        "probe --help",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(tables.phutbase(arguments).stdout(full).output().unwrap());
        assert!(run.failure(3).starts_with("cannot write the output: "), "{run:?}");
    }
}

/// The exit code does not depend on the reader of the output.
#[test]
fn exit_codes_do_not_depend_on_the_reader() {
    let tables = Tables::made("9");
    std::fs::write(tables.path().join("lines"), "x\n.@.\n").unwrap();
    let check = |arguments: &str| {
        let words = shlex::split(arguments).unwrap();
        let command = || {
            let mut command = tables.phutbase(&words[0]);
            command.args(&words[1..]);
            command
        };
        let read = Run::from(command().output().unwrap());
        assert!(matches!(read.code, Some(1 | 3)), "{arguments}: {read:?}");
        let code = read.code.unwrap();
        assert_eq!(
            run_unread(&mut command()).failure(code),
            read.failure(code),
            "{arguments}"
        );
    };
    for arguments in [
        "certify --effort 1 '9/9/9/9/4@4/9/9/9/9 A'",
        "certify --effort 1 --json '9/9/9/9/4@4/9/9/9/9 A'",
        "test-engine 6..9 --sample 5 -- false",
        "test-engine 6..9 --sample 5 --json -- false",
        "probe --batch lines",
        "probe 3/1@1/3",
        "verify 12 --by-enumeration",
        "verify nowhere.cert",
        "find 126..127 --suite --sample 5 --depth 3 --json",
        "generate 4x3 --memory 107B",
        "serve --bind 1.2.3.4",
    ] {
        check(arguments);
    }
    flip_byte(&tables.dtw(9), 20);
    for arguments in "verify; verify --json; stats; stats --json; find 9 --depth 3".split("; ") {
        check(arguments);
    }
}

/// A command with a huge output ends when its reader closes the pipe.
#[test]
fn a_long_list_ends_with_its_reader() {
    let mut child = phutbase("find 36 --limit 1000000000000")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.next().unwrap().unwrap().contains('@'));
    drop(lines);
    assert!(child.wait().unwrap().success());
}

#[test]
fn short_runs_say_nothing_but_errors_on_stderr() {
    let tables = Tables::none();
    for arguments in [
        "generate 9",
        "generate 3x2",
        "generate obstruction:3x3",
        "verify 9",
        "export 9 --format csv",
    ] {
        assert_eq!(tables.run(arguments).ok().stderr, "", "{arguments}");
    }
    let run = tables.run("generate 10 -v").ok();
    assert!(run.stderr.contains("memory"), "{run:?}");
}
