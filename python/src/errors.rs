//! Errors as the package's exceptions, which `phutbase/errors.py` defines.

use phutbase::table::error::TableError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An exception of the package.
fn exception(name: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let class = py
            .import("phutbase.errors")
            .and_then(|errors| errors.getattr(name));
        match class.map(|class| class.cast_into::<PyType>()) {
            Ok(Ok(class)) => PyErr::from_type(class, (message,)),
            // The package is not whole.
            _ => PyRuntimeError::new_err(message),
        }
    })
}

/// A text that stands for nothing that can be asked for.
pub fn notation(message: impl ToString) -> PyErr {
    exception("NotationError", message.to_string())
}

/// More memory than there is.
pub fn limit(message: String) -> PyErr {
    exception("LimitError", message)
}

/// A table that is missing, or cannot be used.
pub fn of_table(error: TableError) -> PyErr {
    let name = match error {
        TableError::Missing { .. } => "MissingTableError",
        TableError::TooManyJumps(_) | TableError::Limit { .. } => "LimitError",
        _ => "TableError",
    };
    exception(name, error.to_string())
}
