//! How long a strip or a pitch will take: a model of what was measured (docs/BENCHMARKS.md), scaled by what this machine does in a moment.

use super::Engine;
use crate::games::pitch::Shape;
use crate::solve::dense::DenseSolver;
use crate::solve::symbolic::{DepthSolver, SymbolicLimits};
use crate::table::Metric;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What takes less is not worth a word.
const SOON: f64 = 1.0;
/// A day; the model was measured over minutes, and says nothing of longer times.
const LONGEST: f64 = 86_400.0;

/// The model's time for a length in seconds: that of one length on its machine, and a factor for each square more.
pub fn on_its_machine(engine: Engine, metric: Metric, length: usize) -> f64 {
    let (at, seconds, factor) = match (engine, metric) {
        (Engine::Dense, _) => (32, 27.0, 1.98),
        (Engine::Symbolic, Metric::Dtw) => (32, 1.3, 1.5),
        (Engine::Symbolic, Metric::Wdl) => (64, 6.0, 1.15f64),
    };
    seconds * factor.powi(length as i32 - at)
}

/// About how long a length will take on this machine, from the next shorter strip where only who wins is asked; `None` if it will be
/// done soon, or nobody knows. It takes a few tenths of a second.
pub fn estimate(engine: Engine, metric: Metric, length: usize) -> Option<Duration> {
    scaled(on_its_machine(engine, metric, length), engine)
}

/// The model's processor time for all depths of a pitch, in seconds.
pub fn of_pitch(shape: Shape) -> f64 {
    25.0 * 2.2f64.powi(shape.points() as i32 - 28)
}

/// About how long all depths of a pitch will take on this machine; `None` as in [`estimate`].
pub fn estimate_pitch(shape: Shape) -> Option<Duration> {
    scaled(
        of_pitch(shape) / rayon::current_num_threads() as f64,
        Engine::Dense,
    )
}

/// Seconds on the machine of the model as time on this one, if it is worth a word.
fn scaled(seconds: f64, engine: Engine) -> Option<Duration> {
    if seconds < SOON {
        return None;
    }
    let seconds = seconds * slowness(engine)?;
    (SOON..LONGEST)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

/// How many times as long as the machine of the model this one takes.
fn slowness(engine: Engine) -> Option<f64> {
    // Seconds of the sample on the machine of the model.
    let sample = match engine {
        Engine::Dense => 0.06,
        Engine::Symbolic => 0.04,
    };
    let begun = Instant::now();
    match engine {
        Engine::Dense => {
            let mut solver = DenseSolver::new(20, None).ok()?;
            while solver.step().ok()? > 0 {}
        }
        Engine::Symbolic => {
            let mut solver = DepthSolver::new(22, SymbolicLimits::default()).ok()?;
            while solver.step().ok()? != BigUint::ZERO {}
        }
    }
    Some(begun.elapsed().as_secs_f64() / sample)
}

/// A time for people: `about 40 s`, `about 3 min`, `about 5 h`.
pub fn about(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 90.0 {
        format!("about {seconds:.0} s")
    } else if seconds < 5400.0 {
        format!("about {:.0} min", seconds / 60.0)
    } else {
        format!("about {:.0} h", seconds / 3600.0)
    }
}
