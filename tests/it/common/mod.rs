//! Shared helpers: values of the reference solver, runs of the dense engine, and the pinned counts.

pub mod cli;
pub mod container;
pub mod levels;
pub mod threads;
pub mod tools;
pub mod turns;

use phutbase_base::bits::squeeze;
use phutbase_base::game::{Game, Successor};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_base::outcome::{Depth, Value, Wdl};
use phutbase_base::random::Uniform;
use phutbase_pitches::solver::PitchSolver;
use phutbase_pitches::solver::layout::PitchLayout;
use phutbase_rules::Pitch;
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::{Strip, StripGame};
use phutbase_strips::dense::DenseSolver;
use phutbase_strips::dense::pool::BLOCK_POSITIONS;
use phutbase_strips::reference;
use phutbase_table::pitch::metadata::{cut, stored_balls};
use phutbase_table::pitch::writer::PitchSource;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Both sets of rules.
pub const RULES: [Rules; 2] = [Rules::Ordinary, Rules::Directional];

/// Returns the reference solver's values of every position of a length up to 17, by index. Each
/// length is solved once for all tests.
pub fn reference_values(length: usize, rules: Rules) -> &'static [Value] {
    static SOLVED: [[OnceLock<Vec<Value>>; 2]; 18] = [const { [const { OnceLock::new() }; 2] }; 18];
    let game = StripGame::new(length).unwrap().under(rules);
    SOLVED[length][rules as usize].get_or_init(|| reference::solve(&game))
}

/// Returns the reference solver's value of a position of at most 17 squares.
pub fn reference_value(strip: &Strip) -> Value {
    let game = StripGame::new(strip.length()).unwrap();
    reference_values(strip.length(), strip.rules())[game.index(strip) as usize]
}

/// Runs plies until one decides nothing, and returns the solver.
pub fn finished(mut solver: DenseSolver) -> DenseSolver {
    while solver.step(&Job::default()).unwrap() > 0 {}
    solver
}

/// The depth bytes of a solver's planes: the plies in which Left wins, 0 if undecided.
#[derive(PartialEq, Eq)]
pub struct Depths {
    length: usize,
    /// Left to move, Right to move; each by `(ball − 1) · 2^(n−1) + pattern`.
    planes: [Vec<u8>; 2],
}

impl Depths {
    /// Reads both planes.
    pub fn of(solver: &DenseSolver) -> Depths {
        Depths {
            length: solver.layout().length(),
            planes: [Side::Left, Side::Right].map(|plane| plane_depths(solver, plane)),
        }
    }

    /// Returns the value of a position.
    pub fn value(&self, strip: &Strip) -> Value {
        let left = strip.normalised();
        let win = self.planes[0][self.place(&left)];
        // Right wins a board if Left, with Right to move, wins its mirror image.
        let loss = self.planes[1][self.place(&left.mirror())];
        match (win, loss) {
            (0, 0) => Value::Draw,
            (win, 0) => Value::Win(Depth(win.into())),
            (0, loss) => Value::Loss(Depth(loss.into())),
            _ => panic!("'{strip}' is a win in {win} and a loss in {loss}"),
        }
    }

    fn place(&self, strip: &Strip) -> usize {
        assert_eq!(strip.length(), self.length);
        (strip.ball() - 1) << (self.length - 1) | strip.pattern().as_usize()
    }

    /// Returns the values of all positions, in the index order of [`StripGame`].
    pub fn values(&self) -> Vec<Value> {
        let game = StripGame::new(self.length).unwrap();
        (0..game.positions())
            .map(|index| self.value(&game.position(index)))
            .collect()
    }

    /// Returns whether the value of a position follows from the values of its successors.
    pub fn is_consistent(&self, strip: &Strip) -> bool {
        let mut best = None;
        let game = StripGame::new(self.length).unwrap();
        game.turns(strip, &mut |_, successor: Successor<Strip>| {
            best = best.max(Some(turn_value(&successor, |next| self.value(next))));
        });
        best == Some(self.value(strip))
    }
}

/// Returns the value of a turn for the player who makes it; a game that ends at once takes one ply.
pub fn turn_value<P>(successor: &Successor<P>, position_value: impl FnOnce(&P) -> Value) -> Value {
    match successor {
        Successor::Position(next) => position_value(next).before(),
        Successor::Over(Wdl::Win) => Value::Win(Depth(1)),
        Successor::Over(Wdl::Loss) => Value::Loss(Depth(1)),
        Successor::Over(Wdl::Draw) => Value::Draw,
    }
}

fn plane_depths(solver: &DenseSolver, plane: Side) -> Vec<u8> {
    let layout = solver.layout();
    let mut all = Vec::new();
    let mut bytes = [0; BLOCK_POSITIONS];
    for ball in 1..=layout.length() - 2 {
        for high in 0..1 << layout.high_bits() {
            let state = solver.plane(plane)[layout.place(ball, high)];
            solver.pool(plane).depths(state, &mut bytes);
            all.extend_from_slice(&bytes[..1 << layout.low_bits()]);
        }
    }
    all
}

/// Counts the positions of each value.
pub fn histogram(values: &[Value]) -> BTreeMap<Value, u64> {
    let mut counts = BTreeMap::new();
    for &value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts
}

/// One line of `data/strip_counts.tsv`: every position with Left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    pub length: usize,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    pub longest: u64,
}

impl Totals {
    /// Returns the totals of a length, from its values.
    pub fn of(length: usize, values: &[Value]) -> Totals {
        let mut totals = Totals {
            length,
            wins: 0,
            losses: 0,
            draws: 0,
            longest: 0,
        };
        for value in values {
            match value {
                Value::Win(_) => totals.wins += 1,
                Value::Loss(_) => totals.losses += 1,
                Value::Draw => totals.draws += 1,
            }
            totals.longest = totals
                .longest
                .max(value.depth().map_or(0, |depth| depth.0.into()));
        }
        totals
    }
}

/// Reads `data/strip_counts.tsv`.
pub fn pinned_totals() -> Vec<Totals> {
    numbers(include_str!("../../data/strip_counts.tsv"))
        .map(|[length, wins, losses, draws, longest]| Totals {
            length: length as usize,
            wins,
            losses,
            draws,
            longest,
        })
        .collect()
}

/// Reads `data/strip_depths.tsv`: for each length, the number of positions by plies.
pub fn pinned_depths() -> BTreeMap<usize, BTreeMap<u16, u64>> {
    let mut lengths: BTreeMap<usize, BTreeMap<u16, u64>> = BTreeMap::new();
    for [length, plies, count] in numbers(include_str!("../../data/strip_depths.tsv")) {
        lengths
            .entry(length as usize)
            .or_default()
            .insert(plies as u16, count);
    }
    lengths
}

/// Counts the positions by plies.
pub fn depths(values: &[Value]) -> BTreeMap<u16, u64> {
    let mut counts = BTreeMap::new();
    for depth in values.iter().filter_map(|value| value.depth()) {
        *counts.entry(depth.0).or_insert(0) += 1;
    }
    counts
}

fn numbers<const N: usize>(table: &'static str) -> impl Iterator<Item = [u64; N]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        fields.try_into().unwrap()
    })
}

/// Returns reproducible pseudo-random numbers.
pub fn random_numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = Uniform::new(seed);
    std::iter::repeat_with(move || random.word())
}

/// The depth bytes of a finished pitch solver, in the order of a table.
pub struct PitchDepths<'s> {
    layout: &'s PitchLayout,
    bytes: Vec<u8>,
}

impl PitchDepths<'_> {
    /// Reads all bytes.
    pub fn of(solver: &PitchSolver) -> PitchDepths<'_> {
        let layout = solver.layout();
        let mut bytes = vec![0; cut(layout.shape()).bytes as usize];
        solver.copy(0, &mut bytes);
        PitchDepths { layout, bytes }
    }

    /// Returns the value of a position.
    pub fn value(&self, pitch: &Pitch) -> Value {
        let alfred = pitch.normalised();
        let slot = |pitch: &Pitch| {
            stored_balls(pitch.shape())
                .iter()
                .position(|&ball| ball == pitch.ball())
        };
        let stored = if slot(&alfred).is_some() {
            alfred
        } else {
            alfred.mirrored()
        };
        let pattern = squeeze(self.layout.pattern(&stored), self.layout.bit(stored.ball()));
        let points = self.layout.shape().points();
        Value::from_depth_byte(self.bytes[slot(&stored).unwrap() << (points - 1) | pattern])
    }
}
