//! The table of a pitch, packed by all processes and written by the first.
//!
//! Each process packs its [frames](Frames) in the order of the table, as far ahead as its messages may wait. The first goes through the table
//! and takes a message of whoever packed the next frame, if it holds none. Nobody asks for one: the *head* of a message goes to the first
//! as soon as it can, and the first answers with a word, whether the rest is still wanted. So all end if it cannot write.

use super::frames::Frames;
use crate::solve::pitch::PitchSolver;
use crate::solve::ranks::Team;
use crate::table::error::TableError;
use crate::table::pitch::writer::{Counts, Packed, pack, write, write_packed};
use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

/// Packed bytes that wait in a process.
const AHEAD: usize = 64 << 20;
/// Packed bytes that the first process holds of all.
const HELD: usize = 64 << 20;
/// A message is sent when it has so many packed bytes, or its share of what the first holds.
const MESSAGE: usize = 1 << 20;

/// The answer of the first to the head of a message.
const GO_ON: [u64; 1] = [1];
const STOP: [u64; 1] = [0];

/// What is said of a message before it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    frames: u64,
    bytes: u64,
    counts: Counts,
}

/// Some packed frames of a process, one after the other.
struct Message {
    head: Head,
    frames: VecDeque<Vec<u8>>,
}

/// Writes the table of a finished solver into a directory. All processes do so at the same time.
///
/// # Errors
/// In the first process, as [`write`].
pub(super) fn write_table(solver: &PitchSolver, directory: &Path) -> Result<(), TableError> {
    let frames = Frames::new(solver);
    match frames.team().several() {
        None => write(&frames, directory).map(drop),
        Some(_) => together(&frames, |packed| {
            write_packed(&frames, directory, packed).map(drop)
        }),
    }
}

/// Packs all frames. `write` runs in the first process and gets them in order, or as many as it asks for.
///
/// # Errors
/// That of `write`, in the first process.
pub fn together<E>(
    frames: &Frames<'_>,
    write: impl FnOnce(&mut dyn Iterator<Item = Packed>) -> Result<(), E>,
) -> Result<(), E> {
    let team = frames.team();
    let size = MESSAGE.min(HELD / team.count());
    let (packed, messages) = sync_channel(AHEAD / size);
    rayon::in_place_scope(|scope| {
        scope.spawn(move |_| {
            let mut own = pack(frames, frames.own());
            while let Some(message) = Message::of(&mut own, size) {
                // If nobody takes it no more are wanted.
                if packed.send(message).is_err() {
                    return;
                }
            }
        });
        if !team.is_first() {
            give(team, messages);
            return Ok(());
        }
        let mut arriving = Arriving {
            frames,
            own: messages,
            next: 0,
            left: frames.numbers().to_vec(),
            held: vec![VecDeque::new(); team.count()],
        };
        let written = write(&mut arriving);
        arriving.stop();
        written
    })
}

/// Sends messages to the first process while it wants them.
fn give(team: &Team, messages: Receiver<Message>) {
    for Message { head, frames } in messages {
        let mut answer = [0];
        team.exchange(&[(0, head.words())], &mut [(0, &mut answer)]);
        if answer == STOP {
            return;
        }
        let mut body = head.body();
        let (sizes, bytes) = body.split_at_mut(frames.len());
        let mut rest = cast_slice_mut::<u64, u8>(bytes);
        for (size, frame) in sizes.iter_mut().zip(&frames) {
            *size = frame.len() as u64;
            let (now, later) = rest.split_at_mut(frame.len());
            now.copy_from_slice(frame);
            rest = later;
        }
        team.exchange(&[(0, &body)], &mut []);
    }
}

impl Head {
    const WORDS: usize = size_of::<Head>() / 8;

    fn words(&self) -> &[u64] {
        cast_slice(std::slice::from_ref(self))
    }

    /// Room for what comes after it: the sizes of the frames, and their bytes.
    fn body(&self) -> Vec<u64> {
        vec![0; (self.frames + self.bytes.div_ceil(8)) as usize]
    }
}

impl Message {
    /// So many bytes of packed frames, or what there is; `None` if there is nothing.
    fn of(packed: &mut impl Iterator<Item = Packed>, size: usize) -> Option<Message> {
        let mut message = Message {
            head: Head::zeroed(),
            frames: VecDeque::new(),
        };
        while message.head.bytes < size as u64
            && let Some((frame, seen)) = packed.next()
        {
            message.head.frames += 1;
            message.head.bytes += frame.len() as u64;
            message.head.counts.add(&seen);
            message.frames.push_back(frame);
        }
        (!message.frames.is_empty()).then_some(message)
    }

    /// The next one of another process.
    fn from(team: &Team, rank: usize) -> Message {
        let mut head = Head::zeroed();
        let words = cast_slice_mut(std::slice::from_mut(&mut head));
        team.exchange(&[(rank, &GO_ON)], &mut [(rank, words)]);
        let mut body = head.body();
        team.exchange(&[], &mut [(rank, &mut body)]);
        let (sizes, bytes) = body.split_at(head.frames as usize);
        let mut rest = cast_slice::<u64, u8>(bytes);
        let frame = |&size: &u64| {
            let (now, later) = rest.split_at(size as usize);
            rest = later;
            now.to_vec()
        };
        Message {
            head,
            frames: sizes.iter().map(frame).collect(),
        }
    }
}

/// The frames as the first process gets them.
struct Arriving<'a> {
    frames: &'a Frames<'a>,
    own: Receiver<Message>,
    next: u64,
    /// How many frames of each process are still to come.
    left: Vec<u64>,
    /// What is there of each process.
    held: Vec<VecDeque<Vec<u8>>>,
}

impl Arriving<'_> {
    /// Tells all who would send more that it is not wanted.
    fn stop(self) {
        let senders: Vec<usize> = (1..self.left.len()).filter(|&rank| self.left[rank] > 0).collect();
        if senders.is_empty() {
            return;
        }
        let mut heads = vec![[0; Head::WORDS]; senders.len()];
        let sends: Vec<(usize, &[u64])> = senders.iter().map(|&rank| (rank, &STOP[..])).collect();
        let receives = senders.iter().zip(&mut heads);
        let mut receives: Vec<(usize, &mut [u64])> =
            receives.map(|(&rank, head)| (rank, &mut head[..])).collect();
        self.frames.team().exchange(&sends, &mut receives);
    }
}

impl Iterator for Arriving<'_> {
    type Item = Packed;

    /// The next frame; with the first of a message comes what was seen of all in it.
    fn next(&mut self) -> Option<Packed> {
        let rank = (self.next < self.frames.number()).then(|| self.frames.packer(self.next))?;
        self.next += 1;
        let mut seen = Counts::zeroed();
        if self.held[rank].is_empty() {
            let Message { head, frames } = match rank {
                0 => self.own.recv().expect("this process packs its frames"),
                _ => Message::from(self.frames.team(), rank),
            };
            seen = head.counts;
            self.left[rank] -= head.frames;
            self.held[rank] = frames;
        }
        let frame = self.held[rank].pop_front().expect("no message is empty");
        Some((frame, seen))
    }
}
