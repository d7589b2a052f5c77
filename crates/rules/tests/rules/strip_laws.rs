//! Laws of the strip that hold on every length: notation, mirror, index, turns.

use phutbase_rules::strip::{MAX_INDEXED_LENGTH, MAX_LENGTH, MIN_LENGTH, positions};
use phutbase_testing::prelude::*;

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Left), Just(Side::Right)]
}

/// Generates stones of any density, so that long runs and long gaps both occur.
fn stones() -> impl Strategy<Value = U256> {
    let any = || any::<[u128; 2]>().prop_map(|[high, low]| U256::from_words(high, low));
    (any(), any(), any(), 0..5).prop_map(|(a, b, c, density)| match density {
        0 => a & b & c,
        1 => a & b,
        2 => a,
        3 => a | b,
        _ => a | b | c,
    })
}

/// Generates the squares of a half, true for a stone: short and long ones, of any density. It shrinks
/// to fewer squares and fewer stones.
fn half(longest: usize) -> impl Strategy<Value = Vec<bool>> {
    let squares = |most: usize| prop::collection::vec(0u8..8, 1..=most.min(longest));
    let squares = prop_oneof![squares(4), squares(30), squares(longest)];
    (squares, 1u8..8)
        .prop_map(|(squares, density)| squares.iter().map(|&square| square + density >= 8).collect())
}

fn strip_up_to(longest: usize) -> impl Strategy<Value = Strip> {
    let halves = (half(longest - 2), half(longest - 2), side());
    halves.prop_map(move |(left, mut right, side)| {
        let ball = left.len();
        right.truncate(longest - 1 - ball);
        let board: Vec<bool> = left.into_iter().chain([false]).chain(right).collect();
        let stones = (board.iter().rev()).fold(U256::ZERO, |stones, &stone| stones << 1 | U256::from(stone));
        Strip::new(board.len(), ball, stones, side).unwrap()
    })
}

fn strip() -> impl Strategy<Value = Strip> {
    strip_up_to(MAX_LENGTH)
}

/// Generates positions under any rules.
fn by_any_rules() -> impl Strategy<Value = Strip> {
    (strip(), prop::sample::select(&Rules::ALL[..])).prop_map(|(strip, rules)| strip.under(rules))
}

/// Iterates over all turns that notation can express.
fn all_turns() -> impl Iterator<Item = Turn> {
    let squares = || 0..=usize::from(u8::MAX);
    squares()
        .map(Turn::Place)
        .chain(squares().map(Turn::Jump))
        .chain([Turn::Off(Side::Left), Turn::Off(Side::Right)])
}

/// Returns the turn on the mirrored strip.
fn mirror_turn(length: usize, turn: Turn) -> Turn {
    match turn {
        Turn::Place(square) => Turn::Place(length - 1 - square),
        Turn::Jump(square) => Turn::Jump(length - 1 - square),
        Turn::Off(end) => Turn::Off(end.opponent()),
    }
}

/// Mirrors the result of a turn.
fn mirror_after(after: After) -> After {
    match after {
        After::Position(strip) => After::Position(strip.mirror()),
        After::Over { winner } => After::Over {
            winner: winner.opponent(),
        },
    }
}

/// Lists the turns allowed by the rules, read off the written board: each in notation with the
/// board it leads to.
fn turns_by_the_book(strip: &Strip) -> BTreeSet<(String, String)> {
    let directional = strip.rules() == Rules::Directional;
    let [right, left] = [Side::Left, Side::Right].map(|side| !directional || strip.side() == side);
    let board: Vec<char> = strip.to_string().chars().take(strip.length()).collect();
    let mut turns = BTreeSet::new();
    for (square, _) in board.iter().enumerate().filter(|&(_, &symbol)| symbol == '.') {
        let mut after = board.clone();
        after[square] = 'o';
        turns.insert((format!("o{square}"), after.into_iter().collect()));
    }
    for (turn, after) in jumps_to_the_right(&board).into_iter().filter(|_| right) {
        turns.insert((turn.map_or("@R".into(), |square| format!("@{square}")), after));
    }
    // Jumps to the left are jumps to the right on the reversed board.
    let reversed: Vec<char> = board.iter().rev().copied().collect();
    for (turn, after) in jumps_to_the_right(&reversed).into_iter().filter(|_| left) {
        let turn = turn.map_or("@L".into(), |square| format!("@{}", board.len() - 1 - square));
        turns.insert((turn, after.chars().rev().collect()));
    }
    turns
}

/// Lists the stops of the ball jump by jump, `None` off the strip, with the board there.
fn jumps_to_the_right(board: &[char]) -> Vec<(Option<usize>, String)> {
    let mut board = board.to_vec();
    let mut stops = Vec::new();
    let mut ball = board.iter().position(|&symbol| symbol == '@').unwrap();
    while board.get(ball + 1) == Some(&'o') {
        board[ball] = '.';
        ball += 1;
        while board.get(ball) == Some(&'o') {
            board[ball] = '.';
            ball += 1;
        }
        let inside = ball < board.len();
        if inside {
            board[ball] = '@';
        }
        stops.push((inside.then_some(ball), board.iter().collect()));
        if !inside {
            break;
        }
    }
    stops
}

/// Strips the side letter off a text.
fn board(notation: &str) -> String {
    notation.trim_end_matches(" R").to_string()
}

proptest! {
    #[test]
    fn positions_are_read_as_they_are_printed(strip in strip()) {
        let text = strip.to_string();
        prop_assert_eq!(text.parse(), Ok(strip));
        prop_assert_eq!(text.ends_with(" R"), strip.side() == Side::Right, "the letter is for Right only");
        prop_assert_eq!(text.chars().take_while(|&symbol| symbol != ' ').count(), strip.length());
        prop_assert_eq!(text.chars().position(|symbol| symbol == '@'), Some(strip.ball()));
        for (square, symbol) in text.chars().take(strip.length()).enumerate() {
            prop_assert_eq!(symbol == 'o', strip.stones() >> square & 1 == 1);
        }
    }

    #[test]
    fn all_symbols_mean_the_same(strip in strip()) {
        let text = format!("{}  {}", board(&strip.to_string()), strip.side().letter());
        let others = text.replace('o', "◇").replace('.', "·").replace('@', "●");
        prop_assert_eq!(others.parse(), Ok(strip));
        prop_assert_eq!(text.replace('o', "O").parse(), Ok(strip));
    }

    #[test]
    fn boards_with_anything_wrong_are_refused(
        strip in strip(),
        at in any::<prop::sample::Index>(),
        wrong in prop_oneof![any::<char>(), "[.·oO◇@●]".prop_map(|text| text.chars().next().unwrap())],
    ) {
        let mut symbols: Vec<char> = board(&strip.to_string()).chars().collect();
        let at = at.index(symbols.len());
        symbols[at] = wrong;
        let text: String = symbols.iter().collect();
        let balls = symbols.iter().filter(|&&symbol| symbol == '@' || symbol == '●').count();
        let known = ".·oO◇@●".contains(wrong);
        // A blank cuts the text in two; the parts may still be a board and a letter.
        if !wrong.is_whitespace() && (!known || balls != 1) {
            prop_assert!(text.parse::<Strip>().is_err(), "'{}'", text);
        }
    }

    #[test]
    fn the_mirror_of_the_mirror_is_the_position(strip in by_any_rules()) {
        let mirror = strip.mirror();
        prop_assert_eq!(mirror.mirror(), strip);
        prop_assert_eq!(mirror.side(), strip.side().opponent());
        let reversed: String = board(&strip.to_string()).chars().rev().collect();
        prop_assert_eq!(board(&mirror.to_string()), reversed);
        prop_assert_eq!(strip.normalised(), mirror.normalised());
        prop_assert_eq!(strip.normalised().side(), Side::Left);
    }

    #[test]
    fn the_mirror_has_the_mirrored_turns(strip in by_any_rules()) {
        let turns = strip.turns();
        let mirrored: BTreeSet<Turn> =
            turns.iter().map(|&turn| mirror_turn(strip.length(), turn)).collect();
        prop_assert_eq!(mirrored, strip.mirror().turns().into_iter().collect());
        for turn in turns {
            let after = strip.mirror().play(mirror_turn(strip.length(), turn));
            prop_assert_eq!(strip.play(turn).map(mirror_after), after);
        }
    }

    #[test]
    fn turns_are_those_of_the_rules(strip in by_any_rules()) {
        let any = AnyStrip::from(&strip);
        let listed: Vec<_> = strip
            .turns()
            .into_iter()
            .map(|turn| (turn.to_string(), board(&any.notation_after(turn))))
            .collect();
        let distinct: BTreeSet<_> = listed.iter().cloned().collect();
        prop_assert_eq!(distinct.len(), listed.len());
        let boards: BTreeSet<_> = listed.iter().map(|(_, after)| after).collect();
        prop_assert_eq!(boards.len(), listed.len(), "no two turns lead to the same board");
        prop_assert_eq!(distinct, turns_by_the_book(&strip));
    }

    #[test]
    fn strips_of_any_length_have_the_turns_of_packed_ones(strip in by_any_rules()) {
        let any = AnyStrip::from(&strip);
        prop_assert_eq!(any.to_strip(), Some(strip));
        prop_assert_eq!(any.to_string().parse::<AnyStrip>().map(|read| read.under(strip.rules())), Ok(any.clone()));
        for turn in all_turns() {
            let after = any.play(turn).map(|after| match after {
                After::Position(next) => After::Position(next.to_strip().unwrap()),
                After::Over { winner } => After::Over { winner },
            });
            prop_assert_eq!(strip.play(turn).ok(), after.ok(), "{} in '{}'", turn, strip);
            if let Ok(After::Position(next)) = strip.play(turn) {
                prop_assert_eq!(any.notation_after(turn), next.to_string());
            }
        }
    }

    #[test]
    fn exactly_the_listed_turns_can_be_played(strip in by_any_rules()) {
        let listed = strip.turns();
        for turn in all_turns() {
            prop_assert_eq!(strip.play(turn).is_ok(), listed.contains(&turn), "{} in '{}'", turn, strip);
        }
    }

    #[test]
    fn a_turn_passes_the_move_or_ends_the_game_on_a_goal_line(strip in by_any_rules()) {
        for turn in strip.turns() {
            match strip.play(turn).unwrap() {
                After::Position(next) => {
                    prop_assert_eq!(next.side(), strip.side().opponent());
                    prop_assert_eq!(next.length(), strip.length());
                    let whole = Strip::new(next.length(), next.ball(), next.stones(), next.side());
                    let whole = whole.map(|whole| whole.under(strip.rules()));
                    prop_assert_eq!(whole, Some(next), "the invariants hold");
                }
                After::Over { winner } => {
                    let ends = match winner {
                        Side::Left => [Turn::Jump(strip.length() - 1), Turn::Off(Side::Right)],
                        Side::Right => [Turn::Jump(0), Turn::Off(Side::Left)],
                    };
                    prop_assert!(ends.contains(&turn), "{} in '{}'", turn, strip);
                }
            }
        }
    }

    #[test]
    fn parts_that_break_an_invariant_make_no_position(
        strip in strip(),
        other in prop_oneof![4 => 0usize..300, 1 => any::<usize>()],
        stones in stones(),
    ) {
        let (length, ball, side) = (strip.length(), strip.ball(), strip.side());
        prop_assert_eq!(Strip::new(length, ball, strip.stones() | U256::ONE << ball, side), None);
        if !(1..=length - 2).contains(&other) {
            prop_assert_eq!(Strip::new(length, other, 0u64, side), None);
            prop_assert_eq!(Strip::from_pattern(length, other, 0u64, side), None);
        }
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&other) {
            prop_assert_eq!(Strip::new(other, ball, 0u64, side), None);
            prop_assert_eq!(Strip::from_pattern(other, ball, 0u64, side), None);
        }
        // `new` returns a position with these parts or nothing.
        if let Some(made) = Strip::new(length, ball, stones, side) {
            prop_assert_eq!(made.stones(), stones);
        }
    }

    #[test]
    fn the_index_finds_its_position(strip in strip_up_to(MAX_INDEXED_LENGTH)) {
        let game = StripGame::new(strip.length()).unwrap();
        let index = game.index(&strip);
        prop_assert!(index < game.positions());
        prop_assert_eq!(game.position(index), strip.normalised());
        prop_assert_eq!(game.index(&strip.mirror()), index);
        prop_assert_eq!(BigUint::from(game.positions()), positions(strip.length()));
    }
}
