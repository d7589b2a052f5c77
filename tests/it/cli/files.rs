//! Files that users bring: of positions, of tables under other names, of certificates, and lists of
//! directories.

use crate::common::faults;
use crate::prelude::*;
use phutbase_tables::nimbers::NimberTable;

/// Positions as the verbs and editors write them.
const LINES: &str = "\u{feff}# openings\n\no@o.o.o.... R value win; depth 3; bm o1; id \"one\";\r\n  .@.  \n.@o.;\n.@o. R; bm o1\n";

fn engines(command: &mut Command) -> &mut Command {
    for seed in ["1", "2"] {
        let program = env!("CARGO_BIN_EXE_phutbase");
        let cmd = format!("cmd='{program}' ugi --player random --seed {seed}");
        command.arg("--engine").arg(cmd);
    }
    command
}

#[test]
fn every_verb_reads_the_same_files_of_positions() {
    let tables = Tables::embedded();
    let path = |name: &str| tables.path().join(name);
    std::fs::write(path("lines.epd"), LINES).unwrap();
    let answers = tables.lines("probe --batch lines.epd");
    let positions: Vec<&Json> = answers.iter().map(|answer| &answer["position"]).collect();
    assert_eq!(positions, ["o@o.o.o.... R", ".@.", ".@o.", ".@o. R"]);
    let mut command = tables.phutbase("match --json --each st=20ms --rounds 2 --openings lines.epd");
    let run = Run::from(engines(&mut command).output().unwrap()).ok();
    assert_eq!(run.json_lines()[2]["position"], ".@.");
    // The lines of a suite.
    tables.run("find 8 --suite --sample 2 --out suite.epd").ok();
    let count = std::fs::read_to_string(path("suite.epd"))
        .unwrap()
        .lines()
        .count();
    let answers = tables.lines("probe --batch suite.epd");
    assert!(answers.len() == count && answers.iter().all(|answer| answer["error"].is_null()));
    std::fs::write(
        path("pitch.txt"),
        "\u{feff}# a pitch\n2/1@/1o/1o/2/2 A id \"x\";\n",
    )
    .unwrap();
    let run = tables.run("certify pitch.txt --json");
    assert_eq!(run.json_lines()[0]["position"], "2/1@/1o/1o/2/2 A");
}

#[test]
fn files_that_are_no_positions_are_refused_in_bounded_memory() {
    let tables = Tables::embedded();
    let path = |name: &str| tables.path().join(name);
    std::fs::write(path("packed.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, b'\n']).unwrap();
    std::fs::write(path("long.epd"), ".".repeat(100_000)).unwrap();
    make_pipe(&path("pipe"));
    for (file, code, reason) in [
        ("packed.gz", 3, "gunzip"),
        ("long.epd", 2, "longer than 65536 bytes"),
        ("/dev/zero", 3, "not an ordinary file"),
        ("pipe", 3, "not an ordinary file"),
    ] {
        let mut command = Command::new("timeout");
        command.args(["20", env!("CARGO_BIN_EXE_phutbase"), "match", "--openings"]);
        command.arg(path(file));
        Run::from(engines(&mut command).output().unwrap()).refuses(code, &[reason]);
    }
    tables.run("probe --batch packed.gz").refuses(3, &["gunzip"]);
}

#[test]
fn directories_of_tables_are_a_list() {
    let (one, other) = (Tables::made("9"), Tables::none());
    other.run("generate 5x1").ok();
    let missing = other.path().join("missing");
    let asked = |variable: &std::ffi::OsStr, position: &str| {
        let mut command = phutbase("probe");
        let run = command.arg(position).env("PHUTBASE_TABLES", variable).output();
        Run::from(run.unwrap())
    };
    let listed = |paths: &[&Path]| std::env::join_paths(paths).unwrap();
    let both = listed(&[one.path(), other.path()]);
    let run = phutbase("tables --json").env("PHUTBASE_TABLES", &both).output();
    let found = Run::from(run.unwrap()).ok().json_lines();
    let of_list = found.iter().filter(|table| table["place"] == "$PHUTBASE_TABLES");
    assert_eq!(of_list.count(), 2);
    asked(&both, "1/@/o/1/1 B").ok();
    // A missing directory is an error, or beside others a warning.
    asked(missing.as_os_str(), ".@.").refuses(3, &["missing"]);
    let run = asked(&listed(&[&missing, one.path()]), ".@..").ok();
    has(&run.stderr, &["warning", "missing"]);
    // Options name several, too.
    let named = |paths: &[&Path], position: &str| {
        let mut command = phutbase("probe");
        for path in paths {
            command.arg("--tables").arg(path);
        }
        Run::from(command.arg(position).output().unwrap())
    };
    named(&[one.path(), other.path()], "1/@/o/1/1 B").ok();
    named(&[one.path(), other.path()], ".@..").ok();
    has(&named(&[&missing, one.path()], ".@..").ok().stderr, &["missing"]);
    named(&[&missing], ".@.").refuses(3, &["missing"]);
    let second = other.path().join("missing too");
    named(&[&missing, &second], ".@.").refuses(3, &["missing"]);
    let mut command = phutbase("tables --check --tables");
    command.arg(&missing).arg("--tables").arg(&second);
    Run::from(command.output().unwrap()).fails(3, &["missing"]);
    let made = Tables::none();
    let mut command = phutbase("generate 4 --json --tables");
    command.arg(made.path()).arg("--tables").arg(one.path());
    let run = Run::from(command.output().unwrap()).ok();
    has(
        run.json()["file"].as_str().unwrap(),
        &[made.path().to_str().unwrap()],
    );
}

#[test]
fn any_file_is_verified_by_its_contents() {
    let tables = Tables::made("9");
    let other = tables.path().join("old.phut");
    std::fs::copy(tables.dtw(9), &other).unwrap();
    for file in ["strip-9-dtw.phut", "old.phut"] {
        let run = tables.run(&format!("verify {file}")).ok();
        has(
            &run.stdout,
            &[file, "every winner and depth on 3 to 9 squares is proved"],
        );
    }
    let run = tables.run("verify old.phut --memory 1KiB");
    run.refuses(3, &["old.phut", "1024 may be used"]);
    flip_byte(&other, 60);
    assert_eq!(tables.run("verify old.phut").code, Some(3));
    // A name that ends in .phut is a table's, even if the first bytes are lost.
    for size in [0, 100] {
        std::fs::write(&other, vec![0u8; size]).unwrap();
        let run = tables.run("verify old.phut");
        run.refuses(3, &["old.phut: not a phutbase file", "delete it"]);
    }
    // The advice names the working directory.
    flip_byte(&tables.dtw(9), 60);
    let run = tables.run("verify strip-9-dtw.phut");
    run.refuses(3, &["phutbase generate 9 --metric dtw --tables '.'"]);
    let run = tables.run("verify nothing");
    run.refuses(2, &["nothing", "3..24"]);
    assert!(!run.stderr.contains("oddish"), "{run:?}");
    // A certificate from standard input, a pipe and a file.
    let position = "2/1@/1o/1o/2/2 A";
    tables.run_with("certify --out proof.cert", position).ok();
    let run = tables.run("verify proof.cert --memory 1KiB");
    run.refuses(2, &["--memory only applies to tables of Phutball"]);
    let certificate = std::fs::read(tables.path().join("proof.cert")).unwrap();
    for file in ["-", "/dev/stdin"] {
        has(
            &tables.run_on(&format!("verify {file}"), &certificate).ok().stdout,
            &["Betty wins"],
        );
    }
    tables.run("verify proof.cert").ok();
    // A table must be mapped.
    let table = std::fs::read(tables.dtw(9)).unwrap();
    for file in ["-", "/dev/stdin"] {
        let run = tables.run_on(&format!("verify {file}"), &table);
        run.refuses(2, &["a table", "name its file"]);
    }
}

/// A table under the name of another one is not thrown away.
#[test]
fn a_renamed_table_gets_its_name_back() {
    let tables = Tables::made("9");
    let wrong = tables.dtw(20);
    std::fs::rename(tables.dtw(9), &wrong).unwrap();
    for command in ["probe", "verify 20", "generate 20"] {
        let run = match command {
            "probe" => tables.run_with(command, "....@..............."),
            command => tables.run(command),
        };
        has(&run.stderr, &["rename it to 'strip-9-dtw.phut'"]);
    }
    assert!(wrong.exists());
    let pitch = Tables::made("5x1");
    let [right, wrong] = ["pitch-5x1-dtw.phut", "pitch-7x1-dtw.phut"].map(|name| pitch.path().join(name));
    std::fs::rename(right, wrong).unwrap();
    let run = pitch.run("verify 7x1");
    has(&run.stderr, &["rename it to 'pitch-5x1-dtw.phut'"]);
}

#[test]
fn verify_checks_the_nimbers_as_well() {
    let tables = Tables::none();
    let file = tables.path().join("obstruction.phut");
    let board = Grid::new(Form::Rectangle, &[2, 3]).unwrap();
    let mut nimbers = NimberTable::default();
    nimbers.insert(board, Nimber(5));
    nimbers.save(&file).unwrap();
    tables
        .run("verify")
        .fails(1, &["obstruction:2x3", "the table has 5"]);
    let shipped = NimberTable::read("tables/obstruction.phut".as_ref()).unwrap();
    nimbers.insert(board, shipped.get(board).unwrap());
    std::fs::remove_file(&file).unwrap();
    nimbers.save(&file).unwrap();
    has(&tables.run("verify").ok().stdout, &["obstruction:2x3"]);
}

#[test]
fn a_pipe_among_the_files_does_not_block_the_check_of_sums() {
    let tables = Tables::made("5");
    make_pipe(&tables.path().join("SHA256SUMS"));
    let mut command = Command::new("timeout");
    command.args([
        "20",
        env!("CARGO_BIN_EXE_phutbase"),
        "tables",
        "--check",
        "--tables",
    ]);
    Run::from(command.arg(tables.path()).output().unwrap()).fails(3, &["SHA256SUMS"]);
}

#[cfg(target_os = "linux")]
#[test]
fn complete_tables_are_kept_in_a_read_only_directory() {
    let Some(library) = faults() else { return };
    let tables = Tables::made("5");
    tables.run("generate 5x1").ok();
    std::fs::remove_file(tables.path().join(".lock")).unwrap();
    for (boards, kept) in [("5", true), ("5x1", true), ("6", false)] {
        let mut command = tables.phutbase(&format!("generate {boards}"));
        command
            .env("LD_PRELOAD", library)
            .env("PHUTBASE_FAULT", "readonly");
        let run = Run::from(command.env("PHUTBASE_DISK", tables.path()).output().unwrap());
        match kept {
            true => has(&run.ok().stdout, &["kept"]),
            false => run.refuses(3, &["lock"]),
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_without_standard_output_fails() {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "exec \"$0\" export 5 --format csv >&-",
        env!("CARGO_BIN_EXE_phutbase"),
    ]);
    Run::from(shell.output().unwrap()).refuses(3, &["standard output is closed"]);
}
