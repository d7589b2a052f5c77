//! Refused threads and memory, and requests beyond what is useful, end in time with one line on
//! stderr and an exit code, without panic or signal.

use super::help::verbs;
use crate::common::faults;
use crate::prelude::*;

#[cfg(target_os = "linux")]
#[test]
fn refused_threads_are_an_error_and_no_panic() {
    let tables = Tables::none();
    let Some(library) = faults() else {
        return;
    };
    let input = tables.path().join("input");
    std::fs::write(&input, "go movetime 10\n").unwrap();
    for arguments in [
        "generate 9",
        "generate 3x3",
        "generate obstruction:3x3",
        "export 5 --format csv",
        "verify 3x3",
        "find 5 --suite --sample 1",
        "theory monotonicity 10",
        "serve --port 0",
        "ugi",
        "certify 2/1@/1o/1o/2/2",
    ] {
        let serves = arguments.starts_with("serve");
        for allowed in [0, 1, 2, 4] {
            let mut command = Command::new("timeout");
            command.args([
                "-s",
                "INT",
                if serves { "1" } else { "100" },
                env!("CARGO_BIN_EXE_phutbase"),
            ]);
            command.args(arguments.split(' ')).args(["--threads", "2"]);
            command
                .env("XDG_DATA_HOME", tables.path())
                .current_dir(tables.path());
            command
                .env("LD_PRELOAD", library)
                .env("PHUTBASE_THREADS", allowed.to_string());
            command.stdin(std::fs::File::open(&input).unwrap());
            let run = Run::from(command.output().unwrap());
            let what = format!("{arguments} with {allowed} threads: {run:?}");
            assert!(!run.stderr.contains("panicked"), "{what}");
            // 124: the time limit, reached only by the server.
            let code = run.code.unwrap();
            assert!([0, 3].contains(&code) || serves && code == 124, "{what}");
            if allowed == 0 {
                run.fails(3, &["cannot start a thread"]);
            }
        }
    }
}

/// Runs the program in this much address space, with `input` on its standard input.
#[cfg(target_os = "linux")]
fn within(kibibytes: usize, arguments: &str, input: &str) -> Run {
    let tables = Tables::none();
    let mut shell = Command::new("sh");
    // The server ends at a signal only.
    let wait = if arguments.contains("serve ") {
        "timeout -s INT 1"
    } else {
        ""
    };
    // A signal ends the program if its stack is refused, which depends on where the system has put it:
    // 126 if this can happen already while it parses its options.
    let limit = format!("ulimit -v {kibibytes}; ulimit -c 0");
    let parses = "for i in $(seq 100); do \"$0\" --version >/dev/null 2>&1; [ $? -lt 128 ] || exit 126; done";
    let run = format!("{wait} \"$0\" \"$@\" 2>&3; code=$?");
    let limit =
        format!("exec 3>&2 2>/dev/null; {limit}; {run}; [ $code -lt 128 ] || {{ {parses}; }}; exit $code");
    shell.args(["-c", &limit, env!("CARGO_BIN_EXE_phutbase"), "--quiet"]);
    let program = env!("CARGO_BIN_EXE_phutbase");
    shell.args(shlex::split(&arguments.replace("PROGRAM", program)).unwrap());
    shell.current_dir(tables.path());
    // A command without `--tables` writes there and not into the user's data.
    shell.env("PHUTBASE_TABLES", tables.path());
    let file = tables.path().join("input");
    std::fs::write(&file, input).unwrap();
    let run = Run::from(shell.stdin(std::fs::File::open(&file).unwrap()).output().unwrap());
    let what = format!("{arguments} in {kibibytes} KiB: {run:?}");
    // 1: an engine or a check failed. 124: the time of the server is over. 126 and 127: the
    // stack, or the loader itself, had too little memory.
    assert!(matches!(run.code, Some(0 | 1 | 3 | 124 | 126 | 127)), "{what}");
    if run.code == Some(3) {
        let lines = run.stderr.lines();
        // Engines of the program write theirs before.
        let own = lines.clone().all(|line| line.starts_with("phutbase: "));
        assert!(
            own && (arguments.contains("PROGRAM") || lines.count() == 1),
            "{what}"
        );
    }
    let partial = tables.names().into_iter().find(|name| name.ends_with(".partial"));
    assert_eq!(partial, None, "{what}");
    run
}

/// Without memory the program ends with one line and leaves no file, in its own allocations and in
/// those of zstd.
#[cfg(target_os = "linux")]
#[test]
fn refused_memory_is_a_failure_of_the_system() {
    let limits = (30_000..=250_000).step_by(40_000);
    let runs = limits.map(|kibibytes| within(kibibytes, "verify 64", ""));
    assert!(runs.filter(|run| run.code == Some(3)).count() > 0);
    // Much less does not hold the program itself.
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_phutbase")).unwrap().len() as usize / 1024;
    for arguments in ["generate 5x3 --threads 1", "generate 20 --threads 1", "stats 5x3"] {
        let limits = (program * 4 / 5..program + 25_000).step_by(1_000);
        let runs = limits.map(|kibibytes| within(kibibytes, arguments, ""));
        assert!(runs.filter(|run| run.code == Some(3)).count() > 0, "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "every verb in ninety limits of memory: about 19 minutes"]
fn every_verb_in_little_memory_ends_in_one_line() {
    let runs = [
        ("probe o@o.o.o.... --line", ""),
        (
            "probe --batch -",
            "o@o.o.o....\n3/3/2o/1o1/3/@2/3 A\nobstruction:6x6\n",
        ),
        ("probe --batch - --wins", "4o/2oo1/@2oo/oooo1/o3o B\n"),
        ("stats", ""),
        ("stats 36", ""),
        ("find 30 --value loss", ""),
        ("export 14 --format csv --out x.csv", ""),
        ("tables", ""),
        ("generate 20", ""),
        ("generate 5x3", ""),
        ("generate 40 --metric wdl", ""),
        ("generate obstruction:6x6", ""),
        ("find 16 --suite --sample 2", ""),
        ("certify 2/1@/1o/1o/2/2", ""),
        ("verify 28", ""),
        ("verify 5x3", ""),
        ("test-engine 4..6 --sample 6 --engine st=10ms -- PROGRAM ugi", ""),
        ("find 5x3 --value draw --cycles", ""),
        ("theory monotonicity 3..12", ""),
        ("theory oddish oddish:2..12", ""),
        ("ugi", "position fen o@o.o.o....\ngo movetime 10\nquit\n"),
        (
            "match 9 --engine 'cmd=PROGRAM ugi' --engine 'cmd=PROGRAM ugi' --each st=0.02 --rounds 1",
            "",
        ),
        ("play o@o.o.o....", "value\nhint\n@5\n"),
        ("serve --port 0", ""),
        ("completions bash", ""),
        ("man", ""),
    ];
    for verb in verbs().iter().filter(|verb| !verb.contains(' ')) {
        let is_of = |&(run, _): &(&str, &str)| run.split(' ').next() == Some(verb);
        assert!(runs.iter().any(is_of), "{verb} is not scanned");
    }
    for (arguments, input) in runs {
        let begun = Instant::now();
        let limits: Vec<usize> = (20_000..200_000).step_by(2_000).collect();
        let codes = limits.par_iter().map(|&kibibytes| {
            let arguments = format!("--threads 1 {arguments}");
            within(kibibytes, &arguments, input).code
        });
        let codes: BTreeSet<Option<i32>> = codes.collect();
        println!(
            "{arguments}: exit codes {codes:?} in {} s",
            begun.elapsed().as_secs()
        );
    }
}

/// The store of a solver with several threads, refused below its own limit at different times.
#[cfg(target_os = "linux")]
#[test]
fn refused_memory_of_a_solver_is_a_failure_of_the_system() {
    for (kibibytes, strips) in [
        (330_000, "56 --metric levels"),
        (180_000, "40 --metric levels"),
        (180_000, "28"),
    ] {
        let options = "--threads 2 --memory 4GiB";
        within(kibibytes, &format!("generate {strips} {options}"), "");
    }
}

/// A game of 5,000 turns on 500,000 squares, whose boards would take 300 MB.
#[cfg(target_os = "linux")]
#[test]
fn a_long_game_on_a_long_strip_takes_little_memory() {
    let board = ".".repeat(250_000) + "@" + &".".repeat(249_999);
    let turns: String = (0..5000).map(|square| format!(" o{square}")).collect();
    let game = format!("position fen {board} L moves{turns}\nquery p1turn\nquit\n");
    let run = within(250_000, "ugi", &game).ok();
    assert_eq!(run.stdout, "response true\n");
}

/// Positions that are kept in memory are counted first.
#[test]
fn more_positions_than_memory_holds_are_refused() {
    let refuses = |arguments: &str| run(arguments).refuses(2, &["more than 4,194,304 positions"]);
    refuses("test-engine 4..18 --all -- false");
    refuses("test-engine 7x3 --all -- false");
    refuses("find 7x3 --limit 100000000000");
    run("find 64 --sample 100000000000").refuses(2, &["--sample", "from 1 to 4194304"]);
    run("find 3x3 --limit 100000000000").ok();
}

#[cfg(unix)]
#[test]
fn more_threads_than_cores_are_not_started() {
    let tables = Tables::none();
    for (option, variable) in [("--threads 4096", "1"), ("", "20000")] {
        let mut command = Command::new("timeout");
        command.args([
            "60",
            env!("CARGO_BIN_EXE_phutbase"),
            "export",
            "5x3",
            "--format",
            "csv",
            "--out",
            "5x3.csv",
        ]);
        command
            .args(option.split_whitespace())
            .env("RAYON_NUM_THREADS", variable);
        let run = Run::from(command.current_dir(tables.path()).output().unwrap());
        assert_eq!(run.code, Some(0), "'{option}', {variable}: {run:?}");
    }
}

/// In a namespace where nothing tells the free memory, work that depends on it asks for a limit.
#[cfg(target_os = "linux")]
#[test]
fn where_the_free_memory_is_unknown_a_limit_is_asked_for() {
    const NAMESPACE: [&str; 3] = ["--user", "--map-root-user", "--mount"];
    let hide = "mount --bind /dev/null /proc/meminfo && mount -t tmpfs none /sys/fs/cgroup";
    let hidden = Command::new("unshare")
        .args(NAMESPACE)
        .args(["sh", "-c", hide])
        .output();
    let why_not = match hidden {
        Ok(output) if output.status.success() => None,
        other => Some(format!("{other:?}")),
    };
    if !available("unshare", why_not.as_deref()) {
        return;
    }
    let tables = Tables::made("9");
    let blind = |arguments: &str| -> Run {
        let program = tables.phutbase(arguments);
        let mut command = Command::new("unshare");
        command
            .args(NAMESPACE)
            .args(["sh", "-c", &format!("{hide} && exec \"$@\""), "sh"]);
        command
            .arg(program.get_program())
            .args(program.get_args())
            .current_dir(tables.path());
        Run::of(&mut command)
    };
    for arguments in [
        "generate 8",
        "generate 3x3",
        "verify 9",
        "verify 9 --by-enumeration",
        "find 9",
        "theory forward 9",
    ] {
        blind(arguments).refuses(
            3,
            &["the free memory of this machine is unknown", "--memory SIZE"],
        );
        if arguments != "generate 3x3" {
            blind(&format!("{arguments} --memory 1GiB")).ok();
        }
    }
}
