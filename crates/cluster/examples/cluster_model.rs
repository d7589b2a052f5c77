//! Estimates memory, messages and time for solving pitches on a cluster.
//!
//! `cargo run --release -p phutbase-cluster --example cluster_model -- 6x6 9x4`
//!
//! Memory and messages are the engine's own plan for each rank; the constants give the time.

use phutbase_base::digits::human_bytes;
use phutbase_cluster::Part;
use phutbase_cluster::ranks::Team;
use phutbase_pitches::solver::Setup;
use phutbase_rules::pitch::{Shape, positions};

/// Core seconds per million positions, counting only; measured for 7 x 4 and 8 x 3 in one process.
const SECONDS_PER_MILLION: [f64; 2] = [2.1e-3, 3.1e-3];
/// Total messages divided by those of a full ply; measured for 6 x 4, 7 x 4 and 8 x 3.
const WHOLE_PLIES: [f64; 2] = [8.0, 15.0];
/// Number of plies of 7 x 4 and 8 x 3.
const PLIES: [f64; 2] = [35.0, 43.0];
/// Thread seconds per byte sent: the extra time of several processes on 7 x 4 and 8 x 3, without
/// starting MPI.
const SECONDS_PER_BYTE: [f64; 2] = [0.4e-9, 0.6e-9];
/// Thread seconds per ply and byte of a map, to plan the messages; measured with `perf` on 7 x 4.
const SECONDS_PER_MAP_BYTE: f64 = 10e-9;
/// Number of maps that `Part::needs` counts.
const MAPS: f64 = 8.0;
/// Cores of a rank with a node of its own, and bytes per second of its network.
const CORES: f64 = 32.0;
const NETWORK: f64 = 10e9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| pitch | ranks | sets | depths | maps | buffer | sent in a whole ply | in the run | minutes |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for text in std::env::args().skip(1) {
        let shape: Shape = text.parse()?;
        let million = positions(shape).unwrap_or(u128::MAX) as f64 / 1e6;
        for count in [4, 8, 64, 512] {
            // A sample; ranks differ slightly.
            let ranks = [0, count / 3, count / 2, count - 1];
            let setup = Setup::in_memory(shape, true);
            let parts = ranks
                .map(|rank| Part::of(&setup, &Team::unconnected(rank, count)))
                .into_iter()
                .collect::<Result<Vec<Part>, _>>()?;
            let most = |of: fn(&Part) -> u64| parts.iter().map(of).max().unwrap_or(0);
            let sent = most(Part::sent) as f64;
            let map = most(|part| part.needs().maps) as f64 / MAPS;
            let minutes = [0, 1].map(|end| {
                let work = million * SECONDS_PER_MILLION[end] / count as f64 / CORES;
                let moved = sent * WHOLE_PLIES[end] * (SECONDS_PER_BYTE[end] + 1.0 / NETWORK);
                let maps = PLIES[end] * map * (SECONDS_PER_MAP_BYTE + 1.0 / NETWORK);
                (work + moved + maps) / 60.0
            });
            let all = |times: f64| human_bytes((sent * count as f64 * times) as u64);
            println!(
                "| {shape} | {count} | {} | {} | {} | {} | {} | {} to {} | {:.1} to {:.1} |",
                human_bytes(most(|part| part.needs().sets + part.needs().reach)),
                human_bytes(most(|part| part.needs().depths)),
                human_bytes(most(|part| part.needs().maps)),
                human_bytes(most(Part::buffer)),
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
