//! Runs of every kind, killed at random moments, and concurrent programs in one directory: finished
//! files are complete at any time, and the final files equal those of undisturbed runs.

use crate::prelude::*;

/// Files by name, without locks.
fn files(tables: &Tables) -> BTreeMap<String, Vec<u8>> {
    let names = tables.names().into_iter().filter(|name| !name.ends_with(".lock"));
    names
        .map(|name| (name.clone(), std::fs::read(tables.path().join(name)).unwrap()))
        .collect()
}

/// Kills a run `kills` times; a run that ends before is started again.
fn kill(arguments: &str, kills: usize) {
    let undisturbed = Tables::none();
    let begun = Instant::now();
    undisturbed.run(arguments).ok();
    // Half the time of the first run, which also loads the program: later runs resume and are
    // shorter.
    let longest = begun.elapsed().as_micros() as u64 / 2;
    let good = files(&undisturbed);
    let mut numbers = random_numbers(kills as u64);
    let mut tables = Tables::none();
    let (mut killed, mut ended) = (0, 0);
    while killed < kills {
        assert!(ended < 100 * kills, "'{arguments}' is too quick to be killed");
        let mut command = tables.phutbase(arguments);
        let mut child = (command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()).unwrap();
        std::thread::sleep(Duration::from_micros(numbers.next().unwrap() % longest));
        child.kill().unwrap();
        let done = child.wait().unwrap().success();
        for (name, bytes) in files(&tables) {
            let unfinished = name.ends_with(".partial") || name.ends_with(".checkpoint");
            assert!(unfinished || good[&name] == bytes, "{arguments}: {name}");
        }
        (killed, ended) = if done {
            (killed, ended + 1)
        } else {
            (killed + 1, ended)
        };
        if done {
            tables = Tables::none();
        }
    }
    tables.run(arguments).ok();
    assert!(files(&tables) == good, "{arguments}: {:?}", tables.names());
    println!("{arguments}: {killed} killed, {ended} ended before");
}

/// Every command that writes a file removes the partial files of killed runs.
#[test]
fn partial_files_are_removed() {
    for arguments in [
        "--tables DIR generate obstruction:3x3",
        "--tables DIR generate 4x3",
        "--tables DIR find 4..5 --suite --sample 5 --out DIR/suite.epd",
        "certify 2/1@/1o/1o/2/2 --out DIR/proof.cert",
    ] {
        let tables = Tables::made("5");
        let left = tables.path().join(".phutbase-a1B2c3.partial");
        std::fs::write(&left, "half").unwrap();
        run(&arguments.replace("DIR", tables.path().to_str().unwrap())).ok();
        assert!(!left.exists(), "{arguments}");
    }
}

#[test]
fn killed_runs_of_every_kind_end_in_the_same_bytes() {
    for arguments in [
        "generate 36 --metric levels --checkpoint-every 0s",
        "generate 22 --metric dtw --checkpoint-every 0s",
        "generate 5x4 --checkpoint-every 0s",
        "generate obstruction:6x6",
    ] {
        kill(arguments, 4);
    }
}

#[test]
#[ignore = "a hundred kills of every kind of long run: some minutes"]
fn a_hundred_kills_of_every_kind_of_run() {
    for arguments in [
        "generate 36 --metric levels --checkpoint-every 0s",
        "generate 48 --metric levels --checkpoint-every 1s",
        "generate 26 --metric dtw --checkpoint-every 0s",
        "generate 28 --metric dtw --checkpoint-every 1s",
        "generate 5x5 --checkpoint-every 0s",
        "generate 8x3 --checkpoint-every 1s",
        "generate obstruction:7x7",
    ] {
        kill(arguments, 100);
    }
}

/// Runs many programs in one directory for some rounds: each succeeds, or reports that another is
/// at work.
fn crowd(rounds: usize) {
    let all = [
        "generate 14",
        "generate 10",
        "generate 4x3",
        "generate obstruction:5x5",
    ];
    let undisturbed = Tables::none();
    all.iter()
        .for_each(|arguments| _ = undisturbed.run(arguments).ok());
    for _ in 0..rounds {
        let tables = Tables::made("10");
        let at_once = [
            "generate 14",
            "generate 3..14",
            "generate 4x3",
            "generate obstruction:5x5",
            "generate obstruction:4x4",
            "stats 3..9",
            "stats",
            "find 5",
            "verify 3..5",
        ];
        let children = at_once.map(|arguments| {
            let mut command = tables.phutbase(arguments);
            (command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()).unwrap()
        });
        for (arguments, child) in at_once.into_iter().zip(children) {
            let run = Run::from(child.wait_with_output().unwrap());
            let busy = "another phutbase";
            assert!(
                run.code == Some(0) || run.failure(3).contains(busy),
                "{arguments}: {run:?}"
            );
        }
        all.iter().for_each(|arguments| _ = tables.run(arguments).ok());
        assert!(files(&tables) == files(&undisturbed), "{:?}", tables.names());
    }
}

#[test]
fn programs_in_one_directory_do_each_other_no_harm() {
    crowd(2);
}

#[test]
#[ignore = "a hundred rounds: a minute or two"]
fn a_hundred_rounds_of_programs_in_one_directory_do_no_harm() {
    crowd(100);
}
