//! What pitches take on a cluster: memory and messages as the engine plans them, and a time fitted to what was measured.
//!
//! cargo run --release --features team --example cluster_model -- 6x6 9x4
//!
//! The counts are the engine's own, for a team of that size of which only one process is there. Everything else is in the constants.

use phutbase::games::pitch::{Shape, positions};
use phutbase::generate::plan::human_bytes;
use phutbase::solve::pitch::{Needs, Setup};
use phutbase::solve::ranks::{Ranks, Team};

/// Core seconds for a million positions, counting alone: between what 7 x 4 and 8 x 3 took.
const SECONDS_PER_MILLION: [f64; 2] = [3e-3, 7e-3];
/// All that is sent, in plies that look at everything: between what 6 x 4, 7 x 4 and 8 x 3 took.
const WHOLE_PLIES: [f64; 2] = [8.0, 15.0];
/// Cores of a rank that has a node for itself, and bytes that its network moves in a second.
const CORES: f64 = 32.0;
const NETWORK: f64 = 10e9;

/// One of several processes, the others of which are not there.
#[derive(Debug)]
struct Supposed(usize, usize);

impl Ranks for Supposed {
    fn rank(&self) -> usize {
        self.0
    }

    fn count(&self) -> usize {
        self.1
    }

    fn beside(&self) -> usize {
        1
    }

    fn exchange(&self, _: &[(usize, &[u64])], _: &mut [(usize, &mut [u64])]) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| pitch | ranks | sets | depths | maps | buffer | sent in a whole ply | in the run | minutes |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for text in std::env::args().skip(1) {
        let shape: Shape = text.parse()?;
        let million = positions(shape).unwrap_or(u128::MAX) as f64 / 1e6;
        for count in [8, 64, 512] {
            // The first, some between, and the last: no two have quite the same.
            let ranks = [0, count / 3, count / 2, count - 1];
            let needs = ranks
                .map(|rank| {
                    let team = Team::new(Supposed(rank, count));
                    Needs::of(&Setup {
                        team,
                        ..Setup::in_memory(shape, true)
                    })
                })
                .into_iter()
                .collect::<Result<Vec<Needs>, _>>()?;
            let most = |of: fn(&Needs) -> u64| needs.iter().map(of).max().unwrap_or(0);
            let sent = most(|needs| needs.sent) as f64;
            let minutes = [0, 1].map(|end| {
                let work = million * SECONDS_PER_MILLION[end] / count as f64 / CORES;
                (work + sent * WHOLE_PLIES[end] / NETWORK) / 60.0
            });
            let all = |times: f64| human_bytes((sent * count as f64 * times) as u64);
            println!(
                "| {shape} | {count} | {} | {} | {} | {} | {} | {} to {} | {:.1} to {:.1} |",
                human_bytes(most(|needs| needs.sets)),
                human_bytes(most(|needs| needs.depths)),
                human_bytes(most(|needs| needs.maps)),
                human_bytes(most(|needs| needs.buffer)),
                all(1.0),
                all(WHOLE_PLIES[0]),
                all(WHOLE_PLIES[1]),
                minutes[0],
                minutes[1],
            );
        }
    }
    Ok(())
}
