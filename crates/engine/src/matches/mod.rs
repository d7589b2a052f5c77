//! Matches between two engines.
//!
//! * [`play`] — one game, with this program as referee; a fault counts against its engine;
//! * [`openings`] — start positions; each is played twice, with colours reversed;
//! * [`record`] — games in PGN style;
//! * [`score`] — points, Elo with error bars, and the sequential probability ratio test (SPRT).

pub mod openings;
pub mod play;
pub mod record;
pub mod score;

use super::client::{EngineFault, Setup};
use openings::Opening;
use phutbase_base::job::Job;
use play::{Control, Engines, Played};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Clone, Debug)]
pub struct Contestant {
    pub name: String,
    pub setup: Setup,
    pub control: Control,
}

pub struct Match {
    pub contestants: [Contestant; 2],
    /// Start positions, in order; never empty.
    pub openings: Vec<Opening>,
    /// Pairs of games; the openings repeat when they run out.
    pub rounds: usize,
    pub concurrency: usize,
    /// Turns of both players after which a game is a draw.
    pub max_turns: usize,
    /// Games played earlier.
    pub played: usize,
}

/// The reason why a match cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine did not answer `readyok`.
    #[error("engine '{name}' did not become ready: {fault}")]
    Handshake { name: String, fault: EngineFault },
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl Contestant {
    /// Describes what plays: the command, the options and the limits of time.
    pub fn settings(&self) -> String {
        let Setup {
            program,
            arguments,
            options,
            ..
        } = &self.setup;
        let mut words = vec![program.clone()];
        words.extend(arguments.iter().cloned());
        words.extend(
            options
                .iter()
                .map(|(name, value)| format!("option.{name}={value}")),
        );
        words.push(self.control.to_string());
        words.join(" ")
    }
}

impl Match {
    /// Returns the opening of a game, which is numbered from 0.
    pub fn opening(&self, number: usize) -> &Opening {
        &self.openings[number / 2 % self.openings.len()]
    }

    /// Describes how games end early.
    pub fn settings(&self) -> String {
        format!("maxmoves={}", self.max_turns)
    }

    /// Plays the remaining games and calls `each` in the order of their numbers; `Break` ends the
    /// match. Games that the job interrupts are not passed to `each`.
    pub fn run(&self, job: &Job, each: &mut dyn FnMut(&Played) -> ControlFlow<()>) -> Result<(), MatchError> {
        let mut pairs = vec![Engines::default()];
        pairs[0].check(self)?;
        let games = 2 * self.rounds;
        pairs.resize_with(self.concurrency.clamp(1, games.max(1)), Engines::default);
        let (next, is_over) = (&AtomicUsize::new(self.played), &AtomicBool::new(false));
        let must_stop = || is_over.load(Ordering::Relaxed) || job.is_stopped();
        std::thread::scope(|scope| {
            let (sender, played) = channel();
            for mut pair in pairs {
                let sender = sender.clone();
                let must_stop = &must_stop;
                let work = move || {
                    while !must_stop() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games {
                            return;
                        }
                        let Some(game) = pair.play(self, number, must_stop) else {
                            return;
                        };
                        if sender.send(game).is_err() {
                            return;
                        }
                    }
                };
                std::thread::Builder::new()
                    .spawn_scoped(scope, work)
                    .inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut expected = self.played;
            loop {
                match played.recv_timeout(POLL_INTERVAL) {
                    Ok(game) => drop(early.insert(game.number, game)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                while let Some(game) = early.remove(&expected) {
                    expected += 1;
                    if each(&game).is_break() {
                        is_over.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                }
            }
        })
    }
}
