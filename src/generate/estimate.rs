//! How long a strip or a pitch will take: a model of what was measured (docs/BENCHMARKS.md), scaled by what this machine does in a moment.

use super::Engine;
use crate::games::pitch::Shape;
use crate::solve::dense::DenseSolver;
use crate::solve::ranks::Team;
use crate::solve::symbolic::{DepthSolver, SymbolicLimits};
use crate::table::Metric;
use num_bigint::BigUint;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// What takes less is not worth a word.
const SOON: f64 = 1.0;
/// A day; the model was measured over minutes, and says nothing of longer times.
const LONGEST: f64 = 86_400.0;

/// The model's time for a length in seconds, of which the dense engine shares the work among all threads: that of one length on its machine, and a
/// factor for each square more.
pub fn on_its_machine(engine: Engine, metric: Metric, length: usize) -> f64 {
    let (at, seconds, factor) = match (engine, metric) {
        (Engine::Dense, _) => (32, 45.0, 1.98),
        (Engine::Symbolic, Metric::Dtw) => (32, 2.1, 1.5),
        (Engine::Symbolic, Metric::Wdl) => (64, 5.5, 1.12f64),
    };
    seconds * factor.powi(length as i32 - at)
}

/// About how long a length will take on this machine, from the next shorter strip where only who wins is asked; `None` if it will be
/// done soon, or nobody knows. It takes a few tenths of a second.
pub fn estimate(engine: Engine, metric: Metric, length: usize) -> Option<Duration> {
    let seconds = on_its_machine(engine, metric, length);
    let shared = match engine {
        Engine::Dense => seconds / cores(&Team::alone()),
        Engine::Symbolic => seconds,
    };
    scaled(shared, engine)
}

/// The model's processor time for all depths of a pitch, in seconds.
pub fn of_pitch(shape: Shape) -> f64 {
    12.0 * 2.1f64.powi(shape.points() as i32 - 28)
}

/// About how long a pitch will take the processes of a team, on machines like this one, with depths or only with who wins; `None` as in
/// [`estimate`].
pub fn estimate_pitch(shape: Shape, with_depths: bool, team: &Team) -> Option<Duration> {
    // Half of the work is to note and pack depths.
    let seconds = if with_depths {
        of_pitch(shape)
    } else {
        of_pitch(shape) / 2.0
    };
    scaled(seconds / cores(team), Engine::Dense)
}

/// How many cores work: as many as there are threads, if there are so many.
fn cores(team: &Team) -> f64 {
    let threads = rayon::current_num_threads() as f64;
    let share = |there: NonZeroUsize| there.get() as f64 / team.beside() as f64;
    let each = std::thread::available_parallelism().map_or(threads, |there| threads.min(share(there)));
    each * team.count() as f64
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
    // Seconds of the sample, on one thread, on the machine of the model.
    let sample = match engine {
        Engine::Dense => 0.029,
        Engine::Symbolic => 0.02,
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    let begun = Instant::now();
    one.install(|| solve_sample(engine))?;
    Some(begun.elapsed().as_secs_f64() / sample)
}

fn solve_sample(engine: Engine) -> Option<()> {
    match engine {
        Engine::Dense => {
            let mut solver = DenseSolver::new(22, None).ok()?;
            while solver.step().ok()? > 0 {}
        }
        Engine::Symbolic => {
            let mut solver = DepthSolver::new(22, SymbolicLimits::default()).ok()?;
            while solver.step().ok()? != BigUint::ZERO {}
        }
    }
    Some(())
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
