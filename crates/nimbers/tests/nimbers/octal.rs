//! Rows in closed form: octal games and their periods.

use phutbase_base::nimber::Nimber;
use phutbase_nimbers::octal::{OctalGame, Period};

const TERMS: usize = 1 << 12;

#[test]
fn the_period_of_dawsons_chess_is_found() {
    let period = Period::find(OctalGame::DAWSONS_CHESS, TERMS).unwrap();
    assert_eq!((period.preperiod(), period.period()), (52, 34));
    assert_eq!(period.exceptions(), [0, 14, 16, 17, 31, 34, 51]);
    assert_eq!(period.terms_needed(), 175);
}

/// 0.77.
const KAYLES: OctalGame = OctalGame { digits: &[7, 7] };

#[test]
fn the_period_of_kayles_is_found() {
    let period = Period::find(KAYLES, TERMS).unwrap();
    assert_eq!((period.preperiod(), period.period()), (71, 12));
    let exceptions = [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70];
    assert_eq!(period.exceptions(), exceptions);
}

#[test]
fn the_extension_agrees_with_the_rules() {
    for game in [OctalGame::DAWSONS_CHESS, KAYLES] {
        let period = Period::find(game, TERMS).unwrap();
        let plain = game.nimbers(2500).unwrap();
        assert!((0..plain.len()).all(|length| period.nimber(length) == plain[length]));
    }
}

#[test]
fn the_premise_needs_every_term() {
    let game = OctalGame::DAWSONS_CHESS;
    let enough = game.nimbers(175).unwrap();
    assert!(Period::premise_holds(game, &enough, 52, 34));
    assert!(!Period::premise_holds(game, &enough[..174], 52, 34));
    assert!(!Period::premise_holds(game, &enough, 51, 34));
    assert!(!Period::premise_holds(game, &enough, 52, 17));
    let mut wrong = enough;
    wrong[174] = wrong[174] ^ Nimber(1);
    assert!(!Period::premise_holds(game, &wrong, 52, 34));
}

#[test]
fn too_few_terms_prove_nothing() {
    assert_eq!(Period::find(OctalGame::DAWSONS_CHESS, 174), None);
    assert!(Period::find(OctalGame::DAWSONS_CHESS, 175).is_some());
}
