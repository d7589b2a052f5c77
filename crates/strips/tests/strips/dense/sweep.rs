//! The sweep alone, on artificial sets of positions: for any target plane a sweep must find what
//! the rules imply, and a sweep restricted to changed blocks must find the same as a full one.
//!
//! Planes of the game are too regular for this test: where one position is decided, its neighbours
//! soon are. A jump or a change that the sweep misses could therefore be masked by a neighbour at
//! every length that can be tested.

use phutbase_fixtures::prelude::*;
use phutbase_machine::block::{AnyTurn, Block, Combination, EveryTurn, Flight};
use phutbase_machine::simd::Work;
use phutbase_strips::dense::layout::DenseLayout;
use phutbase_strips::dense::pool::{BlockState, Pool, RecentStates};
use phutbase_strips::dense::sweep::{Balls, PlyInput, Scratch, SliceSweep};
use std::marker::PhantomData;

/// Random numbers and blocks.
struct Random(Box<dyn Iterator<Item = u64>>);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Box::new(random_numbers(seed)))
    }

    fn next(&mut self) -> u64 {
        self.0.next().unwrap()
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }

    /// Generates a block with few members or many. 'Every turn' finds something only with many,
    /// 'some turn' misses something only with few.
    fn block<Q: Combination>(&mut self) -> Block {
        let kind = self.below(8);
        let sparse = match kind {
            0 => Block::EMPTY,
            1 => Block::FULL,
            _ => Block(std::array::from_fn(|_| {
                (1..kind).fold(self.next(), |bits, _| bits & self.next())
            })),
        };
        Block(sparse.0.map(|word| word ^ Q::NEUTRAL))
    }
}

/// A plane of arbitrary sets.
struct Sets {
    layout: DenseLayout,
    pool: Pool,
    plane: Vec<BlockState>,
}

impl Sets {
    /// Creates a plane from blocks ordered by ball square and then by block number.
    fn new<Q: Combination>(layout: DenseLayout, blocks: &[Block]) -> Sets {
        let mut pool = Pool::new::<Q>(layout.low_bits());
        let mut plane = vec![BlockState::NOTHING; layout.blocks()];
        let mut recent = RecentStates::default();
        for (number, block) in blocks.iter().enumerate() {
            if *block != Block::EMPTY {
                plane[place(&layout, number)] = pool.extend(BlockState::NOTHING, block, &mut recent);
            }
        }
        pool.end_ply::<Q>(1);
        Sets { layout, pool, plane }
    }

    fn blocks(&self) -> Vec<Block> {
        let block = |number| {
            let state = self.plane[place(&self.layout, number)];
            *self.pool.set(self.pool.set_of(state))
        };
        (0..self.layout.blocks()).map(block).collect()
    }
}

/// Returns the place of a block numbered by ball square and then by block number.
fn place(layout: &DenseLayout, number: usize) -> usize {
    let high = number & ((1 << layout.high_bits()) - 1);
    layout.place((number >> layout.high_bits()) + 1, high)
}

/// Sweeps all slices with the same scratch; returns the resulting `known` and `gained`.
fn sweep<Q: Combination>(
    target: &Sets,
    changed: Option<&[Balls]>,
    known: &[Block],
    random: &mut Random,
) -> (Vec<Block>, Vec<Balls>) {
    let layout = target.layout;
    let mut known = Sets::new::<Q>(layout, known);
    let mut scratch = Scratch::new(&layout);
    let mut ply = PlyInput {
        layout,
        target: &target.plane,
        target_pool: &target.pool,
        known_pool: &known.pool,
        changed,
        entries: &[],
    };
    let entries: Vec<Flight> = (0..layout.slices())
        .map(|slice| ply.entry::<Q>(slice, &mut scratch))
        .collect();
    ply.entries = &entries;
    let mut gained = vec![Balls::MAX; 1 << layout.high_bits()];
    let slices = known.plane.chunks_mut(layout.slice_blocks());
    let mut work: Vec<_> = slices
        .zip(gained.chunks_mut(1 << layout.slice_bits()))
        .enumerate()
        .collect();
    // Threads process slices in any order, so the contents of the scratch must not matter.
    while !work.is_empty() {
        let (slice, (known, gained)) = work.swap_remove(random.below(work.len()));
        let sweep = SliceSweep {
            ply: &ply,
            slice,
            known,
            gained,
            scratch: &mut scratch,
            report: |_: &Block| {},
            quantifier: PhantomData::<Q>,
        };
        sweep.run();
    }
    known.pool.end_ply::<Q>(2);
    (known.blocks(), gained)
}

/// Returns whether a position of the growing plane belongs to the set by the rules, given the
/// target plane.
fn by_the_rules<Q: Combination>(target: &[Block], layout: &DenseLayout, strip: &Strip) -> bool {
    let game = StripGame::new(layout.length()).unwrap();
    let mut good = Vec::new();
    game.turns(strip, &mut |_, next| {
        good.push(match next {
            Successor::Over(outcome) => (outcome == Wdl::Win) == (strip.side() == Side::Left),
            Successor::Position(next) => contains(target, layout, next.ball(), next.pattern().as_usize()),
        });
    });
    match Q::NEUTRAL {
        0 => good.contains(&true),
        _ => !good.contains(&false),
    }
}

fn contains(blocks: &[Block], layout: &DenseLayout, ball: usize, pattern: usize) -> bool {
    let (high, low) = (
        pattern >> layout.low_bits(),
        pattern & ((1 << layout.low_bits()) - 1),
    );
    let block = &blocks[((ball - 1) << layout.high_bits()) | high];
    block.0[low / 64] >> (low % 64) & 1 == 1
}

/// Compares a full sweep with the rules on every `step`-th position.
fn compare_with_the_rules<Q: Combination>(length: usize, step: usize, mover: Side, random: &mut Random) {
    let layout = DenseLayout::new(length);
    let target: Vec<Block> = (0..layout.blocks()).map(|_| random.block::<Q>()).collect();
    let known: Vec<Block> = (0..layout.blocks()).map(|_| random.block::<AnyTurn>()).collect();
    let (found, gained) = sweep::<Q>(&Sets::new::<Q>(layout, &target), None, &known, random);
    for ball in 1..=layout.balls() {
        for pattern in (0..1 << layout.pattern_bits()).step_by(step) {
            let strip = Strip::from_pattern(length, ball, pattern as u64, mover).unwrap();
            let before = contains(&known, &layout, ball, pattern);
            let expected = before || by_the_rules::<Q>(&target, &layout, &strip);
            assert_eq!(contains(&found, &layout, ball, pattern), expected, "'{strip}'");
        }
    }
    assert_eq!(gained, changed_balls(&layout, &known, &found));
}

/// Returns for each block number the ball squares with different blocks.
fn changed_balls(layout: &DenseLayout, before: &[Block], after: &[Block]) -> Vec<Balls> {
    let mut changed = vec![0; 1 << layout.high_bits()];
    for (number, _) in before.iter().zip(after).enumerate().filter(|(_, (a, b))| a != b) {
        let high = number & ((1 << layout.high_bits()) - 1);
        changed[high] |= 1 << ((number >> layout.high_bits()) + 1);
    }
    changed
}

#[test]
fn a_sweep_finds_what_the_rules_say_whatever_turns_lead_into() {
    let mut random = Random::new(7);
    for length in 3..=16 {
        for _ in 0..3 {
            compare_with_the_rules::<AnyTurn>(length, 1, Side::Left, &mut random);
            compare_with_the_rules::<EveryTurn>(length, 1, Side::Right, &mut random);
        }
    }
}

#[test]
fn a_sweep_finds_what_the_rules_say_with_several_blocks_in_a_slice() {
    let mut random = Random::new(11);
    for length in [20, 21, 22] {
        assert!(DenseLayout::new(length).slice_bits() > 0);
        // Odd steps visit every value of every bit.
        compare_with_the_rules::<AnyTurn>(length, 141, Side::Left, &mut random);
        compare_with_the_rules::<EveryTurn>(length, 141, Side::Right, &mut random);
    }
}

/// Fills one block of the target plane and compares a sweep restricted to that change with a full
/// one. The rest of the plane is all empty or all full, so that no neighbour masks the change.
fn compare_after_one_change<Q: Combination>(layout: DenseLayout, number: usize, random: &mut Random) {
    let mut target = vec![Block([Q::NEUTRAL; 64]); layout.blocks()];
    target[number] = Block::EMPTY;
    let nothing = vec![Block::EMPTY; layout.blocks()];
    let (known, _) = sweep::<Q>(&Sets::new::<Q>(layout, &target), None, &nothing, random);
    let before = target.clone();
    target[number] = Block::FULL;
    let changed = changed_balls(&layout, &before, &target);
    let target = Sets::new::<Q>(layout, &target);
    let whole = sweep::<Q>(&target, None, &known, random);
    let partial = sweep::<Q>(&target, Some(&changed), &known, random);
    assert!(whole == partial, "block {number} of {layout:?} changed");
    assert!(
        whole.1.iter().any(|&gained| gained != 0),
        "block {number} leads somewhere"
    );
}

#[test]
fn no_change_of_any_block_goes_unnoticed() {
    let mut random = Random::new(13);
    for length in [5, 12, 13, 14, 15, 16] {
        let layout = DenseLayout::new(length);
        for number in 0..layout.blocks() {
            compare_after_one_change::<AnyTurn>(layout, number, &mut random);
            compare_after_one_change::<EveryTurn>(layout, number, &mut random);
        }
    }
}

#[test]
fn no_change_goes_unnoticed_with_several_blocks_in_a_slice() {
    let mut random = Random::new(17);
    for length in [20, 21, 22] {
        let layout = DenseLayout::new(length);
        for _ in 0..5 {
            let number = random.below(layout.blocks());
            compare_after_one_change::<AnyTurn>(layout, number, &mut random);
            compare_after_one_change::<EveryTurn>(layout, number, &mut random);
        }
    }
}
