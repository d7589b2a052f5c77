//! The work on a shape in a file, to go on later.
//!
//! ```text
//!     magic (8) | version, rows, columns, with depths (4 × 1) | plies (4) | CRC-32 of the counts (4) | counts (8 each)
//!     pieces: bytes (8) | CRC-32 (4) | zstd           both sets, the kept chunks one by one, then the depths, a MiB at a time
//! ```
//!
//! Little-endian; a checkpoint is for the program that wrote it, on the machine that wrote it, not for keeping.

use super::super::dense::block::Block;
use super::{PitchSolveError, Setup, Solver};
use std::io::{self, Read, Write};

const MAGIC: [u8; 8] = *b"PHUTPCKP";
const VERSION: u8 = 2;
const HEADER_BYTES: usize = 20;
/// Depth bytes in a piece.
const PIECE: usize = 1 << 20;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PitchCheckpointError {
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is damaged or for something else.
    #[error("{0}")]
    Unusable(&'static str),
    /// No memory to go on with.
    #[error(transparent)]
    Solve(#[from] PitchSolveError),
}

impl Solver {
    /// Writes all that is needed to go on after the last complete ply.
    ///
    /// # Errors
    /// The system's error.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let shape = self.layout.shape();
        let counts: Vec<u8> = self.counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        out.write_all(&MAGIC)?;
        let depths = u8::from(self.depths.is_some());
        out.write_all(&[VERSION, shape.rows() as u8, shape.columns() as u8, depths])?;
        out.write_all(&(self.counts.len() as u32).to_le_bytes())?;
        out.write_all(&crc32fast::hash(&counts).to_le_bytes())?;
        out.write_all(&counts)?;
        for chunk in self.sets.iter().flatten() {
            write_piece(out, bytemuck::cast_slice::<Block, u8>(chunk))?;
        }
        if let Some(depths) = &self.depths {
            let mut piece = Vec::new();
            for start in (0..depths.bytes()).step_by(PIECE) {
                piece.resize((depths.bytes() - start).min(PIECE as u64) as usize, 0);
                depths.copy(start, &mut piece);
                write_piece(out, &piece)?;
            }
        }
        out.flush()
    }

    /// Reads what [`save`](Solver::save) wrote for the same shape.
    ///
    /// # Errors
    /// [`PitchCheckpointError`] if it is damaged, cut short, or for another shape; nothing is believed that has not been
    /// checked.
    pub fn resume(setup: &Setup, from: &mut impl Read) -> Result<Solver, PitchCheckpointError> {
        let mut header = [0; HEADER_BYTES];
        from.read_exact(&mut header)?;
        let expected = [
            VERSION,
            setup.shape.rows() as u8,
            setup.shape.columns() as u8,
            u8::from(setup.with_depths),
        ];
        if header[..8] != MAGIC || header[8..12] != expected {
            return Err(PitchCheckpointError::Unusable(
                "not a checkpoint of this pitch and this program",
            ));
        }
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let plies = word(12) as usize;
        if plies > usize::from(super::MAX_PLIES) {
            return Err(PitchCheckpointError::Unusable("more plies than a game may have"));
        }
        let mut counts = vec![0; 8 * plies];
        from.read_exact(&mut counts)?;
        if crc32fast::hash(&counts) != word(16) {
            return Err(PitchCheckpointError::Unusable("a wrong checksum"));
        }
        let mut solver = Solver::begin(setup)?;
        solver.counts = (counts.chunks_exact(8))
            .map(|bytes| {
                bytes
                    .iter()
                    .rev()
                    .fold(0, |number, &byte| number << 8 | u64::from(byte))
            })
            .collect();
        for chunk in solver.sets.iter_mut().flatten() {
            read_piece(from, bytemuck::cast_slice_mut::<Block, u8>(chunk))?;
        }
        if let Some(depths) = &solver.depths {
            let mut piece = Vec::new();
            for start in (0..depths.bytes()).step_by(PIECE) {
                piece.resize((depths.bytes() - start).min(PIECE as u64) as usize, 0);
                read_piece(from, &mut piece)?;
                depths.restore(start, &piece);
            }
        }
        match from.read(&mut [0])? {
            0 => Ok(solver),
            _ => Err(PitchCheckpointError::Unusable("bytes after the end")),
        }
    }
}

fn write_piece(out: &mut impl Write, raw: &[u8]) -> io::Result<()> {
    let packed = zstd::bulk::compress(raw, 1)?;
    out.write_all(&(packed.len() as u64).to_le_bytes())?;
    out.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
    out.write_all(&packed)
}

fn read_piece(from: &mut impl Read, raw: &mut [u8]) -> Result<(), PitchCheckpointError> {
    let mut head = [0; 12];
    from.read_exact(&mut head)?;
    let length = head[..8]
        .iter()
        .rev()
        .fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    // Packing never makes a piece much longer.
    if length > raw.len() as u64 + raw.len() as u64 / 64 + 1024 {
        return Err(PitchCheckpointError::Unusable("a piece of impossible size"));
    }
    let mut packed = vec![0; length as usize];
    from.read_exact(&mut packed)?;
    if crc32fast::hash(&packed).to_le_bytes() != head[8..] {
        return Err(PitchCheckpointError::Unusable("a wrong checksum"));
    }
    match zstd::bulk::decompress_to_buffer(&packed, raw) {
        Ok(bytes) if bytes == raw.len() => Ok(()),
        _ => Err(PitchCheckpointError::Unusable("a piece that cannot be unpacked")),
    }
}
