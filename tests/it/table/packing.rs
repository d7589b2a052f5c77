//! Frames are packed many at a time with the same tools: each comes out as if it were the only one.

use crate::common::random_numbers;
use phutbase::table::container::blocks::{Cut, MAX_FRAME_BYTES};
use phutbase::table::container::write::packed;

/// Bytes of a frame: noise, runs, or what was there before with some bytes changed, by turns.
fn fill(start: u64, raw: &mut [u8]) {
    let frame = start / MAX_FRAME_BYTES;
    let kind = frame % 3;
    let seed = if kind == 2 { 1 } else { frame };
    let mut numbers = random_numbers(seed);
    for part in raw.chunks_mut(8) {
        let number = numbers.next().unwrap();
        let bytes = if kind == 0 {
            number.to_le_bytes()
        } else {
            [number as u8 & 3; 8]
        };
        part.copy_from_slice(&bytes[..part.len()]);
    }
    raw[frame as usize % raw.len()] ^= 1;
}

#[test]
fn a_frame_is_packed_as_if_it_were_alone() {
    let cut = Cut {
        bytes: 1100 * MAX_FRAME_BYTES + 77,
        frame_bytes: MAX_FRAME_BYTES,
    };
    for level in [1, 3, 12] {
        let mut frames = 0;
        for (frame, packed) in (0..).zip(packed(cut, level, fill)) {
            let start = frame * MAX_FRAME_BYTES;
            let mut raw = vec![0; (cut.bytes - start).min(MAX_FRAME_BYTES) as usize];
            fill(start, &mut raw);
            // The slow ones are looked at here and there.
            if level < 12 || frame % 10 < 2 {
                assert!(
                    packed == zstd::bulk::compress(&raw, level).unwrap(),
                    "frame {frame}, level {level}"
                );
            }
            frames += 1;
        }
        assert_eq!(frames, 1101, "level {level}");
    }
}
