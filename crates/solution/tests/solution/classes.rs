//! The rule against the automaton of `solution.txt`, which it does not use, and single errors in that
//! text.

use crate::witness::{WITNESS, Witness};
use phutbase_solution::classes::{Class, TEXT};
use phutbase_solution::half::HalfState;
use phutbase_solution::rule::{Kind, Value, wins};
use std::collections::{HashMap, HashSet, VecDeque};

/// The potential and the letter of a class: three types of the text are others with one more.
fn value_of(witness: &Witness, class: Class) -> Value {
    let potential = witness.potential(class);
    let (more, kind) = match witness.kind(class) {
        10 => (1, Kind::Z),
        14 => (1, Kind::B),
        16 => (1, Kind::A),
        kind => (
            0,
            Kind::ALL
                .into_iter()
                .find(|found| found.letter() == LETTERS[kind])
                .unwrap(),
        ),
    };
    Value {
        potential: potential + more,
        kind,
    }
}

/// The letters of the types of the text.
const LETTERS: [char; 17] = [
    'a', 'b', 'c', 'd', 'y', 'e', 'f', 'g', 'h', 'z', ' ', 'i', 'j', 'k', ' ', 'l', ' ',
];

/// Reads words with both automata side by side until nothing new appears with K ≤ `most`. Returns the
/// number of pairs of states, or the first pair that differs.
fn side_by_side(witness: &Witness, most: i32) -> Result<usize, (HalfState, Class)> {
    let mut known = HashSet::from([(HalfState::EMPTY, Class::EMPTY)]);
    let mut todo = VecDeque::from([(HalfState::EMPTY, Class::EMPTY)]);
    while let Some((half, class)) = todo.pop_front() {
        if half.value() != value_of(witness, class) {
            return Err((half, class));
        }
        for stone in [false, true] {
            let Some(next) = witness.classes.step(class, stone) else {
                return Err((half, class));
            };
            let pair = (half.step(stone), next);
            if pair.0.name().number <= most && known.insert(pair) {
                todo.push_back(pair);
            }
        }
    }
    Ok(known.len())
}

/// Compares the tables of the text with the rule's comparison, for all types at leads of −2 to 2.
fn same_comparison(witness: &Witness, examples: &HashMap<(usize, i32), Class>) -> bool {
    let kinds = || 0..17;
    kinds().all(|one| {
        kinds().all(|other| {
            (-2..=2).all(|lead| {
                let pair = |potential: i32| {
                    Some((
                        *examples.get(&(one, potential + lead))?,
                        *examples.get(&(other, potential))?,
                    ))
                };
                let (g, h) = (0..MOST_POTENTIAL)
                    .find_map(pair)
                    .expect("words of all types at all leads");
                witness.wins(g, h) == wins(value_of(witness, g), value_of(witness, h))
            })
        })
    })
}

const MOST_POTENTIAL: i32 = 12;

/// Returns a class of each type and potential.
fn examples(witness: &Witness) -> HashMap<(usize, i32), Class> {
    let classes_of = classes_up_to(witness, 14).into_iter();
    classes_of
        .map(|class| ((witness.kind(class), witness.potential(class)), class))
        .collect()
}

/// Returns the classes of words with K of at most a number.
fn classes_up_to(witness: &Witness, most: u32) -> HashSet<Class> {
    let mut known = HashSet::from([Class::EMPTY]);
    let mut todo = vec![Class::EMPTY];
    while let Some(class) = todo.pop() {
        for stone in [false, true] {
            let next = witness.classes.step(class, stone).unwrap();
            if next.k <= most && known.insert(next) {
                todo.push(next);
            }
        }
    }
    known
}

#[test]
fn rule_and_classes_agree_on_every_word() {
    let pairs = side_by_side(&WITNESS, 20).unwrap();
    assert_eq!(pairs, 32_204);
}

#[test]
fn canonical_words_are_in_their_classes() {
    let known = classes_up_to(&WITNESS, 16);
    for &class in &known {
        assert_eq!(Class::of(class.canonical()), class);
    }
    assert_eq!(known.len(), 12_811);
}

#[test]
fn the_comparisons_agree() {
    let examples = examples(&WITNESS);
    assert!(same_comparison(&WITNESS, &examples));
}

#[test]
fn every_flipped_bit_is_refused() {
    let examples = examples(&WITNESS);
    let mut refused = 0;
    for (number, line) in TEXT
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("M "))
    {
        let first = line.len() - 17;
        for bit in first..line.len() {
            let flipped = if &line[bit..bit + 1] == "1" { "0" } else { "1" };
            let line = format!("{}{flipped}{}", &line[..bit], &line[bit + 1..]);
            let wrong = Witness::parse(&with_line(number, &line)).unwrap();
            assert!(!same_comparison(&wrong, &examples), "{line}");
            refused += 1;
        }
    }
    assert_eq!(refused, 578);
}

#[test]
fn every_wrong_rule_is_refused() {
    let mut refused = 0;
    for (number, line) in TEXT
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("S "))
    {
        // The number that is added to k, one more.
        let (head, change) = line.split_once(" : ").unwrap();
        let mut fields: Vec<String> = change.split(' ').map(str::to_string).collect();
        fields[1] = format!("{:+}", fields[1].parse::<i32>().unwrap() + 1);
        let wrong = Witness::parse(&with_line(number, &format!("{head} : {}", fields.join(" ")))).unwrap();
        assert!(side_by_side(&wrong, 20).is_err(), "{line}");
        refused += 1;
    }
    assert_eq!(refused, 716);
}

#[test]
fn lines_that_are_malformed_are_refused() {
    let starts = |kind: &'static str| TEXT.lines().filter(move |line| line.starts_with(kind)).count();
    assert_eq!(["F ", "S ", "M "].map(starts), [272, 716, 34]);
    let wrong = [
        ("F 2:o 0 c +1 type 1", "F 2:o 0 c +1 type"),
        ("F 2:o 0 c +1 type 1", "F 2:o 0 +1 type 1"),
        ("F 2:o 0 c +1 type 1", "F 2:o -1 c +1 type 1"),
        ("S 0: o s=0 : 0: +0", "S 0: x s=0 : 0: +0"),
        ("S 0: o s=0 : 0: +0", "S 0: o t=0 : 0: +0"),
        ("S 0: o s=0 : 0: +0", "S 0: o s=0 : 9: +0"),
        ("S 0: o s=0 : 0: +0", "S 0: o s=0 0: +0"),
        ("M 0 0 11111111110111010", "M 0 0 1111111111011101"),
        ("M 0 0 11111111110111010", "M 0 17 11111111110111010"),
        ("M 0 0 11111111110111010", "M 1 0 11111111110111010"),
        ("M 0 0 11111111110111010", "m 0 0 11111111110111010"),
    ];
    for (line, bad) in wrong {
        let number = TEXT.lines().position(|other| other == line).unwrap();
        let error = Witness::parse(&with_line(number, bad)).unwrap_err();
        assert_eq!(error.number, number + 1, "{bad}");
    }
    // The first family is that of the empty word.
    for text in ["", "F 0:o 1 c +0 type 0"] {
        assert_eq!(Witness::parse(text).unwrap_err().number, 0);
    }
}

/// Returns the text with another line.
fn with_line(number: usize, line: &str) -> String {
    let lines = TEXT.lines().enumerate();
    let lines = lines.map(|(at, old)| if at == number { line } else { old });
    lines.collect::<Vec<_>>().join("\n")
}
