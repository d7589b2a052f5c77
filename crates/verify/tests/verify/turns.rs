//! Questions about turns between sets of boards, against the rules board by board.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::set_of;
use phutbase_verify::inclusion::turns::TurnKind;
use phutbase_verify::inclusion::{Checker, CheckerLimits, Set};

const LIMITS: CheckerLimits = CheckerLimits {
    nodes: 1 << 20,
    results: 1 << 6,
    steps: u64::MAX,
};

const KINDS: [TurnKind; 6] = [
    TurnKind::PlaceRight,
    TurnKind::PlaceLeft,
    TurnKind::JumpRight,
    TurnKind::JumpLeft,
    TurnKind::ProperRight,
    TurnKind::ProperLeft,
];

/// Returns whether a turn of Left's is of a kind.
fn is_of(kind: TurnKind, board: &Strip, turn: Turn) -> bool {
    let after = board.play(turn).unwrap();
    let rightward = match (turn, &after) {
        (Turn::Place(square), _) => square > board.ball(),
        (_, After::Position(next)) => next.ball() > board.ball(),
        (_, After::Over { winner, .. }) => *winner == Side::Left,
    };
    // Questions about proper turns to the left leave out those onto Left's own goal line, which lose.
    let goes_on = matches!(after, After::Position(_));
    match (kind, turn) {
        (TurnKind::PlaceRight, Turn::Place(_)) => rightward,
        (TurnKind::PlaceLeft, Turn::Place(_)) => !rightward,
        (_, Turn::Place(_)) | (TurnKind::PlaceRight | TurnKind::PlaceLeft, _) => false,
        (TurnKind::JumpRight, _) => rightward,
        (TurnKind::JumpLeft, _) => !rightward,
        (TurnKind::ProperRight, _) => rightward && turn.is_proper(board),
        (TurnKind::ProperLeft, _) => !rightward && goes_on && turn.is_proper(board),
    }
}

/// Returns, for each turn of a kind, whether it wins for a side or leads into a set.
fn turns_into(kind: TurnKind, board: &Strip, into: &HashSet<Strip>, winner: Side) -> Vec<bool> {
    let turns = board.turns().into_iter();
    let of_kind = turns.filter(|&turn| is_of(kind, board, turn));
    let leads = |turn| match board.play(turn).unwrap() {
        After::Position(next) => into.contains(&next.with_side(Side::Left)),
        After::Over { winner: over, .. } => over == winner,
    };
    of_kind.map(leads).collect()
}

/// Copies some boards, with Left to move, into a checker.
fn copied(checker: &mut Checker, boards: &[Strip]) -> Set {
    let mut graph = Graph::new(boards.first().map_or(3, Strip::length));
    let set = set_of(&mut graph, &|board: &Strip| boards.contains(board));
    checker.copy(&graph, &[set]).unwrap()[0]
}

fn chosen(boards: &[Strip], from: &[bool]) -> Vec<Strip> {
    let chosen = boards
        .iter()
        .zip(from.iter().cycle())
        .filter(|(_, chosen)| **chosen);
    chosen.map(|(board, _)| *board).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// On arbitrary sets, with room for few results and few nodes at first.
    #[test]
    fn turns_between_random_sets_are_those_of_the_rules(
        length in 4usize..=9,
        one in prop::collection::vec(prop::bool::weighted(0.2), 771),
        other in prop::collection::vec(prop::bool::weighted(0.8), 769),
    ) {
        let boards: Vec<Strip> = positions(length).collect();
        let (from, into) = (chosen(&boards, &one), chosen(&boards, &other));
        let mut checker = Checker::new(length, LIMITS, &Job::default());
        let sets = [copied(&mut checker, &from), copied(&mut checker, &into)];
        let into: HashSet<Strip> = into.into_iter().collect();
        for (kind, winner) in KINDS.into_iter().flat_map(|kind| [(kind, Side::Left), (kind, Side::Right)]) {
            // The sets that the automaton forbids other turns to win for.
            if !TurnKind::EVERY.contains(&kind) && winner == Side::Right {
                continue;
            }
            let have = |board: &Strip| turns_into(kind, board, &into, winner);
            let violating = checker.every(&[kind], sets[0], |_| sets[1], winner).unwrap();
            match violating {
                None => prop_assert!(from.iter().all(|board| !have(board).contains(&false)), "{:?}", kind),
                Some(board) => {
                    prop_assert!(from.contains(&board), "{} is not in the set", board);
                    prop_assert!(have(&board).contains(&false), "{:?} of {}", kind, board);
                }
            }
            let some = checker.some(&[kind], sets[0], |_| sets[1], winner).unwrap();
            for board in &boards {
                let expected = from.contains(board) || have(board).contains(&true);
                prop_assert_eq!(checker.contains(some, board), expected, "{:?} of {}", kind, board);
            }
        }
        let others = checker.complement(sets[0]).unwrap();
        for board in &boards {
            prop_assert_eq!(checker.contains(others, board), !from.contains(board), "not {}", board);
        }
        let beyond = checker.first_beyond(sets[0], sets[1]).unwrap();
        let expected = from.iter().any(|board| !into.contains(board));
        prop_assert_eq!(beyond.is_some(), expected);
        if let Some(board) = beyond {
            prop_assert!(from.contains(&board) && !into.contains(&board));
        }
    }

    /// Balls past the last one that counts change nothing.
    #[test]
    fn turns_from_a_part_of_the_balls_are_those_of_the_rules(
        length in 4usize..=8,
        last_ball in 1usize..=6,
        one in prop::collection::vec(prop::bool::weighted(0.2), 771),
        other in prop::collection::vec(prop::bool::weighted(0.5), 769),
    ) {
        let boards: Vec<Strip> = positions(length).collect();
        let (known, into) = (chosen(&boards, &one), chosen(&boards, &other));
        let last_ball = last_ball.min(length - 1);
        let mut checker = Checker::new(length, LIMITS, &Job::default()).with_balls_up_to(last_ball);
        let sets = [copied(&mut checker, &known), copied(&mut checker, &into)];
        let into: HashSet<Strip> = into.into_iter().collect();
        for (kind, winner) in TurnKind::EVERY.into_iter().flat_map(|kind| [(kind, Side::Left), (kind, Side::Right)]) {
            let within = checker.within(sets[0]).unwrap();
            let some = checker.some(&[kind], within, |_| sets[1], winner).unwrap();
            for board in &boards {
                let have = known.contains(board) || turns_into(kind, board, &into, winner).contains(&true);
                let expected = board.ball() <= last_ball && have;
                prop_assert_eq!(checker.contains(some, board), expected, "{:?} of {}", kind, board);
            }
        }
    }

    /// The mirror image of a set has the mirror images of its boards, and no others.
    #[test]
    fn mirror_images_are_those_of_the_boards(length in 4usize..=10, one in prop::collection::vec(any::<bool>(), 771)) {
        let boards: Vec<Strip> = positions(length).collect();
        let some: HashSet<Strip> = chosen(&boards, &one).into_iter().collect();
        let mut graph = Graph::new(length);
        let set = set_of(&mut graph, &|board: &Strip| some.contains(board));
        let mut checker = Checker::new(length, LIMITS, &Job::default());
        let image = checker.copy_mirrored(&graph, &[set]).unwrap()[0];
        for board in &boards {
            let mirror = board.mirror().with_side(board.side());
            prop_assert_eq!(checker.contains(image, &mirror), some.contains(board), "{}", board);
        }
    }

    /// Equal sets are equal, however they were made.
    #[test]
    fn a_set_has_one_node(length in 4usize..=8, one in prop::collection::vec(any::<bool>(), 771)) {
        let boards: Vec<Strip> = positions(length).collect();
        let some = chosen(&boards, &one);
        let mut checker = Checker::new(length, LIMITS, &Job::default());
        let set = copied(&mut checker, &some);
        let others = checker.complement(set).unwrap();
        let twice = checker.complement(others).unwrap();
        prop_assert_eq!(set, twice);
        prop_assert_eq!(copied(&mut checker, &some), set);
    }
}

#[test]
fn a_check_ends_at_its_limits() {
    let length = 8;
    let boards: Vec<Strip> = positions(length).collect();
    let ask = |limits: CheckerLimits, job: &Job| {
        let mut checker = Checker::new(length, limits, job);
        let mut graph = Graph::new(length);
        let set = set_of(&mut graph, &|board: &Strip| {
            board.stones().count_ones().is_multiple_of(2)
        });
        let set = checker.copy(&graph, &[set])?[0];
        checker.some(&TurnKind::EVERY, set, |_| set, Side::Left)
    };
    assert!(boards.len() > 100 && ask(LIMITS, &Job::default()).is_ok());
    let cramped = CheckerLimits { nodes: 16, ..LIMITS };
    assert_eq!(
        ask(cramped, &Job::default()),
        Err(phutbase_verify::inclusion::Halt::Full)
    );
}
