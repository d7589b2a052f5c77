//! The set operations of the symbolic engine on random sets, against sets kept one position at a time.

use phutbase::diagram::count::{contains, count};
use phutbase::game::{Game, Successor};
use phutbase::games::strip::{Strip, StripGame, Turn};
use phutbase::outcome::{Side, Wdl};
use phutbase::solve::symbolic::Limits;
use phutbase::solve::symbolic::algebra::{Algebra, Quantifier};
use phutbase::solve::symbolic::store::Id;
use proptest::prelude::*;

/// All boards of a length, in index order.
fn boards(length: usize) -> Vec<Strip> {
    let game = StripGame::new(length).unwrap();
    (0..game.positions()).map(|index| game.position(index)).collect()
}

/// The diagram of the boards at which `members` is true.
fn diagram(algebra: &mut Algebra, length: usize, members: &[bool]) -> Id {
    let all = boards(length);
    let mut set = Id::BOTTOM;
    for (strip, _) in all.iter().zip(members).filter(|&(_, &member)| member) {
        let one = algebra.board(strip).unwrap();
        set = algebra.or(set, one).unwrap();
    }
    set
}

fn members(algebra: &Algebra, length: usize, set: Id) -> Vec<bool> {
    let all = boards(length);
    all.iter()
        .map(|strip| contains(algebra.store(), set, strip))
        .collect()
}

/// Whether some, or every, turn of one kind leads into a set, from the rules. Left wins what ends in Left's goal.
fn forced(strip: &Strip, q: Quantifier, members: &[bool], placing: bool) -> bool {
    let game = StripGame::new(strip.length()).unwrap();
    let mut answers = Vec::new();
    game.turns(strip, &mut |turn, successor| {
        if matches!(turn, Turn::Place(_)) != placing {
            return;
        }
        answers.push(match successor {
            Successor::Over(outcome) => outcome == Wdl::Win,
            // The index normalises to Left; the board as such is that of Left's own index.
            Successor::Position(next) => members[game.index(&next.with_side(Side::Left)) as usize],
        });
    });
    match q {
        Quantifier::Some => answers.contains(&true),
        Quantifier::Every => !answers.contains(&false),
    }
}

fn random_set() -> impl Strategy<Value = (usize, Vec<bool>, Vec<bool>)> {
    (3usize..=8, 0.02f64..0.98).prop_flat_map(|(length, density)| {
        let size = (length - 2) << (length - 1);
        let set = move || proptest::collection::vec(proptest::bool::weighted(density), size);
        (Just(length), set(), set())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn boolean_operations_are_those_of_sets((length, a, b) in random_set()) {
        let mut algebra = Algebra::new(length, Limits::default()).unwrap();
        let (x, y) = (diagram(&mut algebra, length, &a), diagram(&mut algebra, length, &b));
        prop_assert_eq!(&members(&algebra, length, x), &a);
        let (or, and) = (algebra.or(x, y).unwrap(), algebra.and(x, y).unwrap());
        let joined = |f: fn(bool, bool) -> bool| -> Vec<bool> { a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect() };
        let union = joined(|a, b| a || b);
        prop_assert_eq!(&members(&algebra, length, or), &union);
        prop_assert_eq!(members(&algebra, length, and), joined(|a, b| a && b));
        // Equal sets are equal numbers, however they were made.
        prop_assert_eq!(diagram(&mut algebra, length, &union), or);
        let size = union.iter().filter(|&&member| member).count();
        prop_assert_eq!(count(algebra.store(), or), size.into());
    }

    #[test]
    fn turns_are_those_of_the_rules((length, a, _) in random_set()) {
        let mut algebra = Algebra::new(length, Limits::default()).unwrap();
        let set = diagram(&mut algebra, length, &a);
        for q in [Quantifier::Some, Quantifier::Every] {
            let (placed, jumped) = (algebra.placements(q, set).unwrap(), algebra.jumps(q, set).unwrap());
            for strip in boards(length) {
                prop_assert_eq!(contains(algebra.store(), placed, &strip), forced(&strip, q, &a, true), "placing, {}", strip);
                prop_assert_eq!(contains(algebra.store(), jumped, &strip), forced(&strip, q, &a, false), "jumping, {}", strip);
            }
        }
    }

    #[test]
    fn collecting_keeps_what_is_wanted((length, a, b) in random_set()) {
        let mut algebra = Algebra::new(length, Limits::default()).unwrap();
        let mut kept = diagram(&mut algebra, length, &a);
        diagram(&mut algebra, length, &b);
        algebra.collect(&mut [&mut kept]);
        prop_assert_eq!(&members(&algebra, length, kept), &a);
        prop_assert_eq!(diagram(&mut algebra, length, &a), kept);
        let other = diagram(&mut algebra, length, &b);
        prop_assert_eq!(members(&algebra, length, other), b);
    }
}
