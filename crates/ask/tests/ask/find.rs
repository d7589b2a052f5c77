//! `find` compared with enumeration: counts, order, random picks, patterns, both sides, draws;
//! and a search without a table with one in a table.

use phutbase_ask::queries::find::{FindError, Query, SolvedSets, find, find_within};
use phutbase_base::outcome::ParseError;
use phutbase_fixtures::prelude::*;

/// Returns whether a text matches a pattern, by trying every number of squares for each `*`.
fn fits(pattern: &[u8], board: &[u8]) -> bool {
    match (pattern.split_first(), board.split_first()) {
        (None, _) => board.is_empty(),
        (Some((b'*', rest)), _) => (0..=board.len()).any(|squares| fits(rest, &board[squares..])),
        (Some((symbol, rest)), Some((square, others))) => {
            (*symbol == b'?' || symbol == square) && fits(rest, others)
        }
        (Some(_), None) => false,
    }
}

/// Returns the squares of a position, without its side to move.
fn board(strip: &Strip) -> String {
    strip.to_string()[..strip.length()].to_string()
}

/// The pattern of a query in the user's notation.
struct Asked {
    text: String,
    balls: RangeInclusive<usize>,
    stones: RangeInclusive<usize>,
}

impl Asked {
    fn of(text: &str) -> Asked {
        Asked {
            text: text.to_string(),
            balls: 0..=99,
            stones: 0..=99,
        }
    }
}

/// Returns every position that matches a query, by enumeration.
fn enumerated(table: &StripTable, length: usize, query: &Query, asked: &Asked) -> BTreeSet<String> {
    positions(length)
        .map(|strip| strip.with_side(query.side))
        .filter(|strip| {
            let Verdict { wdl, depth } = table.verdict(strip).unwrap();
            query.value.is_none_or(|value| value == wdl)
                && (query.depth.as_ref())
                    .is_none_or(|range| depth.is_some_and(|depth| range.contains(&depth.0)))
                && fits(asked.text.as_bytes(), board(strip).as_bytes())
                && asked.balls.contains(&board(strip).find('@').unwrap())
                && asked.stones.contains(&board(strip).matches('o').count())
        })
        .map(|strip| strip.to_string())
        .collect()
}

fn all(table: &StripTable, length: usize, query: &Query) -> Vec<Strip> {
    let found = find(&table.sets(length).unwrap(), query).unwrap();
    let mut picker = found.members();
    let total = u64::try_from(picker.total()).unwrap();
    let listed = (0..total)
        .map(|k| picker.nth(&BigUint::from(k)).unwrap())
        .collect();
    assert_eq!(picker.nth(&BigUint::from(total)), None);
    listed
}

fn agrees(table: &StripTable, length: usize, query: &Query, asked: &Asked) {
    let listed: Vec<String> = all(table, length, query)
        .iter()
        .map(ToString::to_string)
        .collect();
    let distinct: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), distinct.len(), "{query:?}");
    assert_eq!(distinct, enumerated(table, length, query, asked), "{query:?}");
}

#[test]
fn every_value_and_depth_for_either_side_on_every_length() {
    let [dtw, _, wdl] = METRICS.map(|metric| table(8, metric));
    for length in [3, 4, 7, 8] {
        for side in [Side::Left, Side::Right] {
            for value in [None, Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Draw)] {
                let query = |depth| Query {
                    value,
                    depth,
                    side,
                    pattern: Pattern::any(length),
                };
                agrees(&dtw, length, &query(None), &Asked::of("*"));
                agrees(&wdl, length, &query(None), &Asked::of("*"));
                let [with_depths, without] = [&dtw, &wdl].map(|table| table.sets(length).unwrap());
                if value == Some(Wdl::Draw) {
                    let refused = find(&with_depths, &query(Some(1..=2)));
                    assert!(matches!(refused, Err(FindError::DrawDepth)));
                    continue;
                }
                for range in [0..=0, 1..=1, 2..=2, 2..=5, 3..=200, 0..=u16::MAX] {
                    agrees(&dtw, length, &query(Some(range)), &Asked::of("*"));
                }
                agrees(
                    &dtw,
                    length,
                    &query(Some(RangeInclusive::new(5, 3))),
                    &Asked::of("*"),
                );
                let refused = find(&without, &query(Some(1..=2)));
                assert!(matches!(refused, Err(FindError::NoDepths)));
            }
        }
    }
}

#[test]
fn planted_draws_are_found() {
    let table = Planes::with_draws().table(Metric::Dtw);
    for side in [Side::Left, Side::Right] {
        for text in ["*", "?@*", "?????o?", "*o*@*"] {
            let pattern = Pattern::parse(text, 7).unwrap();
            for value in [Some(Wdl::Draw), None] {
                let depth = None;
                let pattern = pattern.clone();
                let query = Query {
                    value,
                    depth,
                    side,
                    pattern,
                };
                agrees(&table, 7, &query, &Asked::of(text));
            }
        }
    }
}

#[test]
fn members_come_in_the_order_of_the_notation() {
    let table = table(9, Metric::Dtw);
    let query = Query {
        value: Some(Wdl::Win),
        depth: None,
        side: Side::Left,
        pattern: Pattern::any(9),
    };
    let rank = |strip: &Strip| -> Vec<usize> {
        let symbols = strip.to_string();
        symbols
            .chars()
            .map(|symbol| ".o@".find(symbol).unwrap())
            .collect()
    };
    assert!(all(&table, 9, &query).is_sorted_by_key(rank));
}

#[test]
fn random_picks_are_uniform_and_follow_the_seed() {
    let bound = BigUint::from(10u8);
    let draw = |seed| {
        let mut random = Uniform::new(seed);
        (0..10_000).map(|_| random.below(&bound)).collect::<Vec<_>>()
    };
    let mut counts = BTreeMap::new();
    for number in draw(1) {
        *counts.entry(number).or_insert(0) += 1;
    }
    // Expected 1,000 each with a standard deviation of 30; the seed is fixed.
    assert!(
        counts.len() == 10 && counts.values().all(|&count| (880..1120).contains(&count)),
        "{counts:?}"
    );
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    assert_eq!(Uniform::new(3).below(&BigUint::from(1u8)), BigUint::ZERO);
}

/// A sample has distinct positions, every pair of the seven equally often.
#[test]
fn samples_are_uniform_and_without_repetition() {
    let pattern = Pattern::parse("*", 7).unwrap().with_ball(3..=3).unwrap();
    let query = Query {
        value: Some(Wdl::Loss),
        depth: Some(2..=6),
        side: Side::Left,
        pattern,
    };
    let table = table(7, Metric::Dtw);
    let every = all(&table, 7, &query);
    let pairs = every.len() * (every.len() - 1) / 2;
    let sample = |most, seed| {
        let found = find(&table.sets(7).unwrap(), &query).unwrap();
        let mut chosen: Vec<Strip> = found.members().list(most, Some(Uniform::new(seed))).collect();
        chosen.sort_by_key(Strip::to_string);
        chosen
    };
    let mut counts = BTreeMap::new();
    for seed in 0..100 * pairs as u64 {
        let pair: Vec<String> = sample(2, seed).iter().map(Strip::to_string).collect();
        assert_ne!(pair[0], pair[1]);
        *counts.entry(pair).or_insert(0) += 1;
    }
    // Expected 100 each with a standard deviation of 10; the seeds are fixed.
    assert!(
        counts.len() == pairs && counts.values().all(|&count| (50..150).contains(&count)),
        "{counts:?}"
    );
    let mut expected = every;
    expected.sort_by_key(Strip::to_string);
    assert_eq!(sample(usize::MAX, 1), expected);
}

/// A pattern may have a `*` before and after every square: here of any board of 193 squares or more.
#[test]
fn the_longest_patterns_are_read() {
    let mut graph = Graph::new(255);
    let [long, any] = ["*?".repeat(193) + "*", "*".to_string()]
        .map(|text| Pattern::parse(&text, 255).unwrap().set(&mut graph).unwrap());
    assert!(long == any);
}

#[test]
fn patterns_that_are_none_say_so() {
    let refused = |found: Result<Pattern, ParseError>, reason: &str| {
        let error = found.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    refused(Pattern::parse("o@x", 3), "'x' at position 2");
    refused(Pattern::parse("o@", 3), "exactly 2 squares, not 3");
    refused(Pattern::parse("o@..*", 3), "at least 4 squares, not 3");
    assert!(Pattern::parse("o@*", 2).is_ok());
    assert!(Pattern::parse("*@**o*", 5).unwrap().with_ball(1..=3).is_ok());
    let any = || Pattern::any(5);
    refused(any().with_ball(0..=2), "squares 1 to 3, not 0");
    refused(any().with_ball(1..=4), "squares 1 to 3, not 4");
    refused(any().with_stones(0..=5), "5 stones do not fit");
}

/// The matches of a pattern may have many more nodes than the table.
#[test]
fn the_matches_of_a_pattern_are_refused_beyond_the_memory() {
    let table = shipped("strip-64-wdl.phut");
    let sets = table.sets(64).unwrap();
    let query = Query {
        value: None,
        depth: None,
        side: Side::Left,
        pattern: Pattern::parse(&("*o?.".repeat(8) + "*"), 64).unwrap(),
    };
    let find = |memory| find_within(&sets, &query, &Job::default().with_memory(Some(memory)));
    assert!(matches!(find(4 << 20), Err(FindError::TooLarge)));
    assert!(find(1 << 30).is_ok());
    // Without a pattern too it is not the fault of the table.
    let any = Pattern::any(64);
    for pattern in [any.clone().with_stones(3..=9).unwrap(), any] {
        let little = Job::default().with_memory(Some(64 << 10));
        let query = Query {
            pattern,
            ..query.clone()
        };
        assert!(matches!(
            find_within(&sets, &query, &little),
            Err(FindError::TooLarge)
        ));
    }
}

/// A `*` before many squares has too many expansions.
#[test]
fn an_intricate_pattern_is_refused() {
    let any = Query {
        value: None,
        depth: None,
        side: Side::Left,
        pattern: Pattern::parse(&format!("*o{}*o{}*", "?".repeat(30), "?".repeat(30)), 64).unwrap(),
    };
    let sets = shipped("strip-64-wdl.phut").sets(64).unwrap();
    assert!(matches!(find(&sets, &any), Err(FindError::Intricate)));
}

/// Lists, their order included, by value, player and pattern.
#[test]
fn a_search_without_a_table_lists_the_boards_that_a_table_has() {
    let table = shipped("strip-36-dtw.phut");
    for (length, pattern) in [(3, "*"), (9, "*"), (9, "o?@*"), (14, "..?@*"), (36, "*o@.o?*")] {
        let (sets, solved) = (
            table.sets(length).unwrap(),
            SolvedSets::of(length, &Job::default()).unwrap(),
        );
        for value in [None, Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Draw)] {
            for side in [Side::Left, Side::Right] {
                let query = Query {
                    value,
                    depth: None,
                    side,
                    pattern: Pattern::parse(pattern, length).unwrap(),
                };
                let found = [find(&sets, &query), solved.find(&query, &Job::default())].map(Result::unwrap);
                let [stored, made] = found.each_ref().map(|found| {
                    let mut picker = found.members();
                    (picker.total(), picker.list(300, None).collect::<Vec<_>>())
                });
                assert_eq!(stored, made, "{length} squares, {pattern}, {value:?}, {side:?}");
            }
        }
    }
}

#[test]
fn a_search_without_a_table_keeps_within_its_memory() {
    let solved = SolvedSets::of(64, &Job::default()).unwrap();
    let query = Query {
        value: None,
        depth: None,
        side: Side::Left,
        pattern: Pattern::any(64),
    };
    let little = Job::default().with_memory(Some(1 << 20));
    assert!(matches!(solved.find(&query, &little), Err(FindError::TooLarge)));
    assert!(solved.find(&query, &Job::default()).is_ok());
    let intricate = Query {
        pattern: Pattern::parse("*o?o*", 64).unwrap(),
        ..query.clone()
    };
    assert!(matches!(
        solved.find(&intricate, &little),
        Err(FindError::TooLarge)
    ));
    let depths = Query {
        depth: Some(1..=1),
        ..query
    };
    assert!(matches!(
        solved.find(&depths, &Job::default()),
        Err(FindError::NoDepths)
    ));
}

static TEN: LazyLock<StripTable> = LazyLock::new(|| table(10, Metric::Dtw));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_pattern_any_range(
        text in "[.o?*]{0,3}[@?*]{0,1}\\*?[.o?@*]{0,3}",
        balls in (1usize..=6, 1usize..=6),
        stones in (0usize..=7, 0usize..=7),
        from in 0u16..12,
        size in 0u16..8,
        right: bool,
        value in prop::option::of(prop::sample::select(vec![Wdl::Win, Wdl::Loss])),
    ) {
        let length = 8;
        let (balls, stones) = (balls.0.min(balls.1)..=balls.0.max(balls.1), stones.0.min(stones.1)..=stones.0.max(stones.1));
        let asked = Asked { text, balls, stones };
        let pattern = Pattern::parse(&asked.text, length).map(|pattern| {
            pattern.with_ball(asked.balls.clone()).unwrap().with_stones(asked.stones.clone()).unwrap()
        });
        if let Ok(pattern) = pattern {
            let table = &*TEN;
            let sets = table.sets(length).unwrap();
            let side = if right { Side::Right } else { Side::Left };
            let query = Query { value, depth: Some(from..=from + size), side, pattern };
            match find(&sets, &query) {
                Err(FindError::Impossible) => {
                    let anything = Query { value: None, depth: None, ..query };
                    prop_assert_eq!(enumerated(table, length, &anything, &asked).len(), 0, "{:?}", anything);
                }
                _ => agrees(table, length, &query, &asked),
            }
        }
    }
}
