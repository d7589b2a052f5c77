//! Apache Parquet: a row group for each batch of positions, in each a page for each column, packed by zstd.
//!
//! Of the format no more is needed than plain pages, and headers in Thrift's compact protocol; a general library would take more room in
//! the program than all that there is left.

use super::thrift::Struct;
use super::{ExportError, Row, Source, Values};
use std::io::Write;
use std::sync::atomic::AtomicU64;

const MAGIC: &[u8] = b"PAR1";

// Numbers that the format gives to what is used of it.
const INT32: i32 = 1;
const BYTE_ARRAY: i32 = 6;
const REQUIRED: i32 = 0;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const ZSTD: i32 = 6;
const DATA_PAGE: i32 = 0;
const VERSION: i32 = 1;

/// A column: its name, and how it says what a row has to say.
struct Column {
    name: &'static str,
    kind: i32,
    /// Writes the cell of a row, and whether there is one.
    cell: fn(&Row, &mut Vec<u8>) -> bool,
    optional: bool,
}

const COLUMNS: [Column; 5] = [
    Column::new("position", BYTE_ARRAY, |row, page| text(&row.position, page)),
    Column::new("ball", INT32, |row, page| number(row.ball, page)),
    Column::new("stones", INT32, |row, page| number(row.stones, page)),
    Column::new("value", BYTE_ARRAY, |row, page| text(row.value.word(), page)),
    Column {
        optional: true,
        ..Column::new("depth", INT32, |row, page| {
            row.depth.is_some_and(|depth| number(depth.into(), page))
        })
    },
];

impl Column {
    /// A column in which every row has a cell.
    const fn new(name: &'static str, kind: i32, cell: fn(&Row, &mut Vec<u8>) -> bool) -> Column {
        Column {
            name,
            kind,
            cell,
            optional: false,
        }
    }
}

fn number(number: u32, page: &mut Vec<u8>) -> bool {
    page.extend(number.to_le_bytes());
    true
}

fn text(text: &str, page: &mut Vec<u8>) -> bool {
    page.extend((text.len() as u32).to_le_bytes());
    page.extend(text.as_bytes());
    true
}

/// A page with its header, and its sizes, header and all: as it is, and unpacked.
struct Page {
    bytes: Vec<u8>,
    unpacked: usize,
}

/// Writes the columns of [`super::csv`]; the depth of a draw, or where it is not known, is null.
pub(super) fn write(source: &Source<'_>, mut out: impl Write, done: &AtomicU64) -> Result<(), ExportError> {
    out.write_all(MAGIC)?;
    let mut at = MAGIC.len() as u64;
    let (mut groups, mut all_rows) = (Vec::new(), 0);
    let rows = |values: &Values| -> Vec<Row> {
        let places = 0..values.outcome.len();
        places.map(|place| source.row(values, place)).collect()
    };
    source.batches(done, rows, |batch| {
        let rows: Vec<Row> = batch.into_iter().flatten().collect();
        let pages = COLUMNS.iter().map(|column| page(column, &rows));
        let mut columns = Vec::new();
        let mut unpacked = 0;
        for (column, page) in COLUMNS.iter().zip(pages) {
            let page = page?;
            out.write_all(&page.bytes)?;
            columns.push(chunk(column, rows.len(), &page, at));
            at += page.bytes.len() as u64;
            unpacked += page.unpacked;
        }
        all_rows += rows.len() as i64;
        groups.push(
            Struct::default()
                .structs(1, columns)
                .i64(2, unpacked as i64)
                .i64(3, rows.len() as i64),
        );
        Ok(())
    })?;
    let footer = Struct::default()
        .i32(1, VERSION)
        .structs(2, schema())
        .i64(3, all_rows)
        .structs(4, groups)
        .text(6, concat!("phutbase ", env!("CARGO_PKG_VERSION")))
        .end();
    out.write_all(&footer)?;
    out.write_all(&(footer.len() as u32).to_le_bytes())?;
    out.write_all(MAGIC)?;
    Ok(out.flush()?)
}

/// The columns of a row, after the row itself.
fn schema() -> Vec<Struct> {
    let root = Struct::default()
        .text(4, "positions")
        .i32(5, COLUMNS.len() as i32);
    let columns = COLUMNS.iter().map(|column| {
        let repetition = if column.optional { OPTIONAL } else { REQUIRED };
        let field = Struct::default()
            .i32(1, column.kind)
            .i32(3, repetition)
            .text(4, column.name);
        match column.kind {
            BYTE_ARRAY => field.i32(6, UTF8),
            _ => field,
        }
    });
    std::iter::once(root).chain(columns).collect()
}

/// One column of some rows.
fn page(column: &Column, rows: &[Row]) -> Result<Page, ExportError> {
    let mut cells = Vec::new();
    let present: Vec<bool> = rows.iter().map(|row| (column.cell)(row, &mut cells)).collect();
    let mut values = match column.optional {
        true => levels(&present),
        false => Vec::new(),
    };
    values.append(&mut cells);
    let packed = zstd::bulk::compress(&values, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    let header = Struct::default()
        .i32(1, DATA_PAGE)
        .i32(2, values.len() as i32)
        .i32(3, packed.len() as i32)
        .structure(
            5,
            Struct::default()
                .i32(1, rows.len() as i32)
                .i32(2, PLAIN)
                .i32(3, RLE)
                .i32(4, RLE),
        )
        .end();
    let unpacked = header.len() + values.len();
    Ok(Page {
        bytes: [header, packed].concat(),
        unpacked,
    })
}

/// Which cells are there: a bit for each, eight to a byte, after the number of bytes and the number of groups of eight.
fn levels(present: &[bool]) -> Vec<u8> {
    let groups = present.chunks(8);
    let mut bits = super::thrift::varint((groups.len() as u64) << 1 | 1);
    bits.extend(groups.map(|group| {
        (group.iter().enumerate()).fold(0, |byte, (bit, &there)| byte | u8::from(there) << bit)
    }));
    [&(bits.len() as u32).to_le_bytes()[..], &bits].concat()
}

/// What the footer says of a column of a row group.
fn chunk(column: &Column, rows: usize, page: &Page, at: u64) -> Struct {
    let data = Struct::default()
        .i32(1, column.kind)
        .i32s(2, &[PLAIN, RLE])
        .texts(3, &[column.name])
        .i32(4, ZSTD)
        .i64(5, rows as i64)
        .i64(6, page.unpacked as i64)
        .i64(7, page.bytes.len() as i64)
        .i64(9, at as i64);
    Struct::default().i64(2, at as i64).structure(3, data)
}
