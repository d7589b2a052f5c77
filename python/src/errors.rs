//! Converts errors to the exceptions of `phutbase/errors.py`.

use phutbase_ask::queries::find::FindError;
use phutbase_ask::sources::AskError;
use phutbase_base::job::Stopped;
use phutbase_rules::Rules;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_tables::error::TableError;
use phutbase_tables::{MAX_LENGTH_WITH_DEPTHS, POINTS_IN_MEMORY};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::Path;

/// Returns an exception of the package.
fn exception(name: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let class = py
            .import("phutbase.errors")
            .and_then(|errors| errors.getattr(name));
        match class.map(|class| class.cast_into::<PyType>()) {
            Ok(Ok(class)) => PyErr::from_type(class, (message,)),
            // The package is incomplete.
            _ => PyRuntimeError::new_err(message),
        }
    })
}

/// Returns a `NotationError`.
pub fn notation(message: impl ToString) -> PyErr {
    exception("NotationError", message.to_string())
}

/// Returns a `LimitError`.
pub fn limit(message: String) -> PyErr {
    exception("LimitError", message)
}

/// Returns the error for an item of a list of texts that is none.
pub fn of_item(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyUnicodeEncodeError>(py) {
        notation(format!("index {index}: {}", error.value(py)))
    } else {
        error
    }
}

/// Returns the beginning of a text that a message names.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Characters of a text in a message.
const SHOWN: usize = 80;

/// Returns the error for a directory of tables that does not exist.
pub fn directory(path: &Path) -> PyErr {
    exception("TableError", format!("'{}' is not a directory", path.display()))
}

/// Returns the exception for a table that is missing or cannot be used.
pub fn of_table(error: TableError) -> PyErr {
    let message = error.to_string();
    match error {
        TableError::Missing {
            boards,
            rules,
            depths,
            ..
        } => {
            let make = match &boards {
                Boards::Strips(lengths) if depths && *lengths.end() <= MAX_LENGTH_WITH_DEPTHS => Some(""),
                Boards::Strips(lengths) if !depths && *lengths.end() <= MAX_LENGTH => Some(" --metric wdl"),
                Boards::Pitch(shape) if shape.points() <= POINTS_IN_MEMORY => Some(match rules {
                    Rules::Ordinary => "",
                    Rules::Directional => " --rules directional",
                }),
                _ => None,
            };
            let make = make.map_or(String::new(), |options| {
                format!(
                    ", or make one with the program: phutbase generate {boards}{options} --tables DIRECTORY"
                )
            });
            let advice = "name the directory of one, Tablebase('DIRECTORY')";
            exception("MissingTableError", format!("{message}; {advice}{make}"))
        }
        TableError::TooManyJumps(_) | TableError::Limit { .. } => limit(message),
        TableError::Stopped(stop) => stopped(stop),
        _ => exception("TableError", message),
    }
}

/// Returns the exception of a stopped job. Only signals stop jobs, and their own exceptions take its
/// place.
pub fn stopped(stop: Stopped) -> PyErr {
    PyKeyboardInterrupt::new_err(stop.to_string())
}

/// Returns the error that NumPy cannot be imported.
pub fn no_numpy(error: &PyErr) -> PyErr {
    exception(
        "PhutbaseError",
        format!("arrays need NumPy: {error}; install it with: pip install numpy"),
    )
}

/// Returns the exception for a question without an answer.
pub fn of_ask(error: AskError) -> PyErr {
    match error {
        AskError::Table(error) => of_table(error),
        AskError::Stopped(stop) => stopped(stop),
        error @ (AskError::Misere(_) | AskError::LongList { .. }) => limit(error.to_string()),
    }
}

/// Returns the exception for an invalid search.
pub fn of_find(error: FindError) -> PyErr {
    match error {
        FindError::Table(error) => of_table(error),
        error => notation(error),
    }
}
