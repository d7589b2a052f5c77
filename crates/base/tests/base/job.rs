//! Limits of jobs.

use phutbase_base::job::{Job, Stopped};
use std::time::Duration;

#[test]
fn of_two_time_limits_the_earlier_one_holds() {
    let (none, hour) = (Duration::ZERO, Duration::from_secs(3600));
    for limits in [[none, hour], [hour, none]] {
        let job = (limits.into_iter()).fold(Job::default(), |job, limit| job.within(limit));
        assert_eq!(job.check(), Err(Stopped::OutOfTime), "{limits:?}");
    }
    assert_eq!(Job::default().within(hour).within(None).check(), Ok(()));
}
