//! Collective operations of a team, with different numbers of processes.

use crate::common::threads::run;
use phutbase::ranks::RankError;

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

#[test]
fn one_failing_process_stops_all() {
    let found = run(3, |team| {
        let fault = RankError {
            rank: 9,
            message: format!("fault of {}", team.rank()),
        };
        let mine = if team.rank() == 0 { Ok(()) } else { Err(fault) };
        let well = team.agree(Ok::<(), RankError>(()));
        (team.agree(mine).unwrap_err().to_string(), well)
    });
    assert_eq!(found[0].0, "rank 1: rank 9: fault of 1");
    assert_eq!(found[1].0, "rank 9: fault of 1");
    assert_eq!(found[2].0, "rank 1: rank 9: fault of 1");
    assert!(found.iter().all(|(_, well)| well.is_ok()));
}
