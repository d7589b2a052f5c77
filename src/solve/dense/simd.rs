//! The same sweep compiled for several instruction sets, and the choice between them at run time.

use super::block::{Block, Quantifier};
use super::jumps::Jumps;
use super::planes::PlaneStore;
use super::pool::State;
use super::sweep::{Balls, Ply, Scratch};

/// An instruction set that the sweep is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// What every processor of the architecture has.
    Portable,
    /// x86-64 with 256-bit integer vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// All that this processor can run, the portable one first and the widest last.
    pub fn available() -> Vec<Simd> {
        #[allow(unused_mut)]
        let mut found = vec![Simd::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx2() {
                found.push(Simd::Avx2);
            }
            if has_avx512() {
                found.push(Simd::Avx512);
            }
        }
        found
    }

    /// The widest that this processor can run.
    pub fn best() -> Simd {
        Simd::available().pop().unwrap_or(Simd::Portable)
    }
}

/// [`Ply::sweep`] with an instruction set from [`Simd::available`]; an unavailable one falls back to the portable.
pub(super) fn sweep<Q: Quantifier, S: PlaneStore, J: Jumps>(
    simd: Simd,
    ply: &Ply<'_, S, J>,
    slice: usize,
    known: &mut [State],
    gained: &mut [Balls],
    scratch: &mut Scratch,
    report: impl FnMut(&Block),
) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 if has_avx512() => {
            // SAFETY: the processor was just seen to have every feature that the function is compiled for.
            unsafe { sweep_avx512::<Q, S, J>(ply, slice, known, gained, scratch, report) }
        }
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 if has_avx2() => {
            // SAFETY: as above.
            unsafe { sweep_avx2::<Q, S, J>(ply, slice, known, gained, scratch, report) }
        }
        _ => ply.sweep::<Q>(slice, known, gained, scratch, report),
    }
}

/// Whether the processor has all that [`sweep_avx2`] is compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Whether the processor has all that [`sweep_avx512`] is compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn sweep_avx512<Q: Quantifier, S: PlaneStore, J: Jumps>(
    ply: &Ply<'_, S, J>,
    slice: usize,
    known: &mut [State],
    gained: &mut [Balls],
    scratch: &mut Scratch,
    report: impl FnMut(&Block),
) {
    ply.sweep::<Q>(slice, known, gained, scratch, report);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn sweep_avx2<Q: Quantifier, S: PlaneStore, J: Jumps>(
    ply: &Ply<'_, S, J>,
    slice: usize,
    known: &mut [State],
    gained: &mut [Balls],
    scratch: &mut Scratch,
    report: impl FnMut(&Block),
) {
    ply.sweep::<Q>(slice, known, gained, scratch, report);
}
