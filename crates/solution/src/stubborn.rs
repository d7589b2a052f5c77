//! The choice of a loser's turn, so that play lasts.

use crate::turns::Turns;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Halves, Turn};

impl<S: Halves> Turns<'_, S> {
    /// Returns the turn after which the mover's lead in potential is greatest, of those that do not
    /// end the game; `None` if all of them end it. Time is linear in the length.
    pub fn stubborn_turn(&self) -> Option<Turn> {
        let side = self.strip.side();
        let potential = |half: crate::HalfState| half.value().potential;
        let (behind, ahead) = (potential(self.behind.half), potential(self.ahead.half));
        let stone = |goal: Side, place: u32| Turn::Place(self.strip.square_from(goal, place as usize));
        let stones_ahead = (self.ahead.reached.iter())
            .map(|reached| (behind - potential(reached.half), stone(side, reached.last)));
        let stones_behind = (self.behind.reached.iter()).map(|reached| {
            (
                potential(reached.half) - ahead,
                stone(side.opponent(), reached.last),
            )
        });
        let [forward, backward] = [0, 1].map(|at| self.jumps[at].iter().filter(|jump| !jump.is_home()));
        let ahead = forward.map(|jump| {
            let lead = potential(jump.grown) - potential(jump.left);
            (lead, self.jump(side, jump.landing))
        });
        let back = backward.map(|jump| {
            let lead = potential(jump.left) - potential(jump.grown);
            (lead, self.jump(side.opponent(), jump.landing))
        });
        let turns = stones_ahead.chain(stones_behind).chain(ahead).chain(back);
        turns.max_by_key(|&(lead, _)| lead).map(|(_, turn)| turn)
    }
}
