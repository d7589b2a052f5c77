//! Makes the table of a pitch in several processes; interruptible between plies, and resumable.

use super::gather::write;
use super::ranks::{Team, TeamError};
use super::{ClusterSolver, Part};
use phutbase_base::job::{Job, Need, Stopped};
use phutbase_machine::space::free_memory;
use phutbase_pitches::solver::Setup;
use phutbase_solve::generate::plan::{Plan, PlanError};
use phutbase_solve::generate::{CHECKPOINT, GenerateError, Outcome, Request, TablesLock, due_after};
use std::time::{Duration, Instant};

/// Makes one table, unless an intact one exists. Collective: the first process checks and writes
/// the table, and its caller holds the [`TablesLock`].
///
/// A stopped job ends after a ply. On errors existing files are unchanged, and no partial table is
/// left.
pub fn generate(
    request: &Request<Setup>,
    lock: Option<&TablesLock>,
    job: &Job,
    team: &Team,
) -> Result<Outcome, TeamError<GenerateError>> {
    assert!(request.work.with_depths, "a table has depths");
    let outcome = if team.is_first() {
        request.outcome()
    } else {
        Ok(Outcome::Written)
    };
    let outcome = team.agree(outcome.map_err(GenerateError::from))?;
    if team.from_first(u64::from(outcome == Outcome::Present)) == 1 {
        if team.is_first() {
            request.forget_outdated_checkpoint();
        }
        return Ok(Outcome::Present);
    }
    let cluster = solve(request, lock, job, team)?;
    // Only writing the finished table is left, which a request to stop does not end.
    write(&cluster, request)?;
    if team.is_first() {
        request.forget_checkpoint();
    }
    Ok(outcome)
}

/// Solves a pitch without writing a table. The checkpoint remains until the first process
/// [forgets](Request::forget_checkpoint) it. Collective.
pub fn solve(
    request: &Request<Setup>,
    _lock: Option<&TablesLock>,
    job: &Job,
    team: &Team,
) -> Result<ClusterSolver, TeamError<GenerateError>> {
    let part = Part::of(&request.work, team);
    let planned = || -> Result<(Part, Plan), GenerateError> {
        let whole = Plan::of_pitch(&request.work)?;
        let part = part?;
        let plan = part.plan(whole.disk);
        // Processes on one machine share its memory.
        let memory = match job.memory() {
            Some(limit) => limit,
            None => free_memory().map_err(PlanError::from)? / team.processes_on_this_machine() as u64,
        };
        plan.check_pitch(request, Some(memory))?;
        Ok((part, plan))
    };
    let (part, plan) = team.agree(planned())?;
    job.expect(plan.positions, "positions");
    // The greatest need of any process.
    job.need(Need {
        memory: team.greatest(plan.memory),
        scratch: team.greatest(plan.scratch),
        disk: team.greatest(plan.disk),
        ..Need::default()
    });
    let checkpoint = request.checkpoint();
    let resumes = team.from_first(u64::from(checkpoint.exists())) == 1;
    let begun: Result<ClusterSolver, GenerateError> = if resumes {
        job.save(CHECKPOINT);
        part.resume(&checkpoint).map_err(GenerateError::from)
    } else {
        part.begin().map_err(GenerateError::from)
    };
    let mut cluster = team.agree(begun)?;
    if resumes {
        job.resume(cluster.solver.place());
    }
    cluster.run(request, job)?;
    Ok(cluster)
}

impl Part {
    /// Plans this process. All write to one file system, of which the first needs `disk` bytes.
    fn plan(&self, disk: u64) -> Plan {
        let needs = self.needs();
        let (written, disk) = if self.team.is_first() {
            let all = self.prepared.layout.all_chunks();
            let all = self.prepared.needs(&all, self.setup.with_depths);
            (all.saved(), disk)
        } else {
            (needs.saved(), 0)
        };
        let plan = Plan::of_needs(&self.setup, &needs, written);
        let memory = plan.memory + self.buffer();
        Plan { memory, disk, ..plan }
    }
}

impl ClusterSolver {
    /// Runs plies until one decides nothing, and saves checkpoints. The clock of the first process
    /// decides when; the stop of any process stops all.
    fn run(&mut self, request: &Request<Setup>, job: &Job) -> Result<(), TeamError<GenerateError>> {
        let (mut unsaved, mut saving) = (Instant::now(), Duration::ZERO);
        let step = |cluster: &mut Self| cluster.step(job).map_err(GenerateError::from);
        while step(self).map_err(TeamError::Local)? > 0 {
            let is_due = |stop| {
                self.team.is_first() && unsaved.elapsed() >= due_after(request.checkpoint_every, saving, stop)
            };
            let mut words = [job.check().is_err(), is_due(false), is_due(true)].map(u64::from);
            self.team.combine(&mut words, &|_, a, b| a.max(b));
            let stop = words[0] == 1;
            if words[1 + usize::from(stop)] == 1 {
                let begun = Instant::now();
                self.save(&request.checkpoint()).map_err(TeamError::of)?;
                job.save(self.solver.place());
                unsaved = Instant::now();
                saving = unsaved - begun;
            }
            if stop {
                return Err(TeamError::Local(Stopped::Interrupted.into()));
            }
        }
        Ok(())
    }
}
