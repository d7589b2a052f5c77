//! The board of a position as pages draw it: the squares that each turn changes, and what the halves of
//! a strip come to. Turns have no values here, so no table is needed.
//!
//! Squares are numbered from 0, row by row from the top left, as notation has them.

use super::strip::{MAX_SHOWN, Reason, ValueSource};
use phutbase_base::outcome::{ParseError, Side};
use phutbase_nimbers::region::connected;
use phutbase_rules::obstruction::{Board, Form, Grid, MAX_SQUARES, Place, Sum, Term, bits};
use phutbase_rules::pitch::{self, Jump, Landing, Path, Pitch, Step};
use phutbase_rules::position::Standing;
use phutbase_rules::strip::{AnyStrip, Halves, Turn};
use phutbase_rules::{Phutball, Position, Rules};
use phutbase_solution::directional;
use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::explain::Comparison;
use serde::Serialize;
use std::collections::HashMap;

/// Jumps listed of a pitch, the nearest ones.
const MAX_JUMPS: usize = 1000;

/// A board with its turns, after some turns that were played.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BoardAnswer {
    /// `strip`, `pitch` or `obstruction`.
    pub game: &'static str,
    /// The turns played.
    pub played: Vec<BoardTurn>,
    /// The position after them; `None` if the game is over.
    pub position: Option<String>,
    /// Every turn: stones by ascending square, then jumps.
    pub turns: Vec<BoardTurn>,
    /// Other ways of jumps on a pitch to boards of `turns`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detours: Vec<BoardTurn>,
    /// Of a strip of the ordinary game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halves: Option<StripHalves>,
    /// The free squares of Obstruction, in independent parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Vec<usize>>>,
}

/// A turn with the squares that it changes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BoardTurn {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    /// The square of the stone or mark, or those where the ball lands, in order.
    pub squares: Vec<usize>,
    /// The stones that a jump removes, in order.
    pub taken: Vec<usize>,
    /// The winner, if the turn ends the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// Of a detour: the listed turn with the same board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<String>,
}

/// Both halves of a strip, and why a player wins.
#[derive(Clone, Debug, Serialize)]
pub struct StripHalves {
    pub reason: Reason,
    /// The winner and the comparison of the halves, as a sentence.
    pub words: String,
    /// The potentials of directional Phutball: for each half those of the squares read so far, from its
    /// goal line to the ball.
    pub potentials: [Vec<i64>; 2],
    /// The winner of directional Phutball.
    pub directional_winner: &'static str,
}

impl BoardAnswer {
    /// Plays turns in notation.
    ///
    /// # Errors
    /// A turn is not legal, or the board is not drawn: a long strip, several boards of Obstruction.
    pub fn after(position: &Position, turns: &[&str]) -> Result<BoardAnswer, ParseError> {
        if let Position::Phutball(Phutball::Strip(strip)) = position
            && strip.length() > MAX_SHOWN
        {
            let length = strip.length();
            let error = format!("{length} squares: boards are strips of at most {MAX_SHOWN}");
            return Err(ParseError(error));
        }
        let mut answer = BoardAnswer {
            game: position.game(),
            ..BoardAnswer::default()
        };
        let mut now = Some(position.clone());
        for (number, turn) in (1..).zip(turns) {
            let played = match now {
                Some(position) => play(&position, turn),
                None => Err(ParseError("the game is over".to_string())),
            };
            let (turn, next) = played.map_err(|error| ParseError(format!("turn {number}: {error}")))?;
            answer.played.push(turn);
            now = next;
        }
        let Some(position) = now else {
            return Ok(answer);
        };
        match &position {
            Position::Phutball(Phutball::Strip(strip)) => {
                strip.for_each_turn(|turn| answer.turns.push(on_strip(strip, turn)));
                answer.halves = (strip.rules() == Rules::Ordinary).then(|| StripHalves::of(strip));
            }
            Position::Phutball(Phutball::Pitch(pitch)) => {
                let (jumps, _) = pitch.jumps_up_to(MAX_JUMPS, &|| false);
                let place = |point| on_pitch(pitch, &pitch::Turn::Place(point as u16), &Path::new());
                let jump = |(jump, path): &(Jump, Path)| on_pitch(pitch, &pitch::Turn::Jump(*jump), path);
                answer.turns = pitch
                    .empty_points()
                    .map(place)
                    .chain(jumps.iter().map(jump))
                    .collect();
                answer.detours = detours(pitch, &jumps);
            }
            Position::Obstruction(sum) => {
                let board = single(sum)?;
                answer.turns = (board.turns())
                    .map(|(place, after)| mark(&board, place, &after))
                    .collect();
                let parts = connected(board.free(), |squares| board.graph().with_neighbours(squares));
                answer.parts = Some(parts.map(|part| bits(part).collect()).collect());
            }
            Position::Oddish(_) => return Err(not_drawn()),
        }
        answer.position = Some(position.to_string());
        Ok(answer)
    }
}

/// Plays a turn; the position is `None` if the game is over.
fn play(position: &Position, turn: &str) -> Result<(BoardTurn, Option<Position>), ParseError> {
    Ok(match position {
        Position::Phutball(phutball) => {
            let after = phutball.play(turn)?;
            let played = match phutball {
                Phutball::Strip(strip) => on_strip(strip, turn.parse()?),
                Phutball::Pitch(pitch) => {
                    let turn = pitch.parse_turn(turn)?;
                    let path = match &turn {
                        pitch::Turn::Jump(jump) => pitch.path(jump),
                        pitch::Turn::Place(_) => Ok(None),
                    };
                    let path = path.map_err(|error| ParseError(error.to_string()))?;
                    on_pitch(pitch, &turn, &path.unwrap_or_default())
                }
            };
            (played, after.open().cloned().map(Position::Phutball))
        }
        Position::Obstruction(sum) => {
            let board = single(sum)?;
            let (place, after) = (board.turns())
                .find(|(place, _)| place.to_string() == turn)
                .ok_or_else(|| ParseError(format!("'{turn}' is not a free square of '{position}'")))?;
            let played = mark(&board, place, &after);
            let terms = vec![Term::Board(after)];
            let next = Position::Obstruction(Sum { terms, ..*sum });
            let is_open = played.winner.is_none();
            (played, is_open.then_some(next))
        }
        Position::Oddish(_) => return Err(not_drawn()),
    })
}

fn not_drawn() -> ParseError {
    ParseError(format!(
        "boards are strips, pitches, and rectangles of Obstruction of at most {MAX_SQUARES} squares, in \
         normal play"
    ))
}

/// The empty squares on the way of a jump are landings: each run of stones ends at one.
fn on_strip(strip: &AnyStrip, turn: Turn) -> BoardTurn {
    let ball = strip.ball();
    let way: Vec<usize> = match turn {
        Turn::Place(square) => vec![square],
        Turn::Jump(square) if square < ball => (square..ball).rev().collect(),
        Turn::Jump(square) => (ball + 1..=square).collect(),
        Turn::Off(Side::Left) => (0..ball).rev().collect(),
        Turn::Off(Side::Right) => (ball + 1..strip.length()).collect(),
    };
    let (taken, squares) = way.into_iter().partition(|&square| strip.stone(square));
    BoardTurn {
        turn: turn.to_string(),
        squares,
        taken,
        winner: Standing::after(strip, turn).winner().map(Side::word),
        same: None,
    }
}

fn on_pitch(pitch: &Pitch, turn: &pitch::Turn, path: &Path) -> BoardTurn {
    let shape = pitch.shape();
    let square = |point: usize| (shape.rows() - 1 - shape.row(point)) * shape.columns() + shape.column(point);
    let mut found = BoardTurn::default();
    if let pitch::Turn::Place(point) = *turn {
        found.turn = shape.point_name(point.into());
        found.squares.push(square(point.into()));
        return found;
    }
    let mut from = pitch.ball();
    for flight in path {
        let on_way = shape.ray(from, flight.direction).map_while(|step| match step {
            Step::Point(point) => flight.over.contains(point).then(|| square(point)),
            Step::Goal(_) | Step::Sideline => None,
        });
        found.taken.extend(on_way);
        if let Landing::Point(point) = flight.to {
            from = point.into();
            found.squares.push(square(from));
        }
    }
    let winner = pitch.after(turn).winner();
    BoardTurn {
        turn: pitch.path_notation(path),
        winner: winner.map(|side| Position::from(*pitch).player(side)),
        ..found
    }
}

/// Lists the hops that go on from a jump to the board of another one, whose listed path is different.
fn detours(pitch: &Pitch, jumps: &[(Jump, Path)]) -> Vec<BoardTurn> {
    let listed: HashMap<Jump, &Path> = jumps.iter().map(|(jump, path)| (*jump, path)).collect();
    let mut found = Vec::new();
    for (jump, path) in jumps {
        let Landing::Point(ball) = jump.to else {
            continue;
        };
        for flight in pitch.flights(ball.into(), &jump.chaps) {
            let (jump, way) = pitch.jump_by([path.as_slice(), &[flight]].concat());
            if let Some(path) = listed.get(&jump).filter(|path| **path != &way) {
                found.push(BoardTurn {
                    same: Some(pitch.path_notation(path)),
                    ..on_pitch(pitch, &pitch::Turn::Jump(jump), &way)
                });
            }
        }
    }
    found
}

/// A player who leaves no free square wins.
fn mark(board: &Board, place: Place, after: &Board) -> BoardTurn {
    BoardTurn {
        turn: place.to_string(),
        squares: bits(after.marks() & !board.marks()).collect(),
        taken: Vec::new(),
        winner: (after.free() == 0).then_some("first"),
        same: None,
    }
}

/// Returns the only board of a sum.
fn single(sum: &Sum) -> Result<Board, ParseError> {
    let board = match sum.terms.as_slice() {
        [Term::Row(length)] if *length <= MAX_SQUARES => {
            Grid::new(Form::Rectangle, &[1, *length]).map(Board::from)
        }
        [Term::Board(board)] if board.rectangle().is_some() => Some(board.clone()),
        _ => None,
    };
    board.filter(|_| !sum.misere).ok_or_else(not_drawn)
}

impl StripHalves {
    fn of(strip: &AnyStrip) -> StripHalves {
        let potentials = |goal| {
            let states = strip.towards(goal).scan(PotentialState::HOME, |state, stone| {
                *state = state.step(stone);
                Some(state.potential())
            });
            states.collect()
        };
        StripHalves {
            reason: Reason::of(strip, ValueSource::Solution),
            words: words(&Comparison::of(strip)),
            // The left half ends at Right's goal line.
            potentials: [Side::Right, Side::Left].map(potentials),
            directional_winner: directional::winner(strip).word(),
        }
    }
}

/// Returns why a player wins: `Left wins: Left leads by 1 and is to move.`
fn words(found: &Comparison) -> String {
    let Comparison { side, behind, ahead } = *found;
    let (own, other) = match side {
        Side::Left => ("left half", "right half"),
        Side::Right => ("right half", "left half"),
    };
    let lead = behind.potential - ahead.potential;
    let eighths = found.eighths();
    let [mover, winner] = [side, found.winner()].map(|side| match side {
        Side::Left => "Left",
        Side::Right => "Right",
    });
    let worth = |potential: i32, eighths: i32| match eighths - 8 * potential {
        0 => potential.to_string(),
        more if more < 0 => format!("{potential} − {}/8", -more),
        more => format!("{potential} + {more}/8"),
    };
    let comparison = if lead >= 1 {
        format!("{winner} leads by {lead} and is to move")
    } else if lead <= -2 {
        format!("{winner} leads by {}, more than a move is worth", -lead)
    } else if found.is_further_case() {
        let types = format!(
            "a {own} of type {} beats a {other} of type {}",
            behind.kind, ahead.kind
        );
        format!("with {mover} to move, {types}, although it is worth less")
    } else {
        let relation = if eighths[0] < eighths[1] {
            "less than"
        } else {
            "at least"
        };
        let own_worth = worth(behind.potential, eighths[0]);
        let other_worth = worth(ahead.potential, eighths[1]);
        format!("with {mover} to move the {own} is worth {own_worth}, {relation} the {other}’s {other_worth}")
    };
    format!("{winner} wins: {comparison}.")
}
