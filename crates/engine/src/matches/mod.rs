//! Matches between engines.
//!
//! * [`control`] — limits on turns;
//! * [`play`] — one game, with this program as referee; a fault counts against its engine;
//! * [`adjudication`] — games that end early;
//! * [`openings`] — start positions; each is played twice, with colours reversed;
//! * [`record`] — games in PGN style;
//! * [`score`] — points, Elo with error bars, and the sequential probability ratio test (SPRT).

pub mod adjudication;
pub mod control;
pub mod openings;
mod pgn;
pub mod play;
pub mod record;
pub mod score;

use super::client::{EngineFault, Setup};
use adjudication::Adjudication;
use control::Control;
use openings::Opening;
use phutbase_ask::sources::Sources;
use phutbase_base::job::Job;
use phutbase_base::outcome::words;
use phutbase_tables::TableError;
use play::{Engines, Played};
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
    /// True if a new process plays each game.
    pub restarts: bool,
}

/// The engines that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Every two engines.
    RoundRobin,
    /// The first engine and each other one.
    Gauntlet,
}

words!(Tournament: RoundRobin = "round-robin", Gauntlet = "gauntlet");

pub struct Match {
    /// At least two.
    pub contestants: Vec<Contestant>,
    pub tournament: Tournament,
    /// Start positions, in order; never empty.
    pub openings: Vec<Opening>,
    /// Openings that every two engines play twice, with colours reversed; they repeat when they run out.
    pub rounds: usize,
    pub concurrency: usize,
    pub adjudication: Adjudication,
    /// Games played earlier.
    pub played: usize,
    /// The exact values, for claims and adjudication.
    pub sources: Sources,
}

/// The reason why a match cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine did not answer `readyok`.
    #[error("engine '{name}' did not become ready: {fault}")]
    Handshake { name: String, fault: EngineFault },
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
    #[error(transparent)]
    Table(#[from] TableError),
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
    /// Returns the engines that meet, in the order of their games.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let engines = self.contestants.len();
        let hosts = match self.tournament {
            Tournament::RoundRobin => engines,
            Tournament::Gauntlet => 1,
        };
        (0..hosts)
            .flat_map(|one| (one + 1..engines).map(move |other| [one, other]))
            .collect()
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        2 * self.rounds * self.pairings().len()
    }

    /// Returns the engines of a game, which is numbered from 0.
    pub fn pairing(&self, number: usize) -> [usize; 2] {
        let pairings = self.pairings();
        pairings[number / 2 % pairings.len()]
    }

    /// Returns the opening of a game, which is numbered from 0.
    pub fn opening(&self, number: usize) -> &Opening {
        &self.openings[number / 2 / self.pairings().len() % self.openings.len()]
    }

    /// Describes the schedule, and how games end early.
    pub fn settings(&self) -> String {
        let schedule = match self.contestants.len() {
            2 => String::new(),
            engines => format!("{engines} engines, {}, ", self.tournament.word()),
        };
        schedule + &self.adjudication.to_string()
    }

    /// Plays the remaining games and calls `each` in the order of their numbers; `Break` ends the
    /// match. Games that the job interrupts are not passed to `each`.
    pub fn run(&self, job: &Job, each: &mut dyn FnMut(&Played) -> ControlFlow<()>) -> Result<(), MatchError> {
        let mut pairs = vec![Engines::default()];
        let ready = pairs[0].check(self);
        if job.is_stopped() {
            return Ok(());
        }
        ready?;
        let games = self.games();
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
                        let Some(game) = pair.play(self, number, must_stop).transpose() else {
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
                    Ok(Ok(game)) => drop(early.insert(game.number, game)),
                    Ok(Err(error)) => {
                        is_over.store(true, Ordering::Relaxed);
                        return Err(error.into());
                    }
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
