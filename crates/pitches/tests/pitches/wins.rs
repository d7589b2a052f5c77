//! Winning jumps: every method compared with a listing of all jumps, and with each other on boards
//! with too many jumps to list.

use phutbase_fixtures::prelude::*;
use phutbase_pitches::wins::relaxed::Reach;
use phutbase_pitches::wins::{WinLimits, WinSearch, decide, sat, search};
use phutbase_rules::pitch::Path;

const LITERALS: usize = 20_000_000;

fn below(chance: &mut Uniform, bound: usize) -> usize {
    usize::try_from(chance.below(&BigUint::from(bound))).unwrap()
}

/// Generates a random board with a chap on each point with a probability in percent.
fn board(rows: usize, columns: usize, density: usize, chance: &mut Uniform) -> Pitch {
    let shape = Shape::new(rows, columns).unwrap();
    let ball = columns + below(chance, columns * (rows - 2));
    let chaps: Points = (0..shape.points())
        .filter(|&point| below(chance, 100) < density && point != ball)
        .collect();
    Pitch::new(shape, ball, chaps, [Side::Left, Side::Right][below(chance, 2)]).unwrap()
}

/// Makes every flight by the rules of the game, and returns whether the turn wins.
fn wins_by_the_rules(pitch: &Pitch, path: &Path) -> bool {
    let notation = pitch.path_notation(path);
    let turn = pitch
        .parse_turn(&notation)
        .unwrap_or_else(|error| panic!("'{pitch}': '{notation}': {error}"));
    assert!(
        path.iter()
            .rev()
            .skip(1)
            .all(|flight| matches!(flight.to, Landing::Point(_)))
    );
    pitch.after(&turn).winner() == Some(pitch.side())
}

/// Returns whether an answer is correct and its path, if any, legal.
fn agrees(pitch: &Pitch, answer: &WinSearch, wins: bool) -> bool {
    match answer {
        WinSearch::Wins(path) => wins && wins_by_the_rules(pitch, path),
        WinSearch::None => !wins,
        WinSearch::Unknown => false,
    }
}

#[test]
fn all_methods_agree_with_a_listing_of_every_jump() {
    let mut chance = Uniform::new(17);
    let mut found = [0, 0, 0];
    for number in 0..400 {
        let (rows, columns) = [(3, 3), (5, 4), (6, 6), (7, 5), (9, 7)][number % 5];
        let density = 5 + 10 * below(&mut chance, if rows > 6 { 5 } else { 8 });
        let rules = Rules::ALL[number / 5 % Rules::ALL.len()];
        let pitch = board(rows, columns, density, &mut chance).under(rules);
        let (wins, all) = pitch.wins_in_one(20_000, 1);
        if wins.is_empty() && !all {
            continue;
        }
        let wins = !wins.is_empty();
        assert!(
            agrees(&pitch, &decide(&pitch, WinLimits::default(), &|| false), wins),
            "'{pitch}'"
        );
        match Reach::of(&pitch) {
            None => assert!(!wins, "'{pitch}'"),
            Some(reach) => {
                let by_search = search::search(&pitch, &reach.distance, 1 << 20, &|| false);
                assert!(agrees(&pitch, &by_search, wins), "'{pitch}': {by_search:?}");
                let by_formula = sat::solve(&pitch, &reach, LITERALS, &|| false);
                assert!(agrees(&pitch, &by_formula, wins), "'{pitch}': {by_formula:?}");
                found[2] += usize::from(!wins);
            }
        }
        found[usize::from(wins)] += 1;
    }
    assert!(found[0] > 60 && found[1] > 60 && found[2] > 2, "{found:?}");
}

/// Decides random boards of 19 x 15 of different densities; returns the share that took at most a
/// second.
fn decide_official_boards(each: usize, densities: impl Iterator<Item = usize>, both: bool) -> f64 {
    let mut chance = Uniform::new(1915);
    let (mut quick, mut all, mut longest) = (0u32, 0u32, Duration::ZERO);
    for density in densities {
        let (mut wins, mut compared) = (0, 0);
        for _ in 0..each {
            let pitch = board(19, 15, density, &mut chance);
            let begun = Instant::now();
            let answer = decide(&pitch, WinLimits::default(), &|| {
                begun.elapsed() > Duration::from_secs(300)
            });
            let taken = begun.elapsed();
            assert_ne!(answer, WinSearch::Unknown, "'{pitch}'");
            (quick, all) = (quick + u32::from(taken < Duration::from_secs(1)), all + 1);
            longest = longest.max(taken);
            let won = matches!(answer, WinSearch::Wins(_));
            wins += usize::from(won);
            assert!(agrees(&pitch, &answer, won), "'{pitch}'");
            if let (true, Some(reach)) = (both, Reach::of(&pitch)) {
                let begun = Instant::now();
                let late = || begun.elapsed() > Duration::from_secs(10);
                match sat::solve(&pitch, &reach, LITERALS, &late) {
                    WinSearch::Unknown => {}
                    formula => {
                        compared += 1;
                        assert!(agrees(&pitch, &formula, won), "'{pitch}'");
                    }
                }
            }
        }
        println!(
            "density {density}: {wins} of {each} won; both methods: {compared}; longest so far {longest:?}"
        );
    }
    f64::from(quick) / f64::from(all)
}

#[test]
fn boards_of_every_density_are_decided() {
    decide_official_boards(3, (5..=95).step_by(5), false);
}

#[test]
#[ignore = "two thousand boards, each by both methods: up to an hour"]
fn two_thousand_boards_are_decided_within_a_second() {
    assert!(decide_official_boards(106, (5..=95).step_by(5), true) >= 0.99);
}
