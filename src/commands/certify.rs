//! `phutbase certify`, and `phutbase verify` of a certificate: proofs about positions on pitches too large to enumerate.

use super::output::{CommandError, grouped, tell, unheeded, write_file};
use super::{Common, Verb};
use crate::games::pitch::certificate::{Certificate, Claim};
use crate::games::pitch::{Pitch, side_name};
use crate::games::position::Position;
use crate::outcome::Wdl;
use crate::solve::threats::Reach;
use crate::solve::threats::certify::{Search, certify};
use crate::solve::threats::hold::HoldLimits;
use crate::solve::threats::proof::ProofLimits;
use crate::verify::certificate::{Checked, check};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase certify \"3/3/2o/1o1/3/@2/3 A\"                          is it a draw or a win?
  phutbase certify position.txt --out proof.cert                  a position from a file
  phutbase certify \"3/3/2o/1o1/3/@2/3 A\" --nodes 100000 --json")]
pub struct Arguments {
    /// The position, or a file whose first line that is no comment (#) is one
    position: String,
    /// Write the certificate to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Shots in a row that a win may take before the winning jump
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().reach.shots)]
    shots: u16,
    /// Turns without a shot that a win may take before the shots begin
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().reach.quiet)]
    quiet: u16,
    /// Answers to one turn that may be held without being won
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().open_answers)]
    open_answers: usize,
    /// Hold positions by placing chaps that are no shots as well: for small pitches
    #[arg(long)]
    quiet_placements: bool,
    /// Boards that each search by threats may look at
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().boards)]
    boards: usize,
    /// Positions that the proof-number search may enter
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().proof.nodes)]
    nodes: u64,
    /// Positions that the proof-number search may remember: some 150 bytes each
    #[arg(long, value_name = "N", default_value_t = HoldLimits::default().proof.entries)]
    entries: usize,
}

#[derive(Serialize)]
struct CertifyLine {
    #[serde(flatten)]
    claim: ClaimAnswer,
    alfred_holds: bool,
    betty_holds: bool,
    positions: usize,
    boards: usize,
    seconds: f64,
    file: Option<String>,
}

#[derive(Serialize)]
struct CheckLine {
    #[serde(flatten)]
    claim: ClaimAnswer,
    file: String,
    ok: bool,
    positions: u64,
    answers: u64,
    error: Option<String>,
    seconds: f64,
}

/// What is claimed of a position; nothing if no certificate was found.
#[derive(Serialize)]
struct ClaimAnswer {
    game: &'static str,
    position: String,
    side: &'static str,
    value: Option<&'static str>,
    winner: Option<&'static str>,
}

impl ClaimAnswer {
    fn new(pitch: &Pitch, claim: Option<Claim>) -> ClaimAnswer {
        let position = Position::from(*pitch);
        let value = claim.map(|claim| match claim {
            Claim::Draw => Wdl::Draw,
            Claim::Wins(side) if side == pitch.side() => Wdl::Win,
            Claim::Wins(_) => Wdl::Loss,
        });
        ClaimAnswer {
            game: position.game(),
            side: position.player(pitch.side()),
            value: value.map(Wdl::word),
            winner: (value.and_then(|value| value.winner(pitch.side()))).map(|side| position.player(side)),
            position: position.to_string(),
        }
    }
}

fn claim_words(claim: Claim) -> String {
    match claim {
        Claim::Draw => "a draw".to_string(),
        Claim::Wins(side) => format!("{} wins", side_name(side)),
    }
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let pitch = position(&self.position)?;
        // Nothing is written before all is found, so Ctrl-C may end the program at once.
        let begun = Instant::now();
        let limits = HoldLimits {
            reach: Reach {
                shots: self.shots,
                quiet: self.quiet,
            },
            open_answers: self.open_answers,
            quiet_placements: self.quiet_placements,
            boards: self.boards,
            proof: ProofLimits {
                nodes: self.nodes,
                entries: self.entries,
            },
            ..HoldLimits::default()
        };
        let Search {
            certificate,
            held,
            boards,
        } = certify(&pitch, limits);
        // What was found is believed only when it has been checked.
        if let Ok(certificate) = &certificate {
            check(certificate).map_err(|fault| {
                CommandError::Failure(format!(
                    "the certificate found fails its check, which is a bug: {fault}"
                ))
            })?;
        }
        let file = match (&certificate, &self.out) {
            (Ok(certificate), Some(file)) => {
                let text = certificate.to_text().map_err(CommandError::failure)?;
                write_file(file, text.as_bytes())?;
                Some(file.display().to_string())
            }
            _ => None,
        };
        let count = |certificate: &Certificate| certificate.strategies.iter().map(Vec::len).sum();
        let claim = certificate.as_ref().ok().map(|certificate| certificate.claim);
        let line = CertifyLine {
            claim: ClaimAnswer::new(&pitch, claim),
            alfred_holds: held[0],
            betty_holds: held[1],
            positions: certificate.as_ref().map_or(0, count),
            boards,
            seconds: begun.elapsed().as_secs_f64(),
            file,
        };
        // The exit code says whether one was found, whoever reads.
        print_certified(&line, claim, common.json)?;
        match certificate {
            Ok(_) => Ok(()),
            Err(missing) => Err(CommandError::Failure(format!(
                "no certificate found for '{pitch}': {missing} ({}): try a larger --nodes, --entries, --shots, --quiet or --open-answers",
                match held {
                    [true, false] => "Alfred does not lose",
                    [false, true] => "Betty does not lose",
                    _ => "nothing is known",
                }
            ))),
        }
    }
}

/// Checks the certificate in a file with the rules alone.
pub fn check_file(path: &Path, json: bool) -> Result<(), CommandError> {
    let file = path.display().to_string();
    let certificate = Certificate::parse(&read(path)?)
        .map_err(|error| CommandError::Failure(format!("{file}: {error}")))?;
    let begun = Instant::now();
    let result = check(&certificate);
    let checked = result.as_ref().copied().unwrap_or(Checked::default());
    let line = CheckLine {
        claim: ClaimAnswer::new(&certificate.position, Some(certificate.claim)),
        file: file.clone(),
        ok: result.is_ok(),
        positions: checked.positions,
        answers: checked.answers,
        error: result.as_ref().err().map(ToString::to_string),
        seconds: begun.elapsed().as_secs_f64(),
    };
    print_checked(&line, certificate.claim, json)?;
    result
        .map(drop)
        .map_err(|fault| CommandError::Failure(format!("{file}: {fault}")))
}

/// Reads a position of a pitch.
fn parse(position: &str) -> Result<Pitch, CommandError> {
    position
        .parse()
        .map_err(|error| CommandError::Usage(format!("position '{position}': {error}")))
}

/// A position from the command line, or from a file that it names.
fn position(text: &str) -> Result<Pitch, CommandError> {
    if text.contains('/') && !Path::new(text).is_file() {
        return parse(text);
    }
    let content = read(Path::new(text))?;
    let line = content
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    parse(line.unwrap_or(""))
}

fn read(file: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(file)
        .map_err(|error| CommandError::System(format!("{}: cannot read it: {error}", file.display())))
}

fn print_certified(line: &CertifyLine, claim: Option<Claim>, json: bool) -> Result<(), CommandError> {
    tell(unheeded(), json, line, |out| {
        let Some(claim) = claim else {
            return Ok(());
        };
        writeln!(
            out,
            "{}: {}, certified and checked ({:.1} s)\n{} positions in the certificate, {} boards looked at",
            line.claim.position,
            claim_words(claim),
            line.seconds,
            grouped(line.positions as u128),
            grouped(line.boards as u128)
        )
    })
}

fn print_checked(line: &CheckLine, claim: Claim, json: bool) -> Result<(), CommandError> {
    tell(unheeded(), json, line, |out| {
        if !line.ok {
            return Ok(());
        }
        writeln!(
            out,
            "{}: {}\n{}: {} positions, every one of {} answers covered ({:.1} s)",
            line.claim.position,
            claim_words(claim),
            line.file,
            grouped(line.positions),
            grouped(line.answers),
            line.seconds
        )
    })
}
