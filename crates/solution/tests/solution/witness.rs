//! The potentials, the types and the comparison of `solution.txt`, which the program does not use.

use phutbase_solution::classes::{BadLine, Class, Classes, Guard, TEXT};
use std::sync::LazyLock;

/// Number of types in the text, each a row and a column of its tables.
const TYPES: usize = 17;

/// The automaton of `solution.txt` with these.
pub static WITNESS: LazyLock<Witness> = LazyLock::new(|| Witness::parse(TEXT).unwrap());

#[derive(Debug)]
pub struct Witness {
    pub classes: Classes,
    /// P − k and the type, by family.
    families: Vec<[Cases; 2]>,
    /// True if Left wins at lead 0 and −1, by the types of the halves.
    wins: [[[bool; TYPES]; TYPES]; 2],
}

/// A number that depends on the class: that of the first case that holds.
type Cases = Vec<(Vec<Guard>, i32)>;

impl Witness {
    pub fn parse(text: &str) -> Result<Witness, BadLine> {
        let mut witness = Witness {
            classes: Classes::parse(text)?,
            families: Vec::new(),
            wins: [[[false; TYPES]; TYPES]; 2],
        };
        for (number, line) in (1..).zip(text.lines()) {
            let read = match line.split_once(' ') {
                Some(("F", family)) => cases_of(family).map(|cases| witness.families.push(cases)),
                Some(("M", row)) => witness.read_row(row),
                _ => Some(()),
            };
            read.ok_or(BadLine { number })?;
        }
        Ok(witness)
    }

    fn read_row(&mut self, row: &str) -> Option<()> {
        let [lead, row, bits] = row.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        let lead = ["0", "-1"].iter().position(|&other| other == lead)?;
        let row = self.wins[lead].get_mut(row.parse::<usize>().ok()?)?;
        if bits.len() != TYPES {
            return None;
        }
        for (wins, bit) in row.iter_mut().zip(bits.bytes()) {
            *wins = bit == b'1';
        }
        Some(())
    }

    fn case(&self, class: Class, at: usize) -> i32 {
        let slack = self.classes.slack(class);
        let mut holding = self.families[usize::from(class.family)][at]
            .iter()
            .filter(|(guards, _)| guards.iter().all(|guard| guard.holds(slack, class.blocks)));
        holding.next().map_or(0, |&(_, number)| number)
    }

    /// The potential of a class.
    pub fn potential(&self, class: Class) -> i32 {
        if class == Class::EMPTY {
            return 0;
        }
        class.k as i32 + self.case(class, 0)
    }

    /// The type of a class, 0 to 16.
    pub fn kind(&self, class: Class) -> usize {
        self.case(class, 1) as usize
    }

    /// True if the player to move wins, with these classes of the words behind and ahead.
    pub fn wins(&self, behind: Class, ahead: Class) -> bool {
        let lead = self.potential(behind) - self.potential(ahead);
        match lead {
            0 | -1 => self.wins[-lead as usize][self.kind(behind)][self.kind(ahead)],
            _ => lead >= 1,
        }
    }

    /// The cell of a class: its counters as far as rules compare them.
    pub fn cell(&self, class: Class) -> [u32; 4] {
        let [one, other] = class.blocks.map(|blocks| blocks.min(2));
        [class.family.into(), self.classes.slack(class).min(4), one, other]
    }
}

/// Reads `0:#o. 5 c +1 type 4`.
fn cases_of(family: &str) -> Option<[Cases; 2]> {
    let (_, rest) = family.split_once(" c ")?;
    let (more, kinds) = rest.split_once(" type ")?;
    let cases = |text: &str| text.split_whitespace().map(case).collect::<Option<Cases>>();
    Some([cases(more)?, cases(kinds)?])
}

/// Reads `3` or `b0=1:3`.
fn case(text: &str) -> Option<(Vec<Guard>, i32)> {
    Some(match text.split_once(':') {
        None => (Vec::new(), text.parse().ok()?),
        Some((guard, number)) => (vec![Guard::parse(guard)?], number.parse().ok()?),
    })
}
