//! Certificates: Sarkar's theorem and its corollary, agreement with tables, and forged
//! certificates.

use phutbase_fixtures::prelude::*;
use phutbase_pitches::exact;
use phutbase_pitches::threats::certify::{NotFound, certify, certify_within};
use phutbase_pitches::threats::hold::HoldLimits;
use phutbase_rules::pitch::certificate::{Certificate, CertifiedValue};
use phutbase_rules::pitch::{After, Turn};
use phutbase_testing::pitch::after;
use phutbase_verify::certificate::{check, check_within};

/// [S] figure 3, reconstructed from the text; Alfred plays upwards and moves.
const FIGURE_3: &str = "4o2o2/2o1o2o2/10/2o2o4/7o2/2o3o3/3o3o2/2o7/4o2o2/10/@1o2o1o2/2o2o4 A";
/// The same in the lower left of the official pitch; every point outside the 12 × 10 holds a chap.
const OFFICIAL: &str = "ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/ooooooooooooooo/4o2o2ooooo/2o1o2o2ooooo/10ooooo/2o2o4ooooo/7o2ooooo/2o3o3ooooo/3o3o2ooooo/2o7ooooo/4o2o2ooooo/10ooooo/@1o2o1o2ooooo/2o2o4ooooo/ooooooooooooooo A";
/// A draw of the 7 × 3 pitch.
const SMALL: &str = "3/3/2o/1o1/3/@2/3 A";

/// The certificate that a search finds without a table.
fn searched(position: &str) -> Certificate {
    let found = certify(&pitch(position), 2).certificate;
    found.unwrap_or_else(|missing| panic!("no certificate for '{position}': {missing}"))
}

#[test]
fn sarkar_theorem_1() {
    let certificate = searched(FIGURE_3);
    assert_eq!(certificate.claim, CertifiedValue::Draw);
    let checked = check(&certificate).unwrap();
    assert!(checked.answers > 100_000, "{checked:?}");
    let again = Certificate::parse(&certificate.to_text().unwrap()).unwrap();
    assert_eq!(again, certificate);
    // Both strategies play the text's main line.
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

/// Betty can place a chap on 12 points, after which Alfred jumps home, or jump home for him.
#[test]
fn replies_to_the_first_position_are_counted() {
    let won = searched("3/1o1/1o1/1@1/3 B");
    assert_eq!(won.claim, CertifiedValue::Wins(Side::Left));
    assert_eq!(check(&won).unwrap().answers, 13);
}

#[test]
fn sarkar_corollary_2_on_the_official_pitch() {
    let certificate = searched(OFFICIAL);
    assert_eq!(certificate.position.shape(), shape("19x15"));
    assert_eq!(certificate.claim, CertifiedValue::Draw);
    check(&certificate).unwrap();
}

/// The certificate from a table.
fn from_table(table: &PitchTable, pitch: &Pitch) -> Certificate {
    let certificate = exact::certify(pitch, |position| table.value(position));
    certificate.unwrap_or_else(|error| panic!("'{pitch}': {error}"))
}

fn shipped_pitch(size: &str) -> PitchTable {
    PitchTable::open(&table_file(&format!("pitch-{size}-dtw.phut"))).unwrap()
}

/// A certificate of the draw of the smallest pitch that has one.
fn small_draw() -> Certificate {
    from_table(&shipped_pitch("7x3"), &pitch(SMALL))
}

/// Inserting a turn that loses according to the table makes the check fail at that turn.
#[test]
fn a_losing_turn_fails_and_its_position_is_named() {
    let table = shipped_pitch("7x3");
    let good = small_draw();
    assert_eq!(good.claim, CertifiedValue::Draw);
    let checked = check(&good).unwrap();
    let listed: usize = good.strategies.iter().map(Vec::len).sum();
    assert_eq!(checked.positions, listed as u64, "every listed position comes up");
    let mut altered = [0, 0];
    for side in [Side::Left, Side::Right] {
        // Each altered certificate is checked completely, so only some turns are altered.
        for at in (0..good.strategies[side as usize].len()).step_by(40) {
            let mut bad = good.clone();
            let choice = &mut bad.strategies[side as usize][at];
            let position = choice.position;
            let loses = |turn: &Turn| match position.after(turn) {
                After::Position(next) => table.value(&next).unwrap().wdl() == Wdl::Win,
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
    let good = small_draw();
    let text = good.to_text().unwrap();
    let fault = |certificate: &Certificate| check(certificate).unwrap_err().to_string();
    // A position is missing.
    let mut missing = good.clone();
    missing.strategies[0].pop();
    missing.strategies[0].remove(0);
    assert!(fault(&missing).contains("the strategy does not list it"));
    let mut twice = good.clone();
    twice.strategies[0].push(good.strategies[0][0].clone());
    assert!(fault(&twice).contains("is listed twice"));
    // A draw certificate does not prove a win: its ranks do not decrease.
    let mut win = good.clone();
    win.claim = CertifiedValue::Wins(Side::Left);
    assert!(fault(&win).contains("the rank does not decrease"));
    // The strategies of the other claim, for another position.
    let mut moved = good.clone();
    moved.position = moved.position.with_side(Side::Right);
    assert!(check(&moved).is_err());
    for (from, to, line) in [
        ("certificate 1", "certificate 2", "line 1"),
        ("claim draw", "claim loss", "line 2"),
        ("position 3", "position 4", "line 3"),
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

/// Every sampled position of a solved pitch is certified, whatever its value; what a search finds
/// agrees with it.
#[test]
fn certificates_and_tables_agree() {
    let mut found = 0;
    for size in ["3x3", "4x3", "5x3", "7x2", "7x3"] {
        let table = shipped_pitch(size);
        let mut numbers = random_numbers(11);
        for round in 0..80 {
            let pitch = random_pitch(shape(size), &mut numbers, 20 + 20 * (round % 8));
            let winner = table.value(&pitch).unwrap().wdl().winner(pitch.side());
            let claim = winner.map_or(CertifiedValue::Draw, CertifiedValue::Wins);
            let search = certify(&pitch, 1).certificate.ok();
            found += usize::from(search.is_some());
            for certificate in [Some(from_table(&table, &pitch)), search].into_iter().flatten() {
                check(&certificate).unwrap_or_else(|fault| panic!("'{pitch}': {fault}"));
                assert_eq!(certificate.claim, claim, "'{pitch}'");
            }
        }
    }
    assert!(found > 200, "{found} of 400 by a search");
}

/// Every draw of 7 × 3.
#[test]
fn every_draw_of_the_smallest_pitch_is_certified() {
    let table = shipped_pitch("7x3");
    let all = (0..).map_while(|index| table.position(index));
    let is_draw = |pitch: &Pitch| table.value(pitch).unwrap() == Value::Draw;
    let draws: Vec<Pitch> = all.filter(is_draw).collect();
    assert!(draws.len() >= 16, "{}", draws.len());
    for pitch in draws {
        let certificate = from_table(&table, &pitch);
        assert_eq!(certificate.claim, CertifiedValue::Draw);
        check(&certificate).unwrap();
    }
}

/// Certificates from a wrong table prove nothing.
#[test]
fn certificates_from_wrong_values_are_refused() {
    let table = shipped_pitch("4x3");
    let start = pitch("3/1@1/3/3 A");
    for wrong in [Value::Win(Depth(3)), Value::Loss(Depth(2)), Value::Draw] {
        let lie = |position: &Pitch| {
            let value = table.value(position);
            if *position == start { Ok(wrong) } else { value }
        };
        if table.value(&start).unwrap().wdl() != wrong.wdl() {
            let certificate = exact::certify(&start, lie).unwrap();
            assert!(check(&certificate).is_err(), "{wrong}");
        }
    }
}

#[test]
fn a_search_that_reaches_its_limit_says_so() {
    let open = pitch("9/9/9/9/4@4/9/9/9/9 A");
    let within = |boards| {
        let limits = HoldLimits {
            boards,
            ..HoldLimits::of_effort(2)
        };
        certify_within(&open, limits).certificate
    };
    assert_eq!(within(100), Err(NotFound::Boards(100)));
    check(&within(100_000).unwrap()).unwrap();
    assert_eq!(certify(&open, 1).certificate, Err(NotFound::Exhausted));
}

/// A win that is near ends the search for one, however many boards the jumps lead to; and the turns
/// of a certificate together lead to a bounded number of boards.
#[test]
fn boards_of_many_jumps_are_checked_in_bounded_work() {
    // Alfred may hop about among chaps on every second point, or go home at once.
    let hops = "/o1o1o1o1o1o1o1o1o1o/19".repeat(7);
    let near = format!("19/9o9/9@9{hops}/19 A");
    let (wins, visited) = pitch(&near).wins_within(1 << 20);
    assert!(wins && visited < 50, "{visited}");
    assert!(pitch(&near).jumps(2_000).is_err());
    let certificate = small_draw();
    let fault = check_within(&certificate, 1_000).unwrap_err().to_string();
    assert!(fault.contains("more boards than"), "{fault}");
    check_within(&certificate, 100_000).unwrap();
}
