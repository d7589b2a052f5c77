//! The work on a shape in a file, to go on later: both sets, the kept chunks one by one, then the depths, as one row of bytes in
//! the [store of blocks](crate::table::container::blocks) of a container.

use super::super::dense::block::Block;
use super::depths::Depths;
use super::{FIRST_PLIES, MAX_PLIES, PitchSolveError, PitchSolver, Setup};
use crate::table::container::Kind;
use crate::table::container::blocks::{Blocks, Cut, MAX_FRAME_BYTES, SECTIONS};
use crate::table::container::read::Container;
use crate::table::container::write::{write_blocks, write_file};
use crate::table::error::{ResumeError, TableError};
use bincode::{Decode, Encode};
use std::path::Path;

/// Depth bytes that are put back at a time.
const PIECE: usize = 1 << 20;
/// The zstd level: this is written often and read seldom.
const ZSTD_LEVEL: i32 = 1;

/// What is said of the bytes.
#[derive(Encode, Decode)]
struct Metadata {
    rows: u8,
    columns: u8,
    with_depths: bool,
    /// New positions of each ply.
    counts: Vec<u64>,
}

impl PitchSolver {
    /// Writes all that is needed to go on after the last complete ply, in place of what `path` names.
    ///
    /// # Errors
    /// [`TableError::Io`]; what `path` named before is then still there.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        let shape = self.layout.shape();
        let row = Row::of(self);
        write_file(path, Kind::PitchCheckpoint, |out| {
            let fill = |start: u64, into: &mut [u8]| row.copy(start, into);
            write_blocks(out, self.cut(), ZSTD_LEVEL, fill, |()| {})?;
            Ok(Metadata {
                rows: shape.rows() as u8,
                columns: shape.columns() as u8,
                with_depths: self.depths.is_some(),
                counts: self.counts.clone(),
            })
        })
    }

    /// Goes on from what [`save`](PitchSolver::save) wrote for the same shape.
    ///
    /// # Errors
    /// [`ResumeError`] if the file is damaged or for another shape, or there is no room.
    pub fn resume(setup: &Setup, path: &Path) -> Result<PitchSolver, ResumeError<PitchSolveError>> {
        let container = Container::open(path)?;
        let metadata: Metadata = container.metadata(Kind::PitchCheckpoint)?;
        let shape = setup.shape;
        let found = (
            usize::from(metadata.rows),
            usize::from(metadata.columns),
            metadata.with_depths,
        );
        if found != (shape.rows(), shape.columns(), setup.with_depths) {
            let words = |rows, columns, depths| {
                format!("{rows}x{columns}{}", if depths { " with depths" } else { "" })
            };
            let expected = words(shape.rows(), shape.columns(), setup.with_depths);
            return Err(container
                .foreign("the pitch", words(found.0, found.1, found.2), expected)
                .into());
        }
        if metadata.counts.len() > usize::from(MAX_PLIES) {
            return Err(container.corrupt("more plies than a game may have").into());
        }
        let [blocks, index] = container.sections(SECTIONS)?.clone();
        let cut = cut(setup).map_err(ResumeError::Engine)?;
        let blocks = Blocks::open(container, [&blocks, &index], cut, 0)?;
        let mut solver = PitchSolver::begin(setup).map_err(ResumeError::Engine)?;
        let mut reader = blocks.reader();
        for chunk in solver.sets.iter_mut().flatten() {
            reader.fill(bytemuck::cast_slice_mut::<Block, u8>(chunk))?;
        }
        if let Some(depths) = &solver.depths {
            let mut piece = Vec::new();
            for start in (0..depths.bytes()).step_by(PIECE) {
                piece.resize((depths.bytes() - start).min(PIECE as u64) as usize, 0);
                reader.fill(&mut piece)?;
                depths.restore(start, &piece);
            }
        }
        // Of what the maps would say nothing is in the file.
        solver.all_until = FIRST_PLIES.max(metadata.counts.len() + 1);
        solver.counts = metadata.counts;
        Ok(solver)
    }

    fn cut(&self) -> Cut {
        let sets: usize = self
            .sets
            .iter()
            .flatten()
            .map(|chunk| size_of_val(&chunk[..]))
            .sum();
        of_bytes(sets as u64 + self.depths.as_ref().map_or(0, Depths::bytes))
    }
}

/// How the bytes of a setup are cut, before anything is allocated for it.
fn cut(setup: &Setup) -> Result<Cut, PitchSolveError> {
    let layout = super::layout_of(setup.shape)?;
    let sets = 2 * super::Stores::new(&layout).places.total() * size_of::<Block>() as u64;
    let depths = if setup.with_depths {
        super::depths::bytes_needed(&layout)
    } else {
        0
    };
    Ok(of_bytes(sets + depths))
}

fn of_bytes(bytes: u64) -> Cut {
    Cut {
        bytes,
        frame_bytes: MAX_FRAME_BYTES,
    }
}

/// All bytes one after the other.
struct Row<'s> {
    /// Where each chunk begins, and what it holds.
    chunks: Vec<(u64, &'s [u8])>,
    /// Where the depths begin.
    sets_bytes: u64,
    depths: Option<&'s Depths>,
}

impl Row<'_> {
    fn of(solver: &PitchSolver) -> Row<'_> {
        let mut sets_bytes = 0;
        let chunks = (solver.sets.iter().flatten())
            .map(|chunk| {
                let bytes = bytemuck::cast_slice::<Block, u8>(chunk);
                let start = sets_bytes;
                sets_bytes += bytes.len() as u64;
                (start, bytes)
            })
            .collect();
        Row {
            chunks,
            sets_bytes,
            depths: solver.depths.as_ref(),
        }
    }

    /// Copies the bytes from `start` on.
    fn copy(&self, start: u64, into: &mut [u8]) {
        let sets = into.len().min(self.sets_bytes.saturating_sub(start) as usize);
        let (mut sets, depths) = into.split_at_mut(sets);
        let depths_start = start.saturating_sub(self.sets_bytes);
        let mut next = self
            .chunks
            .partition_point(|&(begin, bytes)| begin + bytes.len() as u64 <= start);
        let mut skip = self
            .chunks
            .get(next)
            .map_or(0, |&(begin, _)| start.saturating_sub(begin)) as usize;
        while !sets.is_empty() {
            let from = &self.chunks[next].1[skip..];
            let (now, later) = sets.split_at_mut(sets.len().min(from.len()));
            now.copy_from_slice(&from[..now.len()]);
            (sets, skip, next) = (later, 0, next + 1);
        }
        if let Some(stored) = self.depths {
            stored.copy(depths_start, depths);
        }
    }
}
