//! `phutbase ugi`: the protocol, time limits, and the source of turns.

use crate::prelude::*;
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, channel};

/// The program in a session.
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
            .recv_timeout(Duration::from_secs(600))
            .expect("an answer")
    }

    /// Returns the rest of the next line that starts with a word.
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

    /// Returns all lines up to 'readyok'.
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
    let mut options = std::iter::from_fn(|| Some(engine.line()).filter(|line| line != "ugiok"));
    assert!(options.all(|line| line.starts_with("option name ")));
    assert_eq!(engine.answers("register me"), [""; 0]);
    let round = " o5 @6 o5 @4";
    // Input; then notation, is the first player to move, is the game over, result.
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
        // Four turns return to the starting position; the third occurrence is a draw.
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

#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_not_called_output() {
    let directory = std::fs::File::open("/").unwrap();
    let run = Run::from(phutbase("ugi").stdin(directory).output().unwrap());
    run.refuses(3, &["cannot read: "]);
}

#[test]
fn startpos_follows_the_options() {
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
        "the position is kept"
    );
    engine.send("uginewgame");
    assert_eq!(engine.ask("query fen", "response"), ".....@..... L");
}

#[test]
fn errors_are_reported_and_change_no_board() {
    let mut engine = Engine::new("ugi");
    engine.send("position fen o@o.o.o.... L moves @5");
    for (line, reason) in [
        ("position fen o@x", "'x' in column 3"),
        ("position fen o@o.o moves @5 o1", "not a legal turn"),
        ("position fen o@oo moves @R o1", "the game is over"),
        ("position fen 3/1@1/3 moves a1 b2-b3", "no jump from b2 to b3"),
        ("position nowhere", "'startpos' or 'fen'"),
        ("setoption name boards value 20", "write an odd strip"),
        ("setoption name book value on", "no option 'book'"),
        ("setoption name tables value perhaps", "write true or false"),
    ] {
        let answers = engine.answers(line);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        has(&answers[0], &["info string error ", reason]);
        assert_eq!(engine.ask("query fen", "response"), "o....@o.... R", "{line}");
    }
    // Unknown queries are answered too.
    engine.send("query opinion");
    assert_eq!(engine.wait_for("response"), "unknown");
    // There is no board to play on, until one is taken.
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "0000");
    engine.send("position fen o@o.o.o....");
    assert_ne!(engine.ask("go movetime 10", "bestmove"), "0000");
    let long = format!("position fen .@{}", ".".repeat(32 << 20));
    assert!(engine.answers(&long)[0].contains("too long"));
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "0000");
    // The longest strip.
    engine.send(&format!("position fen .@{}", ".".repeat(9_999_998)));
    assert_ne!(engine.ask("go movetime 10", "bestmove"), "0000");
    engine.send("position fen o@ooo moves @R");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "0000");
}

#[test]
fn searches_keep_to_their_limits_and_obey_stop() {
    let mut engine = Engine::new("ugi 19x15");
    let busy = "position fen 15/15/15/15/15/15/6o8/5o1o7/6o1o6/7@7/6ooo6/5o9/15/15/15/15/15/15/15 A";
    engine.send("position startpos");
    for start in ["position startpos", busy] {
        engine.send(start);
        let legal = start.split_once("fen ").map_or_else(
            || Phutball::empty_pitch(19, 15).unwrap(),
            |(_, fen)| fen.parse().unwrap(),
        );
        for go in [
            "go nodes 1",
            "go nodes 500",
            "go depth 2",
            "go movetime 1",
            "go movetime 300",
            "go p1time 1000 p2time 1 p1inc 0",
            "go p1time 0 p2time 0",
        ] {
            let turn = engine.ask(go, "bestmove");
            assert!(legal.play(&turn).is_ok(), "{go}: {turn}");
        }
    }
    engine.send("position startpos");
    engine.send("go infinite");
    engine.wait_for("info depth ");
    assert_eq!(
        engine.ask("query gameover", "response"),
        "false",
        "queries are answered during a search"
    );
    assert_eq!(engine.ask("isready", "readyok"), "");
    let turn = engine.ask("stop", "bestmove");
    assert!(Phutball::empty_pitch(19, 15).unwrap().play(&turn).is_ok());
    // Known values are reported at once, but 'bestmove' waits for 'stop' after 'go infinite'.
    engine.send("position fen o@ooo");
    engine.send("go infinite");
    let said = engine.wait_for("info depth 1 score mate 1 ");
    assert!(said.ends_with("pv @R"), "{said}");
    assert_eq!(engine.answers("isready"), [""; 0], "nothing before 'stop'");
    engine.wait_for("readyok");
    assert_eq!(engine.ask("stop", "bestmove"), "@R");
}

/// `searchmoves` restricts every player, with a table, by the rules, and in a search.
#[test]
fn turns_are_chosen_among_those_of_searchmoves() {
    let long = format!("{}@o{}", ".".repeat(100), ".".repeat(100));
    for options in ["", "--player potential", "--player random"] {
        let mut engine = Engine::new(&format!("ugi {options}"));
        for (fen, turns) in [
            ("o@o.o.o.... L", &["o9", "@7"][..]),
            ("3/3/2o/1o1/3/@2/3 A", &["b3", "c3"]),
            ("5/5/5/2@2/2o2/5/5/5 A", &["a3", "c5-c3"]),
            (&long, &["o7", "o150"]),
        ] {
            engine.send(&format!("position fen {fen}"));
            let chosen = engine.ask(
                &format!("go searchmoves {} movetime 50", turns.join(" ")),
                "bestmove",
            );
            assert!(turns.contains(&&chosen[..]), "{options} {fen}: {chosen}");
        }
    }
    let mut engine = Engine::new("ugi");
    // The longest of two losses; '@5' would win in 13.
    engine.send("position fen o@o.o.o.... L");
    assert_eq!(engine.ask("go searchmoves o9 @7 movetime 50", "bestmove"), "@7");
    assert_eq!(engine.ask("go searchmoves @7 @5 movetime 50", "bestmove"), "@5");
    engine.send("go searchmoves @6 nonsense movetime 50");
    for turn in ["@6", "nonsense"] {
        engine.wait_for(&format!(
            "info string error ignoring '{turn}' of 'searchmoves': not a legal turn"
        ));
    }
    assert_eq!(engine.wait_for("bestmove"), "@5");
}

/// Without a table `o55` is known to lose, and `o53` is not.
#[test]
fn an_open_turn_of_searchmoves_comes_before_one_that_loses() {
    let mut engine = Engine::new("ugi");
    engine.send("setoption name tables value false");
    let board = ".....oooo....o...o......o..oo.....o....o...o.o.ooo..@...o..o..oo...oo...oo...o.......oo.........o....o.o.o.";
    engine.send(&format!("position fen {board} L"));
    for turns in ["o53 o55", "o55 o53"] {
        let go = format!("go searchmoves {turns} movetime 300");
        assert_eq!(engine.ask(&go, "bestmove"), "o53", "{turns}");
    }
}

/// Plays the turns of a `pv`; only the last may end the game.
fn check_line(start: &str, turns: &[&str]) {
    let mut position: Phutball = start.parse().unwrap();
    for turn in turns {
        match position.play(turn).unwrap().open() {
            Some(next) => position = next.clone(),
            None => assert_eq!(turn, &turns[turns.len() - 1]),
        }
    }
}

#[test]
fn it_says_which_table_it_plays_from_and_shows_the_line() {
    // The smallest sufficient table; tables with depths first.
    let mut engine = Engine::new("ugi");
    let winners = format!(".o@{}", ".".repeat(62));
    for (position, source) in [
        ("o@o.o.o.... L", "tables/strip-36-dtw.phut"),
        (&winners, "turns come from the solution"),
        ("3/3/3/1@1/3/3/3 A", "tables/pitch-7x3-dtw.phut"),
    ] {
        engine.send(&format!("position fen {position}"));
        engine.send("go movetime 100");
        has(&engine.line(), &["info string ", source]);
        let line = engine.wait_for("info ");
        let turns: Vec<&str> = line.split_once(" pv ").unwrap().1.split(' ').collect();
        assert!((2..=16).contains(&turns.len()), "{line}");
        check_line(position, &turns);
        assert_eq!(engine.wait_for("bestmove"), turns[0]);
        // The source is reported once.
        engine.send("go movetime 100");
        assert!(engine.line().starts_with("info depth"));
        engine.wait_for("bestmove");
    }
}

#[test]
fn playing_without_a_table_is_reported_once_and_lines_have_several_turns() {
    let mut engine = Engine::new("ugi 11");
    assert_eq!(engine.answers("setoption name tables value false"), [""; 0]);
    for (start, source) in [
        ("....@...... L", "info string turns come from the solution"),
        ("5/5/5/2@2/5/5/5 A", "info string no table contains"),
    ] {
        engine.send("uginewgame");
        engine.send(&format!("position fen {start}"));
        engine.send("go nodes 20000");
        has(&engine.line(), &[source]);
        let told = std::iter::from_fn(|| Some(engine.line()).filter(|line| !line.starts_with("bestmove ")));
        let told: Vec<String> = told.collect();
        let lines = told
            .iter()
            .filter_map(|line| Some(line.split_once(" pv ")?.1.split(' ').collect()));
        let longest: Vec<&str> = lines.max_by_key(Vec::len).unwrap();
        assert!(longest.len() > 1, "{told:?}");
        check_line(start, &longest);
        engine.send("go nodes 10");
        assert!(engine.line().starts_with("info depth"), "reported once");
        engine.wait_for("bestmove");
    }
}

#[test]
fn pitch_tables_are_used_where_they_are() {
    let made = Tables::made("5x3");
    let mut engine = Engine::new(&format!("--tables {} ugi 5x3", made.path().display()));
    let file = made.path().join("pitch-5x3-dtw.phut");
    let table = PitchTable::open(&file).unwrap();
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

/// `hash` is the memory of one table, for either game; a new game allocates no other.
#[cfg(target_os = "linux")]
#[test]
fn hash_is_the_whole_memory_of_the_search() {
    let mut engine = Engine::new("ugi --threads 1");
    let peak = |engine: &Engine| -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmPeak:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    engine.ask("isready", "readyok");
    let before = peak(&engine);
    engine.answers("setoption name tables value false");
    engine.answers("setoption name hash value 1024");
    for start in ["o@o.o.o.... L", "3/3/2o/1o1/3/@2/3 A", "o@o.o.o.... L"] {
        engine.answers("uginewgame");
        engine.send(&format!("position fen {start}"));
        engine.ask("go depth 2", "bestmove");
    }
    let mebibytes = (peak(&engine) - before) >> 10;
    // The thread of the search has an arena of the allocator besides.
    assert!(mebibytes < 1024 + 256, "{mebibytes} MiB");
}
