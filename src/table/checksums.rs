//! SHA-256 checksums of tables, read from `SHA256SUMS` beside the file or from the embedded list.

use super::error::{TableError, io_error};
use super::places::TableLocation;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::Path;

/// Checksums of the tables in the repository, in the format of `sha256sum`.
const SHIPPED: &str = include_str!("../../tables/SHA256SUMS");

/// Compares a table with its listed checksum. Returns `None` if none is listed.
pub fn check(table: &TableLocation) -> Result<Option<bool>, TableError> {
    let path = table.path();
    let (name, listed) = match table {
        TableLocation::Embedded(name, _) => (Some(*name), None),
        TableLocation::File(file) => (file.file_name().and_then(|name| name.to_str()), beside(file)?),
    };
    let listed = listed.as_deref().unwrap_or(SHIPPED);
    let Some(expected) = name.and_then(|name| sum_of(listed, name)) else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    match table {
        TableLocation::Embedded(_, bytes) => hash.update(bytes),
        TableLocation::File(file) => {
            let mut file = File::open(file).map_err(io_error(&path, "open it"))?;
            std::io::copy(&mut file, &mut hash).map_err(io_error(&path, "read it"))?;
        }
    }
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some(found == expected))
}

fn beside(file: &Path) -> Result<Option<String>, TableError> {
    let list = file.with_file_name("SHA256SUMS");
    match std::fs::read_to_string(&list) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(io_error(&list, "read it")),
    }
}

fn sum_of<'a>(listed: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = listed.lines().filter_map(|line| line.split_once("  "));
    lines.find(|(_, listed)| *listed == name).map(|(sum, _)| sum)
}
