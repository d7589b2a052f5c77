//! The inclusions of a table of winners: from the boards that a player wins turns lead to such boards.

use super::super::Mismatch;
use super::super::inclusion::turns::TurnKind;
use super::super::inclusion::{Checker, CheckerLimits, Halt, Set};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{After, Strip, Turn};
use phutbase_sets::Diagram;

/// A statement about the boards of one player, with one player to move: some turn of the own, or
/// every turn of the other one's, wins for the player or leads to a board of the same player.
pub struct Inclusion {
    /// Left has the boards that Left wins, Right has all others.
    player: Side,
    to_move: Side,
    /// The kinds of turns that count.
    kinds: &'static [TurnKind],
    /// The claim that a violating board contradicts.
    claim: &'static str,
}

/// Returns the two inclusions that prove every win.
pub fn of_winners() -> [Inclusion; 2] {
    let of_player = |to_move, kinds, claim| Inclusion {
        player: Side::Left,
        to_move,
        kinds,
        claim,
    };
    [
        of_player(
            Side::Left,
            &TurnKind::PROPER,
            "it is stored as a win, but no proper turn wins or leads to a stored win",
        ),
        of_player(
            Side::Right,
            &TurnKind::EVERY,
            "it is stored as a loss, but a turn leads to no stored loss",
        ),
    ]
}

/// Returns the inclusions that no turn leads from a draw into a win.
pub fn of_draws() -> [Inclusion; 2] {
    let of_player = |to_move: Side| Inclusion {
        player: Side::Right,
        to_move,
        kinds: &TurnKind::EVERY,
        claim: "its stored outcome does not follow from the boards after its turns",
    };
    [Side::Left, Side::Right].map(of_player)
}

/// Checks the inclusions of the boards that Left wins, with Left and with Right to move, in their
/// order, until the job is stopped. Returns the fault of the first one that is violated.
pub fn check<D: Diagram>(
    sets: &D,
    won_by_left: [D::Ref; 2],
    inclusions: &[Inclusion],
    limits: CheckerLimits,
    job: &Job,
) -> Result<Option<Mismatch>, Halt> {
    let mut checker = Checker::new(sets.length(), limits, job);
    let copies = checker.copy(sets, &won_by_left)?;
    first_violated(&mut checker, inclusions, [copies[0], copies[1]], job)
}

/// Checks inclusions of the boards that Left wins with Left and with Right to move. Returns a fault
/// for the first violated inclusion.
pub fn first_violated(
    checker: &mut Checker,
    inclusions: &[Inclusion],
    won_by_left: [Set; 2],
    job: &Job,
) -> Result<Option<Mismatch>, Halt> {
    for inclusion in inclusions {
        if let Some(fault) = inclusion.violation(checker, won_by_left)? {
            return Ok(Some(fault));
        }
        job.advance(1)?;
    }
    Ok(None)
}

impl Inclusion {
    /// Returns the fault of a board that violates the statement, given the boards that Left wins
    /// with Left and with Right to move.
    fn violation(&self, checker: &mut Checker, won_by_left: [Set; 2]) -> Result<Option<Mismatch>, Halt> {
        let mut boards = |to_move: Side| match self.player {
            Side::Left => Ok(won_by_left[to_move as usize]),
            Side::Right => checker.complement(won_by_left[to_move as usize]),
        };
        let (from, into) = (boards(self.to_move)?, boards(self.to_move.opponent())?);
        if self.to_move == self.player {
            let have = checker.some(self.kinds, Set::NONE, |_| into, self.player)?;
            let board = checker.first_beyond(from, have)?;
            return Ok(board.map(|board| Mismatch::of_sets(board.with_side(self.to_move), self.claim.into())));
        }
        let board = checker.every(self.kinds, from, |_| into, self.player)?;
        Ok(board.map(|board| self.with_turn(checker, board.with_side(self.to_move), into)))
    }

    /// Returns the fault of a board with its first turn that leads out.
    fn with_turn(&self, checker: &Checker, board: Strip, into: Set) -> Mismatch {
        // By the rules, not by the automaton that found the board.
        let leads_out = |turn: &Turn| match board.after(*turn) {
            After::Over { winner, .. } => winner != self.player,
            After::Position(next) => !checker.contains(into, &next),
        };
        let turn = board.turns().into_iter().find(leads_out);
        let turn = turn.map_or(String::new(), |turn| format!(": {turn}"));
        Mismatch::of_sets(board, format!("{}{turn}", self.claim))
    }
}
