//! Frames packed with reused compressors are the same as those packed alone.

use phutbase_files::container::blocks::{Cut, MAX_FRAME_BYTES};
use phutbase_files::container::write::packed;
use phutbase_testing::boards::random_numbers;

/// Fills a frame with noise, runs, or a modified copy of the previous contents, in turn.
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
    // More frames than are packed at a time, and fewer on slow levels.
    for (level, whole_frames) in [(1, 1030), (3, 40), (12, 40)] {
        let cut = Cut {
            bytes: whole_frames * MAX_FRAME_BYTES + 77,
            frame_bytes: MAX_FRAME_BYTES,
        };
        let mut frames = 0;
        for (frame, packed) in (0..).zip(packed(cut, level, fill)) {
            let start = frame * MAX_FRAME_BYTES;
            let mut raw = vec![0; (cut.bytes - start).min(MAX_FRAME_BYTES) as usize];
            fill(start, &mut raw);
            let alone = zstd::bulk::compress(&raw, level).unwrap();
            assert!(packed.unwrap() == alone, "frame {frame}, level {level}");
            frames += 1;
        }
        assert_eq!(frames, whole_frames + 1, "level {level}");
    }
}
