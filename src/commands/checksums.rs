//! SHA-256 checksums of tables: those of files in the `SHA256SUMS` of their directory, those of
//! embedded tables in the embedded list.

use phutbase_base::disk::{open_regular, read_text};
use phutbase_files::error::{FileError, io_error};
use phutbase_tables::places::TableLocation;
use phutbase_tables::shipped::CHECKSUMS;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Maximum size of a list in bytes.
const MAX_LIST: u64 = 16 << 20;

/// Compares a table with its listed checksum. Returns `None` if none is listed.
pub fn check(table: &TableLocation) -> Result<Option<bool>, FileError> {
    let path = table.path();
    let expected = match table {
        TableLocation::Embedded(name, _) => sum_of(CHECKSUMS, name),
        TableLocation::File(file) => {
            let name = file.file_name().and_then(|name| name.to_str());
            beside(file)?.and_then(|listed| sum_of(&listed, name?))
        }
    };
    let Some(expected) = expected else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    match table {
        TableLocation::Embedded(_, bytes) => hash.update(bytes),
        TableLocation::File(file) => {
            let opened = open_regular(file).map_err(io_error(&path, "open it"))?;
            let (mut file, _) = opened.ok_or_else(|| FileError::NotATable(path.clone()))?;
            std::io::copy(&mut file, &mut hash).map_err(io_error(&path, "read it"))?;
        }
    }
    let found = format!("{:x}", hash.finalize());
    Ok(Some(found == expected))
}

fn beside(file: &Path) -> Result<Option<String>, FileError> {
    let list = file.with_file_name("SHA256SUMS");
    match read_text(&list, MAX_LIST) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(io_error(&list, "read it")),
    }
}

/// The sum of a file in a list, which separates them by two blanks, or by a blank and `*`.
fn sum_of(listed: &str, name: &str) -> Option<String> {
    let mut lines = listed.lines().filter_map(|line| line.split_once(' '));
    let is_named = |rest: &str| {
        [" ", "*"]
            .iter()
            .any(|mode| rest.strip_prefix(mode) == Some(name))
    };
    lines
        .find(|(_, rest)| is_named(rest))
        .map(|(sum, _)| sum.to_string())
}
