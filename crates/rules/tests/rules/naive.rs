//! A second generator of turns on a pitch, which follows the rules on a grid of characters and uses
//! no library code.

use phutbase_rules::pitch::After;
use phutbase_testing::prelude::*;

/// A board as rows of characters, the top row first, with the ball separate: `.`, `o`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Naive {
    pub grid: Vec<Vec<char>>,
    /// Row from the top, and column. Row −1 is beyond the top line, row `rows` beyond the bottom
    /// line.
    pub ball: (i32, i32),
}

/// Result of a turn: the board, and the winner if the game is over.
pub type NaiveResult = (Naive, Option<char>);

impl Naive {
    fn rows(&self) -> i32 {
        self.grid.len() as i32
    }

    fn columns(&self) -> i32 {
        self.grid[0].len() as i32
    }

    fn at(&self, (r, c): (i32, i32)) -> Option<char> {
        let inside = (0..self.rows()).contains(&r) && (0..self.columns()).contains(&c);
        inside.then(|| self.grid[r as usize][c as usize])
    }

    /// Lists the boards after one more jump; `down` holds the allowed vertical steps.
    fn one_jump(&self, down: RangeInclusive<i32>) -> Vec<Naive> {
        let mut found = Vec::new();
        for dr in down {
            for dc in -1..=1 {
                let mut next = self.clone();
                let (mut r, mut c) = (self.ball.0 + dr, self.ball.1 + dc);
                while (dr, dc) != (0, 0) && next.at((r, c)) == Some('o') {
                    next.grid[r as usize][c as usize] = '.';
                    (r, c) = (r + dr, c + dc);
                }
                if next.grid == self.grid {
                    continue; // nothing was jumped over
                }
                if r < 0 || r >= self.rows() {
                    // The column beyond a goal line does not matter.
                    next.ball = (r, 0);
                    found.push(next);
                } else if c >= 0 && c < self.columns() {
                    next.ball = (r, c);
                    found.push(next);
                }
            }
        }
        found
    }

    fn all_jumps(&self, down: RangeInclusive<i32>, found: &mut BTreeSet<Naive>) {
        if self.ball.0 < 0 || self.ball.0 >= self.rows() {
            return;
        }
        for next in self.one_jump(down.clone()) {
            if found.insert(next.clone()) {
                next.all_jumps(down.clone(), found);
            }
        }
    }

    /// Lists the different results of a turn.
    pub fn results(&self) -> BTreeSet<NaiveResult> {
        self.results_down(-1..=1)
    }

    /// Lists the results in the directional game, where Alfred jumps up and Betty down.
    pub fn directional_results(&self, side: Side) -> BTreeSet<NaiveResult> {
        match side {
            Side::Left => self.results_down(-1..=-1),
            Side::Right => self.results_down(1..=1),
        }
    }

    fn results_down(&self, down: RangeInclusive<i32>) -> BTreeSet<NaiveResult> {
        let mut found = BTreeSet::new();
        self.all_jumps(down, &mut found);
        for r in 0..self.rows() {
            for c in 0..self.columns() {
                if self.at((r, c)) == Some('.') && self.ball != (r, c) {
                    let mut next = self.clone();
                    next.grid[r as usize][c as usize] = 'o';
                    found.insert(next);
                }
            }
        }
        found
            .into_iter()
            .map(|next| (next.clone(), next.winner()))
            .collect()
    }

    fn winner(&self) -> Option<char> {
        match self.ball.0 {
            r if r <= 0 => Some('A'),
            r if r >= self.rows() - 1 => Some('B'),
            _ => None,
        }
    }
}

/// Converts a board of the library.
pub fn naive(shape: Shape, ball: Landing, chaps: &Points) -> Naive {
    let rows = shape.rows();
    let row = |r: usize| {
        let columns = 0..shape.columns();
        columns
            .map(|c| {
                if chaps.contains(shape.point(r, c)) {
                    'o'
                } else {
                    '.'
                }
            })
            .collect()
    };
    let ball = match ball {
        Landing::Point(point) => (
            (rows - 1 - shape.row(point.into())) as i32,
            shape.column(point.into()) as i32,
        ),
        Landing::Off(Side::Left) => (-1, 0),
        Landing::Off(Side::Right) => (rows as i32, 0),
    };
    Naive {
        grid: (0..rows).rev().map(row).collect(),
        ball,
    }
}

/// Lists the library's results of a turn, which must all differ.
pub fn library_results(pitch: &Pitch) -> BTreeSet<NaiveResult> {
    let turns = pitch.turns().unwrap();
    let results: BTreeSet<NaiveResult> = turns
        .iter()
        .map(|turn| match pitch.after(turn) {
            After::Position(next) => {
                assert_eq!(next.side(), pitch.side().opponent());
                (
                    naive(next.shape(), Landing::Point(next.ball() as u16), next.chaps()),
                    None,
                )
            }
            After::Over {
                shape,
                ball,
                chaps,
                winner,
            } => {
                let letter = if winner == Side::Left { 'A' } else { 'B' };
                (naive(shape, ball, &chaps), Some(letter))
            }
        })
        .collect();
    assert_eq!(
        results.len(),
        turns.len(),
        "two turns of '{pitch}' lead to the same board"
    );
    results
}
