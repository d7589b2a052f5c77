//! Answers as JSON.

use phutbase_ask::sources::{AskError, Sources};
use phutbase_ask::wins::WinsInOne;
use phutbase_base::count::Count;
use phutbase_fixtures::prelude::*;
use phutbase_pitches::wins::WinLimits;
use phutbase_rules::{Pitch, Position};

#[test]
fn counts_past_2_to_the_53_are_strings() {
    let json = |count: u64| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(1 << 53), "9007199254740992");
    assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
    let json = |count: BigUint| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
    assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
}

/// Each position of a batch has the whole time, and is an error of its own.
#[test]
fn a_batch_that_runs_out_of_time_says_so() {
    let position = Position::read("obstruction:5x5", Rules::Ordinary).unwrap();
    let sources = Sources::new(Tablebase::empty(), 1 << 20);
    let [answer] = &sources.batch(&[&position], Some(Duration::ZERO), &Job::default())[..] else {
        panic!("one answer");
    };
    assert!(
        matches!(answer, Err(AskError::Stopped(Stopped::OutOfTime))),
        "{answer:?}"
    );
    // A batch that shares its time has none left for the last board.
    let [hard, easy] =
        ["9x9", "5x5"].map(|board| Position::read(&format!("obstruction:{board}"), Rules::Ordinary));
    let [hard, easy] = [hard.unwrap(), easy.unwrap()];
    let answers = sources.batch(
        &[&hard, &hard, &easy],
        Some(Duration::from_millis(1000)),
        &Job::default(),
    );
    let solved: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(solved, [false, false, true], "{answers:?}");
}

/// A search for a win in one that ran out of time says so.
#[test]
fn a_win_in_one_that_takes_too_long_is_undecided() {
    let pitch: Pitch = "3/1@1/1o1/3/1o1/3/1o1/3/1o1/3 B".parse().unwrap();
    // The search is cut at once, so that the formula decides.
    let limits = WinLimits {
        boards: 1,
        ..WinLimits::default()
    };
    let find = |time| WinsInOne::find(&pitch, 1, limits, &Job::default().within(time));
    assert_eq!(find(Some(Duration::ZERO)).unwrap_err(), Stopped::OutOfTime.into());
    assert!(find(None).is_ok());
}

/// One win is listed if one is asked for, or if the nearest boards have none; the list is then not
/// complete.
#[test]
fn the_win_that_the_search_found_is_listed() {
    let pitch: Pitch = "3/1@1/1o1/3/1o1/3/1o1/3/1o1/3 B".parse().unwrap();
    for (limit, boards, is_complete) in [
        (1, 1, false),
        (1, 1 << 20, false),
        (9, 1, false),
        (9, 1 << 20, true),
    ] {
        let limits = WinLimits {
            boards,
            ..WinLimits::default()
        };
        let found = WinsInOne::find(&pitch, limit, limits, &Job::default()).unwrap();
        let [win] = &found.turns[..] else {
            panic!("{found:?}");
        };
        let turn = pitch.parse_turn(&win.turn).unwrap();
        assert_eq!(pitch.after(&turn).winner(), Some(pitch.side()));
        assert_eq!(found.complete, is_complete, "{limit} of {boards} boards");
    }
}
