//! Reading a checkpoint back. Nothing in the file is believed before it is checked.

use super::{CheckpointError, HEADER_BYTES, Header, MAGIC, PoolSize, SUM_BYTES, Summed, VERSION, io_error};
use crate::games::strip::{MIN_LENGTH, positions};
use crate::solve::dense::block::{AnyTurn, Block, EveryTurn, Quantifier};
use crate::solve::dense::layout::Layout;
use crate::solve::dense::planes::{MappedPlane, MemoryPlane, PlaneStore};
use crate::solve::dense::pool::{Life, Pool, SetId, State};
use crate::solve::dense::{DenseError, MAX_DENSE_LENGTH, MAX_PLIES, PlaneData, Solver};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read, Take};
use std::path::Path;

impl Solver<MemoryPlane> {
    /// Goes on from a checkpoint, in memory. The length is the checkpoint's: see [`Layout::length`].
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read or is not a whole and undamaged checkpoint, or, from
    /// [`DenseError::OutOfMemory`], if the system refuses the memory.
    pub fn resume_in_memory(path: &Path) -> Result<Self, CheckpointError> {
        resume(path, MemoryPlane::new)
    }
}

impl Solver<MappedPlane> {
    /// Goes on from a checkpoint, with the planes in files below a scratch directory. The length is the
    /// checkpoint's: see [`Layout::length`].
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read or is not a whole and undamaged checkpoint, or, from
    /// [`DenseError::Scratch`], if the scratch directory fails.
    pub fn resume_on_scratch(path: &Path, directory: &Path) -> Result<Self, CheckpointError> {
        resume(path, |layout| MappedPlane::new(layout, directory))
    }
}

fn resume<S: PlaneStore>(
    path: &Path,
    plane: impl Fn(&Layout) -> Result<S, DenseError>,
) -> Result<Solver<S>, CheckpointError> {
    let mut input = Input::open(path)?;
    let header = input.header()?;
    let mut solver = Solver::new(header.layout.length(), plane)?;
    solver.counts = input.counts(&header)?;
    let [left, right] = &mut solver.sides;
    input.side::<EveryTurn, S>(&header, header.pools[0], left)?;
    input.side::<AnyTurn, S>(&header, header.pools[1], right)?;
    input.check_sum()?;
    Ok(solver)
}

/// A checkpoint being read.
struct Input<'p> {
    path: &'p Path,
    /// The size of the file.
    bytes: u64,
    /// All of it but the checksum at its end.
    reader: BufReader<Summed<Take<File>>>,
}

impl Input<'_> {
    fn open(path: &Path) -> Result<Input<'_>, CheckpointError> {
        let file = File::open(path).map_err(io_error(path, "open it"))?;
        let bytes = file.metadata().map_err(io_error(path, "ask its size"))?.len();
        if bytes < HEADER_BYTES + SUM_BYTES {
            return Err(CheckpointError::NotACheckpoint {
                file: path.to_path_buf(),
            });
        }
        let summed = Summed::new(file.take(bytes - SUM_BYTES));
        Ok(Input {
            path,
            bytes,
            reader: BufReader::with_capacity(super::BUFFER_BYTES, summed),
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut bytes = [0; N];
        self.reader
            .read_exact(&mut bytes)
            .map_err(io_error(self.path, "read it"))?;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u32, CheckpointError> {
        self.take().map(u32::from_le_bytes)
    }

    fn long_number(&mut self) -> Result<u64, CheckpointError> {
        self.take().map(u64::from_le_bytes)
    }

    /// The error of a number that is not what it must be.
    fn demand(
        &self,
        holds: bool,
        field: &'static str,
        found: impl Display,
        allowed: impl Display,
    ) -> Result<(), CheckpointError> {
        if holds {
            return Ok(());
        }
        Err(CheckpointError::Field {
            file: self.path.to_path_buf(),
            field,
            found: found.to_string(),
            allowed: allowed.to_string(),
        })
    }

    /// Reads the header, and finds the file as long as it says.
    fn header(&mut self) -> Result<Header, CheckpointError> {
        let path = self.path;
        let file = || path.to_path_buf();
        if self.take()? != MAGIC {
            return Err(CheckpointError::NotACheckpoint { file: file() });
        }
        let version = self.number()?;
        if version != VERSION {
            return Err(CheckpointError::Version {
                file: file(),
                found: version,
            });
        }
        let header = Header {
            layout: self.layout()?,
            plies: self.number()?,
            pools: [self.pool_size()?, self.pool_size()?],
        };
        let most = u32::from(MAX_PLIES);
        let allowed = format_args!("at most {most}");
        self.demand(header.plies <= most, "the number of plies", header.plies, allowed)?;
        if self.bytes != header.file_bytes() {
            return Err(CheckpointError::WrongSize {
                file: file(),
                found: self.bytes,
                expected: header.file_bytes(),
            });
        }
        Ok(header)
    }

    fn layout(&mut self) -> Result<Layout, CheckpointError> {
        let (length, slice_bits) = (self.number()?, self.number()?);
        let fits = (MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&(length as usize));
        let allowed = format_args!("from {MIN_LENGTH} to {MAX_DENSE_LENGTH}");
        self.demand(fits, "the length", length, allowed)?;
        let layout = Layout::new(length as usize);
        // Blocks in another order would be read as other positions.
        let same = slice_bits as usize == layout.slice_bits();
        self.demand(same, "the number of slice bits", slice_bits, layout.slice_bits())?;
        Ok(layout)
    }

    fn pool_size(&mut self) -> Result<PoolSize, CheckpointError> {
        Ok(PoolSize {
            sets: self.number()?,
            states: self.number()?,
        })
    }

    /// The new positions of each ply.
    fn counts(&mut self, header: &Header) -> Result<Vec<u64>, CheckpointError> {
        // A position is in two planes; one ply cannot decide more, and all plies together cannot either.
        let most = 2 * positions(header.layout.length()).unwrap_or(0);
        let mut total = 0;
        (0..header.plies)
            .map(|_| {
                let count = self.long_number()?;
                total += u128::from(count);
                let allowed = format_args!("at most {most}");
                self.demand(total <= most, "the number of positions decided", total, allowed)?;
                Ok(count)
            })
            .collect()
    }

    /// Fills a new plane with what has been decided in it.
    fn side<Q: Quantifier, S: PlaneStore>(
        &mut self,
        header: &Header,
        size: PoolSize,
        side: &mut PlaneData<S>,
    ) -> Result<(), CheckpointError> {
        for _ in 0..size.sets {
            self.set::<Q>(&mut side.pool)?;
        }
        for _ in 0..size.states {
            self.life(header, &mut side.pool)?;
        }
        let balls = ((1u64 << header.layout.balls()) - 1) << 1;
        for changed in &mut side.changed {
            *changed = self.long_number()?;
            let allowed = format_args!("within {balls:#x}");
            let squares = format_args!("{:#x}", *changed);
            self.demand(
                *changed & !balls == 0,
                "a set of changed ball squares",
                squares,
                allowed,
            )?;
        }
        let states = side.pool.states();
        for state in side.plane.slices_mut().into_iter().flatten() {
            *state = State(self.number()?);
            let allowed = format_args!("below {states}");
            self.demand(
                (state.0 as usize) < states,
                "the state of a block",
                state.0,
                allowed,
            )?;
        }
        Ok(())
    }

    /// The next set of a pool.
    fn set<Q: Quantifier>(&mut self, pool: &mut Pool) -> Result<(), CheckpointError> {
        let mut set = Block::EMPTY;
        for word in &mut set.0 {
            *word = self.long_number()?;
        }
        // A set with two numbers would be two sets to the engine, which compares numbers.
        let number = pool.sets();
        let same = pool.set_number::<Q>(&set);
        self.demand(
            same.0 as usize == number,
            "a set",
            format_args!("equal to set {}", same.0),
            "new",
        )
    }

    /// The next state of a pool.
    fn life(&mut self, header: &Header, pool: &mut Pool) -> Result<(), CheckpointError> {
        let (before, set, ply) = (self.number()?, self.number()?, self.number()?);
        let (states, sets) = (pool.states(), pool.sets());
        // Reading depths walks from a state to the one before: that it was made earlier makes the walk end.
        let allowed = format_args!("below {states}");
        self.demand(
            (before as usize) < states,
            "the state before a state",
            before,
            allowed,
        )?;
        let allowed = format_args!("below {sets}");
        self.demand((set as usize) < sets, "the set of a state", set, allowed)?;
        let earlier = u32::from(pool.lives()[before as usize].ply);
        let allowed = format_args!("above {earlier} and at most {}", header.plies);
        let fits = earlier < ply && ply <= header.plies;
        self.demand(fits, "the ply of a state", ply, allowed)?;
        pool.restore(Life {
            before: State(before),
            ply: ply as u8,
            set: SetId(set),
        });
        Ok(())
    }

    /// Finds the checksum of all that was read at the end of the file.
    fn check_sum(self) -> Result<(), CheckpointError> {
        let Summed { file, sum } = self.reader.into_inner();
        let mut expected = [0; SUM_BYTES as usize];
        file.into_inner()
            .read_exact(&mut expected)
            .map_err(io_error(self.path, "read its checksum"))?;
        let (found, expected) = (sum.finalize(), u32::from_le_bytes(expected));
        if found == expected {
            return Ok(());
        }
        Err(CheckpointError::Checksum {
            file: self.path.to_path_buf(),
            found,
            expected,
        })
    }
}
