//! Players and searches: won games are won without tables, and claims of searches are true.

use phutbase_ask::queries::find::{Query, find};
use phutbase_ask::sources::Sources;
use phutbase_engine::cases::Cases;
use phutbase_engine::limits::{Go, SearchLimits, Stop};
use phutbase_engine::players::{PlayerKind, Players};
use phutbase_engine::position::turns;
use phutbase_engine::search::{Evaluation, Info, Searcher};
use phutbase_fixtures::prelude::*;
use phutbase_rules::position::Standing;
use std::mem::discriminant;

fn shipped() -> Tablebase {
    Tablebase::open(&repository("tables")).unwrap()
}

/// A small pitch and its table.
fn pitch_of_5x3() -> (Shape, PitchTable) {
    let table = PitchTable::open(&repository("tables/pitch-5x3-dtw.phut")).unwrap();
    (table.shape(), table)
}

/// Plays a position to the end and returns the winner; `watch` gets every position before its turn.
fn played_out(
    players: &Players,
    start: Strip,
    kinds: [PlayerKind; 2],
    most: usize,
    watch: &mut dyn FnMut(&Strip),
) -> (Side, usize) {
    let mut position = Phutball::from(start);
    for plies in 1..=most {
        let Phutball::Strip(strip) = &position else {
            panic!("a strip stays one");
        };
        let strip = strip.to_strip().unwrap();
        watch(&strip);
        let limits = SearchLimits::new(&Go::movetime(Duration::from_millis(50)), 0, Stop::default());
        let kind = kinds[strip.side() as usize];
        let choice = players
            .choose(kind, &position, &[], &limits, &mut |_| {})
            .unwrap();
        assert_eq!(choice.trouble, None);
        assert_eq!(
            position.play(&choice.turn.notation),
            Ok(choice.turn.after.clone())
        );
        match choice.turn.after {
            Standing::Open(next) => position = next,
            Standing::Won { winner, .. } => return (winner, plies),
        }
    }
    panic!("'{start}' does not end within {most} plies");
}

/// Positions won by the player to move: random ones, and long games with the ball in the middle and
/// one stone.
fn won_positions(table: &StripTable, length: usize, count: usize) -> Vec<Strip> {
    let sets = table.sets(length).unwrap();
    let mut chance = Uniform::new(length as u64);
    let mut won = Vec::new();
    for side in [Side::Left, Side::Right] {
        let query = Query {
            value: Some(Wdl::Win),
            depth: None,
            side,
            pattern: Pattern::any(length),
        };
        let found = find(&sets, &query).unwrap();
        let mut members = found.members();
        let total = members.total();
        won.extend((0..count).map(|_| members.nth(&chance.below(&total)).unwrap()));
        let sparse = (0..count).map(|_| {
            let square = usize::try_from(chance.below(&BigUint::from(length))).unwrap();
            let stones = (1u128 << square) & !(1 << (length / 2));
            let strip = Strip::new(length, length / 2, stones, side).unwrap();
            match table.verdict(&strip).unwrap().wdl {
                Wdl::Win => strip,
                _ => strip.with_side(side.opponent()),
            }
        });
        won.extend(sparse.filter(|strip| table.verdict(strip).unwrap().wdl == Wdl::Win));
    }
    won
}

#[test]
fn won_games_are_won_without_depths() {
    let tables = shipped();
    let players = Players::new(Arc::new(Sources::new(shipped(), 0)), 5);
    for length in [37, 64] {
        let table = tables.ask_strips(length, Some(Metric::Levels), Ok).unwrap();
        let starts = won_positions(table, length, 2);
        assert!(starts.len() >= 4);
        let mut longest = 0;
        for (start, opponent) in starts.iter().flat_map(|start| {
            [PlayerKind::Perfect, PlayerKind::Potential, PlayerKind::Random].map(|kind| (*start, kind))
        }) {
            let winner = start.side();
            let mut kinds = [opponent; 2];
            kinds[winner as usize] = PlayerKind::Perfect;
            let mut falls = |strip: &Strip| {
                let wdl = table.verdict(strip).unwrap().wdl;
                assert_eq!(
                    wdl.winner(strip.side()),
                    Some(winner),
                    "'{strip}' is not won any more"
                );
            };
            let (won, plies) = played_out(&players, start, kinds, 8 * length, &mut falls);
            assert_eq!(won, winner, "'{start}' against {opponent:?}");
            longest = longest.max(plies);
        }
        println!("length {length}: the longest game had {longest} plies");
    }
}

/// Searches a position without tables.
fn searched(searcher: &mut Searcher, pitch: &Pitch, go: &Go) -> (String, Evaluation) {
    let listing = turns(&Phutball::Pitch(*pitch), &|| false);
    let limits = SearchLimits::new(go, 0, Stop::default());
    let (place, score) = searcher.choose(pitch, &listing, &limits, &mut |_| {}).unwrap();
    (listing.turns()[place].notation.clone(), score)
}

/// Compares a claim with a value. A claimed win takes at most the true number of plies.
fn holds(score: Evaluation, value: Verdict) -> bool {
    match score {
        Evaluation::Win(Some(plies)) => value.wdl == Wdl::Win && value.depth.unwrap() <= plies,
        Evaluation::Loss(Some(plies)) => value.wdl == Wdl::Loss && value.depth.unwrap() <= plies,
        Evaluation::Win(None) | Evaluation::Loss(None) | Evaluation::Draw => false,
        Evaluation::Guess(_) => true,
    }
}

#[test]
fn the_winner_chooses_a_winning_turn_without_tables() {
    let tables = shipped();
    let players = Players::new(Arc::new(Sources::new(Tablebase::empty(), 0)), 1);
    let limits = || SearchLimits::new(&Go::movetime(Duration::from_millis(50)), 0, Stop::default());
    let sources = Sources::new(shipped(), 0);
    let sample = |length| {
        let chance = &mut Uniform::new(3);
        Cases::Strips(length)
            .choose(&sources, Some(400), false, chance, &Job::default())
            .unwrap()
    };
    for position in (3..=12).flat_map(sample) {
        let Phutball::Strip(strip) = &position else {
            panic!("a strip");
        };
        let strip = strip.to_strip().unwrap();
        let value = tables.verdict(&strip).unwrap();
        let mut told = Vec::new();
        let report = &mut |info: &Info| told.push(discriminant(&info.score));
        let choice = players
            .choose(PlayerKind::Perfect, &position, &[], &limits(), report)
            .unwrap();
        assert_eq!(
            told,
            [discriminant(&Evaluation::of_verdict(value.wdl.into()))],
            "{strip}"
        );
        let after = match &choice.turn.after {
            Standing::Won { winner, .. } => Wdl::won_by(*winner, strip.side()),
            Standing::Open(next) => players.verdict(next).unwrap().wdl.flip(),
        };
        assert_eq!(after, value.wdl, "{strip}: {}", choice.turn.notation);
        // Of the other turns he takes a winning one, if there is one.
        let others: Vec<_> = (turns(&position, &|| false).into_turns().into_iter())
            .filter(|turn| *turn != choice.turn)
            .collect();
        let wins = |turn: &phutbase_engine::position::Turn| match &turn.after {
            Standing::Won { winner, .. } => *winner == strip.side(),
            Standing::Open(next) => players.verdict(next).unwrap().wdl == Wdl::Loss,
        };
        if !others.is_empty() {
            let other = players
                .choose(PlayerKind::Perfect, &position, &others, &limits(), &mut |_| {})
                .unwrap();
            assert!(others.contains(&other.turn), "{strip}");
            assert_eq!(wins(&other.turn), others.iter().any(wins), "{strip}");
        }
    }
}

/// Node limits that stop a search at every stage of an iteration.
const NODE_LIMITS: [u64; 20] = [
    1, 2, 3, 5, 8, 13, 20, 30, 50, 70, 100, 150, 200, 300, 400, 600, 900, 1300, 2000, 3000,
];

/// Compares the claims of searches at every limit with the values of `count` positions of 5 x 3;
/// returns the number of claims.
fn claims_at_every_limit(count: usize) -> usize {
    let (shape, table) = pitch_of_5x3();
    let mut chance = Uniform::new(13);
    let mut positions: Vec<(Pitch, Verdict)> = Vec::new();
    for _ in 0..count {
        let mut below = |bound: usize| usize::try_from(chance.below(&BigUint::from(bound))).unwrap();
        let ball = 3 + below(9);
        let chaps = Points::from_bits((below(1 << 15) & below(1 << 15)) as u64 & !(1 << ball));
        let pitch = Pitch::new(shape, ball, chaps, [Side::Left, Side::Right][below(2)]).unwrap();
        let value = Verdict::from(table.value(&pitch).unwrap());
        positions.push((pitch, value));
    }
    let mut claims = 0;
    for (number, (pitch, value)) in positions.into_iter().enumerate() {
        let position = Phutball::Pitch(pitch);
        let nodes = |nodes| Go {
            nodes: Some(nodes),
            ..Go::default()
        };
        // A time limit makes the search by threats run first.
        let by_time = (number % 10 == 1).then(|| Go::movetime(Duration::from_millis(25)));
        for go in NODE_LIMITS.into_iter().map(nodes).chain(by_time) {
            let listing = turns(&position, &|| false);
            let limits = SearchLimits::new(&go, 0, Stop::default());
            let mut told = Vec::new();
            let mut searcher = Searcher::new(1);
            let found = searcher.choose(&pitch, &listing, &limits, &mut |info| told.push(info.score));
            let (_, score) = found.unwrap();
            for score in told.into_iter().chain([score]) {
                let fen = position.fen();
                assert!(holds(score, value), "'{fen}' by {go:?}: {score:?}, {value}");
                claims += usize::from(!matches!(score, Evaluation::Guess(_)));
            }
        }
    }
    claims
}

#[test]
fn claims_of_stopped_searches_are_true() {
    assert!(claims_at_every_limit(300) > 600);
}

#[test]
fn a_turn_just_refuted_is_not_played_while_others_are_open() {
    let Phutball::Pitch(pitch) = "3/@2/o2/o2/3/3 A".parse().unwrap() else {
        panic!("a pitch");
    };
    let go = Go {
        nodes: Some(3000),
        ..Go::default()
    };
    let (turn, score) = searched(&mut Searcher::new(16), &pitch, &go);
    assert_ne!(turn, "a6");
    assert!(!matches!(score, Evaluation::Loss(_)), "{score:?}");
}

#[test]
fn all_players_make_legal_turns_on_crowded_pitches() {
    let players = Players::new(Arc::new(Sources::new(Tablebase::empty(), 0)), 1);
    let mut chance = Uniform::new(8);
    for (rows, columns) in [(3, 1), (4, 4), (9, 7), (19, 19)] {
        let shape = Shape::new(rows, columns).unwrap();
        for _ in 0..12 {
            let mut below = |bound: usize| usize::try_from(chance.below(&BigUint::from(bound))).unwrap();
            let ball = columns + below(columns * (rows - 2));
            let density = 1 + below(4);
            let chaps: Points = (0..shape.points())
                .filter(|&point| point != ball && below(5) < density)
                .collect();
            let pitch = Pitch::new(shape, ball, chaps, [Side::Left, Side::Right][below(2)]).unwrap();
            let position = Phutball::Pitch(pitch);
            for kind in [PlayerKind::Perfect, PlayerKind::Potential, PlayerKind::Random] {
                let limits = SearchLimits::new(&Go::movetime(Duration::from_millis(30)), 0, Stop::default());
                let choice = players
                    .choose(kind, &position, &[], &limits, &mut |_| {})
                    .unwrap();
                let after = position.play(&choice.turn.notation);
                assert_eq!(
                    after,
                    Ok(choice.turn.after),
                    "'{pitch}': {}",
                    choice.turn.notation
                );
            }
        }
    }
}

/// Processor time of this thread.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}

/// Number of measurements; one must be within its limit, because other processes may delay the
/// rest.
#[cfg(target_os = "linux")]
const TRIES: usize = 5;

/// Boards of 19 x 15 of every density.
#[cfg(target_os = "linux")]
fn boards_of_every_density() -> impl Iterator<Item = (usize, Phutball)> {
    let shape = Shape::new(19, 15).unwrap();
    let mut chance = Uniform::new(14);
    (0..40).map(move |number| {
        let density = 5 * (number % 20);
        let mut below = |bound: usize| usize::try_from(chance.below(&BigUint::from(bound))).unwrap();
        let ball = 15 + below(15 * 17);
        let chaps: Points = (0..shape.points())
            .filter(|&point| point != ball && below(100) < density)
            .collect();
        let pitch = Pitch::new(shape, ball, chaps, [Side::Left, Side::Right][number % 2]).unwrap();
        (density, Phutball::Pitch(pitch))
    })
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures time, needs an idle machine: scripts/campaign.sh"]
fn time_limits_are_kept_on_every_density() {
    let players = Players::new(Arc::new(Sources::new(Tablebase::empty(), 0)), 1);
    let sparse =
        "15/15/o1o12/ooo1o10/1oo1o10/oo1o1o9/o1o1oo9/ooooo@9/o14/4o10/o14/o14/9o5/1o13/15/15/15/15/15 A";
    let boards = boards_of_every_density().chain([(20, sparse.parse().unwrap())]);
    for (density, position) in boards {
        for kind in [PlayerKind::Perfect, PlayerKind::Potential, PlayerKind::Random] {
            for limit in [1, 10, 40].map(Duration::from_millis) {
                let measured = |_| {
                    let before = processor_time();
                    let limits = SearchLimits::new(&Go::movetime(limit), 0, Stop::default());
                    players
                        .choose(kind, &position, &[], &limits, &mut |_| {})
                        .unwrap();
                    processor_time() - before
                };
                let late = limit.max(Duration::from_millis(5)) + Duration::from_millis(5);
                let within = (0..TRIES).map(measured).any(|used| used <= late);
                assert!(within, "{kind:?}, {limit:?}, {density} %: '{}'", position.fen());
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures time, needs an idle machine: scripts/campaign.sh"]
fn stop_ends_a_search_within_five_milliseconds() {
    // Time from the signal to the turn.
    let measured = |position: Phutball| {
        let stop = Stop::default();
        let told = stop.clone();
        let search = std::thread::spawn(move || {
            let players = Players::new(Arc::new(Sources::new(Tablebase::empty(), 0)), 1);
            let limits = SearchLimits::new(&Go::movetime(Duration::from_secs(60)), 0, told);
            let choice = players.choose(PlayerKind::Perfect, &position, &[], &limits, &mut |_| {});
            assert!(choice.is_some());
            Instant::now()
        });
        std::thread::sleep(Duration::from_millis(30));
        let signal = Instant::now();
        stop.set();
        search.join().unwrap().saturating_duration_since(signal)
    };
    for (density, position) in boards_of_every_density() {
        let limit = Duration::from_millis(5);
        let within = (0..TRIES).any(|_| measured(position.clone()) <= limit);
        assert!(within, "{density} %: '{}'", position.fen());
    }
}
