//! Apache Parquet: a row group for each batch of positions.

use super::{ExportError, Row, Source, Values};
use ::parquet::basic::{Encoding, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Writes the columns of [`super::csv`]; the depth of a draw, or where it is not known, is null.
pub(super) fn write(
    source: &Source<'_>,
    out: impl Write + Send,
    done: &AtomicU64,
) -> Result<(), ExportError> {
    let text = (Physical::BYTE_ARRAY, Repetition::REQUIRED);
    let number = (Physical::INT32, Repetition::REQUIRED);
    let columns = [
        ("position", text),
        ("ball", number),
        ("stones", number),
        ("value", text),
        ("depth", (Physical::INT32, Repetition::OPTIONAL)),
    ];
    let fields = columns.map(|(name, (physical, repetition))| {
        let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    });
    let fields = fields.into_iter().collect::<Result<Vec<_>, ParquetError>>()?;
    let schema = Type::group_type_builder("positions")
        .with_fields(fields)
        .build()?;
    // Every position is another: a dictionary of them would be longer than they are.
    let properties = WriterProperties::builder()
        .set_column_dictionary_enabled("position".into(), false)
        .set_column_encoding("position".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
    let rows = |values: &Values| -> Vec<Row> {
        let places = 0..values.outcome.len();
        places.map(|place| source.row(values, place)).collect()
    };
    source.batches(done, rows, |batch| {
        let rows: Vec<Row> = batch.into_iter().flatten().collect();
        let mut group = writer.next_row_group()?;
        column::<ByteArrayType, _>(&mut group, &rows, |row| Some(row.position.as_str().into()))?;
        column::<Int32Type, _>(&mut group, &rows, |row| Some(row.ball as i32))?;
        column::<Int32Type, _>(&mut group, &rows, |row| Some(row.stones as i32))?;
        column::<ByteArrayType, _>(&mut group, &rows, |row| Some(ByteArray::from(row.value.word())))?;
        column::<Int32Type, _>(&mut group, &rows, |row| row.depth.map(i32::from))?;
        group.close()?;
        Ok(())
    })?;
    writer.close()?;
    Ok(())
}

/// Writes the next column of a row group: what is there of it, and where.
fn column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[Row],
    cell: impl Fn(&Row) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = rows.iter().map(cell).collect();
    let present: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let cells: Vec<T::T> = cells.into_iter().flatten().collect();
    let mut column = group.next_column()?.expect("as many columns as the schema has");
    column.typed::<T>().write_batch(&cells, Some(&present), None)?;
    column.close()
}
