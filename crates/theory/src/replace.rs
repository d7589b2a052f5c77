//! Local comparisons, tested on whole tables: does another word around the ball keep Left's wins?
//!
//! The boards whose replacement is in a set are read from the diagram of the set: before the word
//! square by square, along the word one path, behind it the diagram itself. So each comparison is
//! exact for all boards of a length.

use super::claim::{Claim, Finding, Statement, WINNERS, ask};
use super::error::TheoryError;
use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::{ParseError, Side};
use phutbase_rules::strip::Strip;
use phutbase_sets::{Diagram, Graph, Join, Members, Pattern, Ref, Sets, Symbol, TooLarge};
use phutbase_table::{StripSets, StripTable, TableError, Tablebase};
use serde::Serialize;

/// The law of replacement for `o@` and `.@`.
pub const LAW_M: Statement = Statement {
    words: "Law M for a stone next to the ball: behind the ball it does not help Left.",
    source: "This project; computed, not proved for all lengths",
};

/// The claim that another word keeps Left's wins, on every board of a length.
pub struct Replace<'a> {
    pub tables: &'a Tablebase,
    /// The words, as [`Replacement::parse`] reads them.
    pub words: [&'a str; 2],
    pub replacement: Replacement,
    /// Lists at most this many exceptions for each player to move.
    pub limit: usize,
}

impl<'a> Replace<'a> {
    pub fn new(tables: &'a Tablebase, words: [&'a str; 2], limit: usize) -> Result<Replace<'a>, ParseError> {
        let replacement = Replacement::parse(words[0], words[1])?;
        Ok(Replace {
            tables,
            words,
            replacement,
            limit,
        })
    }
}

impl<'a> Claim for Replace<'a> {
    fn check(&mut self, length: usize, _: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let question = |table: &StripTable| {
            let sets = table.sets(length)?;
            let of_side = |side| compare(&sets, &self.replacement, side, self.limit);
            Ok([of_side(Side::Left)?, of_side(Side::Right)?])
        };
        let (found, file) = ask(self.tables, length, WINNERS, question)?;
        let holds = found.iter().all(|found| found.exceptions.0 == BigUint::ZERO);
        let lost =
            |found: &Compared| format!("{} of {}", grouped(&found.exceptions.0), grouped(&found.wins.0));
        let [left_to_move, right_to_move] = found;
        Ok(Finding {
            holds,
            words: format!(
                "wins that are lost: {} with Left to move, {} with Right",
                lost(&left_to_move),
                lost(&right_to_move)
            ),
            lines: (left_to_move.first.iter().chain(&right_to_move.first))
                .map(Strip::to_string)
                .collect(),
            fields: object! {
                pattern: self.words[0],
                replacement: self.words[1],
                holds: holds,
                left_to_move: left_to_move,
                right_to_move: right_to_move,
                file: file,
            },
        })
    }
}

/// A word of squares and the word that replaces it.
///
/// Invariants: both have the same number of squares, at least one, and as many balls: one, or at the
/// left end also none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The content of each square, before and after.
    squares: Vec<[Symbol; 2]>,
    /// True if the word begins on square 0 only.
    at_left_end: bool,
}

impl Replacement {
    /// Parses two words of `.`, `o` and `@`, each with `|` in front if they begin on square 0.
    ///
    /// # Errors
    /// Other characters; different numbers of squares; no ball around which the words lie; one `|`.
    pub fn parse(pattern: &str, replacement: &str) -> Result<Replacement, ParseError> {
        let words = [pattern, replacement].map(|text| match text.strip_prefix('|') {
            Some(word) => (word, true),
            None => (text, false),
        });
        let [before, after] = words.map(|(word, _)| read_word(word));
        let (before, after) = (before?, after?);
        let refuse = |reason: &str| Err(ParseError(format!("'{pattern}' and '{replacement}': {reason}")));
        let at_left_end = words[0].1;
        if words[1].1 != at_left_end {
            return refuse("write '|' for the left end in front of both or of none");
        }
        if before.len() != after.len() || before.is_empty() {
            return refuse("write the same number of squares, at least one");
        }
        let [balls, others] = [&before, &after].map(|word| count_balls(word));
        if balls != others || balls > 1 || balls == 0 && !at_left_end {
            return refuse("write one ball in each, or '|' in front of both for words at the left end");
        }
        let squares = before
            .into_iter()
            .zip(after)
            .map(|(before, after)| [before, after]);
        Ok(Replacement {
            squares: squares.collect(),
            at_left_end,
        })
    }
}

fn read_word(word: &str) -> Result<Vec<Symbol>, ParseError> {
    let read = |symbol: char| match symbol {
        '.' | '·' => Ok(Symbol::Empty),
        'o' | 'O' | '◇' => Ok(Symbol::Stone),
        '@' | '●' => Ok(Symbol::Ball),
        found => Err(ParseError(format!(
            "'{found}' is not a square: write '.' for empty, 'o' for a stone, '@' for the ball"
        ))),
    };
    word.chars().map(read).collect()
}

fn count_balls(word: &[Symbol]) -> usize {
    word.iter().filter(|&&symbol| symbol == Symbol::Ball).count()
}

/// The boards with one player to move that Left wins and that another word turns into a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    pub wins: Count,
    /// Those of them that Left does not win with the other word.
    pub exceptions: Count,
    /// The first exceptions in the order of notation.
    #[serde(rename = "examples")]
    pub first: Vec<Strip>,
}

/// Compares all boards of a length with one player to move; lists at most `limit` exceptions.
pub fn compare(
    table: &StripSets,
    replacement: &Replacement,
    side: Side,
    limit: usize,
) -> Result<Compared, TableError> {
    let compared = || -> Result<Compared, TooLarge> {
        let mut graph = table.workspace();
        let won = graph.copy(table, &[table.won_by_left(side)])?[0];
        let boards = Pattern::any(table.length()).set(&mut graph)?;
        let mut sets = Sets::new(graph);
        let [with_word, kept] = [boards, won].map(|into| preimage(&mut sets, replacement, into));
        let wins = sets.join(Join::And, won, with_word?)?;
        let exceptions = sets.join(Join::Minus, wins, kept?)?;
        let mut members = Members::new(sets.graph(), exceptions);
        Ok(Compared {
            wins: Count(Members::new(sets.graph(), wins).total().clone()),
            exceptions: Count(members.total().clone()),
            first: members.first(limit, side),
        })
    };
    compared().map_err(|TooLarge| table.unwieldy())
}

/// Returns the boards with the first word that the second word turns into boards of a set.
pub fn preimage(sets: &mut Sets, replacement: &Replacement, into: Ref) -> Result<Ref, TooLarge> {
    let known = HashMap::new();
    let mut preimage = Preimage {
        sets,
        replacement,
        known,
    };
    if replacement.at_left_end {
        preimage.along_word(0, into)
    } else {
        preimage.before_word(0, into)
    }
}

/// The search for a preimage.
struct Preimage<'a> {
    sets: &'a mut Sets,
    replacement: &'a Replacement,
    /// The results for the nodes before the word.
    known: HashMap<Ref, Ref>,
}

impl Preimage<'_> {
    fn graph(&mut self) -> &mut Graph {
        self.sets.graph_mut()
    }

    /// Returns the boards from a square on, with the word on this square or further right.
    fn before_word(&mut self, square: usize, into: Ref) -> Result<Ref, TooLarge> {
        let length = self.sets.graph().length();
        if into == Ref::BOTTOM || square + self.replacement.squares.len() > length {
            return Ok(Ref::BOTTOM);
        }
        if let Some(&known) = self.known.get(&into) {
            return Ok(known);
        }
        let (empty, stone, _) = self.sets.graph().thirds(into);
        let (empty, stone) = (
            self.before_word(square + 1, empty)?,
            self.before_word(square + 1, stone)?,
        );
        let further = self.graph().ternary(square, empty, stone, Ref::BOTTOM)?;
        let here = self.along_word(square, into)?;
        let found = self.sets.join(Join::Or, here, further)?;
        self.known.insert(into, found);
        Ok(found)
    }

    /// Returns the boards from a square on, with the word on this square.
    fn along_word(&mut self, square: usize, into: Ref) -> Result<Ref, TooLarge> {
        if square + self.replacement.squares.len() > self.sets.graph().length() {
            return Ok(Ref::BOTTOM);
        }
        let (mut behind, mut ball_met) = (into, false);
        for (place, &[_, after]) in self.replacement.squares.iter().enumerate() {
            let parts = match ball_met {
                false => self.sets.graph().thirds(behind).into(),
                true => {
                    let (empty, stone) = self.sets.graph().halves(behind, square + place);
                    [empty, stone, Ref::BOTTOM]
                }
            };
            behind = parts[after as usize];
            ball_met |= after == Symbol::Ball;
        }
        // From the last square to the first, the ball is met in the other order.
        let words = self.replacement.squares.iter().enumerate().rev();
        for (place, &[before, _]) in words {
            let mut parts = [Ref::BOTTOM; 3];
            parts[before as usize] = behind;
            let [empty, stone, ball] = parts;
            ball_met &= before != Symbol::Ball;
            behind = match ball_met {
                false => self.graph().ternary(square + place, empty, stone, ball)?,
                true => self.graph().binary(square + place, empty, stone)?,
            };
        }
        Ok(behind)
    }
}
