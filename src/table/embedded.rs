//! The tables that are part of the program, so that it answers wherever it is installed: depths of strips up to 24 squares, who wins at
//! 32, 40, 48 and 64 squares with the proofs, pitches up to 7x3, nimbers of Obstruction.
//!
//! They are files of `tables/`, byte by byte.

#[cfg(feature = "embedded")]
macro_rules! files {
    ($($begins:literal [$($size:literal)*] $ends:literal;)*) => {
        &[$($((
            concat!($begins, $size, $ends),
            include_bytes!(concat!("../../tables/", $begins, $size, $ends)),
        )),*),*]
    };
}

/// Names and bytes.
#[cfg(feature = "embedded")]
pub static FILES: &[(&str, &[u8])] = files! {
    "strip-" [3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24] "-dtw.phut";
    "strip-" [32 40 48 64] "-wdl.phut";
    "pitch-" ["3x1" "3x2" "3x3" "4x1" "4x2" "4x3" "5x1" "5x2" "5x3" "6x1" "6x2" "6x3" "7x1" "7x2" "7x3"] "-dtw.phut";
    "obstruction" [""] ".phut";
};

/// None are built in.
#[cfg(not(feature = "embedded"))]
pub static FILES: &[(&str, &[u8])] = &[];
