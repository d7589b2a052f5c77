//! Work on several lengths at once, reported in their order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does `work` for each length, on as many threads as rayon has, and hands the results to `report` in the order of the lengths, each
/// as soon as it and those before it are there. `work` is told a flag that is set when its result is not wanted any more.
///
/// # Errors
/// The first error, in that order, of `work` or of `report`.
pub fn in_order<T: Send, E: Send>(
    lengths: &[usize],
    work: impl Fn(usize, &AtomicBool) -> Result<T, E> + Sync,
    mut report: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let unwanted = AtomicBool::new(false);
    let (results, arriving) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(lengths.len()) {
            let results = results.clone();
            scope.spawn(|| {
                let results = results;
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&length) = lengths.get(place).filter(|_| !unwanted.load(Ordering::Relaxed))
                    else {
                        return;
                    };
                    let result = work(length, &unwanted);
                    if results.send((place, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let mut waiting: Vec<Option<Result<T, E>>> = lengths.iter().map(|_| None).collect();
        let mut done = 0;
        for (place, result) in arriving {
            waiting[place] = Some(result);
            while let Some(result) = waiting.get_mut(done).and_then(Option::take) {
                done += 1;
                if let Err(error) = result.and_then(&mut report) {
                    unwanted.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    })
}
