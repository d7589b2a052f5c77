//! Code compiled for several instruction sets, selected at run time.

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// The baseline of the architecture.
    Portable,
    /// x86-64 with 256-bit integer vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work compiled for each instruction set. `run` and the functions of its inner loops are
/// `#[inline(always)]`: other functions are compiled for the portable set only.
pub trait Vectorized {
    fn run(self);
}

impl Simd {
    /// Returns the instruction sets of this processor, from the portable one to the widest.
    pub fn available() -> Vec<Simd> {
        let all = [
            (Simd::Portable, true),
            #[cfg(target_arch = "x86_64")]
            (Simd::Avx2, has_avx2()),
            #[cfg(target_arch = "x86_64")]
            (Simd::Avx512, has_avx512()),
        ];
        all.into_iter()
            .filter_map(|(simd, there)| there.then_some(simd))
            .collect()
    }

    pub fn best() -> Simd {
        Simd::available().pop().unwrap_or(Simd::Portable)
    }

    /// Runs work with this instruction set, or with the portable one if the processor lacks it.
    pub fn run(self, work: impl Vectorized) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if has_avx512() => {
                // SAFETY: `has_avx512` has confirmed the features that the function is compiled
                // for.
                unsafe { run_avx512(work) }
            }
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if has_avx2() => {
                // SAFETY: as above, with `has_avx2`.
                unsafe { run_avx2(work) }
            }
            _ => work.run(),
        }
    }
}

/// Tells if the processor has all features that [`run_avx2`] is compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Tells if the processor has all features that [`run_avx512`] is compiled for.
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
fn run_avx512(work: impl Vectorized) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2(work: impl Vectorized) {
    work.run();
}
