//! The sequential test of a match: published values, and its errors in simulated matches.

use phutbase_engine::matches::score::{EloModel, MatchScore, Sprt};
use phutbase_fixtures::prelude::*;

fn of(elo0: f64, elo1: f64) -> Sprt {
    let (alpha, beta) = (0.05, 0.05);
    Sprt {
        model: EloModel::Logistic,
        elo0,
        elo1,
        alpha,
        beta,
    }
}

fn score(pairs: [usize; 5]) -> MatchScore {
    let mut score = MatchScore::default();
    score.pairs = pairs;
    score
}

/// The counts of pairs and the ratios are those of Stockfish's pull requests 2493, 2951, 2971 and
/// 3098, as fishtest computed them, and of the tests of fastchess (`sprt_test.cpp`).
#[test]
fn ratios_are_those_of_fishtest_and_fastchess() {
    for (pairs, [elo0, elo1], published) in [
        ([17, 253, 1042, 337, 39], [-0.5, 1.5], 2.96),
        ([11, 407, 3238, 513, 11], [0.25, 1.75], 2.93),
        ([59, 754, 2467, 865, 75], [-0.5, 1.5], 2.95),
        ([424, 2948, 5832, 3045, 460], [-1.0, 3.0], 2.94),
        ([491, 7345, 29693, 7670, 465], [-0.25, 1.25], 2.96),
        ([223, 9863, 21279, 10037, 246], [0.5, 2.5], -3.07),
        ([871, 26175, 55983, 26678, 821], [0.0, 2.0], -4.98),
    ] {
        let llr = score(pairs).llr(&of(elo0, elo1));
        assert!(
            (llr - published).abs() < 0.01,
            "{pairs:?}: {llr}, not {published}"
        );
    }
}

fn normalized(elo0: f64, elo1: f64) -> Sprt {
    Sprt {
        model: EloModel::Normalized,
        ..of(elo0, elo1)
    }
}

/// The counts and ratios are those of the tests of fastchess (`sprt_test.cpp`).
#[test]
fn normalized_ratios_are_those_of_fastchess() {
    for (pairs, [elo0, elo1], published) in [
        ([365, 16618, 36229, 16974, 390], [0.0, 2.0], 2.25),
        ([127, 4883, 10712, 5150, 104], [-1.75, 0.25], 3.01),
        ([0, 0, 0, 0, 5550], [0.0, 5.0], 111.82),
    ] {
        let llr = score(pairs).llr(&normalized(elo0, elo1));
        assert!(
            (llr - published).abs() < 0.03,
            "{pairs:?}: {llr}, not {published}"
        );
    }
}

/// The ratio is finite for every kind of pairs, at every Elo that the program takes, and grows with the
/// points.
#[test]
fn normalized_ratios_are_finite_and_grow() {
    for [elo0, elo1] in [[0.0, 1.0], [-200.0, 200.0], [150.0, 200.0], [-200.0, -150.0]] {
        let sprt = normalized(elo0, elo1);
        for many in [1, 50] {
            for kind in 0..5 {
                let mut pairs = [0, many, 0, many, 0];
                pairs[kind] += many;
                let before = score(pairs).llr(&sprt);
                assert!(before.is_finite(), "{pairs:?}, {sprt:?}");
            }
        }
        let ratios = (0..=20).map(|wins| score([0, 20 - wins, 0, wins, 0]).llr(&sprt));
        let ratios: Vec<f64> = ratios.collect();
        assert!(ratios.is_sorted(), "{sprt:?}: {ratios:?}");
    }
}

/// Pairs that all ended alike prove little: one pair gives ln(s1 / s0) for the shares of H0 and H1.
#[test]
fn one_pair_decides_nothing() {
    let sprt = of(0.0, 10.0);
    let ratio = (2.0 / (1.0 + 10f64.powf(-10.0 / 400.0))).ln();
    for (pairs, expected) in [([0, 0, 0, 0, 1], ratio), ([0; 5], 0.0)] {
        let llr = score(pairs).llr(&sprt);
        assert!((llr - expected).abs() < 1e-3, "{pairs:?}: {llr}");
        assert_eq!(sprt.verdict(&score(pairs)), None);
    }
    for kind in 0..5 {
        let mut pairs = [0; 5];
        pairs[kind] = 2;
        assert_eq!(of(0.0, 100.0).verdict(&score(pairs)), None, "{pairs:?}");
    }
}

/// Two players whose games are drawn with a fixed probability.
#[derive(Clone, Copy, Debug)]
struct Players {
    /// The first engine's share of the points.
    share: f64,
    draws: f64,
    /// Added to the share of the engine that begins.
    advantage: f64,
}

impl Players {
    /// Players with this difference of strength.
    fn of(model: EloModel, elo: f64, draws: f64, advantage: f64) -> Players {
        let share = match model {
            EloModel::Logistic => 1.0 / (1.0 + 10f64.powf(-elo / 400.0)),
            // The games of a pair are independent, and the variance hardly changes with the share.
            EloModel::Normalized => {
                let of_game = |share: f64| share * (1.0 - share) - draws / 4.0;
                let variance = (of_game(0.5 + advantage) + of_game(0.5 - advantage)) / 4.0;
                0.5 + elo * std::f64::consts::LN_10 / 800.0 * (2.0 * variance).sqrt()
            }
        };
        Players {
            share,
            draws,
            advantage,
        }
    }

    /// Returns the half points of the first engine in a game.
    fn game(&self, begins: bool, chance: &mut Uniform) -> usize {
        let share = self.share + if begins { self.advantage } else { -self.advantage };
        let wins = share - self.draws / 2.0;
        let number = chance.word() as f64 / 2f64.powi(64);
        match number {
            number if number < wins => 2,
            number if number < wins + self.draws => 1,
            _ => 0,
        }
    }

    /// Plays until the test is decided; returns true for H1.
    fn accept_h1(&self, sprt: &Sprt, chance: &mut Uniform) -> bool {
        let mut score = MatchScore::default();
        loop {
            let points = self.game(true, chance) + self.game(false, chance);
            score.pairs[points] += 1;
            if let Some(verdict) = sprt.verdict(&score) {
                return verdict;
            }
        }
    }
}

/// Draws without and with an advantage of the engine that begins, and many draws.
const GAMES: [(f64, f64); 4] = [(0.0, 0.0), (0.5, 0.0), (0.9, 0.0), (0.0, 0.3)];

/// Expects fewer than `most` wrong verdicts in simulated matches, where H0 and where H1 holds.
fn expect_errors(sprt: &Sprt, matches: u64, most: usize) {
    for (draws, advantage) in GAMES {
        for (elo, wrong) in [(sprt.elo0, true), (sprt.elo1, false)] {
            let players = Players::of(sprt.model, elo, draws, advantage);
            let is_wrong = |&seed: &u64| players.accept_h1(sprt, &mut Uniform::new(seed)) == wrong;
            let errors = (0..matches).into_par_iter().filter(is_wrong).count();
            assert!(errors < most, "{errors} of {matches} in {sprt:?}, {players:?}");
        }
    }
}

#[test]
fn few_verdicts_are_wrong() {
    expect_errors(&of(0.0, 20.0), 100, 10);
}

/// Alpha and beta are 5 %.
#[test]
#[ignore = "millions of games: minutes"]
fn about_five_percent_of_verdicts_are_wrong() {
    expect_errors(&of(0.0, 10.0), 1000, 60);
    expect_errors(&normalized(0.0, 15.0), 1000, 70);
}
