//! Laws of replacement, decided for every length: does another word keep Left's wins?
//!
//! The winner depends on the values of both halves only, so a law is a comparison of the [pairs of
//! values](super::outside) that the two words lead to. No table is read.

use super::outside::{Outside, Pairs};
use hashbrown::HashSet;
use phutbase_base::outcome::{ParseError, Side};
use phutbase_rules::strip::AnyStrip;
use phutbase_solution::classes::Class;

/// Most squares of a word on one side of the ball.
pub const MAX_SQUARES: usize = 12;

/// Most squares between words without the ball and the ball, in the search for exceptions.
pub const SEARCHED: usize = 24;

/// A word of squares and the word that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    words: [Word; 2],
    /// True if the words begin on square 0 only.
    at_left_end: bool,
}

/// A word, with a stone for true.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    left: Vec<bool>,
    /// The squares on the right of the ball, from there on; `None` without the ball.
    right: Option<Vec<bool>>,
}

/// A board that Left wins, and the board with the other word, which he does not win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    pub won: AnyStrip,
    pub lost: AnyStrip,
}

/// The answer to a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawStatus {
    /// It holds on every board of every length.
    Holds,
    /// A shortest exception with Left and with Right to move, if there is one.
    Fails([Option<Exception>; 2]),
    /// Not decided: words without the ball that have no exception with up to [`SEARCHED`] squares behind them.
    Open,
}

impl Replacement {
    /// Parses two words of `.`, `o` and `@`, each with `|` in front if they begin on square 0.
    ///
    /// # Errors
    /// Other characters; no ball around which the words lie, or one on square 0; one `|`; too many squares.
    pub fn parse(pattern: &str, replacement: &str) -> Result<Replacement, ParseError> {
        let words = [pattern, replacement].map(|text| match text.strip_prefix('|') {
            Some(word) => (word, true),
            None => (text, false),
        });
        let [before, after] = words.map(|(word, _)| Word::parse(word));
        let replacement_of = Replacement {
            words: [before?, after?],
            at_left_end: words[0].1,
        };
        let refuse = |reason: &str| Err(ParseError(format!("'{pattern}' and '{replacement}': {reason}")));
        if words[1].1 != replacement_of.at_left_end {
            return refuse("write '|' for the left end in front of both or of none");
        }
        let [has_ball, other_has] = [0, 1].map(|at| replacement_of.words[at].right.is_some());
        if has_ball != other_has || !has_ball && !replacement_of.at_left_end {
            return refuse("write one ball in each, or '|' in front of both for words at the left end");
        }
        let is_too_long = |word: &Word| {
            let beside = !replacement_of.at_left_end && word.left.len() > MAX_SQUARES;
            beside || word.right.as_ref().is_some_and(|right| right.len() > MAX_SQUARES)
        };
        if replacement_of.words.iter().any(is_too_long) {
            return refuse(&format!(
                "write at most {MAX_SQUARES} squares on a side of the ball"
            ));
        }
        let is_no_half = |word: &Word| word.right.is_some() && word.left.is_empty();
        if replacement_of.at_left_end && replacement_of.words.iter().any(is_no_half) {
            return refuse("the ball is never on square 0; write a square between '|' and '@'");
        }
        Ok(replacement_of)
    }

    /// Decides the law for every length.
    pub fn answer(&self) -> LawStatus {
        let [before, after] = &self.words;
        let found = match (&before.right, &after.right) {
            (Some(right), Some(other)) => self.around_ball([right, other]),
            _ => match self.at_left_end() {
                None => return LawStatus::Open,
                Some(found) => found,
            },
        };
        if found == [None, None] {
            LawStatus::Holds
        } else {
            LawStatus::Fails(found)
        }
    }

    /// Returns shortest exceptions of words with the ball, by the player to move.
    fn around_ball(&self, right: [&Vec<bool>; 2]) -> [Option<Exception>; 2] {
        let left = self.words.each_ref().map(|word| word.left.as_slice());
        let right = right.map(|word| word.iter().rev().copied().collect::<Vec<bool>>());
        let longest = |words: [usize; 2]| words[0].max(words[1]);
        let beside = if self.at_left_end {
            0
        } else {
            longest(left.map(<[bool]>::len))
        };
        let outside = Outside::of_words(beside.max(longest(right.each_ref().map(Vec::len))));
        let behind = if self.at_left_end {
            Pairs::of_words(left)
        } else {
            outside.pairs(left)
        };
        let ahead = outside.pairs(right.each_ref().map(Vec::as_slice));
        [Side::Left, Side::Right].map(|side| {
            let [behind, ahead] = behind.lost(&ahead, side)?;
            let [won, lost] = self.words.each_ref().map(|word| word.board(behind, ahead, side));
            Some(Exception { won, lost })
        })
    }

    /// Returns shortest exceptions of words without the ball, among those with few squares behind the words;
    /// `None` if longer ones are possible.
    fn at_left_end(&self) -> Option<[Option<Exception>; 2]> {
        let words = self.words.each_ref().map(|word| word.left.as_slice());
        let ahead = Outside::of_words(0).pairs([&[]; 2]);
        let mut level = vec![Followed {
            classes: words.map(|word| Class::of(word.iter().copied())),
            between: Vec::new(),
        }];
        let mut known: HashSet<[Class; 2]> = level.iter().map(|followed| followed.classes).collect();
        let mut found: [Option<[Vec<bool>; 2]>; 2] = [None, None];
        for squares in 0..=SEARCHED {
            let is_half = |word: &[bool]| squares > 0 || !word.is_empty();
            for followed in level.iter().filter(|_| words.into_iter().all(is_half)) {
                let behind = followed.pairs();
                for (found, side) in found.iter_mut().zip([Side::Left, Side::Right]) {
                    let Some([_, ahead]) = behind.lost(&ahead, side) else {
                        continue;
                    };
                    let length = |[between, ahead]: &[Vec<bool>; 2]| between.len() + ahead.len();
                    let next = [followed.between.clone(), ahead.to_vec()];
                    if found.as_ref().is_none_or(|found| length(&next) < length(found)) {
                        *found = Some(next);
                    }
                }
            }
            level = Followed::next_level(&level, &mut known);
        }
        let is_open = found == [None, None] && !level.is_empty();
        let boards = |[between, ahead]: [Vec<bool>; 2], side| {
            let [won, lost] = words.map(|word| {
                let word = Word {
                    left: [word, &between].concat(),
                    right: Some(Vec::new()),
                };
                word.board(&[], &ahead, side)
            });
            Exception { won, lost }
        };
        let [left, right] = found;
        (!is_open).then(|| {
            [
                left.map(|found| boards(found, Side::Left)),
                right.map(|found| boards(found, Side::Right)),
            ]
        })
    }
}

/// Two words at the left end, followed by the same squares.
struct Followed {
    classes: [Class; 2],
    /// The squares that follow.
    between: Vec<bool>,
}

impl Followed {
    fn pairs(&self) -> Pairs {
        let canonical = self.classes.map(Class::canonical);
        Pairs::of_words([&canonical[0], &canonical[1]])
    }

    /// True if the second word keeps Left's wins whatever follows: it is worth the first with squares added on
    /// the left (Theorem 3, docs/THEORY.md).
    fn holds(&self) -> bool {
        let [first, second] = self.classes.map(Class::canonical);
        second.ends_with(&first)
    }

    /// Adds a square to every word, and keeps the pairs of classes that are new and not decided.
    fn next_level(level: &[Followed], known: &mut HashSet<[Class; 2]>) -> Vec<Followed> {
        let longer = level
            .iter()
            .filter(|followed| !followed.holds())
            .flat_map(|followed| {
                [false, true].map(|stone| Followed {
                    classes: followed.classes.map(|class| class.step(stone)),
                    between: [&followed.between[..], &[stone]].concat(),
                })
            });
        longer.filter(|followed| known.insert(followed.classes)).collect()
    }
}

impl Word {
    fn parse(text: &str) -> Result<Word, ParseError> {
        let mut parts = [Vec::new(), Vec::new()];
        let mut balls = 0;
        for symbol in text.chars() {
            match symbol {
                '@' | '●' if balls == 0 => balls = 1,
                '@' | '●' => return Err(ParseError("write one ball at most in a word".to_string())),
                '.' | '·' => parts[balls].push(false),
                'o' | 'O' | '◇' => parts[balls].push(true),
                found => {
                    return Err(ParseError(format!(
                        "'{found}' is not a square: write '.' for empty, 'o' for a stone, '@' for the ball"
                    )));
                }
            }
        }
        let [left, right] = parts;
        Ok(Word {
            left,
            right: (balls == 1).then_some(right),
        })
    }

    /// Returns the board with squares on both sides of the word, each from its goal line on.
    fn board(&self, behind: &[bool], ahead: &[bool], side: Side) -> AnyStrip {
        let left = behind.iter().chain(&self.left);
        let right = self.right.iter().flatten().chain(ahead.iter().rev());
        let squares = left.chain(&[false]).chain(right).copied();
        let ball = behind.len() + self.left.len();
        AnyStrip::new(squares, ball, side).expect("both halves have a square")
    }
}
