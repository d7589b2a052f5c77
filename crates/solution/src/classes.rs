//! Classes of words that win alike in every context.
//!
//! `solution.txt` (docs/FORMAT.md) has an automaton that reads a word from its goal line to the ball.
//! A state is a *family*, a number k and at most two numbers of blocks `oo..`. It stands for its
//! *canonical word*, the shortest with the same winners in every context.
//!
//! The text also has potentials, types and a comparison of its own. They are data that the rule does not
//! use, and so bear witness for it in the tests.

use std::fmt;
use std::sync::LazyLock;

/// The automaton of `solution.txt`.
pub static CLASSES: LazyLock<Classes> =
    LazyLock::new(|| Classes::parse(TEXT).expect("the text in the crate is an automaton"));

/// The text in the crate.
pub const TEXT: &str = include_str!("../solution.txt");

/// A class of words: a state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class {
    /// The place of the family in the text.
    pub family: u16,
    /// Number of fours of leading empty squares in the canonical word, at least.
    pub k: u32,
    /// The blocks of each # of the family's pattern; 0 without a #.
    pub blocks: [u32; 2],
}

impl Class {
    /// The class of the empty word.
    pub const EMPTY: Class = Class {
        family: 0,
        k: 0,
        blocks: [0; 2],
    };

    /// Returns the class of a word, read from its goal line to the ball; true for a stone.
    pub fn of(word: impl IntoIterator<Item = bool>) -> Class {
        word.into_iter().fold(Class::EMPTY, Class::step)
    }

    /// Returns the class after one more square, a stone or an empty one.
    pub fn step(self, stone: bool) -> Class {
        CLASSES
            .step(self, stone)
            .expect("a rule for every class of a word")
    }

    /// Returns the canonical word of the class.
    pub fn canonical(self) -> Vec<bool> {
        CLASSES.canonical(self)
    }
}

/// Returns the shortest word with the same winners in every context.
pub fn canonical(word: impl IntoIterator<Item = bool>) -> Vec<bool> {
    Class::of(word).canonical()
}

/// The automaton.
#[derive(Clone, Debug)]
pub struct Classes {
    families: Vec<Family>,
}

#[derive(Clone, Debug)]
struct Family {
    /// Empty squares at the beginning of the canonical word, besides fours.
    rest: usize,
    /// The canonical word after its first empty squares; # for a number of blocks.
    pattern: String,
    /// k − blocks is at least this number.
    least: u32,
    /// After an empty square and after a stone.
    rules: [Vec<Rule>; 2],
}

/// Bounds of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    counter: Counter,
    least: u32,
    most: u32,
}

#[derive(Clone, Copy, Debug)]
enum Counter {
    /// k without the blocks and the least k of the family.
    Slack,
    Blocks(usize),
}

#[derive(Clone, Debug)]
struct Rule {
    guards: Vec<Guard>,
    family: u16,
    more: i32,
    blocks: [Sum; 2],
}

/// A sum of old numbers of blocks and a number.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    has: [bool; 2],
    more: i32,
}

/// A line of the text that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, counted from 1; 0 for a line that is missing.
    pub number: usize,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is no line of an automaton", self.number)
    }
}

impl std::error::Error for BadLine {}

impl Classes {
    /// Reads an automaton.
    ///
    /// # Errors
    /// A line that is malformed, or that names a family without a line of its own.
    pub fn parse(text: &str) -> Result<Classes, BadLine> {
        let mut classes = Classes { families: Vec::new() };
        let mut names: Vec<&str> = Vec::new();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
        for (number, line) in lines.clone() {
            if let Some(line) = line.strip_prefix("F ") {
                let (name, family) = Family::parse(line).ok_or(BadLine { number })?;
                names.push(name);
                classes.families.push(family);
            }
        }
        for (number, line) in lines {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let read = match fields.first() {
                Some(&"F" | &"M") => Some(()),
                Some(&"S") => classes.read_rule(&names, &fields),
                _ => None,
            };
            read.ok_or(BadLine { number })?;
        }
        let is_whole = classes
            .families
            .first()
            .is_some_and(|family| family.pattern.is_empty());
        if is_whole {
            Ok(classes)
        } else {
            Err(BadLine { number: 0 })
        }
    }

    fn read_rule(&mut self, names: &[&str], fields: &[&str]) -> Option<()> {
        let find = |name: &&str| names.iter().position(|other| other == name);
        let [_, family, letter, rest @ ..] = fields else {
            return None;
        };
        let letter = [".", "o"].iter().position(|other| other == letter)?;
        let colon = rest.iter().position(|&field| field == ":")?;
        let guards = rest[..colon].iter().filter(|&&field| field != "-");
        let [next, more, blocks @ ..] = &rest[colon + 1..] else {
            return None;
        };
        let mut sums = [Sum::default(); 2];
        for (sum, field) in sums.iter_mut().zip(blocks) {
            *sum = Sum::parse(field)?;
        }
        let rule = Rule {
            guards: guards.map(|field| Guard::parse(field)).collect::<Option<_>>()?,
            family: find(next)? as u16,
            more: more.parse().ok()?,
            blocks: sums,
        };
        self.families[find(family)?].rules[letter].push(rule);
        Some(())
    }

    /// Returns the class after one more square; `None` if the text has no rule for it.
    pub fn step(&self, class: Class, stone: bool) -> Option<Class> {
        let family = &self.families[usize::from(class.family)];
        let rules = &family.rules[usize::from(stone)];
        let rule = rules.iter().find(|rule| {
            rule.guards
                .iter()
                .all(|guard| guard.holds(self.slack(class), class.blocks))
        })?;
        let sum = |sum: Sum| {
            let old = (0..2)
                .filter(|&at| sum.has[at])
                .map(|at| class.blocks[at])
                .sum::<u32>();
            old.checked_add_signed(sum.more)
        };
        Some(Class {
            family: rule.family,
            k: class.k.checked_add_signed(rule.more)?,
            blocks: [sum(rule.blocks[0])?, sum(rule.blocks[1])?],
        })
    }

    /// Returns k without the blocks and the least k of the family.
    pub fn slack(&self, class: Class) -> u32 {
        let least = self.families[usize::from(class.family)].least;
        class.k.saturating_sub(class.blocks[0] + class.blocks[1] + least)
    }

    /// Returns the canonical word of a class.
    pub fn canonical(&self, class: Class) -> Vec<bool> {
        let family = &self.families[usize::from(class.family)];
        let mut word = vec![false; 4 * class.k as usize + family.rest];
        let mut blocks = class.blocks.into_iter();
        for letter in family.pattern.bytes() {
            match letter {
                b'#' => {
                    let count = blocks.next().unwrap_or(0);
                    word.extend([true, true, false, false].repeat(count as usize));
                }
                letter => word.push(letter == b'o'),
            }
        }
        word
    }
}

impl Family {
    /// Parses `0:#o. 5 c +1 type 4`.
    fn parse(line: &str) -> Option<(&str, Family)> {
        let (head, _) = line.split_once(" c ")?;
        let (name, least) = head.split_once(' ')?;
        let (rest, pattern) = name.split_once(':')?;
        let family = Family {
            rest: rest.parse().ok()?,
            pattern: pattern.to_string(),
            least: least.parse().ok()?,
            rules: [Vec::new(), Vec::new()],
        };
        Some((name, family))
    }
}

impl Guard {
    /// Parses `s=1`, `s=1..3`, `s<=2` or `b0>=2`.
    pub fn parse(text: &str) -> Option<Guard> {
        let at = text.find(['=', '<', '>'])?;
        let counter = match &text[..at] {
            "s" => Counter::Slack,
            "b0" => Counter::Blocks(0),
            "b1" => Counter::Blocks(1),
            _ => return None,
        };
        let number = |text: &str| text.parse::<u32>().ok();
        let bounds = &text[at..];
        let (least, most) = if let Some(least) = bounds.strip_prefix(">=") {
            (number(least)?, u32::MAX)
        } else if let Some(most) = bounds.strip_prefix("<=") {
            (0, number(most)?)
        } else {
            let bounds = bounds.strip_prefix('=')?;
            let (least, most) = bounds.split_once("..").unwrap_or((bounds, bounds));
            (number(least)?, number(most)?)
        };
        Some(Guard { counter, least, most })
    }

    /// True if the counter of a class is within the bounds.
    pub fn holds(self, slack: u32, blocks: [u32; 2]) -> bool {
        let found = match self.counter {
            Counter::Slack => slack,
            Counter::Blocks(at) => blocks[at],
        };
        (self.least..=self.most).contains(&found)
    }
}

impl Sum {
    /// Parses `b0+b1-1` or `2`.
    fn parse(text: &str) -> Option<Sum> {
        let mut sum = Sum::default();
        let mut rest = text;
        while let Some(at) = ["b0", "b1"].iter().position(|block| rest.starts_with(block)) {
            sum.has[at] = true;
            rest = &rest[2..];
            rest = rest
                .strip_prefix("+")
                .filter(|rest| rest.starts_with('b'))
                .unwrap_or(rest);
        }
        if !rest.is_empty() {
            sum.more = rest.parse().ok()?;
        }
        Some(sum)
    }
}
