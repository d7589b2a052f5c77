//! Readings by hand: the examples of the text, and the words that it gives for the heads.

use phutbase_base::outcome::Side;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_solution::classes::canonical;
use phutbase_solution::explain::{Comparison, Reading};
use phutbase_solution::rule::{Head, Kind, Name};
use phutbase_solution::{HalfState, winner};
use std::collections::{BTreeSet, HashSet, VecDeque};

fn word(text: &str) -> impl Iterator<Item = bool> + Clone + '_ {
    text.bytes().map(|letter| letter == b'o')
}

fn reading(text: &str) -> Vec<String> {
    let steps = Reading::of(word(text)).steps;
    steps.iter().map(ToString::to_string).collect()
}

#[test]
fn a_square_that_is_as_good_as_empty() {
    assert_eq!(reading("o"), ["o: L [0] (rule 10)"]);
    assert_eq!(
        reading("....o.o.o"),
        [
            ".: I_0 [1]",
            ".: T [0]",
            ".: L* [0]",
            ".: L [1]",
            "o: A_0 o [1]",
            ".: U_0 [1] = L* [0] (rule 7)",
            "o: T o [0]",
            ".: I_{-1} [1] = I_0 [1] (rule 8)",
            "o: G_{0,-1} o [0] = A_0 o [0] (rule 1) = L [0] (rule 7)",
        ]
    );
    let strip: AnyStrip = "o@o.o.o....".parse().unwrap();
    for goal in [Side::Left, Side::Right] {
        assert_eq!(canonical(strip.towards(goal)), [] as [bool; 0]);
        assert_eq!(Reading::of(strip.towards(goal)).name(), Name::EMPTY);
    }
    let comparison = Comparison::of(&strip);
    let closed = Name::EMPTY.value();
    assert_eq!((comparison.behind, comparison.ahead), (closed, closed));
    assert_eq!((closed.potential, closed.kind), (0, Kind::B));
    assert_eq!(comparison.eighths(), [2, -1]);
    assert_eq!(comparison.winner(), Side::Left);
}

#[test]
fn a_board_of_41_squares() {
    let strip: AnyStrip = ".................o.oo.oo.oo@...o.oo......".parse().unwrap();
    let left = reading(".................o.oo.oo.oo");
    assert_eq!(
        left[16..],
        [
            ".: I_0 [5]",
            "o: G_{0,-1} o [4]",
            ".: U_{-1} [4]",
            "o: G_{-1,-1} ooo [4]",
            "o: G_{-1,-1} oooo [4]",
            ".: Y_{-1,0} [4]",
            "o: Y_{-1,0} o [4]",
            "o: Y_{-1,0} oo [4]",
            ".: Y_{-1,1} [3] = Y_{0,1} [3] (rule 9)",
            "o: Y_{0,1} o [3]",
            "o: Y_{0,1} oo [3]",
        ]
    );
    assert_eq!(
        reading("......oo.o...")[5..],
        [
            ".: T [1]",
            "o: T o [1]",
            "o: T oo [1] = A_0 oo [1] (rule 8)",
            ".: A_0 oo. [1] = L* [0] (rule 7)",
            "o: T o [0]",
            ".: I_{-1} [1] = I_0 [1] (rule 8)",
            ".: T [0]",
            ".: L* [0]",
        ]
    );
    let found = Comparison::of(&strip);
    assert_eq!((found.behind.potential, found.behind.kind), (1, Kind::E));
    assert_eq!((found.ahead.potential, found.ahead.kind), (2, Kind::Y));
    assert_eq!(canonical(strip.towards(Side::Left)), [false; 3]);
    // 8 + 6 against 16 − 2.
    assert_eq!(found.eighths(), [14, 14]);
    assert_eq!((found.is_further_case(), found.winner()), (false, Side::Left));
    let strip = strip.to_strip().unwrap().with_side(Side::Right);
    assert_eq!(Comparison::of(&strip).winner(), Side::Right);
}

#[test]
fn the_board_after_the_jump_back() {
    let strip: AnyStrip = "................@..............o.oo......".parse().unwrap();
    let found = Comparison::of(&strip.to_strip().unwrap().with_side(Side::Right));
    assert_eq!((found.ahead.potential, found.ahead.kind), (5, Kind::B));
    assert_eq!((found.behind.potential, found.behind.kind), (4, Kind::A));
    assert_eq!(found.eighths(), [34, 39]);
    assert_eq!(found.winner(), Side::Left);
}

#[test]
fn a_further_case_is_named() {
    let [g, h] =
        [Kind::I, Kind::J].map(|kind| move |potential| phutbase_solution::rule::Value { potential, kind });
    let compare = |behind, ahead| Comparison {
        side: Side::Right,
        behind,
        ahead,
    };
    let found = compare(g(3), h(4));
    let [behind, ahead] = found.eighths();
    assert!(found.is_further_case() && behind < ahead);
    assert_eq!(found.winner(), Side::Right);
    assert!(!compare(g(3), h(5)).is_further_case());
}

/// The words that the text gives for each head, with K = k and x = `oo..`.
fn heads(k: usize) -> Vec<(String, String)> {
    let e = |count: usize| ".".repeat(count);
    let x = |count: usize| "oo..".repeat(count);
    let mut heads = vec![
        (e(4 * k), format!("L [{k}]")),
        (e(4 * k - 3), format!("I_0 [{k}]")),
        (e(4 * k + 2), format!("T [{k}]")),
        (e(4 * k + 3), format!("L* [{k}]")),
        (e(4 * k + 1) + "o.", format!("U_{{-1}} [{k}]")),
        (e(4 * k - 2) + "o.", format!("I_{{-1}} [{k}]")),
        (e(4 * k) + "oo...", format!("E [{k}]")),
        (e(4 * k) + "o..", format!("O_0 [{k}]")),
        (e(4 * k + 6) + "oo.o", format!("O_{{-1}} [{k}]")),
        (e(4 * k + 2) + "oooo.", format!("Q_{{-1,0}} [{k}]")),
        (e(4 * k) + "o..ooo.", format!("Q_{{0,1}} [{k}]")),
    ];
    for i in 0..4 {
        if i > 0 {
            heads.push((e(4 * k) + &x(i), format!("A_{i} [{k}]")));
            heads.push((e(4 * k + 1) + &x(i), format!("G_{{{i},-1}} [{k}]")));
        }
        heads.push((e(4 * k + 2) + "oo" + &x(i + 1), format!("G_{{{i},{i}}} [{k}]")));
        heads.push((
            e(4 * k) + "o..o" + &x(i + 1),
            format!("G_{{{},{i}}} [{k}]", i + 1),
        ));
        heads.push((e(4 * k) + &x(i) + "o.", format!("U_{i} [{k}]")));
        heads.push((e(4 * k) + &x(i) + "ooo.", format!("I_{i} [{k}]")));
        heads.push((e(4 * k) + "oo...." + &x(i), format!("Z_{i} [{k}]")));
        heads.push((
            e(4 * k + 12) + &x(i) + "o.oo.oo.oo..",
            format!("O_{} [{k}]", i + 1),
        ));
        for a in 0..4 {
            let j = a + i + 1;
            heads.push((
                e(4 * k + 4) + &x(a) + "o.oo" + &x(i + 1),
                format!("G_{{{i},{j}}} [{k}]"),
            ));
        }
        for c in 0..=3 {
            let chain = e(4 * (k + c)) + &x(i) + "o.oo." + &"oo.".repeat(c);
            heads.push((chain, format!("Y_{{{i},{c}}} [{k}]")));
        }
    }
    for c in 0..=2 {
        let chain = e(4 * (k + c)) + "oo.o." + &"oo.".repeat(c);
        heads.push((chain, format!("Y_{{-1,{c}}} [{k}]")));
    }
    heads
}

#[test]
fn heads_have_the_words_of_the_text() {
    for k in 12..20 {
        for (text, name) in heads(k) {
            assert_eq!(Reading::of(word(&text)).name().to_string(), name, "{text}");
        }
    }
}

#[test]
fn different_names_are_written_differently() {
    let mut known = HashSet::from([Name::EMPTY]);
    let mut todo = vec![Name::EMPTY];
    let mut written = HashSet::new();
    while let Some(name) = todo.pop() {
        assert!(written.insert(name.to_string()), "{name}");
        for stone in [false, true] {
            let next = name.step(stone);
            if next.number <= 24 && known.insert(next) {
                todo.push(next);
            }
        }
    }
    assert_eq!(written.len(), 58_142);
}

/// Returns head and tail of a name.
fn form(name: Name) -> String {
    format!("{:?} {}", name.head, name.tail).trim_end().to_string()
}

/// Returns the rules near the goal line, each as the heads and tails before and after it.
fn rules() -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    let mut known = HashSet::from([Name::EMPTY]);
    let mut todo = VecDeque::from([Vec::new()]);
    while let Some(word) = todo.pop_front() {
        for stone in [false, true] {
            let mut longer = word.clone();
            longer.push(stone);
            let reading = Reading::of(longer.iter().copied());
            let step = reading.steps.last().unwrap();
            let [first, ..] = step.names[..] else {
                unreachable!("a name")
            };
            if let Some(rule) = first.rule {
                rules.insert(format!("{rule}: = {}", form(first.name)));
            }
            for pair in step.names.windows(2) {
                let [old, new] = [pair[0].name, pair[1].name].map(form);
                let rule = pair[1].rule.unwrap();
                rules.insert(if pair[0].name.head == Head::Y {
                    format!("{rule}: Y")
                } else {
                    format!("{rule}: {old} = {new}")
                });
            }
            if step.name().number <= 8 && longer.len() < 60 && known.insert(step.name()) {
                todo.push_back(longer);
            }
        }
    }
    rules
}

#[test]
fn rules_have_the_numbers_of_the_text() {
    let expected = [
        "10: = L",
        "10: = LStar",
        "10: = T o",
        "1: G = A",
        "1: G o = A o",
        "2: G = G",
        "2: G o = G o",
        "2: G ooo = G ooo",
        "3: G o = Z o",
        "4: A o = O o",
        "4: G o = O o",
        "5: Z o = O o",
        "6: O oo = T oo",
        "7: A o = L",
        "7: A oo. = LStar",
        "7: G o = A ooo",
        "7: G oooo = G oooo",
        "7: U = LStar",
        "8: I = I",
        "8: I = Q",
        "8: O o = A o",
        "8: O o = A oo",
        "8: O o = T o",
        "8: T oo = A oo",
        "8: T oo = L",
        "9: Y",
    ];
    assert!(rules().iter().eq(&expected), "{:?}", rules());
}

#[test]
fn readings_sum_up_to_the_reason() {
    let mut numbers = phutbase_testing::boards::random_numbers(3);
    for _ in 0..2_000 {
        let mut number = |below: usize| numbers.next().unwrap() as usize % below;
        let length = 3 + number(60);
        let ball = 1 + number(length - 2);
        let squares: Vec<bool> = (0..length).map(|at| at != ball && number(3) == 0).collect();
        for side in [Side::Left, Side::Right] {
            let strip = AnyStrip::new(squares.iter().copied(), ball, side).unwrap();
            let found = Comparison::of(&strip);
            assert_eq!(found.winner(), winner(&strip), "{strip}");
            for (goal, value) in [(side.opponent(), found.behind), (side, found.ahead)] {
                let reading = Reading::of(strip.towards(goal));
                let last = reading.steps.last().unwrap();
                let half = HalfState::of(strip.towards(goal));
                assert_eq!((last.name(), last.value), (half.name(), value), "{strip}");
                // The shortest word has the same value; its name may be another.
                let word = canonical(strip.towards(goal));
                assert_eq!(Reading::of(word).value(), value, "{strip}");
            }
        }
    }
}
