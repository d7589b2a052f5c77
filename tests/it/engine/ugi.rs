//! `phutbase ugi`: the protocol, limits of time, where turns come from.

use crate::common::cli::{Tables, damage_frame, frames, phutbase};
use phutbase::games::position::Phutball;
use phutbase::table::container::cache::FrameCache;
use phutbase::table::pitch::PitchTable;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The program in a conversation.
pub(super) struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    pub(super) fn new(arguments: &str) -> Engine {
        Engine::of(phutbase(arguments))
    }

    pub(super) fn of(mut command: std::process::Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            stdout
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Engine {
            stdin: child.stdin.take().unwrap(),
            child,
            lines,
        }
    }

    pub(super) fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    pub(super) fn line(&self) -> String {
        self.lines
            .recv_timeout(Duration::from_secs(30))
            .expect("an answer")
    }

    /// The rest of the next line that begins with a word.
    pub(super) fn wait_for(&self, word: &str) -> String {
        loop {
            let line = self.line();
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_string();
            }
        }
    }

    pub(super) fn ask(&mut self, question: &str, word: &str) -> String {
        self.send(question);
        self.wait_for(word)
    }

    /// What comes until 'readyok'.
    pub(super) fn answers(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        std::iter::from_fn(|| Some(self.line()).filter(|line| line != "readyok")).collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_protocol_is_answered_to_the_letter() {
    let mut engine = Engine::new("ugi");
    engine.send("ugi");
    assert!(engine.line().starts_with("id name phutbase"));
    assert!(engine.line().starts_with("id author "));
    let options: Vec<String> =
        std::iter::from_fn(|| Some(engine.line()).filter(|line| line != "ugiok")).collect();
    assert!(
        options.iter().all(|line| line.starts_with("option name ")),
        "{options:?}"
    );
    assert_eq!(engine.answers("register me"), [""; 0]);
    let round = " o5 @6 o5 @4";
    // The position told; then its notation, whether the first player is to move, whether the game is over, the result.
    for (told, answers) in [
        ("startpos", "..........@.......... L, true, false, none"),
        (
            "startpos moves o11",
            "..........@o......... R, false, false, none",
        ),
        ("fen o@ooo R", "o@ooo R, false, false, none"),
        ("fen o@ooo R moves @R", "o.... L, true, true, p1win"),
        ("fen .o@oo L moves @0", "@..oo R, false, true, p2win"),
        ("fen o@oo. moves @4", "o...@ R, false, true, p1win"),
        ("fen 3/1@1/1o1/3", "3/1@1/1o1/3 A, true, false, none"),
        ("fen 3/1@1/1o1/3 B moves b3-b1", "3/3/3/1@1 A, true, true, p2win"),
        // Four turns lead back to where the game began: the third time it is a draw.
        (
            &format!("fen ....@.... moves{round}"),
            "....@.... L, true, false, none",
        ),
        (
            &format!("fen ....@.... moves{round}{round}"),
            "....@.... L, true, true, draw",
        ),
    ] {
        engine.send(&format!("position {told}"));
        let questions = ["fen", "p1turn", "gameover", "result"];
        let found = questions.map(|question| engine.ask(&format!("query {question}"), "response"));
        assert_eq!(found.join(", "), answers, "{told}");
    }
    engine.send("quit");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn startpos_is_what_the_options_say() {
    let mut engine = Engine::new("ugi 5x3");
    assert_eq!(engine.ask("query fen", "response"), "3/3/1@1/3/3 A");
    engine.send("setoption name Boards value 7x3");
    assert_eq!(engine.ask("query fen", "response"), "3/3/3/1@1/3/3/3 A");
    engine.send("setoption name boards value 9");
    engine.send("position startpos moves o5");
    assert_eq!(engine.ask("query fen", "response"), "....@o... R");
    engine.send("setoption name boards value 11");
    assert_eq!(
        engine.ask("query fen", "response"),
        "....@o... R",
        "a game that was told stays"
    );
    engine.send("uginewgame");
    assert_eq!(engine.ask("query fen", "response"), ".....@..... L");
    for wrong in [
        "ugi 20",
        "ugi 4x3",
        "ugi 3..9",
        "ugi go",
        "ugi obstruction:3x3",
        "ugi --player me",
    ] {
        let run = crate::common::cli::run(wrong);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong}");
    }
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let mut engine = Engine::new("ugi");
    engine.send("position fen o@o.o.o.... L moves @5");
    let wrong = [
        ("position fen o@x", "'x' on square 2"),
        ("position fen @oo", "goal-line square 0"),
        ("position fen 3/1@1/4", "row 1 has 4 points"),
        ("position fen o@o.o moves @9", "not a legal turn"),
        ("position fen o@o.o moves @5 o1", "not a legal turn"),
        ("position fen o@oo moves @R o1", "the game is over"),
        ("position fen o@o.o moves jump", "'jump' is not a turn"),
        ("position fen 3/1@1/3 moves a1 c9", "'c9' is not a point"),
        ("position fen 3/1@1/3 moves a1 b2-b3", "no jump from b2 to b3"),
        ("position nowhere", "'startpos' or 'fen'"),
        ("setoption name boards value 20", "with odd numbers"),
        ("setoption name book value on", "no option 'book'"),
    ];
    for (line, reason) in wrong {
        let answers = engine.answers(line);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        assert!(
            answers[0].starts_with("info string error "),
            "{line}: {answers:?}"
        );
        assert!(answers[0].contains(reason), "{line}: {answers:?}");
        assert_eq!(engine.ask("query fen", "response"), "o....@o.... R", "{line}");
    }
    // Whoever asks waits for an answer, also to what nobody can ask.
    engine.send("query opinion");
    assert_eq!(engine.wait_for("response"), "unknown");
    let long = "x".repeat(3 << 20);
    assert!(engine.answers(&long)[0].contains("that long"));
    engine.send("position fen o@ooo moves @R");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "0000");
}

#[test]
fn searches_keep_to_their_limits_and_stop_when_told() {
    let mut engine = Engine::new("ugi 19x15");
    let busy = "position fen 15/15/15/15/15/15/6o8/5o1o7/6o1o6/7@7/6ooo6/5o9/15/15/15/15/15/15/15 A";
    engine.send("position startpos");
    for start in ["position startpos", busy] {
        engine.send(start);
        let legal = start.split_once("fen ").map_or_else(
            || Phutball::empty_pitch(19, 15).unwrap(),
            |(_, fen)| fen.parse().unwrap(),
        );
        let mut timed = |go: &str, least: u64, most: u64| {
            let begun = Instant::now();
            let turn = engine.ask(go, "bestmove");
            let taken = begun.elapsed();
            assert!(legal.play(&turn).is_ok(), "{go}: {turn}");
            assert!(taken >= Duration::from_millis(least), "{go}: {taken:?}");
            assert!(taken <= Duration::from_millis(most), "{go}: {taken:?}");
        };
        // Upper limits are wide: the machine may have other work.
        timed("go nodes 1", 0, 2000);
        timed("go nodes 500", 0, 3000);
        timed("go depth 2", 0, 20_000);
        timed("go movetime 1", 0, 2000);
        // A win by shots that is found at once ends the search before its time.
        timed("go movetime 300", 0, 2500);
        timed("go p1time 1000 p2time 1 p1inc 0", 0, 2000);
        timed("go p1time 0 p2time 0", 0, 2000);
    }
    engine.send("position startpos");
    engine.send("go infinite");
    engine.wait_for("info depth ");
    assert_eq!(
        engine.ask("query gameover", "response"),
        "false",
        "asked while it searches"
    );
    assert_eq!(engine.ask("isready", "readyok"), "");
    let told = Instant::now();
    let turn = engine.ask("stop", "bestmove");
    assert!(
        told.elapsed() < Duration::from_millis(1500),
        "{:?}",
        told.elapsed()
    );
    assert!(Phutball::empty_pitch(19, 15).unwrap().play(&turn).is_ok());
    // What is known at once is said at once, but not before 'stop' if the search is to go on.
    engine.send("position fen o@ooo");
    engine.send("go infinite");
    let said = engine.wait_for("info depth 1 score mate 1 ");
    assert!(said.ends_with("pv @R"), "{said}");
    assert_eq!(engine.answers("isready"), [""; 0], "nothing before 'stop'");
    engine.wait_for("readyok");
    assert_eq!(engine.ask("stop", "bestmove"), "@R");
}

#[test]
fn it_says_which_table_it_plays_from_and_shows_the_line() {
    // The smallest table that is long enough, depths before who wins.
    let mut engine = Engine::new("ugi");
    let [depths, winners] = [33, 65].map(|length| format!(".o@{}", ".".repeat(length - 3)));
    for (position, source) in [
        ("o@o.o.o.... L", "tables/strip-36-dtw.phut"),
        (&winners, "tables/strip-128-wdl.phut"),
        (&depths, "tables/strip-36-dtw.phut"),
        ("3/3/3/1@1/3/3/3 A", "tables/pitch-7x3-dtw.phut"),
    ] {
        engine.send(&format!("position fen {position}"));
        engine.send("go movetime 100");
        let said = engine.line();
        assert!(
            said.starts_with("info string ") && said.contains(source),
            "{said}"
        );
        let line = engine.wait_for("info ");
        let turns: Vec<&str> = line.split_once(" pv ").unwrap().1.split(' ').collect();
        assert!((2..=16).contains(&turns.len()), "{line}");
        assert_eq!(engine.wait_for("bestmove"), turns[0]);
        let mut position: Phutball = position.parse().unwrap();
        for turn in &turns {
            match position.play(turn).unwrap().open() {
                Some(next) => position = *next,
                None => assert_eq!(turn, &turns[turns.len() - 1]),
            }
        }
        // It is not said again.
        engine.send("go movetime 100");
        assert!(engine.line().starts_with("info depth"));
        engine.wait_for("bestmove");
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = phutbase("ugi 11");
    command.current_dir(elsewhere.path());
    let mut engine = Engine::of(command);
    engine.send("position startpos");
    engine.send("go");
    assert!(engine.line().contains("embedded:strip-36-dtw.phut"));
    engine.wait_for("bestmove");
    let refusal = engine.answers("setoption name tables value perhaps");
    assert!(refusal[0].ends_with("it takes true or false"), "{refusal:?}");
}

#[test]
fn where_no_table_reaches_it_is_said_once_and_lines_have_several_turns() {
    let mut engine = Engine::new("ugi 11");
    assert_eq!(engine.answers("setoption name tables value false"), [""; 0]);
    for start in ["....@...... L", "5/5/5/2@2/5/5/5 A"] {
        engine.send("uginewgame");
        let mut position: Phutball = start.parse().unwrap();
        engine.send(&format!("position fen {start}"));
        engine.send("go nodes 20000");
        assert!(
            engine.line().starts_with("info string no table reaches"),
            "{start}"
        );
        let mut longest = Vec::new();
        let told = loop {
            let line = engine.line();
            match line.split_once(" pv ") {
                Some((_, turns)) if turns.split(' ').count() >= longest.len() => {
                    longest = turns.split(' ').map(str::to_string).collect();
                }
                Some(_) => {}
                None => break line,
            }
        };
        assert!(told.starts_with("bestmove "), "{told}");
        assert!(longest.len() > 1, "{longest:?}");
        for turn in &longest {
            let after = position
                .play(turn)
                .unwrap_or_else(|error| panic!("{longest:?}: {error}"));
            match after.open() {
                Some(next) => position = *next,
                None => assert_eq!(turn, &longest[longest.len() - 1]),
            }
        }
        engine.send("go nodes 10");
        assert!(engine.line().starts_with("info depth"), "not said again");
        engine.wait_for("bestmove");
    }
}

#[test]
fn pitch_tables_are_used_where_they_are() {
    let made = Tables::made("5x3");
    let mut engine = Engine::new(&format!("--tables {} ugi 5x3", made.path().display()));
    let file = made.path().join("pitch-5x3-dtw.phut");
    let table = PitchTable::open(&file, &FrameCache::new(1 << 20)).unwrap();
    for fen in ["3/3/1@1/3/3 A", "3/1o1/1@1/3/3 B", "o2/1o1/1@1/1o1/3 A"] {
        engine.send(&format!("position fen {fen}"));
        let turn = engine.ask("go movetime 50", "bestmove");
        let rated = table.rated_turns(&fen.parse().unwrap()).unwrap();
        let chosen = rated.iter().find(|rated| rated.turn == turn).unwrap();
        assert_eq!(chosen.verdict, rated[0].verdict, "{fen}: {turn}");
    }
}

#[test]
fn a_damaged_table_is_named_and_leaves_it_to_the_search() {
    let made = Tables::made("9");
    damage_frame(&made.dtw(9), frames(&made.dtw(9)) - 1);
    let mut engine = Engine::new(&format!("--tables {} ugi 9", made.path().display()));
    engine.send("go depth 3");
    assert!(engine.wait_for("info string error ").contains("strip-9-dtw.phut"));
    assert!(
        Phutball::empty_strip(9)
            .unwrap()
            .play(&engine.wait_for("bestmove"))
            .is_ok()
    );
}
