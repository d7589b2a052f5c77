//! The same sweep compiled for several instruction sets, and the choice between them at run time.

use super::super::dense::block::Block;
use super::super::dense::simd::Simd;
use super::sweep::ChunkSweep;

/// [`ChunkSweep::run`] with an instruction set; one that the processor lacks falls back to the portable.
pub(super) fn run(simd: Simd, sweep: &mut ChunkSweep<'_, '_>, report: impl FnMut(usize, usize, &Block)) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 if has_avx512() => {
            // SAFETY: the processor was just seen to have every feature that the function is compiled for.
            unsafe { run_avx512(sweep, report) }
        }
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 if has_avx2() => {
            // SAFETY: as above.
            unsafe { run_avx2(sweep, report) }
        }
        _ => sweep.run(report),
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

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
fn run_avx512(sweep: &mut ChunkSweep<'_, '_>, report: impl FnMut(usize, usize, &Block)) {
    sweep.run(report);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2(sweep: &mut ChunkSweep<'_, '_>, report: impl FnMut(usize, usize, &Block)) {
    sweep.run(report);
}
