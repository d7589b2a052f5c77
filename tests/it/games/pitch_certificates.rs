//! Certificates: Sarkar's theorem and its corollary, agreement with tables, and certificates that were tampered with.

use crate::common::random_numbers;
use crate::games::pitch_support::{pitch, random_pitch, shape};
use phutbase::game::Game;
use phutbase::games::pitch::certificate::{Certificate, Claim};
use phutbase::games::pitch::{After, Pitch, PitchGame, Turn};
use phutbase::outcome::{Side, Wdl};
use phutbase::solve::pitch::PitchSolver;
use phutbase::solve::threats::certify::certify;
use phutbase::solve::threats::hold::HoldLimits;
use phutbase::solve::threats::proof::{NotFound, ProofLimits};
use phutbase::solve::threats::{Board, Geometry, Reach, Threats};
use phutbase::verify::certificate::check;
use std::collections::BTreeSet;

/// [S] figure 3, reconstructed from the text; Alfred plays upwards and is to move.
const FIGURE_3: &str = "4o2o2/2o1o2o2/10/2o2o4/7o2/2o3o3/3o3o2/2o7/4o2o2/10/@1o2o1o2/2o2o4 A";
/// The same in the lower left of the official pitch; every point outside its 12 × 10 holds a chap.
const OFFICIAL: &str = "ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/4o2o2ooooo/2o1o2o2ooooo/10ooooo/2o2o4ooooo/7o2ooooo/2o3o3ooooo/3o3o2ooooo/2o7ooooo/4o2o2ooooo/10ooooo/@1o2o1o2ooooo/2o2o4ooooo/ooooooooooooooo A";
/// A draw of the 6 × 4 pitch.
const SMALL: &str = "4/1o2/o3/3o/@1o1/4 A";

fn after(pitch: &Pitch, turn: &str) -> Pitch {
    match pitch.after(&pitch.parse_turn(turn).unwrap()) {
        After::Position(next) => next,
        After::Over { .. } => panic!("'{pitch}' is over after {turn}"),
    }
}

fn has_shot(pitch: &Pitch, side: Side) -> bool {
    !pitch.with_side(side).wins_in_one(100_000, 1).0.is_empty()
}

/// The turns after which the opponent of the player to move has no shot: chaps by their point, jumps by where they end.
fn defences(pitch: &Pitch) -> BTreeSet<String> {
    let turns = pitch.turns().unwrap();
    let safe = turns.iter().filter_map(|turn| match (pitch.after(turn), turn) {
        (After::Position(next), _) if has_shot(&next, pitch.side().opponent()) => None,
        (After::Position(_), Turn::Place(point)) => Some(pitch.shape().point_name((*point).into())),
        (After::Position(next), Turn::Jump(_)) => {
            Some(format!("jot {}", pitch.shape().point_name(next.ball())))
        }
        (After::Over { .. }, _) => None,
    });
    safe.collect()
}

fn certified(position: &str, limits: HoldLimits) -> Certificate {
    let found = certify(&pitch(position), limits).certificate;
    found.unwrap_or_else(|missing| panic!("no certificate for '{position}': {missing}"))
}

#[test]
fn sarkar_theorem_1() {
    let certificate = certified(FIGURE_3, HoldLimits::default());
    assert_eq!(certificate.claim, Claim::Draw);
    let checked = check(&certificate).unwrap();
    assert!(checked.answers > 100_000, "{checked:?}");
    let again = Certificate::parse(&certificate.to_text().unwrap()).unwrap();
    assert_eq!(again, certificate);
    // The text's main line is what both strategies play.
    let chosen = |pitch: &Pitch| {
        let strategy = &certificate.strategies[pitch.side() as usize];
        let choice = strategy.iter().find(|choice| choice.position == *pitch).unwrap();
        pitch.turn_notation(&choice.turn).unwrap()
    };
    let mut position = pitch(FIGURE_3);
    for turn in ["b3", "c4", "d5", "e6", "f7", "g8", "h9", "i10", "a2-j11"] {
        assert_eq!(chosen(&position), turn, "'{position}'");
        position = after(&position, turn);
    }
    assert_eq!(
        position,
        pitch(FIGURE_3).turned(),
        "half a round leads to the same position turned round"
    );
}

/// The defences that the text tells, and no others; and what becomes of jots.
#[test]
fn sarkar_figure_4() {
    let mut position = pitch(FIGURE_3);
    assert!(!has_shot(&position, Side::Left) && !has_shot(&position, Side::Right));
    let mut threats = Threats::new(Geometry::new(position.shape()));
    for (turn, answers) in [
        ("b3", &["c4", "jot e6"][..]),
        ("c4", &["d5", "jot b5", "jot b7", "jot d7"]),
        ("d5", &["e6", "jot c4"]),
        ("e6", &["f7", "jot h9"]),
        ("f7", &["g8", "jot g6", "jot i6", "jot i8"]),
        ("g8", &["h9", "jot f7"]),
        ("h9", &["i10"]),
    ] {
        position = after(&position, turn);
        let found = defences(&position);
        assert_eq!(
            found,
            answers.iter().map(|name| name.to_string()).collect(),
            "after {turn}"
        );
        // A jot does not help: the other player wins by continuous shots.
        let mover = position.side();
        for jump in position.jumps(1000).unwrap() {
            if let After::Position(next) = position.after(&Turn::Jump(jump.0))
                && !has_shot(&next, mover.opponent())
            {
                assert!(
                    threats.win(mover.opponent(), &Board::of(&next), 3).is_some(),
                    "'{next}'"
                );
            }
        }
    }
    position = after(&position, "i10");
    assert!(!has_shot(&position, Side::Left) && !has_shot(&position, Side::Right));
}

/// "He must place a chap at b3": every other first turn of Alfred loses to continuous shots.
#[test]
fn alfreds_first_turn_is_forced() {
    let figure = pitch(FIGURE_3);
    let mut threats = Threats::new(Geometry::new(figure.shape()));
    for turn in figure.turns().unwrap() {
        let After::Position(next) = figure.after(&turn) else {
            panic!("no jump ends the game")
        };
        let board = Board::of(&next);
        let lost = threats.geometry().shot(&board, Side::Right).is_some()
            || threats.win(Side::Right, &board, 2).is_some();
        assert_eq!(lost, figure.turn_notation(&turn).unwrap() != "b3", "'{next}'");
    }
}

/// "The moment Alfred places a chap at a4": the other defence against j11 loses by the line that [S] gives.
#[test]
fn alfreds_other_defence_at_a4_loses() {
    let mut position = pitch(FIGURE_3);
    for turn in ["b3", "c4", "d5", "e6", "f7", "g8", "h9", "i10", "a4"] {
        position = after(&position, turn);
    }
    let mut threats = Threats::new(Geometry::new(position.shape()));
    let board = Board::of(&position);
    // Betty's a1, i10, g8, e6 and c4 are shots; against jots she needs one more.
    assert!(threats.win(Side::Right, &board, 6).is_some());
    position = after(&position, "a1");
    let names = |position: &Pitch| defences(position).into_iter().collect::<Vec<_>>();
    assert_eq!(names(&position), ["jot j11"], "a1 forces the jump");
    position = after(&position, "a2-j11");
    // "i10! h9! g8! f7! e6! d5!": each tackles the shot before it and makes another.
    for (turn, mover) in ["i10", "h9", "g8", "f7", "e6", "d5"]
        .into_iter()
        .zip([1, 0].into_iter().cycle())
    {
        let mover = [Side::Left, Side::Right][mover];
        assert_eq!(position.side(), mover);
        position = after(&position, turn);
        assert!(
            has_shot(&position, mover) && !has_shot(&position, mover.opponent()),
            "{turn}"
        );
    }
    // "c4#": the chap at a1 has made b3 a shot of Betty's, so nothing is left.
    position = after(&position, "c4");
    assert!(has_shot(&position, Side::Right));
    assert!(names(&position).is_empty(), "{:?}", names(&position));
    let tackled = after(&position, "b3");
    assert!(has_shot(&tackled, Side::Right));
}

#[test]
fn sarkar_corollary_2_on_the_official_pitch() {
    let certificate = certified(OFFICIAL, HoldLimits::default());
    assert_eq!(certificate.position.shape(), shape("19x15"));
    assert_eq!(certificate.claim, Claim::Draw);
    check(&certificate).unwrap();
}

fn small_limits() -> HoldLimits {
    HoldLimits {
        reach: Reach { shots: 3, quiet: 2 },
        boards: 20_000,
        ..HoldLimits::default()
    }
}

/// A turn that the table calls lost cannot belong to a strategy that never loses: wherever one is put in, the check fails there.
#[test]
fn a_losing_turn_fails_and_its_position_is_named() {
    const DRAWN: &str = "3/3/2o/1o1/3/@2/3 A";
    let table = solved("7x3");
    let good = certified(DRAWN, HoldLimits::default());
    assert_eq!(good.claim, Claim::Draw);
    let checked = check(&good).unwrap();
    let listed: usize = good.strategies.iter().map(Vec::len).sum();
    assert_eq!(checked.positions, listed as u64, "every listed position comes up");
    let mut altered = [0, 0];
    for side in [Side::Left, Side::Right] {
        // Each altered certificate is checked whole: a part of them has to do.
        for at in (0..good.strategies[side as usize].len()).step_by(13) {
            let mut bad = good.clone();
            let choice = &mut bad.strategies[side as usize][at];
            let position = choice.position;
            let loses = |turn: &Turn| match position.after(turn) {
                After::Position(next) => table.wdl(&next) == Wdl::Win,
                After::Over { winner, .. } => winner != side,
            };
            assert!(!loses(&choice.turn), "'{position}'");
            let Some(turn) = position.turns().unwrap().into_iter().find(loses) else {
                continue;
            };
            choice.turn = turn;
            let fault = check(&bad).expect_err("a losing turn");
            assert!(fault.to_string().contains(&position.to_string()), "{fault}");
            altered[side as usize] += 1;
        }
    }
    assert!(altered.iter().all(|&count| count > 0), "{altered:?}");
}

#[test]
fn certificates_that_prove_nothing_are_refused() {
    let good = certified(SMALL, small_limits());
    let text = good.to_text().unwrap();
    let fault = |certificate: &Certificate| check(certificate).unwrap_err().to_string();
    // A position is missing.
    let mut missing = good.clone();
    missing.strategies[0].pop();
    missing.strategies[0].remove(0);
    assert!(fault(&missing).contains("the strategy has no turn for it"));
    let mut twice = good.clone();
    twice.strategies[0].push(good.strategies[0][0].clone());
    assert!(fault(&twice).contains("is listed twice"));
    // A draw is no win: nothing falls from turn to turn.
    let mut win = good.clone();
    win.claim = Claim::Wins(Side::Left);
    assert!(fault(&win).contains("the rank does not fall"));
    // The other claim's strategies for another position.
    let mut moved = good.clone();
    moved.position = moved.position.with_side(Side::Right);
    assert!(check(&moved).is_err());
    for (from, to, line) in [
        ("certificate 1", "certificate 2", "line 1"),
        ("claim draw", "claim loss", "line 2"),
        ("position 4", "position 5", "line 3"),
        ("alfred", "conway", "line 4"),
    ] {
        let error = Certificate::parse(&text.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(error.contains(line), "{error}");
    }
    let cut: Vec<&str> = text.lines().take(9).collect();
    assert!(
        Certificate::parse(&cut.join("\n"))
            .unwrap_err()
            .to_string()
            .contains("ends")
    );
    assert!(Certificate::parse(&format!("{text}more\n")).is_err());
    assert!(Certificate::parse("").is_err());
}

fn solved(size: &str) -> PitchSolver {
    let mut solver = PitchSolver::new(shape(size), false).unwrap();
    solver.finish().unwrap();
    solver
}

/// A certificate that passes its check and says what the table says.
fn assert_agrees(solver: &PitchSolver, pitch: &Pitch, certificate: &Certificate) {
    check(certificate).unwrap_or_else(|fault| panic!("'{pitch}': {fault}"));
    let winner = match certificate.claim {
        Claim::Draw => None,
        Claim::Wins(side) => Some(side),
    };
    assert_eq!(solver.wdl(pitch).winner(pitch.side()), winner, "'{pitch}'");
}

/// Every position that is searched for is certified, whatever its value.
#[test]
fn certificates_and_tables_agree() {
    for size in ["3x3", "4x3", "5x3", "4x4", "5x4", "7x3", "10x2", "8x1"] {
        let solver = solved(size);
        let mut numbers = random_numbers(11);
        for round in 0..400 {
            let pitch = random_pitch(shape(size), &mut numbers, 20 + 20 * (round % 8));
            let certificate = certify(&pitch, HoldLimits::default()).certificate;
            let certificate = certificate.unwrap_or_else(|missing| panic!("'{pitch}': {missing}"));
            assert_agrees(&solver, &pitch, &certificate);
        }
    }
}

#[test]
fn every_draw_of_7x3_is_certified() {
    let solver = solved("7x3");
    let game = PitchGame::new(shape("7x3")).unwrap();
    let drawn = (0..game.positions())
        .map(|index| game.position(index))
        .filter(|pitch| solver.wdl(pitch) == Wdl::Draw);
    let mut count = 0;
    // Turning the pitch round changes whose move it is; every other one is turned.
    for pitch in drawn {
        let pitch = if count % 2 == 0 { pitch } else { pitch.turned() };
        let certificate = certify(&pitch, HoldLimits::default()).certificate;
        let certificate = certificate.unwrap_or_else(|missing| panic!("'{pitch}': {missing}"));
        assert_eq!(certificate.claim, Claim::Draw, "'{pitch}'");
        assert_agrees(&solver, &pitch, &certificate);
        count += 1;
    }
    assert_eq!(count, 32);
}

#[test]
fn a_search_that_reaches_its_limit_says_so() {
    let drawn = pitch("3/3/2o/1o1/3/@2/3 A");
    let limited = |nodes, entries| HoldLimits {
        reach: Reach { shots: 1, quiet: 0 },
        boards: 100,
        proof: ProofLimits { nodes, entries },
        ..HoldLimits::default()
    };
    let search = certify(&drawn, limited(500, 1_000_000));
    assert_eq!(search.certificate, Err(NotFound::Nodes(500)));
    let search = certify(&drawn, limited(1_000_000, 50));
    assert_eq!(search.certificate, Err(NotFound::Entries(50)));
    // Less memory than all numbers need, but enough for the proofs.
    let search = certify(&drawn, limited(1_000_000, 12_000));
    check(&search.certificate.unwrap()).unwrap();
    // Nothing can be said of an open game with a few nodes.
    let open = certify(&pitch("9/9/9/9/4@4/9/9/9/9 A"), limited(200, 100_000));
    assert_eq!(open.certificate, Err(NotFound::Nodes(200)));
}

/// The eight are these and their mirror images.
#[test]
fn the_draws_of_6x4_are_certified() {
    let solver = solved("6x4");
    let game = PitchGame::new(shape("6x4")).unwrap();
    let drawn: Vec<Pitch> = ([
        "4/1o2/o3/3o/@1o1/4 A",
        "4/1o2/o1o1/1o1o/@1o1/4 A",
        "4/1o2/o1o1/1@1o/2o1/4 A",
        "4/@1o1/1o1o/o3/1o2/4 A",
    ])
    .map(pitch)
    .to_vec();
    for pitch in drawn {
        assert!(game.index(&pitch) < game.positions());
        assert_eq!(solver.wdl(&pitch), Wdl::Draw);
        for pitch in [pitch, pitch.mirrored()] {
            let certificate = certify(&pitch, HoldLimits::default()).certificate.unwrap();
            assert_eq!(certificate.claim, Claim::Draw, "'{pitch}'");
            assert_agrees(&solver, &pitch, &certificate);
        }
    }
}
