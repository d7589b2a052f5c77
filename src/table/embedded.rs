//! The tables that are part of the program, so that it answers wherever it is installed: depths of strips up to 24 squares, who wins at
//! 32, 40, 48 and 64 squares with the proofs, pitches up to 7x3, nimbers of Obstruction.
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
    "strip-3-dtw.phut"
    "strip-4-dtw.phut"
    "strip-5-dtw.phut"
    "strip-6-dtw.phut"
    "strip-7-dtw.phut"
    "strip-8-dtw.phut"
    "strip-9-dtw.phut"
    "strip-10-dtw.phut"
    "strip-11-dtw.phut"
    "strip-12-dtw.phut"
    "strip-13-dtw.phut"
    "strip-14-dtw.phut"
    "strip-15-dtw.phut"
    "strip-16-dtw.phut"
    "strip-17-dtw.phut"
    "strip-18-dtw.phut"
    "strip-19-dtw.phut"
    "strip-20-dtw.phut"
    "strip-21-dtw.phut"
    "strip-22-dtw.phut"
    "strip-23-dtw.phut"
    "strip-24-dtw.phut"
    "strip-32-wdl.phut"
    "strip-40-wdl.phut"
    "strip-48-wdl.phut"
    "strip-64-wdl.phut"
    "pitch-3x1-dtw.phut"
    "pitch-3x2-dtw.phut"
    "pitch-3x3-dtw.phut"
    "pitch-4x1-dtw.phut"
    "pitch-4x2-dtw.phut"
    "pitch-4x3-dtw.phut"
    "pitch-5x1-dtw.phut"
    "pitch-5x2-dtw.phut"
    "pitch-5x3-dtw.phut"
    "pitch-6x1-dtw.phut"
    "pitch-6x2-dtw.phut"
    "pitch-6x3-dtw.phut"
    "pitch-7x1-dtw.phut"
    "pitch-7x2-dtw.phut"
    "pitch-7x3-dtw.phut"
    "obstruction.phut"
};

/// None are built in.
#[cfg(not(feature = "embedded"))]
pub static FILES: &[(&str, &[u8])] = &[];
