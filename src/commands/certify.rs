//! `phutbase certify`, and `phutbase verify` of a certificate: proofs on large pitches.

use super::Verb;
use super::options::FileOr;
use clap::Args;
use phutbase_ask::Answer;
use phutbase_ask::certificates::certify;
use phutbase_base::digits::grouped;
use phutbase_base::disk::{read_text, text_of};
use phutbase_base::object;
use phutbase_base::outcome::Wdl;
use phutbase_files::container::MAGIC;
use phutbase_pitches::threats::certify::CertificateSearch;
use phutbase_rules::lines::Line;
use phutbase_rules::pitch::certificate::{Certificate, CertifiedValue, FIRST_LINE};
use phutbase_rules::pitch::{Pitch, side_name};
use phutbase_rules::position::Position;
use phutbase_tables::POINTS_IN_MEMORY;
use phutbase_terminal::{CommandError, GlobalOptions, OutFile, cannot_read, print_result};
use phutbase_verify::certificate::{Checked, check};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase certify \"3/3/2o/1o1/3/@2/3 A\"           is it a draw or a win?
  phutbase certify position.txt --out proof.cert   read a file
  phutbase certify \"9/9/9/9/4@4/9/9/9/9 A\" --effort 3 --json")]
pub struct Arguments {
    /// Position, or a file that holds it after comments (#); - for standard input
    position: String,
    /// Write the certificate to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Search this hard where no table holds the pitch, from 1 to 3. A long search can take
    /// hours and many GiB
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    effort: u8,
}

/// Maximum size of a file of a position, in bytes.
const MAX_POSITION_FILE: u64 = 1 << 20;
/// Maximum size of a certificate that is not in an ordinary file, in bytes.
const MAX_STREAM: u64 = 1 << 30;

/// The claim about a position as its value, which is null if nothing is proved.
fn claimed(pitch: &Pitch, claim: Option<CertifiedValue>) -> Answer {
    let value = |claim| match claim {
        CertifiedValue::Wins(side) => Wdl::won_by(side, pitch.side()).into(),
        CertifiedValue::Draw => Wdl::Draw.into(),
    };
    Answer::new(&Position::from(*pitch), claim.map(value))
}

fn claim_words(claim: CertifiedValue) -> String {
    match claim {
        CertifiedValue::Draw => "a draw".to_string(),
        CertifiedValue::Wins(side) => format!("{} wins", side_name(side)),
    }
}

impl Verb for Arguments {
    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let pitch = position(&self.position)?;
        let out = self.out.as_deref().map(OutFile::new).transpose()?;
        let begun = Instant::now();
        let CertificateSearch {
            certificate,
            held,
            boards,
        } = certify(&common.tables()?, &pitch, self.effort)?;
        // The independent check must confirm the certificate.
        if let Ok(certificate) = &certificate {
            check(certificate).map_err(|fault| {
                CommandError::Failure(format!(
                    "the certificate found fails its check, which is a bug: {fault}"
                ))
            })?;
        }
        let file = match (&certificate, &out) {
            (Ok(certificate), Some(file)) => {
                let text = certificate.to_text().map_err(CommandError::failure)?;
                file.write_all(text.as_bytes())?;
                self.out.as_ref().map(|file| file.display().to_string())
            }
            _ => None,
        };
        let count = |certificate: &Certificate| certificate.strategies.iter().map(Vec::len).sum();
        let claim = certificate.as_ref().ok().map(|certificate| certificate.claim);
        let (positions, seconds) = (
            certificate.as_ref().map_or(0, count),
            begun.elapsed().as_secs_f64(),
        );
        let object = object! {
            #[serde(flatten)]
            claim: claimed(&pitch, claim),
            alfred_holds: held[0],
            betty_holds: held[1],
            positions: positions,
            boards_visited: boards,
            seconds: seconds,
            file: file,
        };
        print_result(common.json, &object, |out| match claim {
            None => Ok(()),
            Some(claim) => writeln!(
                out,
                "{pitch}: {}, certified and checked ({seconds:.1} s)\n{} positions in the certificate, {} boards visited",
                claim_words(claim),
                grouped(positions as u128),
                grouped(boards as u128)
            ),
        })?;
        match certificate {
            Ok(_) => Ok(()),
            Err(missing) => {
                let known = match held {
                    [true, false] => "Alfred does not lose",
                    [false, true] => "Betty does not lose",
                    _ => "neither result is proved",
                };
                let shape = pitch.shape();
                let next = match shape.points() {
                    ..=POINTS_IN_MEMORY => format!("; make its table: phutbase generate {shape}"),
                    _ if self.effort < 3 => "; try --effort 3".to_string(),
                    _ => String::new(),
                };
                Err(CommandError::Failure(format!(
                    "no certificate found for '{pitch}': {missing} ({known}){next}"
                )))
            }
        }
    }
}

/// Checks a certificate by the rules alone.
pub fn check_file(path: &Path, json: bool) -> Result<(), CommandError> {
    let file = path.display().to_string();
    let text = read_certificate(path)?;
    let certificate =
        Certificate::parse(&text).map_err(|error| CommandError::Failure(format!("{file}: {error}")))?;
    let begun = Instant::now();
    let result = check(&certificate);
    let checked = result.as_ref().copied().unwrap_or(Checked::default());
    let Checked { positions, answers } = checked;
    let seconds = begun.elapsed().as_secs_f64();
    let object = object! {
        #[serde(flatten)]
        claim: claimed(&certificate.position, Some(certificate.claim)),
        file: &file,
        ok: result.is_ok(),
        positions: positions,
        answers: answers,
        error: result.as_ref().err().map(ToString::to_string),
        seconds: seconds,
    };
    print_result(json, &object, |out| match &result {
        Err(_) => Ok(()),
        Ok(_) => writeln!(
            out,
            "{}: {}\n{file}: {} positions, every one of {} answers covered ({seconds:.1} s)",
            certificate.position,
            claim_words(certificate.claim),
            grouped(positions),
            grouped(answers),
        ),
    })?;
    result
        .map(drop)
        .map_err(|fault| CommandError::Failure(format!("{file}: {fault}")))
}

fn position(text: &str) -> Result<Pitch, CommandError> {
    let bad = |text: &str, error| CommandError::bad_position(text, &error);
    let file = match text.parse() {
        Ok(FileOr::Value(pitch)) => return Ok(pitch),
        Ok(FileOr::File(file)) => file,
        Err(error) => return Err(bad(text, error)),
    };
    let content = match file.to_str() {
        Some("-") => text_of(io::stdin().lock(), MAX_POSITION_FILE),
        _ => read_text(&file, MAX_POSITION_FILE),
    };
    let content = content.map_err(|error| cannot_read(&file, &error))?;
    let mut lines = content.lines().flat_map(|line| Line::read(line.as_bytes()).ok()?);
    let position = lines.next().map_or("", |line| line.position);
    position.parse().map_err(|error| bad(position, error))
}

/// Reads a certificate from a file, a pipe, or standard input under the name `-`.
fn read_certificate(path: &Path) -> Result<String, CommandError> {
    let failed = |error: io::Error| cannot_read(path, &error);
    let (mut input, most): (Box<dyn Read>, u64) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), MAX_STREAM)
    } else {
        let file = File::open(path).map_err(failed)?;
        let is_file = file.metadata().map_err(failed)?.is_file();
        (Box::new(file), if is_file { u64::MAX - 1 } else { MAX_STREAM })
    };
    // The rest of other files may have no end.
    let mut begin = Vec::new();
    (input.by_ref().take(FIRST_LINE.len() as u64))
        .read_to_end(&mut begin)
        .map_err(failed)?;
    if begin == FIRST_LINE.as_bytes() {
        return text_of((&begin[..]).chain(input), most).map_err(failed);
    }
    let file = path.display();
    Err(if begin.starts_with(&MAGIC) {
        CommandError::Usage(format!(
            "{file}: a table cannot be read from a stream; name its file"
        ))
    } else {
        CommandError::Failure(format!(
            "{file}: not a certificate: its first line is not '{FIRST_LINE}'"
        ))
    })
}
