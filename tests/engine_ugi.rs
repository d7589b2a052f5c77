//! `phutbase ugi`: the protocol, matches as cutegames plays them, play that ends, and searches that claim nothing false.

mod common;

use common::cli::{Tables, phutbase};
use num_bigint::BigUint;
use phutbase::diagram::members::Pattern;
use phutbase::engine::budget::{Budget, Go, Stop};
use phutbase::engine::players::{Kind, Players, rounds};
use phutbase::engine::position::{Position, Standing};
use phutbase::engine::search::{Score, Searcher};
use phutbase::games::pitch::{Pitch, Points, Shape};
use phutbase::games::strip::Strip;
use phutbase::outcome::{Side, Verdict, Wdl};
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use phutbase::table::pitch::PitchTable;
use phutbase::theory::find::{Query, Uniform, find};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The program in a conversation.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn new(arguments: &str) -> Engine {
        let mut command = phutbase(arguments);
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

    fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    fn line(&self) -> String {
        self.lines
            .recv_timeout(Duration::from_secs(30))
            .expect("an answer")
    }

    /// The rest of the next line that begins with a word.
    fn wait_for(&self, word: &str) -> String {
        loop {
            let line = self.line();
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_string();
            }
        }
    }

    fn ask(&mut self, question: &str, word: &str) -> String {
        self.send(question);
        self.wait_for(word)
    }

    /// What comes until 'readyok'.
    fn answers(&mut self, line: &str) -> Vec<String> {
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

/// One game, asked for as cutegames does: before every turn both engines are told the position, and must agree.
fn game(
    first: &mut Engine,
    second: &mut Engine,
    start: &str,
    go: &str,
    most: usize,
) -> (String, Vec<String>) {
    let mut moves: Vec<String> = Vec::new();
    first.send("uginewgame");
    second.send("uginewgame");
    while moves.len() <= most {
        let told = match moves.is_empty() {
            true => format!("position {start}"),
            false => format!("position {start} moves {}", moves.join(" ")),
        };
        let mut both = |question: &str| {
            let answers = [&mut *first, &mut *second].map(|engine| {
                engine.send(&told);
                engine.ask(&format!("query {question}"), "response")
            });
            assert_eq!(answers[0], answers[1], "{question} after {told}");
            answers[0].clone()
        };
        let first_moves = both("p1turn");
        if both("gameover") == "true" {
            return (both("result"), moves);
        }
        assert_eq!(both("result"), "none");
        let mover = if first_moves == "true" {
            &mut *first
        } else {
            &mut *second
        };
        moves.push(mover.ask(go, "bestmove"));
    }
    panic!("no end after {} turns", moves.len());
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
    let cases = [
        (
            "position startpos",
            "..........@.......... L",
            "true",
            "false",
            "none",
        ),
        (
            "position startpos moves o11",
            "..........@o......... R",
            "false",
            "false",
            "none",
        ),
        ("position fen o@ooo R", "o@ooo R", "false", "false", "none"),
        (
            "position fen o@ooo R moves @R",
            "o.... L",
            "true",
            "true",
            "p1win",
        ),
        (
            "position fen .o@oo L moves @0",
            "@..oo R",
            "false",
            "true",
            "p2win",
        ),
        ("position fen o@oo. moves @4", "o...@ R", "false", "true", "p1win"),
        (
            "position fen 3/1@1/1o1/3",
            "3/1@1/1o1/3 A",
            "true",
            "false",
            "none",
        ),
        (
            "position fen 3/1@1/1o1/3 B moves b3-b1",
            "3/3/3/1@1 A",
            "true",
            "true",
            "p2win",
        ),
        // Four turns lead back to where the game began: the third time it is a draw.
        (
            "position fen ....@.... moves o5 @6 o5 @4",
            "....@.... L",
            "true",
            "false",
            "none",
        ),
        (
            "position fen ....@.... moves o5 @6 o5 @4 o5 @6 o5 @4",
            "....@.... L",
            "true",
            "true",
            "draw",
        ),
    ];
    for (told, fen, first, over, result) in cases {
        engine.send(told);
        assert_eq!(engine.ask("query fen", "response"), fen, "{told}");
        assert_eq!(engine.ask("query p1turn", "response"), first, "{told}");
        assert_eq!(engine.ask("query gameover", "response"), over, "{told}");
        assert_eq!(engine.ask("query result", "response"), result, "{told}");
    }
    engine.send("quit");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn startpos_is_what_the_options_say() {
    let mut engine = Engine::new("ugi --game pitch --rows 5 --columns 3");
    assert_eq!(engine.ask("query fen", "response"), "3/3/1@1/3/3 A");
    engine.send("setoption name Rows value 7");
    assert_eq!(engine.ask("query fen", "response"), "3/3/3/1@1/3/3/3 A");
    engine.send("setoption name game value strip");
    engine.send("setoption name length value 9");
    engine.send("position startpos moves o5");
    assert_eq!(engine.ask("query fen", "response"), "....@o... R");
    engine.send("setoption name length value 11");
    assert_eq!(
        engine.ask("query fen", "response"),
        "....@o... R",
        "a game that was told stays"
    );
    engine.send("uginewgame");
    assert_eq!(engine.ask("query fen", "response"), ".....@..... L");
    for wrong in [
        "ugi --length 20",
        "ugi --rows 4",
        "ugi --game go",
        "ugi --player me",
    ] {
        let run = common::cli::run(wrong);
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
        ("position fen o@o.o moves jump", "'jump' is no turn"),
        ("position fen 3/1@1/3 moves a1 c9", "'c9' is no point"),
        ("position fen 3/1@1/3 moves a1 b2-b3", "no jump from b2 to b3"),
        ("position nowhere", "'startpos' or 'fen'"),
        ("setoption name length value 20", "an odd number from 3 to 128"),
        ("setoption name book value on", "no option 'book'"),
        ("query opinion", "gameover, p1turn, result or fen"),
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
    let long = "x".repeat(3 << 20);
    assert!(engine.answers(&long)[0].contains("that long"));
    engine.send("position fen o@ooo moves @R");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "0000");
}

#[test]
fn perfect_play_takes_as_long_as_the_papers_position_does() {
    // Position (1) of Grossman & Nowakowski, won in 13 plies; (2) is lost.
    let (mut first, mut second) = (Engine::new("ugi"), Engine::new("ugi"));
    let (result, moves) = game(&mut first, &mut second, "fen o@o.o.o.... L", "go movetime 50", 99);
    assert_eq!((result.as_str(), moves.len()), ("p1win", 13), "{moves:?}");
    let (result, _) = game(&mut first, &mut second, "fen o@o.ooo.... L", "go movetime 50", 99);
    assert_eq!(result, "p2win");
}

#[test]
fn matches_end_whoever_plays() {
    let clocks = "go p1time 2000 p2time 2000 p1inc 20 p2inc 20";
    let players = ["perfect", "potential", "random"];
    for (number, one) in players.into_iter().enumerate() {
        for other in players {
            let seed = |player: &str| format!("ugi --player {player} --seed {number}");
            let mut first = Engine::new(&seed(one));
            let mut second = Engine::new(&seed(other));
            let (result, moves) = game(&mut first, &mut second, "startpos", clocks, 2000);
            // The player to move wins the empty strip of 21 squares.
            if one == "perfect" {
                assert_eq!(result, "p1win", "{moves:?}");
            }
            let pitch = "fen 5/5/5/2@2/5/5/5 A";
            let (result, _) = game(&mut first, &mut second, pitch, "go nodes 2000", 2000);
            assert!(["p1win", "p2win", "draw"].contains(&result.as_str()), "{result}");
        }
    }
}

#[test]
fn searches_keep_to_their_limits_and_stop_when_told() {
    let mut engine = Engine::new("ugi --game pitch");
    let busy = "position fen 15/15/15/15/15/15/6o8/5o1o7/6o1o6/7@7/6ooo6/5o9/15/15/15/15/15/15/15 A";
    engine.send("position startpos");
    for start in ["position startpos", busy] {
        engine.send(start);
        let legal = start.split_once("fen ").map_or_else(
            || Position::empty_pitch(19, 15).unwrap(),
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
    std::thread::sleep(Duration::from_millis(200));
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
    assert!(Position::empty_pitch(19, 15).unwrap().play(&turn).is_ok());
    // What is known at once is said at once, but not before 'stop' if the search is to go on.
    engine.send("position fen o@ooo");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(100));
    let before: Vec<String> = engine.lines.try_iter().collect();
    assert!(
        before.iter().all(|line| !line.starts_with("bestmove")),
        "{before:?}"
    );
    assert_eq!(engine.ask("stop", "bestmove"), "@R");
}

fn shipped() -> Arc<Tablebase> {
    Arc::new(Tablebase::open(Path::new("tables")).unwrap())
}

/// Plays a position out and returns the winner; `watch` sees every position before its turn.
fn played_out(
    players: &Players,
    start: Strip,
    kinds: [Kind; 2],
    most: usize,
    watch: &mut dyn FnMut(&Strip),
) -> (Side, usize) {
    let mut position = Position::Strip(start);
    for plies in 1..=most {
        let Position::Strip(strip) = position else {
            panic!("a strip stays one");
        };
        watch(&strip);
        let budget = Budget::new(&Go::movetime(Duration::from_millis(50)), 0, Stop::default());
        let kind = kinds[strip.side() as usize];
        let choice = players.choose(kind, &position, &budget, &mut |_| {}).unwrap();
        assert_eq!(choice.trouble, None);
        assert_eq!(
            position.play(&choice.turn.notation),
            Ok(choice.turn.after.clone())
        );
        match choice.turn.after {
            Standing::Open(next) => position = next,
            Standing::Won { winner, .. } => return (winner, plies),
        }
    }
    panic!("'{start}' goes on after {most} plies");
}

#[test]
fn where_tables_have_no_depths_won_games_are_won_all_the_same() {
    let tables = shipped();
    let players = Players::new(tables.clone(), 5);
    for length in [33, 40, 64, 72] {
        let Some(Table::Diagram(table)) = tables.table(length, Metric::Wdl).unwrap() else {
            panic!("a table of sets");
        };
        assert!(table.rounds() > 0);
        let mut chance = Uniform::new(length as u64);
        let mut longest = 0;
        for side in [Side::Left, Side::Right] {
            let query = Query {
                value: Some(Wdl::Win),
                depth: None,
                side,
                pattern: Pattern::any(length),
            };
            let found = find(table, &query).unwrap();
            let mut members = found.members();
            for number in 0..12 {
                // Half of them with few stones, where games are long.
                let mut start = members.nth(&chance.below(&members.total())).unwrap();
                if number % 2 == 0 {
                    let sparse = Strip::new(length, length / 2, 0, side).unwrap();
                    let one = 1u128 << usize::try_from(chance.below(&BigUint::from(length))).unwrap();
                    let stones = one & !(1 << sparse.ball());
                    start = Strip::new(length, length / 2, stones, side).unwrap();
                    if tables.verdict(&start).unwrap().wdl != Wdl::Win {
                        start = start.with_side(side.opponent());
                    }
                    if tables.verdict(&start).unwrap().wdl != Wdl::Win {
                        continue;
                    }
                }
                let winner = start.side();
                for opponent in [Kind::Perfect, Kind::Potential, Kind::Random] {
                    let mut kinds = [opponent; 2];
                    kinds[winner as usize] = Kind::Perfect;
                    let mut last = None;
                    let mut falls = |strip: &Strip| {
                        if strip.side() == winner {
                            let measure = rounds::measure(table, strip);
                            assert!(measure.is_some(), "'{strip}' is not won any more");
                            assert!(last.is_none_or(|last| measure < last), "no progress in '{strip}'");
                            last = Some(measure);
                        }
                    };
                    let (won, plies) = played_out(&players, start, kinds, 8 * length, &mut falls);
                    assert_eq!(won, winner, "'{start}' against {opponent:?}");
                    longest = longest.max(plies);
                }
            }
        }
        println!("length {length}: the longest game had {longest} plies");
    }
}

#[test]
fn tables_without_depths_or_proofs_and_damaged_ones_leave_it_to_the_search() {
    let made = Tables::made("--engine symbolic --metric wdl --length 12");
    let tables = Arc::new(Tablebase::open(made.path()).unwrap());
    let players = Players::new(tables.clone(), 2);
    let mut chance = Uniform::new(4);
    for strip in phutbase::engine::tester::sample(12, 20, &mut chance) {
        let winner = tables.verdict(&strip).unwrap().wdl.winner(strip.side()).unwrap();
        let mut kinds = [Kind::Random; 2];
        kinds[winner as usize] = Kind::Perfect;
        let keeps = &mut |met: &Strip| {
            let value = tables.verdict(met).unwrap().wdl;
            assert_eq!(value.winner(met.side()), Some(winner), "'{met}' after '{strip}'");
        };
        assert_eq!(
            played_out(&players, strip, kinds, 200, keeps).0,
            winner,
            "'{strip}'"
        );
    }
    let made = Tables::made("--length 9");
    common::cli::flip_byte(&made.dtw(9), 200);
    let mut engine = Engine::new(&format!("--tables {} ugi --length 9", made.path().display()));
    engine.send("go depth 3");
    assert!(engine.wait_for("info string error ").contains("strip-9-dtw.phut"));
    assert!(
        Position::empty_strip(9)
            .unwrap()
            .play(&engine.wait_for("bestmove"))
            .is_ok()
    );
}

/// What a search without tables says of a position.
fn searched(searcher: &mut Searcher, position: &Position, go: &Go) -> (String, Score) {
    let turns = position.turns();
    let budget = Budget::new(go, 0, Stop::default());
    let (place, score) = searcher.choose(position, &turns, &budget, &mut |_| {}).unwrap();
    (turns[place].notation.clone(), score)
}

/// Whether a claim agrees with a value; a claimed number of plies is at most the true one for the winner.
fn holds(score: Score, value: Verdict) -> bool {
    match score {
        Score::Win(Some(plies)) => value.wdl == Wdl::Win && value.depth.unwrap() <= plies,
        Score::Loss(Some(plies)) => value.wdl == Wdl::Loss && value.depth.unwrap() <= plies,
        Score::Win(None) | Score::Loss(None) | Score::Draw => false,
        Score::Guess(_) => true,
    }
}

#[test]
fn what_the_search_claims_on_strips_is_so() {
    let tables = shipped();
    let mut searcher = Searcher::new(16);
    let mut claims = [0, 0];
    for length in 3..=13 {
        let mut chance = Uniform::new(length as u64);
        for strip in phutbase::engine::tester::sample(length, 150, &mut chance) {
            let go = Go {
                depth: Some(5),
                nodes: Some(20_000),
                ..Go::default()
            };
            let (turn, score) = searched(&mut searcher, &Position::Strip(strip), &go);
            let value = tables.verdict(&strip).unwrap();
            assert!(holds(score, value), "'{strip}': {score:?}, {value}");
            match score {
                Score::Win(_) => {
                    claims[0] += 1;
                    let rated = tables.rated_turns(&strip).unwrap();
                    let rated = rated.iter().find(|rated| rated.turn.to_string() == turn).unwrap();
                    assert_eq!(rated.verdict.wdl, Wdl::Win, "'{strip}': {turn}");
                }
                Score::Loss(_) => claims[1] += 1,
                // Whatever ends within five plies is seen, if the nodes suffice.
                _ => assert!(value.depth.unwrap().0 > 3, "'{strip}': {value}"),
            }
        }
    }
    assert!(claims[0] > 300 && claims[1] > 100, "{claims:?}");
}

#[test]
fn what_the_search_claims_on_pitches_is_so() {
    let made = Tables::made("--pitch 5x3");
    let shape = Shape::new(5, 3).unwrap();
    let table = PitchTable::open(made.path(), shape).unwrap();
    let mut searcher = Searcher::new(16);
    let mut chance = Uniform::new(3);
    let mut claims = [0, 0];
    for number in 0..1500 {
        let mut below = |bound: usize| usize::try_from(chance.below(&BigUint::from(bound))).unwrap();
        let ball = 3 + below(9);
        let chaps = Points::from_bits(below(1 << 15) as u64 & !(1 << ball));
        let side = [Side::Left, Side::Right][below(2)];
        let pitch = Pitch::new(shape, ball, chaps, side).unwrap();
        // Every third time by the clock, so that the search by threats comes first.
        let go = match number % 3 {
            0 => Go::movetime(Duration::from_millis(25)),
            _ => Go {
                depth: Some(4),
                ..Go::default()
            },
        };
        let (_, score) = searched(&mut searcher, &Position::Pitch(pitch), &go);
        let value = Verdict::from(table.value(&pitch).unwrap());
        assert!(holds(score, value), "'{pitch}': {score:?}, {value}");
        match score {
            Score::Win(_) => claims[0] += 1,
            Score::Loss(_) => claims[1] += 1,
            _ => {}
        }
    }
    assert!(claims[0] > 200 && claims[1] > 20, "{claims:?}");
}

#[test]
fn pitch_tables_are_used_where_they_are() {
    let made = Tables::made("--pitch 5x3");
    let mut engine = Engine::new(&format!(
        "--tables {} ugi --game pitch --rows 5 --columns 3",
        made.path().display()
    ));
    let table = PitchTable::open(made.path(), Shape::new(5, 3).unwrap()).unwrap();
    for fen in ["3/3/1@1/3/3 A", "3/1o1/1@1/3/3 B", "o2/1o1/1@1/1o1/3 A"] {
        engine.send(&format!("position fen {fen}"));
        let turn = engine.ask("go movetime 50", "bestmove");
        let rated = table.rated_turns(&fen.parse().unwrap()).unwrap();
        let chosen = rated.iter().find(|rated| rated.notation == turn).unwrap();
        assert_eq!(chosen.value, rated[0].value, "{fen}: {turn}");
    }
}

#[test]
fn all_players_make_legal_turns_on_crowded_pitches() {
    let players = Players::new(Arc::new(Tablebase::open(Path::new("no-tables")).unwrap()), 1);
    let mut chance = Uniform::new(8);
    for (rows, columns) in [(3, 1), (4, 4), (9, 7), (19, 19)] {
        let shape = Shape::new(rows, columns).unwrap();
        for _ in 0..12 {
            let mut below = |bound: usize| usize::try_from(chance.below(&BigUint::from(bound))).unwrap();
            let ball = columns + below(columns * (rows - 2));
            let density = 1 + below(4);
            let chaps: Points = (0..shape.points())
                .filter(|&point| point != ball && below(5) < density)
                .collect();
            let pitch = Pitch::new(shape, ball, chaps, [Side::Left, Side::Right][below(2)]).unwrap();
            let position = Position::Pitch(pitch);
            for kind in [Kind::Perfect, Kind::Potential, Kind::Random] {
                let budget = Budget::new(&Go::movetime(Duration::from_millis(30)), 0, Stop::default());
                let choice = players.choose(kind, &position, &budget, &mut |_| {}).unwrap();
                let after = position.play(&choice.turn.notation);
                assert_eq!(
                    after,
                    Ok(choice.turn.after),
                    "'{pitch}': {}",
                    choice.turn.notation
                );
            }
        }
    }
}

#[test]
fn the_python_example_plays_a_match() {
    let program = env!("CARGO_BIN_EXE_phutbase");
    let engines = ["", " --player potential"].map(|player| format!("'{program}' ugi --length 15{player}"));
    let run = std::process::Command::new("python3")
        .args(["examples/ugi_match.py", "--games", "4", "--movetime", "50"])
        .args(engines)
        .output()
        .unwrap();
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(
        run.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert_eq!(
        said.lines().filter(|line| line.starts_with("game ")).count(),
        4,
        "{said}"
    );
    assert!(
        said.lines().last().unwrap().contains(" losses, 0 draws for "),
        "{said}"
    );
}
