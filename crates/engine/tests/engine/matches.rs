//! The score of a match, and games that end by scores.

use phutbase_engine::matches::adjudication::{Adjudication, Resignation, ScoredDraw};
use phutbase_engine::matches::openings::Opening;
use phutbase_engine::matches::play::{Ending, Played, TimedTurn};
use phutbase_engine::matches::score::MatchScore;
use phutbase_engine::report::{InfoScore, Report};
use phutbase_fixtures::prelude::*;

/// Returns a turn with a score in centipawns.
fn turn(score: i64) -> TimedTurn {
    let report = Report {
        score: Some(InfoScore::Centipawns(score)),
        ..Report::default()
    };
    TimedTurn {
        turn: "o5".to_string(),
        time: Duration::ZERO,
        report: Some(report),
        false_claim: None,
    }
}

/// Returns a game of one turn that the first engine wins.
fn game(number: usize, turn_made: &str) -> Played {
    let made = TimedTurn {
        turn: turn_made.to_string(),
        ..turn(0)
    };
    Played {
        number,
        pairing: [0, 1],
        first: number % 2,
        opening: Opening {
            position: "o@o.o.o....".parse().unwrap(),
            id: None,
        },
        turns: vec![made],
        ending: Ending {
            winner: Some(0),
            termination: "normal".into(),
            reason: None,
        },
    }
}

#[test]
fn pairs_of_repeated_games_do_not_count() {
    let mut score = MatchScore::default();
    // The second pair repeats both games of the first, the third only one.
    for (number, turn) in (0..).zip(["o5", "o7", "o5", "o7", "o5", "o8"]) {
        score.add(&game(number, turn));
    }
    assert_eq!((score.wins, score.repeated), (6, 3));
    assert_eq!(score.pairs, [0, 0, 0, 0, 2]);
}

#[test]
fn a_match_as_the_second_engine_is_joined_from_its_side() {
    let mut other = MatchScore::default();
    (other.wins, other.losses, other.draws) = (5, 2, 1);
    (other.failed, other.false_claims, other.pairs) = ([1, 2], [3, 4], [0, 1, 0, 2, 1]);
    let mut score = MatchScore::default();
    score.join(&other, true);
    assert_eq!((score.wins, score.losses, score.draws), (2, 5, 1));
    assert_eq!((score.failed, score.false_claims), ([2, 1], [4, 3]));
    assert_eq!(score.pairs, [1, 2, 0, 1, 0]);
    score.join(&other, false);
    assert_eq!(
        (score.wins, score.failed, score.pairs),
        (7, [3, 3], [1, 3, 0, 3, 1])
    );
}

/// The mean of two pairs with the shares ½ and ¾ is ⅝, its standard deviation ⅛: the deviation of a
/// sample of two divides by one.
#[test]
fn error_bars_are_those_of_a_sample() {
    let mut score = MatchScore::default();
    score.pairs = [0, 0, 1, 1, 0];
    let bars = score.error_bars().unwrap();
    for (bar, share) in bars.into_iter().zip([0.625 - 1.96 / 8.0, 0.625 + 1.96 / 8.0]) {
        let expected = 400.0 * f64::log10(share / (1.0 - share));
        assert!((bar - expected).abs() < 0.1, "{bar}, not {expected}");
    }
}

fn adjudication() -> Adjudication {
    Adjudication {
        by_value: false,
        resign: None,
        draw: None,
        max_turns: 100,
    }
}

#[test]
fn a_resignation_may_need_the_scores_of_both_engines() {
    let rules = |is_two_sided| Adjudication {
        resign: Some(Resignation {
            turns: 2,
            score: 500,
            is_two_sided,
        }),
        ..adjudication()
    };
    let ended = |is_two_sided, scores: [i64; 4]| {
        let turns = scores.map(turn);
        let end = rules(is_two_sided).by_scores(&turns, 1);
        end.map(|end| end.winner)
    };
    // The last turn is engine 0's.
    assert_eq!(ended(false, [600, -500, 600, -500]), Some(Some(1)));
    assert_eq!(ended(true, [600, -500, 600, -500]), Some(Some(1)));
    assert_eq!(ended(false, [0, -500, 0, -500]), Some(Some(1)));
    assert_eq!(ended(true, [0, -500, 0, -500]), None);
    assert_eq!(ended(false, [600, -499, 600, -500]), None);
}

#[test]
fn a_draw_by_scores_needs_the_moves_before_it() {
    let rules = Adjudication {
        draw: Some(ScoredDraw {
            earliest: 3,
            moves: 2,
            score: 10,
        }),
        ..adjudication()
    };
    let ended = |scores: &[i64]| {
        let turns: Vec<TimedTurn> = scores.iter().copied().map(turn).collect();
        rules.by_scores(&turns, 0).map(|end| end.winner)
    };
    assert_eq!(ended(&[0, 0, 0, 0, 0]), None);
    assert_eq!(ended(&[99, 99, 10, -10, 0, 0]), Some(None));
    assert_eq!(ended(&[99, 99, 0, 11, 0, 0]), None);
}
