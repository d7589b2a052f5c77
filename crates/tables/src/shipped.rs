//! Tables that are compiled into the program: depths of strips of up to 36 squares, backward turns up
//! to 64, pitches up to 7x3, and nimbers of Obstruction. They are the files in `tables/`.

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../shipped/", $name)))),*]
    };
}

/// Name and bytes of each table.
pub static FILES: &[(&str, &[u8])] = files! {
    "strip-36-dtw.phut" "strip-64-levels.phut"
    "pitch-3x1-dtw.phut" "pitch-3x2-dtw.phut" "pitch-3x3-dtw.phut"
    "pitch-4x1-dtw.phut" "pitch-4x2-dtw.phut" "pitch-4x3-dtw.phut"
    "pitch-5x1-dtw.phut" "pitch-5x2-dtw.phut" "pitch-5x3-dtw.phut"
    "pitch-6x1-dtw.phut" "pitch-6x2-dtw.phut" "pitch-6x3-dtw.phut"
    "pitch-7x1-dtw.phut" "pitch-7x2-dtw.phut" "pitch-7x3-dtw.phut"
    "obstruction.phut"
};

/// The SHA-256 sums of all published tables, one line `SUM  NAME` each.
pub const CHECKSUMS: &str = include_str!("../shipped/SHA256SUMS");
