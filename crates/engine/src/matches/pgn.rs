//! Start positions from games in PGN style: the position after the turns, or after the first of them.

use super::openings::{MAX_LINE, Opening, OpeningsError, push};
use phutbase_base::outcome::ParseError;
use phutbase_rules::lines::next_line;
use phutbase_rules::position::{Phutball, Standing};
use std::io::BufRead;

/// A game that is being read.
#[derive(Default)]
struct Game {
    /// The line of its first tag, counted from 1.
    line: u64,
    event: Option<String>,
    fen: Option<String>,
    turns: Vec<String>,
    has_moves: bool,
    /// True inside a comment in braces.
    is_in_comment: bool,
    /// The number of variations around the place that is read.
    variations: usize,
}

/// Reads games, whose first line is given, and plays the first `plies` turns of each; all without it.
pub fn read(
    first: Vec<u8>,
    mut number: u64,
    mut file: impl BufRead,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    let mut game = Game::default();
    let mut bytes = Some(first);
    while let Some(line) = bytes {
        if line.len() > MAX_LINE {
            return Err(OpeningsError::Line(
                number,
                format!("longer than {MAX_LINE} bytes"),
            ));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !game.is_in_comment && text.starts_with('[') {
            if game.has_moves || game.line == 0 {
                if game.line > 0 {
                    push(&mut openings, game.opening(plies)?)?;
                }
                game = Game {
                    line: number,
                    ..Game::default()
                };
            }
            game.tag(text);
        } else {
            game.moves(text);
        }
        bytes = next_line(&mut file, MAX_LINE + 1)?;
        number += 1;
    }
    push(&mut openings, game.opening(plies)?)?;
    Ok(openings)
}

/// Returns a text in which a backslash before a quote or a backslash stands for that symbol.
fn unescaped(text: &str) -> String {
    let mut symbols = text.chars().peekable();
    std::iter::from_fn(|| {
        let symbol = symbols.next()?;
        let escaped = symbols.next_if(|&next| symbol == '\\' && matches!(next, '"' | '\\'));
        Some(escaped.unwrap_or(symbol))
    })
    .collect()
}

impl Game {
    /// Reads a tag, `[NAME "VALUE"]`.
    fn tag(&mut self, text: &str) {
        let inner = text.trim_start_matches('[').trim_end_matches(']').trim();
        let (name, value) = inner.split_once(' ').unwrap_or((inner, ""));
        let value = value.trim();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = unescaped(value.strip_suffix('"').unwrap_or(value));
        match name {
            "FEN" => self.fen = Some(value),
            "Event" => self.event = Some(value).filter(|value| value != "?"),
            _ => {}
        }
    }

    /// Reads the turns of a line, without move numbers, comments, variations, glyphs and results.
    fn moves(&mut self, text: &str) {
        let mut words = String::new();
        for symbol in text.chars() {
            match symbol {
                '}' => self.is_in_comment = false,
                _ if self.is_in_comment => {}
                '{' => self.is_in_comment = true,
                ';' => break,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                _ if self.variations > 0 => {}
                symbol => {
                    words.push(symbol);
                    continue;
                }
            }
            words.push(' ');
        }
        self.has_moves |= !text.is_empty();
        for word in words.split_whitespace() {
            let is_result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);
            let turn = word.rsplit('.').next().unwrap_or_default();
            let is_number = turn.chars().all(|symbol| symbol.is_ascii_digit());
            if !is_result && !is_number && !word.starts_with('$') {
                self.turns.push(turn.to_string());
            }
        }
    }

    /// Returns the position after the turns.
    fn opening(self, plies: Option<usize>) -> Result<Opening, OpeningsError> {
        let wrong = |reason: String| OpeningsError::Line(self.line, reason);
        for (is_open, part) in [
            (self.is_in_comment, "comment"),
            (self.variations > 0, "variation"),
        ] {
            if is_open {
                return Err(wrong(format!("a {part} of the game does not end")));
            }
        }
        let fen = self
            .fen
            .as_ref()
            .ok_or_else(|| wrong("the game has no tag FEN".to_string()))?;
        let mut position: Phutball = fen
            .parse()
            .map_err(|error: ParseError| wrong(error.to_string()))?;
        for (made, turn) in (1..).zip(self.turns.iter().take(plies.unwrap_or(usize::MAX))) {
            position = match position.play(turn).map_err(|error| wrong(error.to_string()))? {
                Standing::Open(next) => next,
                Standing::Won { .. } => {
                    return Err(wrong(format!(
                        "the game is over after turn {made}; use the first turns only, with --plies"
                    )));
                }
            };
        }
        Ok(Opening {
            position,
            id: self.event,
        })
    }
}
