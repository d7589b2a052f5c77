//! A game against a player, with undo.

use super::limits::{Go, SearchLimits, Stop};
use super::players::{ChosenTurn, PlayerKind, Players};
use super::position::Turn;
use hashbrown::DefaultHashBuilder;
use phutbase_base::outcome::ParseError;
use phutbase_rules::position::{Phutball, Standing};
use std::hash::BuildHasher;

/// Only the current standing is kept whole: a strip may have millions of squares.
pub struct GameHistory {
    start: Phutball,
    /// The turns so far, in notation.
    turns: Vec<String>,
    standing: Standing,
    /// The hash of each open position so far, with `hasher`.
    hashes: Vec<u64>,
    hasher: DefaultHashBuilder,
}

impl GameHistory {
    pub fn new(start: Phutball) -> GameHistory {
        let hasher = DefaultHashBuilder::default();
        GameHistory {
            standing: Standing::Open(start.clone()),
            turns: Vec::new(),
            hashes: vec![hasher.hash_one(&start)],
            hasher,
            start,
        }
    }

    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Returns true if the game is open and its position came up this many times.
    pub fn is_repeated(&self, times: usize) -> bool {
        let Some(position) = self.standing.open() else {
            return false;
        };
        let hash = self.hasher.hash_one(position);
        let alike = self.hashes.iter().filter(|&&earlier| earlier == hash).count();
        // Different positions may have the same hash.
        alike >= times
            && self
                .replay(self.turns.len())
                .filter(|earlier| earlier == position)
                .count()
                >= times
    }

    /// Iterates over the open positions of the first `turns` turns, the start included.
    fn replay(&self, turns: usize) -> impl Iterator<Item = Phutball> {
        let mut turns = self.turns[..turns].iter();
        std::iter::successors(Some(self.start.clone()), move |position| {
            position.play(turns.next()?).ok()?.open().cloned()
        })
    }

    /// Makes a turn.
    /// On errors the game is unchanged.
    pub fn play(&mut self, turn: &str) -> Result<(), ParseError> {
        let over = || ParseError("the game is over".to_string());
        let position = self.standing.open().ok_or_else(over)?;
        let after = position.play(turn)?;
        let notation = turn.to_string();
        self.make(Turn { notation, after });
        Ok(())
    }

    pub fn make(&mut self, turn: Turn) {
        self.hashes
            .extend(turn.after.open().map(|position| self.hasher.hash_one(position)));
        self.turns.push(turn.notation);
        self.standing = turn.after;
    }

    /// Takes back the last turn; returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.turns.len().checked_sub(1) else {
            return false;
        };
        let last = self.replay(before).last();
        self.turns.truncate(before);
        self.hashes.truncate(before + 1);
        self.standing = Standing::Open(last.unwrap_or_else(|| self.start.clone()));
        true
    }

    /// Returns a player's turn in the current position; `None` if the game is over.
    pub fn choice(&self, players: &Players, kind: PlayerKind, go: &Go) -> Option<ChosenTurn> {
        let position = self.standing().open()?;
        let limits = SearchLimits::new(go, position.side() as usize, Stop::default());
        players.choose(kind, position, &[], &limits, &mut |_| {})
    }
}
