//! Errors that end a program: each knows its kind, and what the user can do.

use std::error::Error;
use std::io;

/// The kind of an error; programs have an exit code for each.
#[derive(Clone, Copy)]
pub enum Kind<'a> {
    /// Invalid arguments.
    Usage,
    /// A check failed, nothing was found, or the time is over.
    Failure,
    /// Refused by the system, short of memory, or a damaged file.
    System,
    /// The user stopped the work.
    Interrupted,
    /// The reader closed the output.
    OutputClosed,
    /// The kind and the message of the error inside.
    Of(&'a dyn Fault),
}

/// An error that can end a program.
pub trait Fault: Error {
    /// The kind of the error.
    fn kind(&self) -> Kind<'_> {
        Kind::System
    }

    /// The error, and what the user of a program can do.
    fn message(&self) -> String {
        self.to_string()
    }
}

/// The error of standard output. Files have errors of their own, which name them.
impl Fault for io::Error {
    fn kind(&self) -> Kind<'_> {
        match self.kind() {
            io::ErrorKind::BrokenPipe => Kind::OutputClosed,
            _ => Kind::System,
        }
    }

    fn message(&self) -> String {
        format!("cannot write the output: {self}")
    }
}

/// Implements [`Fault`] for an error whose variants have their kinds, or hold another error.
#[macro_export]
macro_rules! fault {
    ($error:ty { $($pattern:pat => $kind:expr),* $(,)? }) => {
        impl $crate::fault::Fault for $error {
            fn kind(&self) -> $crate::fault::Kind<'_> {
                use $crate::fault::Kind::*;
                match self {
                    $($pattern => $kind,)*
                }
            }
        }
    };
}
