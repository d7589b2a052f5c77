//! The rule that tells who wins (Heads and tails, docs/RULES.md; `proofs/Rule.v` is the same in Coq).
//!
//! A half strip is a word, read from its goal line to the ball. After each square it has a
//! [`Name`]: a head, a tail, small numbers and a number K, which counts, roughly, fours of leading
//! empty squares. The name gives the word's [`Value`], and one comparison of two values tells who
//! wins. The numbered rules are those of the text.

use Head::*;
use Tail::*;

/// The head of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Head {
    L,
    /// L*.
    LStar,
    I,
    T,
    A,
    G,
    U,
    E,
    Z,
    O,
    Q,
    /// A chain: the index i is b, the index j its length c.
    Y,
}

/// The tail of a name: S for a stone, D for an empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Tail { Bare, S, SS, SSD, SSS, SSSS, SD, SDS, SDSS, SDSSD }

/// The name of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The head.
    pub head: Head,
    /// Its first index, at least −1; b of a chain.
    pub i: i32,
    /// Its second index, at least −1; c of a chain.
    pub j: i32,
    /// The number that a head G carries after a full chain, else 0.
    pub n: i32,
    /// True if the head is marked.
    pub marked: bool,
    /// The tail.
    pub tail: Tail,
    /// K.
    pub number: i32,
}

impl Name {
    /// The name of the empty word, and of all words whose squares are no defence.
    pub const EMPTY: Name = named(L, 0);

    /// Returns the name of a word; true for a stone.
    pub fn of(word: impl IntoIterator<Item = bool>) -> Name {
        word.into_iter().fold(Name::EMPTY, Name::step)
    }

    /// Returns the name after one more square, a stone or an empty one.
    pub fn step(self, stone: bool) -> Name {
        let (_, name) = self.names(stone).last().expect("a name");
        name
    }

    /// Returns the names that the word gets one after the other, each with the number of its rule near the
    /// goal line. The last one stays.
    pub(crate) fn names(self, stone: bool) -> impl Iterator<Item = (Option<u8>, Name)> {
        let exception = self.exception(stone).map(|name| (10, name));
        let first = exception.map_or((None, self.letter(stone)), |(rule, name)| (Some(rule), name));
        let next = |&(_, name): &(_, Name)| name.near_goal_line().map(|(rule, name)| (Some(rule), name));
        std::iter::successors(Some(first), next)
    }

    /// Sections 1 to 3: the name where K is large.
    fn letter(self, stone: bool) -> Name {
        match (self.head, stone) {
            (Y, true) => self.chain_and_stone(),
            (Y, false) => self.chain_and_empty(),
            (_, true) => self.stone(),
            (_, false) => self.empty(),
        }
    }

    /// Section 1: a stone.
    fn stone(self) -> Name {
        let Name { i, number: k, .. } = self;
        match (self.head, self.tail) {
            (L, _) => named(A, k).tail(S),
            (LStar, _) => named(T, k).tail(S),
            (I, _) => named(G, k - 1).indices(i, -1).mark(self.marked).tail(S),
            (U, _) => named(G, k).indices(-1, i).tail(SSS),
            (E, _) => named(T, k - 1).tail(S),
            (Q, _) => named(O, k - 1).index(i).tail(S),
            (T, SSD) => named(O, k - 1).index(-1),
            (T, SSSS) => self.index(-1).tail(S).plus(-1),
            (_, SSSS) => self.tail(S).plus(-1),
            (_, SSD) => self.mark(true).tail(SSSS),
            (_, Bare) => self.tail(S),
            (_, S) => self.tail(SS),
            (_, SS) => self.tail(SSS),
            (_, _) => self.tail(SSSS),
        }
    }

    /// Section 2: an empty square.
    fn empty(self) -> Name {
        let Name {
            i,
            j,
            n,
            marked,
            number: k,
            ..
        } = self;
        let mark = if marked { -1 } else { 0 };
        match (self.head, self.tail) {
            (L, _) => named(I, k + 1),
            (LStar, _) => named(L, k + 1),
            (I, _) => named(T, k - 1),
            (U, _) => named(O, k),
            (E, _) => named(Z, k),
            (Q, _) => named(G, k).indices(j, 0).carrying(n),
            (O, SS) => named(T, k).tail(SSD),
            (_, SS) => self.tail(SSD),

            (A | G, Bare) => named(E, k),
            (A, S) => named(U, k).index(i),
            (G, S) => named(U, k).index(j),
            (A, SSD) => named(A, k).index(i + 1),
            (G, SSD) => {
                let [more_j, more_n] = [j >= 0, n > 0].map(i32::from);
                named(G, k).indices(i + 1, j + more_j).carrying(n + more_n)
            }
            (A | G, SSS) => named(I, k).index(i).mark(marked),
            (A, _) => named(Y, k).index(-1),
            (G, _) => named(Y, k).index(j),

            (T, Bare) => named(LStar, k),
            (T, S) => named(I, k + 1).index(-1),
            (T, SSD) => named(O, k),
            (T, SSS) => named(E, k),
            // The memory of a full chain: rule 3.
            (T, _) => named(Q, k).index(i).carrying(if i > 0 { i + 3 } else { 0 }),

            (O, Bare) => named(I, k + 1).index(i),
            (O, S) => named(U, k).index(-1),
            (O, SSS) => named(Q, k).indices(i, i + 1),
            (O, _) => named(I, k).index(i).mark(true),

            (Z, Bare) => named(I, k + 1),
            (Z, S) => named(U, k).index(i),
            (Z, SSD) => named(Z, k).index(i + 1),
            (Z, SSS) => named(Q, k).indices(mark, mark + 1),
            (Z, _) => named(I, k).index(mark).mark(true),
            (Y, _) => self.chain_and_empty(),
        }
    }

    /// True if a chain has its greatest length.
    fn is_full(self) -> bool {
        self.j == if self.i < 0 { 2 } else { 3 }
    }

    /// Section 3: a chain and a stone.
    fn chain_and_stone(self) -> Name {
        match self.tail {
            Bare if self.is_full() => self.indices(self.i, self.j - 1).tail(SDSS).plus(1),
            Bare => self.tail(S),
            S => self.tail(SS),
            SS | SD => self.tail(SDS),
            SDS => self.tail(SDSS),
            SDSS => self.tail(S).plus(-1),
            _ => self.tail(SS).plus(-1),
        }
    }

    /// Section 3: a chain and an empty square.
    fn chain_and_empty(self) -> Name {
        let Name { i, j, number: k, .. } = self;
        let blocks = if j == 2 { i + 1 } else { 0 };
        match self.tail {
            Bare if self.is_full() => named(T, k).index(i + 1).tail(SSSS),
            Bare => named(O, k - 1).index(blocks),
            S => self.tail(SD),
            SD => named(T, k - 2),
            SS => self.indices(i, j + 1).tail(Bare).plus(-1),
            SDS => self.tail(Bare).plus(-1),
            SDSS => self.tail(SDSSD),
            _ => named(G, k - 2).indices(blocks, -1),
        }
    }

    /// Section 4: another name of the word where K is small, with the number of its rule.
    fn near_goal_line(self) -> Option<(u8, Name)> {
        let Name {
            head,
            i,
            j,
            n,
            marked,
            tail,
            number: k,
        } = self;
        let mark = if marked { -1 } else { 0 };
        Some(match (head, tail) {
            (G, _) if k < n => (1, self.head(A).indices(i, 0).carrying(0)),
            (G, _) if i == 0 && k < 3 => (1, self.head(A).indices(0, 0).carrying(0)),
            (G, _) if j >= 1 && k < j + 5 => (2, self.indices(i, -1).carrying(0)),
            (G, S) if i == -1 && k < 2 => (7, named(A, k).tail(SSS)),
            (G, S) if i >= 1 && j >= 0 && k < i + 2 => (3, self.head(Z).indices(j, 0).carrying(0)),
            (G, SSSS) if i == -1 && j == -1 && k < 3 => (7, named(G, k).indices(-1, 0).tail(SSSS)),
            (A | G, S) if (i >= 1 || i == 0 && marked) && k < i + 2 => (4, named(O, k).index(mark).tail(S)),
            (A, S) if k < 1 => (7, Name::EMPTY),
            (A, SSD) if i == 0 && k < 2 => (7, named(LStar, k - 1)),
            (T, SS) if k == 1 => (8, named(A, k).tail(SS)),
            (T, SS) if k < 1 => (8, Name::EMPTY),
            (O, S) if i == -1 && k < 2 => (8, named(A, k).tail(SS)),
            (O, S) if i == 0 && k < 2 => (8, named(A, k).tail(S)),
            (O, S) if i == 1 && k < 2 => (8, named(T, k).tail(S)),
            (O, SS) if i >= 1 && k < i + 2 => (6, named(T, k).tail(SS)),
            (Z, S) if k < i + 2 => (5, named(O, k).index(mark).tail(S)),
            (I, _) if i == -1 && k < 2 => (8, named(I, k)),
            (I, _) if i == 1 && k < 3 => (8, named(Q, k)),
            (U, _) if i == 0 && k < 2 => (7, named(LStar, k - 1)),
            (Y, _) => return self.chain_near_goal_line().map(|name| (9, name)),
            _ => return None,
        })
    }

    /// Rule 9: chains.
    fn chain_near_goal_line(self) -> Option<Name> {
        let Name {
            i: b,
            j: c,
            tail,
            number,
            ..
        } = self;
        let k = number + c;
        // The conditions under which a chain of two or three is the shorter one.
        let is_short = |below| c >= 2 && (b < 0 || b == 0 && k < below);
        Some(match (c, tail) {
            _ if b >= 1 && k < b + 6 && (tail == SDS || c == 3) => self.indices(-1, c),
            (0, Bare) if b < 0 && k < 2 => named(Q, number),
            (0, Bare) if b < 0 && k < 4 => self.indices(0, c),
            (0, SDSS) | (1, _) if b < 0 && k < 5 => self.indices(0, c),
            (_, S) if is_short(5) => self.indices(b, 1).tail(SDSS).plus(1),
            (_, SDS) if is_short(6) => self.indices(b, 1).tail(SS),
            (3, Bare) if is_short(6) => self.indices(b, 1).tail(SD).plus(1),
            (0, Bare) if b == 0 && k < 3 => named(LStar, number - 2),
            (0, SDSS) if b == 0 && k < 4 => named(A, number - 2).tail(SSSS),
            (1, S) if b == 0 && k < 4 => named(T, number - 2).tail(S),
            (1, SDSSD) if b == 0 && k < 5 => named(Q, number - 2),
            _ => return None,
        })
    }

    /// Rule 10.
    fn exception(self, stone: bool) -> Option<Name> {
        match (self.head, self.i, self.tail, self.number, stone) {
            (L, _, _, 0, true) => Some(Name::EMPTY),
            (A, 0, SSS, 1, false) => Some(named(LStar, 0)),
            (A, 0, SSSS, 1, true) => Some(named(T, 0).tail(S)),
            _ => None,
        }
    }

    /// Section 5: the potential and the type.
    pub fn value(self) -> Value {
        let Name {
            i,
            j,
            tail,
            number: k,
            ..
        } = self;
        let (more, kind) = match (self.head, tail) {
            (L, _) if k == 0 => (0, Kind::B),
            (A, SSSS) if i == 0 && k == 1 => (0, Kind::A),
            (A | G, Bare | S) => (0, Kind::A),
            (A | G, SS | SSS) => (0, Kind::B),
            (A | G, SSD) => (1, Kind::Z),
            (G, _) if j == 0 => (-1, Kind::C),
            (A | G, _) => (-1, Kind::D),
            (T, Bare) => (1, Kind::A),
            (T, S) => (1, Kind::B),
            (T, SS | SSS) => (0, Kind::A),
            (T, SSD) => (1, Kind::Y),
            (T, _) => (0, Kind::B),
            (O | Z, Bare) => (1, Kind::B),
            (O | Z, S | SS) => (0, Kind::A),
            (O | Z, SSD) => (1, Kind::Y),
            (O | Z, _) => (0, Kind::B),
            (I, _) => (0, Kind::A),
            (U | E, _) => (1, Kind::Y),
            (Q, _) => (1, Kind::Z),
            (L, _) => (1, Kind::B),
            (LStar, _) => (2, Kind::Y),
            (Y, _) => self.chain_value(),
        };
        Value {
            potential: k + more,
            kind,
        }
    }

    /// The value of a chain: what is added to K, and the type.
    fn chain_value(self) -> (i32, Kind) {
        let (b, c) = (self.i, self.j);
        // The types for b = 0 and for another b.
        let (more, [zero, other]) = match (self.tail, c) {
            (Bare, _) => (0, [Kind::Y; 2]),
            (SD, _) => (-1, [Kind::A; 2]),
            (SDSSD, _) => (-1, [Kind::Z; 2]),
            (S, 0 | 1) => (-1, [Kind::B; 2]),
            (S, _) => (-1, [Kind::F, Kind::H]),
            (SS, 0) => (-2, [Kind::D; 2]),
            (SS, 1) => (-2, [Kind::E, Kind::G]),
            (SS, _) if b >= 1 && self.number == b + 3 => (-2, [Kind::L; 2]),
            (SS, _) => (-2, [Kind::I, Kind::K]),
            (SDS, 0) => (-2, [Kind::C, Kind::D]),
            (SDS, 1) => (-2, [Kind::D; 2]),
            (SDS, _) => (-2, [Kind::E, Kind::G]),
            (_, 0) => (-2, [Kind::B; 2]),
            (_, 1) => (-2, [Kind::F, Kind::H]),
            (_, _) => (-2, [Kind::J; 2]),
        };
        (more, if b == 0 { zero } else { other })
    }

    const fn tail(self, tail: Tail) -> Name {
        Name { tail, ..self }
    }

    const fn head(self, head: Head) -> Name {
        Name { head, ..self }
    }

    const fn index(self, i: i32) -> Name {
        Name { i, ..self }
    }

    const fn indices(self, i: i32, j: i32) -> Name {
        Name { i, j, ..self }
    }

    const fn carrying(self, n: i32) -> Name {
        Name { n, ..self }
    }

    const fn mark(self, marked: bool) -> Name {
        Name { marked, ..self }
    }

    const fn plus(self, more: i32) -> Name {
        Name {
            number: self.number + more,
            ..self
        }
    }
}

/// Creates a name without tail and mark. The index of T is −1, but for a memory.
const fn named(head: Head, number: i32) -> Name {
    let i = if matches!(head, T) { -1 } else { 0 };
    Name {
        head,
        i,
        j: 0,
        n: 0,
        marked: false,
        tail: Bare,
        number,
    }
}

/// The value of a word: a potential with two corrections of less than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    /// P, at least 0.
    pub potential: i32,
    /// The type, which gives the corrections.
    pub kind: Kind,
}

/// The type of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Kind { Z, Y, A, B, F, H, J, C, D, E, G, I, K, L }

impl Kind {
    /// Every type, in the order of the text.
    #[rustfmt::skip]
    pub const ALL: [Kind; 14] = {
        use Kind::*;
        [Z, Y, A, B, F, H, J, C, D, E, G, I, K, L]
    };

    /// The corrections in eighths, x for the player to move and y for the other.
    const CORRECTIONS: [(i32, i32); 14] = [
        (0, -5),
        (1, -2),
        (2, 0),
        (2, -1),
        (3, -1),
        (3, 1),
        (4, 1),
        (5, 0),
        (5, 1),
        (6, 1),
        (6, 2),
        (7, 2),
        (7, 4),
        (7, 5),
    ];

    /// Returns the letter of the type.
    pub fn letter(self) -> char {
        char::from(b"zyabfhjcdegikl"[self as usize])
    }

    /// Returns the correction in eighths for the player to move.
    pub fn to_move(self) -> i32 {
        Kind::CORRECTIONS[self as usize].0
    }

    /// Returns the correction in eighths for the player not to move.
    pub fn not_to_move(self) -> i32 {
        Kind::CORRECTIONS[self as usize].1
    }
}

/// Returns whether the player to move wins: `behind` is the word that ends at the opponent's goal
/// line, `ahead` the one that ends at his own.
pub fn wins(behind: Value, ahead: Value) -> bool {
    let lead = behind.potential - ahead.potential;
    8 * lead + behind.kind.to_move() >= ahead.kind.not_to_move() || is_further_case(behind, ahead)
}

/// Returns whether one of the two further cases holds, in which the player to move wins whatever the
/// corrections are.
pub(crate) fn is_further_case(behind: Value, ahead: Value) -> bool {
    let (g, h) = (behind.kind, ahead.kind);
    match behind.potential - ahead.potential {
        0 => g == Kind::A && matches!(h, Kind::K | Kind::L),
        -1 => matches!(g, Kind::I | Kind::K | Kind::L) && matches!(h, Kind::H | Kind::J),
        _ => false,
    }
}
