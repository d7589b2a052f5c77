//! Packs a pitch table in all processes and writes it in the first.
//!
//! Each process packs its [frames](Frames) in table order, up to a limit on buffered bytes. The
//! first process writes the table in order; when it needs a frame of another process, it receives
//! that process's next message. The *head* of a message is sent eagerly, and the first process
//! replies whether to send the body. All processes therefore end if writing fails.

use super::frames::Frames;
use crate::ranks::Team;
use crate::solve::pitch::PitchSolver;
use crate::table::error::TableError;
use crate::table::pitch::writer::{DepthCounts, Packed, pack, write, write_packed};
use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

/// Limit on packed bytes waiting in a process.
const AHEAD: usize = 64 << 20;
/// Limit on packed bytes that the first process holds for all others.
const HELD: usize = 64 << 20;
/// Target size of a message, subject to its share of [`HELD`].
const MESSAGE: usize = 1 << 20;

/// Number of frames in the head of a message from a process whose memory ran out.
const FAILED: u64 = u64::MAX;

/// Replies of the first process to the head of a message.
const GO_ON: [u64; 1] = [1];
const STOP: [u64; 1] = [0];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    frames: u64,
    bytes: u64,
    counts: DepthCounts,
}

/// Consecutive packed frames of a process.
struct Message {
    head: Head,
    frames: VecDeque<Vec<u8>>,
}

/// Writes the table of a finished solver into a directory. Collective.
pub(super) fn write_table(solver: &PitchSolver, directory: &Path) -> Result<(), TableError> {
    let frames = Frames::new(solver);
    match frames.team().several() {
        None => write(&frames, directory).map(drop),
        Some(_) => together(&frames, |packed| {
            write_packed(&frames, directory, packed).map(drop)
        }),
    }
}

/// Packs all frames. `write` runs in the first process and receives the frames in order.
pub fn together<E>(
    frames: &Frames<'_>,
    write: impl FnOnce(&mut dyn Iterator<Item = io::Result<Packed>>) -> Result<(), E>,
) -> Result<(), E> {
    let team = frames.team();
    let size = MESSAGE.min(HELD / team.count());
    let (packed, messages) = sync_channel(AHEAD / size);
    rayon::in_place_scope(|scope| {
        scope.spawn(move |_| {
            let mut own = pack(frames, frames.own());
            while let Some(message) = Message::of(&mut own, size) {
                let is_last = message.is_err();
                // The receiver is gone: the table is complete or writing failed.
                if packed.send(message).is_err() || is_last {
                    return;
                }
            }
        });
        if !team.is_first() {
            send_messages(team, messages);
            return Ok(());
        }
        let mut arriving = Arriving {
            frames,
            own: messages,
            next: 0,
            left: frames.numbers.clone(),
            held: vec![VecDeque::new(); team.count()],
        };
        let written = write(&mut arriving);
        arriving.stop();
        written
    })
}

/// Sends messages to the first process until it replies with a stop.
fn send_messages(team: &Team, messages: Receiver<io::Result<Message>>) {
    for message in messages {
        // The first process reports the error.
        let Message { head, frames } = message.unwrap_or_else(|_| Message::failed());
        let mut answer = [0];
        team.exchange(&[(0, head.words())], &mut [(0, &mut answer)]);
        if answer == STOP || head.frames == FAILED {
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

    /// Allocates the body: the sizes of the frames, and their bytes.
    fn body(&self) -> Vec<u64> {
        vec![0; (self.frames + self.bytes.div_ceil(8)) as usize]
    }
}

impl Message {
    /// Collects about `size` bytes of packed frames; `None` at the end.
    fn of(packed: &mut impl Iterator<Item = io::Result<Packed>>, size: usize) -> Option<io::Result<Message>> {
        let mut message = Message::empty();
        while message.head.bytes < size as u64
            && let Some(packed) = packed.next()
        {
            let (frame, seen) = match packed {
                Ok(packed) => packed,
                Err(error) => return Some(Err(error)),
            };
            message.head.frames += 1;
            message.head.bytes += frame.len() as u64;
            message.head.counts.add(&seen);
            message.frames.push_back(frame);
        }
        (!message.frames.is_empty()).then_some(Ok(message))
    }

    fn empty() -> Message {
        Message {
            head: Head::zeroed(),
            frames: VecDeque::new(),
        }
    }

    /// Returns the message of a process whose memory ran out.
    fn failed() -> Message {
        let mut message = Message::empty();
        message.head.frames = FAILED;
        message
    }

    /// Receives the next message of another process.
    fn from(team: &Team, rank: usize) -> io::Result<Message> {
        let mut head = Head::zeroed();
        let words = cast_slice_mut(std::slice::from_mut(&mut head));
        team.exchange(&[(rank, &GO_ON)], &mut [(rank, words)]);
        if head.frames == FAILED {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let mut body = head.body();
        team.exchange(&[], &mut [(rank, &mut body)]);
        let (sizes, bytes) = body.split_at(head.frames as usize);
        let mut rest = cast_slice::<u64, u8>(bytes);
        let frame = |&size: &u64| {
            let (now, later) = rest.split_at(size as usize);
            rest = later;
            now.to_vec()
        };
        Ok(Message {
            head,
            frames: sizes.iter().map(frame).collect(),
        })
    }
}

/// The frames of all processes in order, in the first process.
struct Arriving<'a> {
    frames: &'a Frames<'a>,
    own: Receiver<io::Result<Message>>,
    next: u64,
    /// Frames still to be received from each process.
    left: Vec<u64>,
    held: Vec<VecDeque<Vec<u8>>>,
}

impl Arriving<'_> {
    /// Tells all processes that would send more to stop.
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
    type Item = io::Result<Packed>;

    /// Returns the next frame; the first frame of a message carries the counts of all its frames.
    fn next(&mut self) -> Option<io::Result<Packed>> {
        let rank = (self.next < self.frames.number()).then(|| self.frames.packer(self.next))?;
        self.next += 1;
        let mut seen = DepthCounts::zeroed();
        if self.held[rank].is_empty() {
            let message = match rank {
                0 => self.own.recv().expect("this process packs its frames"),
                _ => Message::from(self.frames.team(), rank),
            };
            let Message { head, frames } = match message {
                Ok(message) => message,
                Err(error) => {
                    // It sends nothing more.
                    self.left[rank] = 0;
                    return Some(Err(error));
                }
            };
            seen = head.counts;
            self.left[rank] -= head.frames;
            self.held[rank] = frames;
        }
        let frame = self.held[rank].pop_front().expect("no message is empty");
        Some(Ok((frame, seen)))
    }
}
