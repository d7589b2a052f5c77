//! The set operations of the symbolic engine on random sets, compared with explicit sets of
//! positions.

use crate::sets::board;
use phutbase_fixtures::prelude::*;
use phutbase_rules::strip::{MAX_LENGTH, square_set};
use phutbase_sets::count::count;
use phutbase_strips::symbolic::algebra::{Algebra, Quantifier};
use phutbase_strips::symbolic::ball_set::BallSet;
use phutbase_strips::symbolic::closure::Pair;
use phutbase_strips::symbolic::placements::Stones;
use phutbase_strips::symbolic::store::{Halt, Id};
use std::collections::HashSet;
use std::sync::Barrier;

/// Creates an algebra with memory for everything a test makes. Its operations run in parallel.
fn roomy(length: usize) -> Algebra {
    let mut algebra = Algebra::new(length, SymbolicLimits::default())
        .unwrap()
        .sharing(2);
    make_room(&mut algebra);
    algebra
}

fn make_room(algebra: &mut Algebra) {
    while algebra.store().capacity() < 1 << 17 {
        algebra.store_mut().grow().unwrap();
    }
}

/// Collects garbage and makes room again.
pub fn collect(algebra: &mut Algebra, roots: &mut [&mut Id]) {
    let wanted: Vec<Id> = roots.iter().map(|root| **root).collect();
    let mut marks = algebra.mark(&wanted).unwrap();
    algebra.sweep(&mut marks);
    roots.iter_mut().for_each(|root| marks.renumber(root));
    let results = algebra.store().surviving_results(&marks);
    algebra.store_mut().end_collection(marks, results);
    make_room(algebra);
}

/// Lists all boards of a length in index order.
fn boards(length: usize) -> Vec<Strip> {
    let game = StripGame::new(length).unwrap();
    (0..game.positions()).map(|index| game.position(index)).collect()
}

/// Returns the mirror image of a board, with the same player to move.
fn seen_from_the_right(strip: &Strip) -> Strip {
    let stones = strip.stones().reverse_bits() >> (256 - strip.length());
    Strip::new(
        strip.length(),
        strip.length() - 1 - strip.ball(),
        stones,
        strip.side(),
    )
    .unwrap()
}

/// Builds the diagram of the boards at which `members` is true.
fn diagram(algebra: &Algebra, length: usize, members: &[bool]) -> Id {
    let all = boards(length);
    let mut set = Id::BOTTOM;
    for (strip, _) in all.iter().zip(members).filter(|&(_, &member)| member) {
        let one = board(algebra, strip).unwrap();
        set = algebra.or(set, one).unwrap();
    }
    set
}

/// Returns the boards from which some placement, or every placement, leads into a set.
fn placements(algebra: &Algebra, q: Quantifier, target: Id) -> Id {
    let set = match q {
        Quantifier::Exists => Id::BOTTOM,
        Quantifier::ForAll => diagram(
            algebra,
            algebra.length(),
            &vec![true; boards(algebra.length()).len()],
        ),
    };
    algebra.join_placements(q, Stones::All, set, target).unwrap()
}

fn everywhere(algebra: &Algebra) -> BallSet {
    algebra.ball_set(&(1..=algebra.length() - 2), false).unwrap()
}

fn members(algebra: &Algebra, length: usize, set: Id) -> Vec<bool> {
    let all = boards(length);
    all.iter()
        .map(|strip| contains(algebra.store(), set, strip))
        .collect()
}

/// Returns whether some turn of Left's, or every turn of Right's, of one kind leads into a set, by
/// the rules. A turn that ends in Left's goal counts as leading into the set.
fn forced(strip: &Strip, q: Quantifier, members: &[bool], placing: bool) -> bool {
    let game = StripGame::new(strip.length()).unwrap();
    let strip = &strip.with_side(match q {
        Quantifier::Exists => Side::Left,
        Quantifier::ForAll => Side::Right,
    });
    let mut answers = Vec::new();
    game.turns(strip, &mut |turn, successor| {
        if matches!(turn, Turn::Place(_)) != placing {
            return;
        }
        answers.push(match successor {
            Successor::Over(outcome) => (outcome == Wdl::Win) == (q == Quantifier::Exists),
            // The index normalises to Left; the board itself has Left's own index.
            Successor::Position(next) => members[game.index(&next.with_side(Side::Left)) as usize],
        });
    });
    match q {
        Quantifier::Exists => answers.contains(&true),
        Quantifier::ForAll => !answers.contains(&false),
    }
}

fn random_set() -> impl Strategy<Value = (usize, Vec<bool>, Vec<bool>)> {
    random_set_of(3..=8)
}

fn random_set_of(lengths: RangeInclusive<usize>) -> impl Strategy<Value = (usize, Vec<bool>, Vec<bool>)> {
    (lengths, 0.02f64..0.98).prop_flat_map(|(length, density)| {
        let size = (length - 2) << (length - 1);
        let set = move || proptest::collection::vec(proptest::bool::weighted(density), size);
        (Just(length), set(), set())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn boolean_operations_are_those_of_sets((length, a, b) in random_set()) {
        let algebra = roomy(length);
        let (x, y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &b));
        prop_assert_eq!(&members(&algebra, length, x), &a);
        let (or, and) = (algebra.or(x, y).unwrap(), algebra.and(x, y).unwrap());
        let joined = |f: fn(bool, bool) -> bool| -> Vec<bool> { a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect() };
        let union = joined(|a, b| a || b);
        prop_assert_eq!(&members(&algebra, length, or), &union);
        prop_assert_eq!(members(&algebra, length, and), joined(|a, b| a && b));
        // Equal sets have equal numbers, however they were made.
        prop_assert_eq!(diagram(&algebra, length, &union), or);
        let size = union.iter().filter(|&&member| member).count();
        prop_assert_eq!(count(algebra.store(), or), size.into());
    }

    #[test]
    fn turns_are_those_of_the_rules((length, a, _) in random_set()) {
        let algebra = roomy(length);
        let set = diagram(&algebra, length, &a);
        for q in [Quantifier::Exists, Quantifier::ForAll] {
            let (placed, jumped) = (placements(&algebra, q, set), algebra.jumps(q, set, &everywhere(&algebra)).unwrap());
            for strip in boards(length) {
                let by_rules = |placing| forced(&strip, q, &a, placing);
                prop_assert_eq!(contains(algebra.store(), placed, &strip), by_rules(true), "placing, {}", strip);
                prop_assert_eq!(contains(algebra.store(), jumped, &strip), by_rules(false), "jumping, {}", strip);
            }
        }
    }

    /// Four threads make the same sets in one store concurrently: each set has one number and the
    /// right members.
    #[test]
    fn threads_share_a_store((length, a, b) in random_set()) {
        let algebra = roomy(length);
        let work = || {
            let (x, y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &b));
            let closed = algebra.close(Pair::new(x, y), &everywhere(&algebra)).unwrap();
            [x, y, algebra.and(x, y).unwrap(), closed.left_to_move, closed.right_to_move]
        };
        let start = Barrier::new(4);
        let found: Vec<_> = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(|| { start.wait(); work() }));
            threads.map(|thread| thread.join().unwrap()).into()
        });
        prop_assert!(found.iter().all(|&sets| sets == work()));
        let expected = closed(length, &a, &b);
        prop_assert_eq!(&members(&algebra, length, found[0][0]), &a);
        prop_assert_eq!(&members(&algebra, length, found[0][3]), &expected[0]);
        prop_assert_eq!(&members(&algebra, length, found[0][4]), &expected[1]);
    }

    #[test]
    fn collecting_keeps_reachable_nodes((length, a, b) in random_set()) {
        let mut algebra = roomy(length);
        let mut kept = diagram(&algebra, length, &a);
        diagram(&algebra, length, &b);
        collect(&mut algebra, &mut [&mut kept]);
        prop_assert_eq!(&members(&algebra, length, kept), &a);
        prop_assert_eq!(diagram(&algebra, length, &a), kept);
        let other = diagram(&algebra, length, &b);
        prop_assert_eq!(members(&algebra, length, other), b);
    }
}

/// The kinds of turns that the operations distinguish.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Placement { forward: bool },
    Jump { forward: bool },
}

fn kind(strip: &Strip, turn: Turn) -> Kind {
    match turn {
        Turn::Place(square) => Kind::Placement {
            forward: square > strip.ball(),
        },
        Turn::Jump(square) => Kind::Jump {
            forward: square > strip.ball(),
        },
        Turn::Off(end) => Kind::Jump {
            forward: end == Side::Right,
        },
    }
}

/// Lists the results of the turns of some kinds: whether each is in a set, or won by Left.
fn results(strip: &Strip, members: &[bool], wanted: impl Fn(Kind) -> bool) -> Vec<bool> {
    let game = StripGame::new(strip.length()).unwrap();
    let turns = strip
        .turns()
        .into_iter()
        .filter(|&turn| wanted(kind(strip, turn)));
    turns
        .map(|turn| match strip.play(turn).unwrap() {
            After::Position(next) => members[game.index(&next.with_side(Side::Left)) as usize],
            After::Over { winner, .. } => winner == Side::Left,
        })
        .collect()
}

/// Returns whether some proper jump turn of Left wins or leads into a set, by the rules.
fn wins_properly(strip: &Strip, members: &[bool]) -> bool {
    let game = StripGame::new(strip.length()).unwrap();
    (strip.turns().into_iter()).any(|turn| match (turn, strip.play(turn).unwrap()) {
        (Turn::Jump(_), After::Position(next)) => {
            next.ball().abs_diff(strip.ball()) >= 3
                && members[game.index(&next.with_side(Side::Left)) as usize]
        }
        (_, After::Over { winner, .. }) => winner == Side::Left,
        (Turn::Place(_) | Turn::Off(_), _) => false,
    })
}

/// Computes both sets of a closure by its definition, from full strips down.
fn closed(length: usize, some: &[bool], every: &[bool]) -> [Vec<bool>; 2] {
    let (mut a, mut r) = (some.to_vec(), every.to_vec());
    let all = boards(length);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(all[place].stones().count_ones()));
    for place in order {
        let (before_a, before_r) = (a.clone(), r.clone());
        a[place] |= results(&all[place], &before_r, |kind| {
            kind == Kind::Placement { forward: true }
        })
        .contains(&true);
        let placements = results(&all[place], &before_a, |kind| {
            matches!(kind, Kind::Placement { .. })
        });
        r[place] &= !placements.contains(&false);
    }
    [a, r]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every operation on arbitrary sets, from arbitrary ball squares, with collections in between.
    #[test]
    fn operations_from_some_ball_squares_are_those_of_the_rules(
        (length, a, b) in random_set(), from in 0usize..8, to in 0usize..8, collects in any::<bool>(),
    ) {
        let last = length - 2;
        let (first, to) = (1 + from % last, 1 + to % last);
        let balls = first.min(to)..=first.max(to);
        let mut algebra = roomy(length);
        let (mut x, mut y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &b));
        let collect = |algebra: &mut Algebra, x: &mut Id, y: &mut Id| if collects {
            collect(algebra, &mut [x, y]);
        };
        let all = boards(length);
        for q in [Quantifier::Exists, Quantifier::ForAll] {
            for forward in [true, false] {
                collect(&mut algebra, &mut x, &mut y);
                let from = algebra.ball_set(&balls, false).unwrap();
                let found = if forward {
                    algebra.forward_jumps(q, x, &from).unwrap()
                } else {
                    algebra.backward_jumps(q, x, &from).unwrap()
                };
                for strip in &all {
                    let results = results(strip, &a, |kind| kind == Kind::Jump { forward });
                    let expected = balls.contains(&strip.ball()) && match q {
                        Quantifier::Exists => results.contains(&true),
                        Quantifier::ForAll => !results.contains(&false),
                    };
                    prop_assert_eq!(contains(algebra.store(), found, strip), expected, "{:?}, {}, {}", q, forward, strip);
                }
            }
            if q == Quantifier::Exists {
                collect(&mut algebra, &mut x, &mut y);
                let found = algebra.proper_jumps(x, &algebra.ball_set(&balls, false).unwrap()).unwrap();
                for strip in &all {
                    let expected = balls.contains(&strip.ball()) && wins_properly(strip, &a);
                    prop_assert_eq!(contains(algebra.store(), found, strip), expected, "proper, {}", strip);
                }
            }
            collect(&mut algebra, &mut x, &mut y);
            let placed = placements(&algebra, q, x);
            for strip in &all {
                prop_assert_eq!(contains(algebra.store(), placed, strip), forced(strip, q, &a, true), "{}", strip);
            }
        }
        for (q, stones) in [(Quantifier::Exists, Stones::BeforeBall), (Quantifier::Exists, Stones::AfterBall), (Quantifier::Exists, Stones::All), (Quantifier::ForAll, Stones::All)] {
            let placed = algebra.join_placements(q, stones, y, x).unwrap();
            for strip in &all {
                let wanted = |kind| match kind {
                    Kind::Placement { forward: true } => stones != Stones::BeforeBall,
                    Kind::Placement { forward: false } => stones != Stones::AfterBall,
                    Kind::Jump { .. } => false,
                };
                let results = results(strip, &a, wanted);
                let known = contains(algebra.store(), y, strip);
                let expected = match q {
                    Quantifier::Exists => known || results.contains(&true),
                    Quantifier::ForAll => known && !results.contains(&false),
                };
                prop_assert_eq!(contains(algebra.store(), placed, strip), expected, "{:?}, {:?}, {}", q, stones, strip);
            }
        }
        collect(&mut algebra, &mut x, &mut y);
        let only = algebra.only(y, &balls).unwrap();
        let replaced = algebra.replace(x, &balls, only).unwrap();
        let chosen = |other: bool| -> Vec<bool> {
            let sets = all.iter().zip(a.iter().zip(&b));
            sets.map(|(strip, (&a, &b))| if balls.contains(&strip.ball()) { b } else { a && other }).collect()
        };
        prop_assert_eq!(members(&algebra, length, only), chosen(false));
        prop_assert_eq!(members(&algebra, length, replaced), chosen(true));
    }

    /// A mirror image has the mirror images of the members, and every operation on it gives the
    /// mirror image of the result.
    #[test]
    fn reading_from_the_right_gives_the_mirror_image((length, a, b) in random_set(), from in 0usize..8, to in 0usize..8) {
        let last = length - 2;
        let (first, to) = (1 + from % last, 1 + to % last);
        let balls = first.min(to)..=first.max(to);
        let seen_otherwise = length - 1 - balls.end()..=length - 1 - balls.start();
        let algebra = roomy(length);
        let image = |set| algebra.mirrored(set).unwrap();
        let (x, y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &b));
        for strip in boards(length) {
            let there = contains(algebra.store(), image(x), &seen_from_the_right(&strip));
            prop_assert_eq!(contains(algebra.store(), x, &strip), there);
        }
        prop_assert_eq!(image(image(x)), x);
        let from_left = algebra.ball_set(&balls, false).unwrap();
        let from_right = algebra.ball_set(&seen_otherwise, true).unwrap();
        for q in [Quantifier::Exists, Quantifier::ForAll] {
            let forward = algebra.forward_jumps(q, x, &from_left).unwrap();
            prop_assert_eq!(image(forward), algebra.forward_jumps(q, image(x), &from_right).unwrap(), "{:?}", q);
            let backward = algebra.backward_jumps(q, x, &from_left).unwrap();
            prop_assert_eq!(image(backward), algebra.backward_jumps(q, image(x), &from_right).unwrap(), "{:?}", q);
        }
        let proper = algebra.proper_jumps(x, &from_left).unwrap();
        prop_assert_eq!(image(proper), algebra.proper_jumps(image(x), &from_right).unwrap());
        let one = Pair::new(algebra.only(x, &balls).unwrap(), algebra.only(y, &balls).unwrap());
        let closed = algebra.close(one, &from_left).unwrap();
        let expected = Pair::new(image(closed.left_to_move), image(closed.right_to_move));
        let one = Pair::new(image(one.left_to_move), image(one.right_to_move));
        prop_assert_eq!(expected, algebra.close(one, &from_right).unwrap());
    }

    /// Without memory for the words of a whole image, it is made of those for each ball square.
    #[test]
    fn a_mirror_image_in_parts_is_that_of_the_whole((length, a, _) in random_set_of(3..=6)) {
        let algebra = Algebra::new(length, SymbolicLimits { memory: 0, ..SymbolicLimits::default() }).unwrap();
        prop_assert_eq!(algebra.store().most_words_of_a_mirror(), 0);
        let set = diagram(&algebra, length, &a);
        let image = algebra.mirrored(set).unwrap();
        for strip in boards(length) {
            let there = contains(algebra.store(), image, &seen_from_the_right(&strip));
            prop_assert_eq!(contains(algebra.store(), set, &strip), there);
        }
    }

    /// A set, and all other boards with the ball on one square, or all but one of them.
    #[test]
    fn complements_have_every_board_once((length, a, b) in random_set(), ball in 0usize..8, flipped in any::<usize>()) {
        let algebra = roomy(length);
        let all = boards(length);
        let ball = 1 + ball % (length - 2);
        let complement = |place: usize| if all[place].ball() == ball { !a[place] } else { b[place] };
        let mut other: Vec<bool> = (0..all.len()).map(complement).collect();
        let (x, y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &other));
        prop_assert!(algebra.are_complements(x, y, ball) && algebra.are_complements(y, x, ball));
        let flipped = flipped % all.len();
        other[flipped] = !other[flipped];
        let z = diagram(&algebra, length, &other);
        prop_assert_eq!(algebra.are_complements(x, z, ball), all[flipped].ball() != ball);
        prop_assert!(!algebra.are_complements(x, x, ball));
    }

    /// The closure of arbitrary sets, of all ball squares and of one.
    #[test]
    fn the_closure_is_that_of_its_definition((length, a, b) in random_set(), ball in 0usize..8) {
        let algebra = roomy(length);
        let expected = closed(length, &a, &b);
        let (x, y) = (diagram(&algebra, length, &a), diagram(&algebra, length, &b));
        let found = algebra.close(Pair::new(x, y), &everywhere(&algebra)).unwrap();
        for (found, expected) in [found.left_to_move, found.right_to_move].into_iter().zip(&expected) {
            prop_assert_eq!(&members(&algebra, length, found), expected);
        }
        let ball = 1 + ball % (length - 2);
        let from = algebra.ball_set(&(ball..=ball), false).unwrap();
        let one = Pair::new(algebra.only(x, &(ball..=ball)).unwrap(), algebra.only(y, &(ball..=ball)).unwrap());
        let found = algebra.close(one, &from).unwrap();
        for (found, expected) in [found.left_to_move, found.right_to_move].into_iter().zip(&expected) {
            let expected: Vec<bool> = (boards(length).iter().zip(expected))
                .map(|(strip, &member)| member && strip.ball() == ball)
                .collect();
            prop_assert_eq!(members(&algebra, length, found), expected);
        }
    }
}

/// The intersection of a set and a larger one needs no new node.
#[test]
fn work_that_makes_no_node_is_stopped_too() {
    let mut algebra = Algebra::new(40, SymbolicLimits::default()).unwrap();
    let mut set = |boards: u64| {
        (0..boards).fold(Id::BOTTOM, |set, number| {
            let stones = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 26;
            let strip = Strip::new(40, 38, u128::from(stones), Side::Left).unwrap();
            algebra
                .growing(|algebra| algebra.or(set, board(algebra, &strip)?))
                .unwrap()
        })
    };
    let (small, large) = (set(5_000), set(20_000));
    let nodes = algebra.store().nodes();
    let job = Job::default();
    job.stop();
    algebra.store_mut().watch(job);
    assert_eq!(algebra.and(small, large), Err(Halt::Interrupted));
    algebra.store_mut().watch(Job::default());
    assert_eq!(algebra.and(small, large), Ok(small));
    assert_eq!(algebra.store().nodes(), nodes);
}

/// Jumps on 255 squares from every pair of ball squares, in one store: the results of different
/// pairs are kept apart.
#[test]
fn jumps_on_the_longest_strips_are_those_of_the_rules() {
    let length = MAX_LENGTH;
    let mut numbers = random_numbers(11);
    let mut algebra = Algebra::new(length, SymbolicLimits::default()).unwrap();
    let zones: Vec<_> = (1..=length - 2)
        .step_by(2)
        .map(|ball| ball..=(ball + 1).min(length - 2))
        .collect();
    let mut random = |ball: usize| {
        let words = [(); 4].map(|()| numbers.next().unwrap() | numbers.next().unwrap());
        let stones = square_set(&words) >> 1 & !(U256::ONE << ball);
        Strip::new(length, ball, stones, Side::Left).unwrap()
    };
    let boards: Vec<Strip> = (1..=length - 2)
        .flat_map(|ball| [random(ball), random(ball)])
        .collect();
    // The boards after some of the jumps.
    let mut target: HashSet<Strip> = HashSet::new();
    for (place, strip) in boards.iter().enumerate() {
        let jumps = strip
            .turns()
            .into_iter()
            .filter(|turn| matches!(turn, Turn::Jump(_)));
        let after = jumps.filter_map(|turn| match strip.play(turn).unwrap() {
            After::Position(next) => Some(next),
            After::Over { .. } => None,
        });
        target.extend(after.take(place % 4));
    }
    let set = target.iter().fold(Id::BOTTOM, |set, strip| {
        let add = |algebra: &Algebra| algebra.or(set, board(algebra, strip)?);
        algebra.growing(add).unwrap()
    });
    let mut found = [0, 0];
    for q in [Quantifier::Exists, Quantifier::ForAll] {
        let mover = [Side::Left, Side::Right][q as usize];
        for zone in &zones {
            let jumps = |algebra: &Algebra| algebra.jumps(q, set, &algebra.ball_set(zone, false)?);
            let result = algebra.growing(jumps).unwrap();
            for strip in &boards {
                let strip = strip.with_side(mover);
                let jumps = strip
                    .turns()
                    .into_iter()
                    .filter(|turn| !matches!(turn, Turn::Place(_)));
                let mut leads = jumps.map(|turn| match strip.play(turn).unwrap() {
                    After::Position(next) => target.contains(&next.with_side(Side::Right)),
                    After::Over { winner, .. } => winner == Side::Left,
                });
                let expected = match q {
                    Quantifier::Exists => leads.any(|leads| leads),
                    Quantifier::ForAll => leads.all(|leads| leads),
                };
                let expected = expected && zone.contains(&strip.ball());
                assert_eq!(
                    contains(algebra.store(), result, &strip),
                    expected,
                    "{zone:?}, {strip}"
                );
                found[usize::from(expected)] += 1;
            }
        }
    }
    assert!(found[1] > 100, "{found:?}");
}
