//! The rule, compiled: a step is a look-up and additions.
//!
//! The rule compares K with small numbers and with the indices i, j, n, and the indices with small
//! numbers. A *control* holds all of a name but the sizes of its numbers: head, mark, tail, and the
//! indices as far as the rule tells them apart. A *cell* of a control holds K, K − i, K − j and K + 1 − n
//! as far as the rule tells them apart. In a cell, a step adds constants and copies indices, so one
//! name of each cell, stepped by the rule, gives the change for all.

use crate::rule::{Head, Kind, Name, Value};
use hashbrown::HashMap;
use std::sync::LazyLock;

/// The state of a half strip, read from its goal line towards the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HalfState {
    /// Its place among the controls.
    control: u16,
    i: i32,
    j: i32,
    n: i32,
    /// K of the name.
    number: i32,
}

impl HalfState {
    /// The state of the empty half.
    pub const EMPTY: HalfState = HalfState {
        control: 0,
        i: 0,
        j: 0,
        n: 0,
        number: 0,
    };

    /// Returns the state after the squares from the goal line on; true for a stone.
    pub fn of(word: impl IntoIterator<Item = bool>) -> HalfState {
        let table = &*TABLE;
        let step = |half, stone| table.step(half, stone);
        word.into_iter().fold(HalfState::EMPTY, step)
    }

    /// Returns the state after one more square, a stone or an empty one.
    #[inline]
    pub fn step(self, stone: bool) -> HalfState {
        TABLE.step(self, stone)
    }

    /// Returns the state after more empty squares.
    pub fn empty_squares(self, count: usize) -> HalfState {
        let table = &*TABLE;
        (0..count).fold(self, |half, _| table.step(half, false))
    }

    /// Returns the value of the half that was read.
    #[inline]
    pub fn value(self) -> Value {
        let table = &*TABLE;
        let cell = &table.cells[table.cell(self)];
        Value {
            potential: self.number + i32::from(cell.more),
            kind: cell.kind,
        }
    }

    /// Returns the name of the half that was read.
    pub fn name(self) -> Name {
        let HalfState { i, j, n, number, .. } = self;
        Name {
            i,
            j,
            n,
            number,
            ..TABLE.controls[usize::from(self.control)].name
        }
    }
}

/// The numbers below which the rule compares an index, K, K − i, K − j and K + 1 − n; the last class
/// of each is unbounded. A test compares the table with the rule on every name with K ≤ 24.
const INDEX: i32 = 2;
const NUMBER: i32 = 10;
const FROM_I: i32 = 9;
const FROM_J: i32 = 8;
const FROM_N: i32 = 7;
/// The least n of a full chain.
const LEAST_N: i32 = 4;

/// The changes of all cells of all controls.
struct Table {
    controls: Vec<Control>,
    cells: Vec<Cell>,
}

/// The states with equal heads, marks and tails, whose indices the rule does not tell apart.
struct Control {
    /// A name of the control; its numbers may be others.
    name: Name,
    /// The place of its first cell.
    first: u32,
    /// Distance between cells with neighbouring K − i, K − j, K + 1 − n; 0 where the index determines it.
    strides: [u32; 3],
}

/// The states that change alike, and how.
#[derive(Clone, Copy)]
struct Cell {
    /// Added to K for the potential.
    more: i8,
    kind: Kind,
    /// By an empty square and by a stone.
    changes: [Change; 2],
}

impl Cell {
    /// A cell that no name is in.
    const NEVER: Cell = {
        let change = Change {
            control: 0,
            number: 0,
            i: [0; 3],
            j: [0; 3],
            n: [0; 3],
        };
        Cell {
            more: 0,
            kind: Kind::Z,
            changes: [change; 2],
        }
    };
}

/// The effect of a square. The masks are −1 for an old number that is kept, 0 for one that is not.
#[derive(Clone, Copy)]
struct Change {
    control: u16,
    number: i8,
    /// The new i from the old i and j, and a number that is added.
    i: [i8; 3],
    /// The new j from the old i and j, and a number that is added.
    j: [i8; 3],
    /// The new n from the old i and n, and a number that is added.
    n: [i8; 3],
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::compile);

impl Table {
    #[inline]
    fn cell(&self, half: HalfState) -> usize {
        let control = &self.controls[usize::from(half.control)];
        let class = |number: i32, cap: i32| number.clamp(0, cap) as u32;
        let k = half.number;
        (control.first
            + class(k, NUMBER)
            + control.strides[0] * class(k - half.i, FROM_I)
            + control.strides[1] * class(k - half.j, FROM_J)
            + control.strides[2] * class(k + 1 - half.n, FROM_N)) as usize
    }

    #[inline]
    fn step(&self, half: HalfState, stone: bool) -> HalfState {
        let change = &self.cells[self.cell(half)].changes[usize::from(stone)];
        let index = |[first, second, more]: [i8; 3], a: i32, b: i32| {
            (a & i32::from(first)) + (b & i32::from(second)) + i32::from(more)
        };
        HalfState {
            control: change.control,
            i: index(change.i, half.i, half.j),
            j: index(change.j, half.i, half.j),
            n: index(change.n, half.i, half.n),
            number: half.number + i32::from(change.number),
        }
    }

    /// Steps one name of every cell, from the empty word on.
    fn compile() -> Table {
        let mut table = Table {
            controls: Vec::new(),
            cells: Vec::new(),
        };
        let mut known = HashMap::new();
        table.control(&mut known, Name::EMPTY);
        let mut at = 0;
        while at < table.controls.len() {
            for cell in cells(table.controls[at].name) {
                let cell = match cell {
                    None => Cell::NEVER,
                    Some(name) => table.compile_cell(&mut known, name),
                };
                table.cells.push(cell);
            }
            at += 1;
        }
        table
    }

    fn compile_cell(&mut self, known: &mut HashMap<Name, u16>, name: Name) -> Cell {
        let changes = [false, true].map(|stone| {
            let next = name.step(stone);
            Change::between(name, next, self.control(known, next))
        });
        let Value { potential, kind } = name.value();
        let more = (potential - name.number) as i8;
        Cell { more, kind, changes }
    }

    /// Returns the place of the control of a name.
    fn control(&mut self, known: &mut HashMap<Name, u16>, name: Name) -> u16 {
        let name = Name {
            i: name.i.min(INDEX),
            j: if name.head == Head::Y {
                name.j
            } else {
                name.j.min(INDEX)
            },
            n: name.n.min(LEAST_N),
            number: 0,
            ..name
        };
        *known.entry(name).or_insert_with(|| {
            let sizes = sizes(name);
            let last = self.controls.last();
            let first = last.map_or(0, |last| last.first + count_cells(last.name));
            let mut stride = NUMBER as u32 + 1;
            let strides = sizes.map(|size| match size {
                1 => 0,
                size => {
                    stride *= size;
                    stride / size
                }
            });
            self.controls.push(Control { name, first, strides });
            (self.controls.len() - 1) as u16
        })
    }
}

/// Returns the numbers of classes of K − i, K − j and K + 1 − n.
fn sizes(name: Name) -> [u32; 3] {
    let size = |is_open: bool, cap: i32| if is_open { cap as u32 + 1 } else { 1 };
    [
        size(name.i == INDEX, FROM_I),
        // The length of a chain is at most 3.
        size(name.j == INDEX && name.head != Head::Y, FROM_J),
        size(name.n == LEAST_N, FROM_N),
    ]
}

fn count_cells(name: Name) -> u32 {
    (NUMBER as u32 + 1) * sizes(name).iter().product::<u32>()
}

/// Returns a name of every cell of a control, in the order of the cells; `None` of a cell that no
/// name is in. Numbers that the cell does not bound are far from each other.
fn cells(control: Name) -> Vec<Option<Name>> {
    let [from_i, from_j, from_n] = sizes(control);
    let mut names = Vec::with_capacity(count_cells(control) as usize);
    for n in 0..from_n {
        for j in 0..from_j {
            for i in 0..from_i {
                for number in 0..=NUMBER {
                    let number = if number == NUMBER { 10_000 } else { number };
                    let index = |least: i32, size: u32, near: i32, from: u32, far: i32| match size {
                        1 => Some(least),
                        _ if from + 1 == size => Some(far).filter(|_| number >= far),
                        _ => Some(near - from as i32).filter(|&index| index >= least),
                    };
                    let indices = || {
                        let i = index(control.i, from_i, number, i, 1_000)?;
                        let j = index(control.j, from_j, number, j, 2_000)?;
                        Some((i, j, index(control.n, from_n, number + 1, n, 3_000)?))
                    };
                    names.push(indices().map(|(i, j, n)| Name {
                        i,
                        j,
                        n,
                        number,
                        ..control
                    }));
                }
            }
        }
    }
    names
}

impl Change {
    /// Returns the change from a name to the next, which has this control.
    fn between(name: Name, next: Name, control: u16) -> Change {
        Change {
            control,
            number: (next.number - name.number) as i8,
            i: source(next.i, [name.i, name.j]),
            j: source(next.j, [name.i, name.j]),
            n: source(next.n, [name.i, name.n]),
        }
    }
}

/// Returns which old number a new one is, and the difference; a small number is constant.
fn source(new: i32, old: [i32; 2]) -> [i8; 3] {
    if new < 100 {
        return [0, 0, new as i8];
    }
    let near = |old: i32| (new - old).abs() < 10;
    match old {
        [first, _] if near(first) => [-1, 0, (new - first) as i8],
        [_, second] => [0, -1, (new - second) as i8],
    }
}
