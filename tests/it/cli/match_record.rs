//! The record of `phutbase match --pgnout`, and `--resume`.

use crate::prelude::*;

const ENGINES: &str = "st=1ms option.seed=1";

/// A match between two players that play at random, for a record in a directory of its own.
struct Recorded {
    directory: tempfile::TempDir,
}

impl Recorded {
    fn new() -> Recorded {
        Recorded {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("games.pgn")
    }

    fn journal(&self) -> PathBuf {
        self.directory.path().join("games.pgn.jsonl")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    fn command(&self, options: &str) -> Command {
        let file = self.file();
        let mut command = phutbase(&format!("match 9 --json --pgnout {} {options}", file.display()));
        for name in ["één", "other"] {
            let cmd = format!("cmd='{}' ugi --player random", env!("CARGO_BIN_EXE_phutbase"));
            command.arg("--engine").arg(cmd).arg(format!("name={name}"));
        }
        command
    }

    fn run(&self, options: &str) -> Run {
        Run::of(&mut self.command(options))
    }

    /// Plays three pairs after what the record holds; returns the number of games played.
    fn resume(&self) -> usize {
        let run = self.run(&format!("--rounds 3 --resume --each {ENGINES}")).ok();
        run.json_lines().len() - 1
    }

    /// Asserts that the record has the games of three pairs, each once and whole.
    fn is_whole(&self) {
        let text = self.text();
        let rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
        let expected = ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"].map(|round| format!("[Round \"{round}\"]"));
        assert_eq!(rounds, expected, "{text}");
        let results = text
            .lines()
            .filter(|line| ["1-0", "0-1", "1/2-1/2"].contains(line));
        assert_eq!(results.count(), 6, "{text}");
    }
}

/// Returns a record of two pairs, its text, and that of its journal.
fn two_pairs() -> (Recorded, String, String) {
    let recorded = Recorded::new();
    recorded.run(&format!("--rounds 2 --each {ENGINES}")).ok();
    let [text, journal] =
        [recorded.file(), recorded.journal()].map(|file| std::fs::read_to_string(file).unwrap());
    (recorded, text, journal)
}

/// The tags and comments are those of cutechess: a score from the view of the player to move, the
/// depth, and the time.
#[test]
fn a_record_has_the_date_the_limits_and_each_score() {
    let says = |info: &str| {
        format!(
            "cmd=sh -c 'while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) echo info {info}; echo bestmove o0;; esac; done'"
        )
    };
    let recorded = Recorded::new();
    let date = || {
        Command::new("date")
            .args(["-u", "+[Date \"%Y.%m.%d\"]"])
            .output()
            .unwrap()
            .stdout
    };
    let before = date();
    let mut command = phutbase("match 9 --rounds 1 --maxmoves 1 --pgnout");
    command.arg(recorded.file());
    command.args([
        "--engine",
        "st=1500ms",
        &says("depth 12 score cp 35 nodes 52100 pv o0 o2"),
    ]);
    command.args(["--engine", "tc=10s+500ms", &says("depth 3 score mate -4")]);
    Run::from(command.output().unwrap()).ok();
    let text = recorded.text();
    let dates = [before, date()].map(|line| String::from_utf8(line).unwrap());
    assert!(dates.iter().any(|date| text.contains(date.trim())), "{text}");
    // The seven tag roster comes first, in its order.
    let tags = text
        .lines()
        .map(|line| line.split(' ').next().unwrap_or_default());
    let roster = [
        "[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result",
    ];
    assert_eq!(tags.take(7).collect::<Vec<_>>(), roster, "{text}");
    let parts = [
        "[Site \"?\"]",
        "[WhiteTimeControl \"1.5/move\"]",
        "[BlackTimeControl \"10+0.5\"]",
        "1. o0 {+0.35/12 0.",
        "s, n=52100, pv=\"o0 o2\"}",
        "1. o0 {-M8/3 0.",
        "; it claims 'score mate -4' where the position is a win in ",
    ];
    has(&text, &parts);
}

/// Other programs may change a record: nothing that they write is lost.
#[test]
fn a_record_that_an_editor_converted_is_known() {
    let (recorded, text, journal) = two_pairs();
    for converted in [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
        text.clone() + "; a remark\n",
    ] {
        std::fs::write(recorded.file(), &converted).unwrap();
        std::fs::write(recorded.journal(), &journal).unwrap();
        assert_eq!(recorded.resume(), 2, "{converted}");
        assert!(recorded.text().starts_with(&converted), "{converted}");
        recorded.is_whole();
    }
}

#[test]
fn a_record_cut_anywhere_goes_on_with_the_game_that_was_cut() {
    let (recorded, text, journal) = two_pairs();
    let (text, journal) = (text.as_bytes(), journal.as_bytes());
    let ends = |text: &[u8], end: &[u8]| -> Vec<usize> {
        let places = (end.len()..=text.len()).filter(|&place| text[..place].ends_with(end));
        places.collect()
    };
    // A game is written to the record, then to the journal.
    let (games, lines) = (
        ends(text, b"-0\n\n").into_iter().chain(ends(text, b"-1\n\n")),
        ends(journal, b"\n"),
    );
    let mut games: Vec<usize> = games.collect();
    games.sort_unstable();
    assert_eq!((games.len(), lines.len()), (4, 5));
    // Also inside the name of an engine, between the two bytes of a letter.
    let letter = text.iter().position(|&byte| byte > 127).unwrap() + 1;
    let step = text.len() / 30;
    for cut in [0, 1, 5, letter, games[0] - 1, games[0] + 1, text.len() - 1]
        .into_iter()
        .chain((0..text.len()).step_by(step))
    {
        std::fs::write(recorded.file(), &text[..cut]).unwrap();
        std::fs::write(recorded.journal(), journal).unwrap();
        let whole = games.iter().filter(|&&end| end <= cut).count();
        assert_eq!(recorded.resume(), 6 - whole, "record cut at {cut}");
        recorded.is_whole();
    }
    for cut in (lines[0]..journal.len()).step_by(journal.len() / 30) {
        std::fs::write(recorded.file(), text).unwrap();
        std::fs::write(recorded.journal(), &journal[..cut]).unwrap();
        let whole = lines[1..].iter().filter(|&&end| end <= cut).count();
        assert_eq!(recorded.resume(), 6 - whole, "journal cut at {cut}");
        recorded.is_whole();
    }
    // The match is begun again if not even its name is there.
    std::fs::write(recorded.journal(), &journal[..9]).unwrap();
    assert_eq!(recorded.resume(), 6);
    // A new match does not continue the line of a game that was cut.
    std::fs::write(recorded.file(), &text[..90]).unwrap();
    recorded.run(&format!("--rounds 1 --each {ENGINES}")).ok();
    let starts = recorded
        .text()
        .lines()
        .filter(|line| line.starts_with("[Event "))
        .count();
    assert_eq!(starts, 3, "{}", recorded.text());
}

#[test]
fn games_under_other_conditions_are_not_continued() {
    let (recorded, text, journal) = two_pairs();
    for (options, field) in [
        ("--each st=2ms option.seed=1", "settings of the first engine"),
        ("--each tc=1s+1ms option.seed=1", "settings of the first engine"),
        ("--each st=1ms option.seed=2", "settings of the first engine"),
        (
            "--each st=1ms option.seed=1 timemargin=2s",
            "settings of the first engine",
        ),
        (
            "--each st=1ms option.seed=1 arg=--seed arg=4",
            "settings of the first engine",
        ),
        (
            "--each st=1ms option.seed=1 --maxmoves 999",
            "'settings' is 'maxmoves=1000', not 'maxmoves=999'",
        ),
    ] {
        let run = recorded.run(&format!("--rounds 3 --resume {options}"));
        run.refuses(2, &["games.pgn.jsonl", "another match", field]);
    }
    // Another opening.
    let changed = journal.replacen("....@....", "...@.....", 2);
    std::fs::write(recorded.journal(), &changed).unwrap();
    let run = recorded.run(&format!("--rounds 3 --resume --each {ENGINES}"));
    run.refuses(
        2,
        &["another match: in game 0 'position' is '...@..... L', not '....@.... L'"],
    );
    assert_eq!(recorded.text(), text);
    assert_eq!(std::fs::read_to_string(recorded.journal()).unwrap(), changed);
}

#[test]
fn a_journal_without_its_games_is_refused() {
    let (recorded, text, journal) = two_pairs();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    for (bytes, reason) in [
        (Vec::new(), "it names no match"),
        (b"hello".to_vec(), "it names no match"),
        (b"hello\n".to_vec(), "it is not the journal of a match: line 1: "),
        (b"\xff\n".to_vec(), "it is not the journal of a match: line 1: "),
        (
            [lines[0], lines[1], "{}\n"].concat().into_bytes(),
            "line 3: missing field",
        ),
        (
            [lines[0], lines[1], lines[3]].concat().into_bytes(),
            "it has a hole: game 3 stands in place of game 2",
        ),
        (lines[1].into(), "it has a hole: game 1 stands in place of game 0"),
    ] {
        std::fs::write(recorded.journal(), &bytes).unwrap();
        let run = recorded.run(&format!("--rounds 3 --resume --each {ENGINES}"));
        run.refuses(2, &["--resume", "games.pgn.jsonl", reason]);
        assert_eq!(std::fs::read(recorded.journal()).unwrap(), bytes);
    }
    assert_eq!(recorded.text(), text);
}

#[test]
fn two_matches_do_not_share_a_record() {
    let recorded = Recorded::new();
    let mut first = recorded.command(&format!("--rounds 100000 --each {ENGINES}"));
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !recorded.file().exists() || recorded.text().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = recorded.run(&format!("--rounds 1 --each {ENGINES}"));
    first.kill().unwrap();
    first.wait().unwrap();
    second.refuses(3, &["games.pgn", "another match writes to it"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_lose_the_score() {
    let mut command = phutbase("match 9 --json --rounds 2 --pgnout /dev/full");
    for _ in 0..2 {
        let cmd = format!("cmd='{}' ugi --player random", env!("CARGO_BIN_EXE_phutbase"));
        command.arg("--engine").arg(cmd).arg("st=1ms");
    }
    let run = Run::from(command.output().unwrap());
    run.fails(3, &["cannot write '/dev/full'"]);
    let lines = run.json_lines();
    assert_eq!(
        lines[lines.len() - 1]["engines"].as_array().unwrap().len(),
        2,
        "{run:?}"
    );
}

/// The position after the turns of a game, or after the first of them; `--start` leaves some out.
#[test]
fn openings_come_from_games() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let starts = |text: &str, options: &str| {
        std::fs::write(file.path(), text).unwrap();
        let options = format!(
            "match --json --maxmoves 1 --openings {} {options}",
            file.path().display()
        );
        let mut command = phutbase(&options);
        for _ in 0..2 {
            command.args([
                "--engine",
                &format!("cmd='{}' ugi", env!("CARGO_BIN_EXE_phutbase")),
            ]);
        }
        Run::from(command.output().unwrap())
    };
    let positions = |run: Run| -> Vec<String> {
        let lines = run.ok().json_lines();
        let first = lines.iter().filter(|line| line["round"].is_u64()).step_by(2);
        first
            .map(|line| line["position"].as_str().unwrap().to_string())
            .collect()
    };
    let games = "[Event \"one\"]\n[FEN \".@...o... L\"]\n\n1. o2 {+M1/2 0.1s, pv=\"o2\nend\"} o8 $1 (1... o7 (2. o3)\n 2. o6) 2.@3\n; o4\n2... o7 *\n\n\
        [FEN \"....@.... R\"]\n1... o0 o1 1/2-1/2\n[FEN \".@o L\"]\n1. @R 1-0\n";
    assert_eq!(
        positions(starts(games, "--plies 0")),
        [".@...o...", "....@.... R", ".@o"]
    );
    let open = &games[..games.find("[FEN \".@o").unwrap()];
    assert_eq!(positions(starts(open, "")), ["...@.o.oo", "oo..@.... R"]);
    assert_eq!(positions(starts(open, "--plies 2")), [".@o..o..o", "oo..@.... R"]);
    assert_eq!(positions(starts(open, "--plies 1")), [".@o..o... R", "o...@...."]);
    assert_eq!(positions(starts(open, "--start 2")), ["oo..@.... R"]);
    assert_eq!(
        positions(starts(&open.replace('\n', "\r\n"), "--start 2")),
        ["oo..@.... R"]
    );
    for (text, options, reason) in [
        (
            games,
            "",
            "line 12: the game is over after turn 1; use the first turns only, with --plies",
        ),
        (open, "--start 3", "--start 3: "),
        ("[Event \"x\"]\n1. o2 *\n", "", "line 1: the game has no tag FEN"),
        (
            "[FEN \".@... L\"]\n1. o2 {a slip *\n[FEN \".@... L\"]\n*\n",
            "",
            "line 1: a comment of the game does not end",
        ),
        (
            "[FEN \".@... L\"]\n1. o2 (1. o3 *\n[FEN \".@... L\"]\n*\n",
            "",
            "line 1: a variation of the game does not end",
        ),
        ("[FEN \".@. L\"]\n1. o9 *\n", "", "line 1: "),
        (
            ".@. L\n",
            "--plies 1",
            "--plies only applies to games in PGN style",
        ),
    ] {
        starts(text, options).refuses(2, &[reason]);
    }
    // A record of a match is such a file.
    let (recorded, ..) = two_pairs();
    assert_eq!(positions(starts(&recorded.text(), "--plies 0")).len(), 4);
}
