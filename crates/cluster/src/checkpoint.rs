//! Checkpoints of several processes: each writes its chunks to a file, and that of the first lists
//! the others. Any number of processes can resume from it, and also a single one.

use super::ranks::TeamError;
use super::{ClusterSolver, Part};
use phutbase_base::job::Job;
use phutbase_files::FileError;
use phutbase_pitches::solver::checkpoint::{
    self, Checkpoint, CheckpointError, checksum, part_file, remove_parts,
};
use std::path::Path;

impl ClusterSolver {
    /// Saves the state after the last ply to `path`, replacing an older checkpoint. Collective.
    /// On errors the older checkpoint is intact, or replaced by the complete new one if only flushing
    /// the directory failed.
    pub fn save(&self, path: &Path) -> Result<(), TeamError<FileError>> {
        let (team, ply) = (&self.team, self.solver.counts().len());
        let name = |rank: usize| format!("-ply{ply}-rank{rank}");
        let written = if team.is_first() {
            Ok(0)
        } else {
            let file = part_file(path, &name(team.rank()));
            (self.solver.write_chunks(&file, Vec::new())).and_then(|()| checksum(&file))
        };
        let mut checksums = vec![0; team.count()];
        checksums[team.rank()] = team.agree_on(written)?.into();
        team.combine(&mut checksums, &|_, a, b| a | b);
        let part = |(rank, &checksum): (usize, &u64)| checkpoint::Part {
            name: name(rank),
            checksum: checksum as u32,
        };
        let parts = checksums.iter().enumerate().skip(1).map(part).collect();
        let listed = if team.is_first() {
            self.solver.write_chunks(path, parts)
        } else {
            Ok(())
        };
        team.agree_on(listed)?;
        if team.is_first() {
            remove_parts(path);
        }
        Ok(())
    }
}

impl Part {
    /// Resumes from a checkpoint of the same shape.
    pub fn resume(self, path: &Path) -> Result<ClusterSolver, CheckpointError> {
        let saved = Checkpoint::open(&self.setup, path)?;
        let cluster = self.begin().map_err(CheckpointError::Engine)?;
        Ok(ClusterSolver {
            // A process that stopped here alone would make the others fail.
            solver: saved.restore(cluster.solver, &Job::default())?,
            ..cluster
        })
    }
}
