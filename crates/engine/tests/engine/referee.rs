//! The referee of a match and the tester, with engines that follow a script.

use phutbase_ask::sources::Sources;
use phutbase_engine::client::Setup;
use phutbase_engine::matches::adjudication::Adjudication;
use phutbase_engine::matches::control::{Control, Session, TurnLimit};
use phutbase_engine::matches::openings::Opening;
use phutbase_engine::matches::play::{Engines, Played};
use phutbase_engine::matches::{Contestant, Match, Tournament};
use phutbase_engine::tester::{Criterion, Grade, test};
use phutbase_fixtures::prelude::*;

/// Longer than any wait on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// An engine in the language of the shell: it waits a tenth of a second for each turn, writes the
/// commands `go` to a file, and makes the turns of its arguments.
const SCRIPT: &str = r#"log=$1; shift
while read -r word rest; do
    case $word in
    ugi) echo ugiok ;;
    isready) echo readyok ;;
    go) echo "$rest" >>"$log"; sleep 0.1; echo "bestmove $1"; shift ;;
    quit) exit ;;
    esac
done"#;

fn scripted(log: &Path, turns: &str) -> Setup {
    let mut arguments = vec!["-c".to_string(), SCRIPT.to_string(), "engine".to_string()];
    arguments.push(log.display().to_string());
    arguments.extend(turns.split(' ').map(str::to_string));
    Setup {
        program: "sh".to_string(),
        arguments,
        options: Vec::new(),
        directory: None,
        stderr: None,
        ready: LONG,
        log: None,
        job: Job::default(),
    }
}

fn no_tables(directory: &Path) -> Sources {
    Sources::new(Tablebase::open(directory).unwrap(), 1 << 20)
}

/// Plays the first game of a match of two engines with these turns; returns it, and the commands `go`
/// of both engines.
fn played(board: &str, session: Session, turns: [&str; 2], most: usize) -> (Played, [Vec<String>; 2]) {
    let directory = tempfile::tempdir().unwrap();
    let logs = ["first", "second"].map(|name| directory.path().join(name));
    let contestants = logs.iter().zip(turns).map(|(log, turns)| Contestant {
        name: turns.to_string(),
        setup: scripted(log, turns),
        control: Control {
            limit: TurnLimit::Clock(session),
            margin: Duration::ZERO,
        },
        restarts: false,
    });
    let plan = Match {
        contestants: contestants.collect(),
        tournament: Tournament::RoundRobin,
        openings: vec![Opening {
            position: board.parse().unwrap(),
            id: None,
        }],
        rounds: 1,
        concurrency: 1,
        adjudication: Adjudication {
            by_value: false,
            resign: None,
            draw: None,
            max_turns: most,
        },
        played: 0,
        sources: no_tables(directory.path()),
    };
    let game = Engines::default().play(&plan, 0, &|| false).unwrap().unwrap();
    let asked = logs.map(|log| {
        let lines = std::fs::read_to_string(log).unwrap();
        lines.lines().map(str::to_string).collect()
    });
    (game, asked)
}

/// Returns the number after a word of a command.
fn number(command: &str, word: &str) -> u64 {
    let mut words = command.split(' ').skip_while(|found| *found != word);
    let number = words.nth(1).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no '{word}' with a number in 'go {command}'"))
}

/// A turn takes at least 100 ms and is paid 10 ms; every three turns there is a minute more.
#[test]
fn clocks_run_down_and_are_renewed() {
    let session = Session {
        moves: Some(3),
        time: LONG,
        increment: Duration::from_millis(10),
    };
    let turns = ["o0 o2 o4 o6", "o1 o3 o5 o7"];
    let (game, asked) = played("..........@..........", session, turns, 8);
    assert_eq!((game.turns.len(), &game.ending.reason), (8, &None));
    for (own, commands) in ["p1time", "p2time"].into_iter().zip(&asked) {
        let movestogo: Vec<u64> = commands.iter().map(|go| number(go, "movestogo")).collect();
        assert_eq!(movestogo, [3, 2, 1, 3], "{commands:?}");
        let left: Vec<u64> = commands.iter().map(|go| number(go, own)).collect();
        assert_eq!(left[0], 60_000, "{commands:?}");
        // The clock of the third turn has paid for two, that of the fourth for three.
        for (turns, renewed) in [(1, 0), (2, 0), (3, 60_000)] {
            let most = 60_000 + renewed - 90 * turns as u64;
            assert!(
                left[turns] <= most,
                "{most} ms at most after {turns} turns: {commands:?}"
            );
        }
        assert!(left[3] > left[2], "{commands:?}");
    }
}

/// A stone on the right and a jump over it, a stone on the left and a jump back.
#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let session = Session {
        moves: None,
        time: LONG,
        increment: Duration::ZERO,
    };
    let turns = ["o5 o5 o5 o5 o5 o5 o5 o5", "@6 @4 @6 @4 @6 @4 @6 @4"];
    let (game, _) = played("....@....", session, turns, 16);
    assert_eq!((game.turns.len(), &*game.ending.termination), (8, "normal"));
    assert_eq!((game.ending.winner, &game.ending.reason), (None, &None));
}

/// The tester waits for a late turn as long as for a start, and says that it is late.
#[test]
fn a_late_turn_is_judged_and_is_no_failure() {
    let directory = tempfile::tempdir().unwrap();
    let setup = scripted(&directory.path().join("log"), "o0");
    let sources = no_tables(directory.path());
    let limit = Duration::from_millis(1);
    let cases = [".@.".parse().unwrap()];
    let go = "go movetime 1";
    let judged = test(
        &sources,
        &cases,
        Criterion::Value,
        &setup,
        go,
        Some(limit),
        &mut |_| {},
    )
    .unwrap();
    let [judged] = &judged[..] else {
        panic!("one position was asked, {} were judged", judged.len());
    };
    assert_eq!((judged.turn.as_str(), judged.is_late), ("o0", true), "{judged:?}");
    assert_ne!(judged.outcome, Grade::Failed, "{judged:?}");
}
