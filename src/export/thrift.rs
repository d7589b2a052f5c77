//! As much of Thrift's compact protocol as a Parquet file needs: numbers, texts, structures, and lists of them.

/// A structure in the making; fields are added in ascending order.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A number in groups of seven bits, the lowest first.
pub(super) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A number, small whether it is above or below 0.
fn zigzag(number: i64) -> Vec<u8> {
    varint((number << 1 ^ number >> 63).cast_unsigned())
}

fn string(text: &str) -> Vec<u8> {
    [varint(text.len() as u64), text.as_bytes().to_vec()].concat()
}

impl Struct {
    fn field(mut self, id: u8, kind: u8, value: &[u8]) -> Struct {
        assert!(
            (1..=15).contains(&(id - self.last)),
            "ascending, and near each other"
        );
        self.bytes.push((id - self.last) << 4 | kind);
        self.bytes.extend(value);
        self.last = id;
        self
    }

    fn list(self, id: u8, kind: u8, elements: &[Vec<u8>]) -> Struct {
        let head = match elements.len() {
            few @ 0..15 => vec![(few as u8) << 4 | kind],
            many => [vec![0xf0 | kind], varint(many as u64)].concat(),
        };
        self.field(id, LIST, &[head, elements.concat()].concat())
    }

    pub fn i32(self, id: u8, number: i32) -> Struct {
        self.field(id, I32, &zigzag(number.into()))
    }

    pub fn i64(self, id: u8, number: i64) -> Struct {
        self.field(id, I64, &zigzag(number))
    }

    pub fn text(self, id: u8, text: &str) -> Struct {
        self.field(id, BINARY, &string(text))
    }

    pub fn structure(self, id: u8, structure: Struct) -> Struct {
        self.field(id, STRUCT, &structure.end())
    }

    pub fn i32s(self, id: u8, numbers: &[i32]) -> Struct {
        let elements: Vec<Vec<u8>> = numbers.iter().map(|&number| zigzag(number.into())).collect();
        self.list(id, I32, &elements)
    }

    pub fn texts(self, id: u8, texts: &[&str]) -> Struct {
        let elements: Vec<Vec<u8>> = texts.iter().map(|text| string(text)).collect();
        self.list(id, BINARY, &elements)
    }

    pub fn structs(self, id: u8, structures: Vec<Struct>) -> Struct {
        let elements: Vec<Vec<u8>> = structures.into_iter().map(Struct::end).collect();
        self.list(id, STRUCT, &elements)
    }

    /// Its bytes.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}
