//! The choice of a winning turn, so that play ends soon.

use crate::half::HalfState;
use crate::turns::{Jump, Stones, Turns};
use phutbase_rules::strip::{Halves, Turn};

/// The stones that a half lacks for a jump home: half of each run of empty squares between stones,
/// rounded down, and half of the run next to the ball, rounded up.
#[derive(Clone, Copy)]
struct Lacking {
    between: usize,
    /// The run next to the ball.
    at_ball: usize,
}

impl Lacking {
    /// Counts the stones after a jump that adds empty squares next to the ball.
    fn after(self, jump: usize) -> usize {
        self.between + (self.at_ball + jump).div_ceil(2)
    }
}

/// The key that decides between winning turns, the least first. Its order is that of
/// [`Turns::winning_turn`].
type Order = (usize, usize, i32, i32, bool, usize);

impl<S: Halves> Turns<'_, S> {
    /// Returns a turn after which the mover still wins, chosen so that play ends soon; `None` if the
    /// opponent wins. It is proper, so play ends whatever the opponent does (docs/PROOF.md, Theorem
    /// N).
    ///
    /// It is a jump home if there is one, and a jump back only if nothing else wins. Otherwise the
    /// first of these decides: the fewest stones that a jump home lacks after the opponent's longest
    /// jump; the fewest that it lacks now; the least potential ahead; the greatest behind; jumps before
    /// stones; the square nearest to the goal line.
    pub fn winning_turn(&self) -> Option<Turn> {
        let side = self.strip.side();
        let [forward, backward] = &self.jumps;
        if let Some(home) = forward.last().filter(|jump| jump.is_home()) {
            return Some(self.jump(side, home.landing));
        }
        let behind = self.behind.word.len();
        // Where the opponent's longest jump lands.
        let far = placed(backward)
            .next_back()
            .map_or(behind, |(landing, _)| landing);
        let stone = self.best_stone(behind - far);
        let jump = self.best_jump_ahead();
        let best = stone.into_iter().chain(jump).min_by_key(|&(order, _)| order);
        best.or_else(|| self.best_jump_back(far)).map(|(_, turn)| turn)
    }

    /// Returns the best winning stone ahead, given the squares of the opponent's longest jump.
    fn best_stone(&self, longest: usize) -> Option<(Order, Turn)> {
        let ahead = &self.ahead;
        let potential = |half: HalfState| half.value().potential;
        let behind = -potential(self.behind.half);
        let mut best: Option<Order> = None;
        let owners = owners(ahead);
        let all = lacking(&ahead.word);
        let mut start = 0;
        for run in ahead.word.chunk_by(|one, other| one == other) {
            let end = start + run.len();
            for place in (start..end).filter(|_| !run[0]) {
                let at = usize::from(owners[place]);
                if !ahead.reached[at].wins {
                    continue;
                }
                let (before, after) = (place - start, end - 1 - place);
                let lacking = if end == ahead.word.len() {
                    Lacking {
                        between: all.between + before / 2,
                        at_ball: after,
                    }
                } else {
                    let between = all.between - run.len() / 2 + before / 2 + after / 2;
                    Lacking { between, ..all }
                };
                let (then, now) = (lacking.after(longest), lacking.after(0));
                let ahead = potential(ahead.reached[at].half);
                let order = (then, now, ahead, behind, true, place);
                best = best.into_iter().chain([order]).min();
            }
            start = end;
        }
        let order = best?;
        let square = self.strip.square_from(self.strip.side(), order.5);
        Some((order, Turn::Place(square)))
    }

    /// Returns the best winning jump ahead.
    fn best_jump_ahead(&self) -> Option<(Order, Turn)> {
        let word = &self.ahead.word;
        let offer = |landing: usize, jump: &Jump, lacking: Lacking| {
            let [left, grown] = [jump.left, jump.grown].map(|half| half.value().potential);
            let lacking = lacking.after(0);
            let order = (lacking, lacking, left, -grown, false, landing);
            (order, self.jump(self.strip.side(), jump.landing))
        };
        let (mut open, mut between, mut at) = (0, 0, 0);
        let mut best = None;
        // Of what a jump leaves, in passes from one landing to the next.
        for (landing, jump) in placed(&self.jumps[0]).rev() {
            for &stone in &word[at..landing] {
                if stone {
                    between += open / 2;
                    open = 0;
                } else {
                    open += 1;
                }
            }
            at = landing;
            if jump.wins && word.len() - landing >= 3 {
                let at_ball = open;
                let offered = offer(landing, jump, Lacking { between, at_ball });
                best = best.into_iter().chain([offered]).min_by_key(|&(order, _)| order);
            }
        }
        best
    }

    /// Returns the best winning jump back.
    fn best_jump_back(&self, far: usize) -> Option<(Order, Turn)> {
        let behind = self.behind.word.len();
        let now = lacking(&self.ahead.word);
        let back = placed(&self.jumps[1]);
        let winning = back.filter(|(landing, jump)| jump.wins && behind - landing >= 3);
        let offers = winning.map(|(landing, jump)| {
            let lacking = Lacking {
                at_ball: now.at_ball + behind - landing,
                ..now
            };
            let [left, grown] = [jump.left, jump.grown].map(|half| half.value().potential);
            let (then, now) = (lacking.after(landing - far), lacking.after(0));
            let order = (then, now, grown, -left, true, landing);
            (order, self.jump(self.strip.side().opponent(), jump.landing))
        });
        offers.min_by_key(|&(order, _)| order)
    }
}

/// Returns the jump turns that do not end the game, with their landing squares.
fn placed(jumps: &[Jump]) -> impl DoubleEndedIterator<Item = (usize, &Jump)> {
    let open = jumps.iter().filter(|jump| !jump.is_home());
    open.filter_map(|jump| Some((jump.landing?, jump)))
}

/// Returns the stones that a half lacks for a jump home.
fn lacking(word: &[bool]) -> Lacking {
    let (mut between, mut at_ball) = (0, 0);
    for run in word.chunk_by(|one, other| one == other) {
        if run[0] {
            between += at_ball / 2;
            at_ball = 0;
        } else {
            at_ball = run.len();
        }
    }
    Lacking { between, at_ball }
}

/// Returns, for each empty square, the place of the state that its stone reaches.
fn owners(half: &Stones) -> Vec<u16> {
    let mut owners = vec![0; half.word.len()];
    half.for_each(|place, at| owners[place] = at as u16);
    owners
}
