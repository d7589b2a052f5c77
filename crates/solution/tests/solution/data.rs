//! Names, values and canonical words of half strips, and numbers of wins, as other programs
//! computed them.

use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_solution::classes::canonical;
use phutbase_solution::count::{Counts, limit};
use phutbase_solution::half::HalfState;
use phutbase_solution::rule::{Head, Name, Tail};
use std::collections::HashMap;

fn word(text: &str) -> impl Iterator<Item = bool> + '_ {
    text.bytes()
        .filter(|&letter| letter != b'-')
        .map(|letter| letter == b'o')
}

/// Writes a name as the file does.
fn written(name: Name) -> String {
    let Name {
        head,
        i,
        j,
        n,
        marked,
        tail,
        number,
    } = name;
    let head = match head {
        Head::LStar => "K".to_string(),
        head => format!("{head:?}"),
    };
    let tail = match tail {
        Tail::Bare => "-".to_string(),
        tail => format!("{tail:?}").replace('S', "o").replace('D', "."),
    };
    format!("{head} {i} {j} {n} {} {tail} {number}", -i32::from(marked))
}

/// Writes a name of the file as the text does.
fn display(name: &str) -> String {
    let [head, i, j, n, mark, tail, number] = name.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{name}");
    };
    let indices = match (head, n) {
        ("L" | "K" | "E", _) => String::new(),
        ("T", _) if i == "-1" => String::new(),
        ("G", "0") | ("Q" | "Y", _) => format!("_{{{i},{j}}}"),
        ("G", _) => format!("_{{{i},{j},{n}}}"),
        _ if i == "-1" => "_{-1}".to_string(),
        _ => format!("_{i}"),
    };
    let head = if head == "K" { "L*" } else { head };
    let mark = if mark == "-1" { "'" } else { "" };
    let tail = if tail == "-" {
        String::new()
    } else {
        format!(" {tail}")
    };
    format!("{head}{indices}{mark}{tail} [{number}]")
}

#[test]
fn half_strips_are_as_computed() {
    let rows = include_str!("../data/half_strips.tsv");
    let rows = rows.lines().filter(|row| !row.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [text, name, potential, kind, shortest] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let half = HalfState::of(word(text));
        let value = half.value();
        assert_eq!(written(half.name()), name, "{text}");
        assert_eq!(half.name().to_string(), display(name), "{text}");
        assert_eq!(
            (value.potential.to_string(), value.kind.letter().to_string()),
            (potential.into(), kind.into())
        );
        assert!(canonical(word(text)).into_iter().eq(word(shortest)), "{text}");
        count += 1;
    }
    assert_eq!(count, 2010);
}

/// `scripts/check_proofs.sh` has Coq print the same file.
#[test]
fn names_and_values_are_those_of_the_proofs() {
    let rows = include_str!("../data/coq_rule.tsv");
    let rows = rows.lines().filter(|row| !row.starts_with('#'));
    let mut lengths = HashMap::new();
    for (place, row) in rows.enumerate() {
        let [text, name, potential, kind] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let rule = Name::of(word(text));
        let value = rule.value();
        assert_eq!(written(rule), name, "{text}");
        assert_eq!(value.potential.to_string(), potential, "{text}");
        assert_eq!(value.kind.letter().to_string(), kind, "{text}");
        if text.len() == 12 {
            let bits = word(text).fold(0, |bits, stone| 2 * bits + usize::from(stone));
            assert_eq!(bits, place, "{text}");
        }
        *lengths.entry(text.len() == 12).or_insert(0) += 1;
    }
    assert_eq!(lengths, HashMap::from([(true, 4096), (false, 2000)]));
}

#[test]
fn numbers_of_wins_are_as_computed() {
    let counts = Counts::up_to(160, &Job::default()).unwrap();
    let stored = include_str!("../../../../docs/atlas/sequences.csv")
        .lines()
        .skip(1);
    let stored = stored
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| [row[0], row[2]]);
    let more = include_str!("../data/win_counts.tsv")
        .lines()
        .filter(|row| !row.starts_with('#'));
    let more = more
        .map(|row| row.split('\t').collect::<Vec<_>>())
        .map(|row| [row[0], row[1]]);
    let mut lengths = Vec::new();
    for row in stored.chain(more) {
        let length: usize = row[0].parse().unwrap();
        assert_eq!(
            counts.wins(length),
            row[1].parse::<BigUint>().unwrap(),
            "{length}"
        );
        lengths.push(length);
    }
    assert!(lengths.into_iter().eq(3..=160));
}

/// The limit that another program extrapolated from the wins of 200, 220 and 240 squares.
#[test]
fn the_share_of_wins_tends_to_the_extrapolated_limit() {
    let found = limit(&Job::default()).unwrap();
    assert!((found - 0.676_697_323_34).abs() < 1e-11, "{found}");
}
