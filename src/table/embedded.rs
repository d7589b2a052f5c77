//! The tables that are part of the program, so that it answers wherever it is installed: depths of strips up to 36 squares, who wins up
//! to 64 squares with the proofs, pitches up to 7x3, nimbers of Obstruction.
//!
//! They are files of `tables/`, byte by byte.

#[cfg(feature = "embedded")]
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../tables/", $name)))),*]
    };
}

/// Names and bytes.
#[cfg(feature = "embedded")]
pub static FILES: &[(&str, &[u8])] = files! {
    "strip-36-dtw.phut" "strip-64-wdl.phut"
    "pitch-3x1-dtw.phut" "pitch-3x2-dtw.phut" "pitch-3x3-dtw.phut"
    "pitch-4x1-dtw.phut" "pitch-4x2-dtw.phut" "pitch-4x3-dtw.phut"
    "pitch-5x1-dtw.phut" "pitch-5x2-dtw.phut" "pitch-5x3-dtw.phut"
    "pitch-6x1-dtw.phut" "pitch-6x2-dtw.phut" "pitch-6x3-dtw.phut"
    "pitch-7x1-dtw.phut" "pitch-7x2-dtw.phut" "pitch-7x3-dtw.phut"
    "obstruction.phut"
};

/// None are built in.
#[cfg(not(feature = "embedded"))]
pub static FILES: &[(&str, &[u8])] = &[];
