//! Collective operations of a team, with different numbers of processes.

use crate::threads::run;
use phutbase_cluster::ranks::{Team, TeamError};
use std::io;

#[test]
fn all_processes_get_the_same_results() {
    for count in 1..=7 {
        let found = run(count, |team| {
            let rank = team.rank() as u64;
            let mut words = [1 << rank, rank];
            team.combine(&mut words, &|place, a, b| if place == 0 { a | b } else { a + b });
            let parts = team.gather(team.part(100).collect());
            (words, team.greatest(rank), team.from_first(rank + 7), parts)
        });
        let (all, last) = ((1u64 << count) - 1, count as u64 - 1);
        let expected = ([all, (0..=last).sum()], last, 7, (0..100).collect::<Vec<u64>>());
        assert!(found.iter().all(|found| *found == expected), "{found:?}");
    }
}

/// Returns the errors of three processes of which the last two fail.
fn failed(agree: impl Fn(&Team, io::Result<()>) -> Result<(), TeamError<io::Error>> + Sync) -> Vec<String> {
    run(3, |team| {
        let fault = io::Error::other(format!("fault of {}", team.rank()));
        let mine = if team.rank() == 0 { Ok(()) } else { Err(fault) };
        assert!(agree(&team, Ok(())).is_ok());
        agree(&team, mine).unwrap_err().to_string()
    })
}

#[test]
fn one_failing_process_stops_all() {
    let named = "rank 1: fault of 1";
    assert_eq!(failed(Team::agree), [named, "fault of 1", named]);
    assert_eq!(failed(Team::agree_on), ["fault of 1"; 3]);
}
