//! The nodes of a file: the bytes of all nodes packed by zstd, in an order in which what is alike stands together.
//!
//! First come the first bytes of all ternary nodes, then their second bytes, and so on; then those of the binary nodes in the same way. Numbers of
//! children change little from one node to the next, so most of their upper bytes are the same: the file is a third of what it would be without.

use super::super::header::DiagramPayload;
use super::nodes::{Fault, checked_width};

/// zstd's level: a table is written once, and read often.
#[cfg(feature = "cli")]
const LEVEL: i32 = 19;
/// The bytes that nodes may always have, and those for each byte of the file that holds them: it must warrant the memory. What this program
/// writes has up to 5 for each.
const MOST: [u128; 2] = [1 << 22, 64];

/// Where in the file's order each byte of the nodes stands: bytes of the nodes, in the order of the file.
fn order(payload: DiagramPayload, width: usize) -> impl Iterator<Item = usize> {
    let kinds = [
        (payload.ternary as usize, 3 * width),
        (payload.binary as usize, 1 + 2 * width),
    ];
    let starts = [0, kinds[0].0 * kinds[0].1];
    (kinds.into_iter().zip(starts)).flat_map(|((nodes, bytes), start)| {
        (0..bytes).flat_map(move |byte| (0..nodes).map(move |node| start + node * bytes + byte))
    })
}

/// The section of a file for nodes as [`encode`](super::encode) makes them.
#[cfg(feature = "cli")]
pub(super) fn pack(payload: DiagramPayload, nodes: &[u8]) -> std::io::Result<Vec<u8>> {
    let width = checked_width(payload).expect("they have been numbered");
    let bytes: Vec<u8> = order(payload, width).map(|at| nodes[at]).collect();
    zstd::bulk::compress(&bytes, LEVEL)
}

/// The nodes from the section of a file.
pub(super) fn unpack(payload: DiagramPayload, packed: &[u8]) -> Result<Vec<u8>, Fault> {
    let width = checked_width(payload)?;
    let size = u128::from(payload.ternary) * (3 * width) as u128
        + u128::from(payload.binary) * (1 + 2 * width) as u128;
    if size > MOST[0] + MOST[1] * packed.len() as u128 {
        return Err("it is too short for so many nodes");
    }
    let bytes = zstd::bulk::decompress(packed, size as usize)
        .ok()
        .filter(|bytes| bytes.len() as u128 == size)
        .ok_or("the nodes do not fill their section")?;
    let mut nodes = vec![0; bytes.len()];
    for (at, byte) in order(payload, width).zip(bytes) {
        nodes[at] = byte;
    }
    Ok(nodes)
}
