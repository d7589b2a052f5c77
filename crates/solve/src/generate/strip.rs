//! Makes the table of the strips up to a length.
//!
//! Sets grow ply by ply, or level by level, and end as the roots of the table.

use super::plan::{PlanError, check_strip_memory, strip_memory};
use super::{Engine, GenerateError, Request, TablesLock, Work, solve};
use crate::levels::Levels;
use crate::plies::Plies;
use num_bigint::BigUint;
use phutbase_base::job::{Job, Need};
use phutbase_machine::space::memory_limit;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_sets::won::won;
use phutbase_sets::{Graph, Ref};
use phutbase_tables::strip::write::write;
use phutbase_tables::{Metric, StripTable, TableError, TableId};
use std::path::Path;

/// The strips up to a length.
#[derive(Clone, Debug)]
pub struct Strips {
    pub length: usize,
    pub metric: Metric,
}

impl Work for Strips {
    fn id(&self) -> TableId {
        TableId::Strip(self.metric, self.length)
    }

    fn checkpoint(&self) -> String {
        format!("strip-{}-{}", self.length, self.metric)
    }

    fn check(file: &Path) -> Result<TableId, TableError> {
        let table = StripTable::open(file)?;
        Ok(TableId::Strip(table.metric(), table.length()))
    }

    fn make(request: &Request<Strips>, _: Option<&TablesLock>, job: &Job) -> Result<(), GenerateError> {
        let Strips { length, metric } = request.work;
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            return Err(PlanError::OutOfRange(format!(
                "length {length} is out of range: strips of {MIN_LENGTH} to {MAX_LENGTH} squares have tables"
            ))
            .into());
        }
        check_strip_memory(length, metric, job.memory())?;
        job.expect(0, "nodes");
        job.need(Need {
            memory: strip_memory(length, metric),
            ..Need::default()
        });
        let setup = (length, memory_limit(job.memory()).map_err(PlanError::from)?);
        match metric {
            Metric::Dtw => {
                let solver: Plies = solve(&setup, request, job)?;
                write_sets(solver.graph(), &solver.roots(), request, job)
            }
            Metric::Levels => {
                let solver: Levels = solve(&setup, request, job)?;
                write_sets(solver.graph(), &solver.roots(), request, job)
            }
            Metric::Wdl => {
                let (graph, roots) = won(length, job)?;
                write_sets(&graph, &roots, request, job)
            }
        }
    }
}

impl Engine for Plies {
    type Setup = (usize, u64);
    const UNDOES_STOPPED_STEPS: bool = true;

    fn begin(&(length, limit): &Self::Setup, _: &Job) -> Result<Self, GenerateError> {
        Ok(Plies::new(length, limit)?)
    }

    fn resume(&(length, limit): &Self::Setup, checkpoint: &Path, _: &Job) -> Result<Self, GenerateError> {
        Ok(Plies::resume(length, limit, checkpoint)?)
    }

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(Plies::step(self, job)? != BigUint::ZERO)
    }

    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(Plies::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        Plies::place(self)
    }
}

impl Engine for Levels {
    type Setup = (usize, u64);
    const UNDOES_STOPPED_STEPS: bool = true;

    fn begin(&(length, limit): &Self::Setup, job: &Job) -> Result<Self, GenerateError> {
        Ok(Levels::new(length, limit, job)?)
    }

    fn resume(&(length, limit): &Self::Setup, checkpoint: &Path, job: &Job) -> Result<Self, GenerateError> {
        Ok(Levels::resume(length, limit, checkpoint, job)?)
    }

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(Levels::step(self, job)?)
    }

    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(Levels::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        Levels::place(self)
    }
}

/// Writes the table. A request to stop does not end this.
fn write_sets(
    graph: &Graph,
    roots: &[Ref],
    request: &Request<Strips>,
    job: &Job,
) -> Result<(), GenerateError> {
    let _ = job.note("writing the table");
    write(graph, roots, request.work.metric, &request.tables)?;
    Ok(())
}
