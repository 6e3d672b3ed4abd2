//! The table of results as a file: Parquet, JSON lines or CSV. Rows are written as they come, in groups, and read again group by group, so a table may
//! be longer than memory. The same rows give the same bytes.

use super::study::{Cell, Column, Holds};
use crate::work::store::cannot_read;
use kachi_core::Error;
use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Rows held in memory at once.
const GROUP: usize = 65_536;

type Rows<'r> = &'r mut dyn Iterator<Item = Vec<Cell>>;

/// Writes Parquet, compressed by Snappy. Every reader of Parquet reads it.
///
/// # Errors
/// What the stream reports.
pub fn parquet(out: impl Write + Send, columns: &[Column], rows: Rows<'_>) -> io::Result<()> {
    let fields: Vec<String> = columns.iter().map(field).collect();
    let schema =
        parse_message_type(&format!("message results {{ {} }}", fields.join(" "))).map_err(failed)?;
    // The name of the library's version would make bytes differ between builds.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("kachi".to_owned())
        .build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    loop {
        let group: Vec<Vec<Cell>> = rows.take(GROUP).collect();
        if group.is_empty() {
            break;
        }
        let mut writer = file.next_row_group().map_err(failed)?;
        for (place, column) in columns.iter().enumerate() {
            let Some(mut into) = writer.next_column().map_err(failed)? else { break };
            write_column(&mut into, column, group.iter().map(|row| &row[place])).map_err(failed)?;
            into.close().map_err(failed)?;
        }
        writer.close().map_err(failed)?;
    }
    file.close().map(drop).map_err(failed)
}

fn field(column: &Column) -> String {
    let repeated = if column.optional { "OPTIONAL" } else { "REQUIRED" };
    let name = column.name;
    match column.holds {
        Holds::Text => format!("{repeated} BYTE_ARRAY {name} (STRING);"),
        Holds::Whole => format!("{repeated} INT64 {name};"),
        Holds::Real => format!("{repeated} DOUBLE {name};"),
        Holds::Truth => format!("{repeated} BOOLEAN {name};"),
    }
}

fn write_column<'c>(
    into: &mut SerializedColumnWriter<'_>,
    column: &Column,
    cells: impl Iterator<Item = &'c Cell> + Clone,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(*cell != Cell::Nothing)).collect();
    let levels = column.optional.then_some(&levels[..]);
    match column.holds {
        Holds::Text => {
            let text = cells.filter_map(|cell| match cell {
                Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                _ => None,
            });
            values::<ByteArrayType>(into, &text.collect::<Vec<_>>(), levels)
        }
        Holds::Whole => {
            let whole =
                cells.filter_map(|cell| if let Cell::Whole(number) = cell { Some(*number) } else { None });
            values::<Int64Type>(into, &whole.collect::<Vec<_>>(), levels)
        }
        Holds::Real => {
            let real =
                cells.filter_map(|cell| if let Cell::Real(number) = cell { Some(*number) } else { None });
            values::<DoubleType>(into, &real.collect::<Vec<_>>(), levels)
        }
        Holds::Truth => {
            let truth =
                cells.filter_map(|cell| if let Cell::Truth(truth) = cell { Some(*truth) } else { None });
            values::<BoolType>(into, &truth.collect::<Vec<_>>(), levels)
        }
    }
}

fn values<T: DataType>(
    into: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    into.typed::<T>().write_batch(values, levels, None).map(drop)
}

/// A full disk stays a full disk.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

/// Results that were written as Parquet, read row by row.
pub struct Results {
    reader: Box<dyn FileReader>,
    names: Vec<String>,
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::new("damaged_run", format!("the results cannot be read: {error}"))
        .hint("kachi lab resume makes them again")
}

impl Results {
    /// The results of a file, of which one group of rows is in memory at a time.
    ///
    /// # Errors
    /// `cannot_read`; `damaged_run` if it is no Parquet.
    pub fn open(path: &Path) -> Result<Results, Error> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        Results::of(SerializedFileReader::new(file).map_err(damaged)?)
    }

    /// Results in memory.
    ///
    /// # Errors
    /// `damaged_run` if it is no Parquet.
    pub fn in_memory(bytes: Vec<u8>) -> Result<Results, Error> {
        Results::of(SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(damaged)?)
    }

    fn of(reader: impl FileReader + 'static) -> Result<Results, Error> {
        let schema = reader.metadata().file_metadata().schema_descr();
        let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        Ok(Results { reader: Box::new(reader), names })
    }

    /// The names of the columns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows in their order.
    ///
    /// # Errors
    /// `damaged_run` if there is something that no results hold; the same for each row.
    pub fn rows(&self) -> Result<impl Iterator<Item = Result<Vec<Cell>, Error>>, Error> {
        let rows = self.reader.get_row_iter(None).map_err(damaged)?;
        Ok(rows.map(|row| {
            let row = row.map_err(damaged)?;
            let cells = row.get_column_iter().map(|(_, field)| match field {
                Field::Str(text) => Cell::Text(text.clone()),
                Field::Long(number) => Cell::Whole(*number),
                Field::Double(number) => Cell::Real(*number),
                Field::Bool(truth) => Cell::Truth(*truth),
                _ => Cell::Nothing,
            });
            Ok(cells.collect())
        }))
    }
}

/// Names and rows of results that were written as Parquet, all at once: for tables that fit into memory.
///
/// # Errors
/// As those of [`Results`].
pub fn read(bytes: Vec<u8>) -> Result<(Vec<String>, Vec<Vec<Cell>>), Error> {
    let results = Results::in_memory(bytes)?;
    let rows = results.rows()?.collect::<Result<_, _>>()?;
    Ok((results.names, rows))
}

/// Writes one JSON object a line; missing values are left out.
///
/// # Errors
/// What the stream reports.
pub fn json_lines(mut out: impl Write, names: &[String], rows: Rows<'_>) -> io::Result<()> {
    for row in rows {
        let mut object = Map::new();
        for (name, cell) in names.iter().zip(row) {
            let value = match cell {
                Cell::Nothing => continue,
                Cell::Text(text) => Value::from(text),
                Cell::Whole(number) => Value::from(number),
                Cell::Real(number) => Value::from(number),
                Cell::Truth(truth) => Value::from(truth),
            };
            object.insert(name.clone(), value);
        }
        serde_json::to_writer(&mut out, &Value::Object(object))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes CSV by RFC 4180, with a line of names.
///
/// # Errors
/// What the stream reports.
pub fn csv(mut out: impl Write, names: &[String], rows: Rows<'_>) -> io::Result<()> {
    writeln!(out, "{}", names.join(","))?;
    for row in rows {
        let cells: Vec<String> = row
            .into_iter()
            .map(|cell| match cell {
                Cell::Nothing => String::new(),
                Cell::Text(text) => quoted(text),
                Cell::Whole(number) => number.to_string(),
                Cell::Real(number) => number.to_string(),
                Cell::Truth(truth) => truth.to_string(),
            })
            .collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn quoted(text: String) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::record::RowAccessor;

    const COLUMNS: [Column; 4] =
        [Column::text("player"), Column::whole("seed"), Column::truth("won"), Column::text("on").optional()];

    fn rows(count: i64) -> impl Iterator<Item = Vec<Cell>> {
        (0..count).map(|seed| {
            let on = if seed % 3 == 0 { Cell::Nothing } else { Cell::Text(format!("K,{seed}")) };
            vec![Cell::Text("plans".to_owned()), Cell::Whole(seed), Cell::Truth(seed % 3 == 0), on]
        })
    }

    fn written(count: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        parquet(&mut bytes, &COLUMNS, &mut rows(count)).expect("memory");
        bytes
    }

    #[test]
    fn parquet_reads_back_and_is_the_same_twice() {
        let bytes = written(70_000);
        assert_eq!(bytes, written(70_000));
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a parquet file");
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut count = 0;
        for (seed, row) in (0_i64..).zip(reader.get_row_iter(None).expect("rows")) {
            let row = row.expect("a row");
            assert_eq!(row.get_string(0).expect("text"), "plans");
            assert_eq!(row.get_long(1).expect("a number"), seed);
            assert_eq!(row.get_bool(2).expect("a truth"), seed % 3 == 0);
            assert_eq!(row.get_string(3).ok().cloned(), (seed % 3 != 0).then(|| format!("K,{seed}")));
            count += 1;
        }
        assert_eq!(count, 70_000);
    }

    #[test]
    fn a_file_is_read_row_by_row() {
        let path = std::env::temp_dir().join(format!("kachi-rows-{}.parquet", std::process::id()));
        std::fs::write(&path, written(70_000)).unwrap();
        let results = Results::open(&path).unwrap();
        assert_eq!(results.names(), ["player", "seed", "won", "on"]);
        assert!(results.rows().unwrap().map(Result::unwrap).eq(rows(70_000)));
        std::fs::write(&path, "PAR1 no").unwrap();
        assert_eq!(Results::open(&path).err().unwrap().code, "damaged_run");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Results::open(&path).err().unwrap().code, "cannot_read");
    }

    #[test]
    fn a_table_without_rows_is_a_file_too() {
        let reader = SerializedFileReader::new(bytes::Bytes::from(written(0))).expect("a parquet file");
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }

    #[test]
    fn csv_and_json_lines_quote_what_must_be_quoted() {
        let (names, cells) = read(written(2)).expect("what was just written");
        assert_eq!(cells, rows(2).collect::<Vec<_>>());
        let mut text = Vec::new();
        csv(&mut text, &names, &mut rows(2)).expect("memory");
        assert_eq!(
            String::from_utf8_lossy(&text),
            "player,seed,won,on\nplans,0,true,\nplans,1,false,\"K,1\"\n"
        );
        let mut text = Vec::new();
        json_lines(&mut text, &names, &mut rows(2)).expect("memory");
        let lines: Vec<Value> =
            text.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        assert_eq!(lines[0], serde_json::json!({"player": "plans", "seed": 0, "won": true}));
        assert_eq!(lines[1]["on"], "K,1");
        assert_eq!(read(b"PAR1 no".to_vec()).unwrap_err().code, "damaged_run");
    }
}
