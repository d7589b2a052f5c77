//! Games in PGN style for rating programs; White is the first player (Left, Alfred).

use super::play::Played;
use crate::outcome::Side;

pub fn pgn(game: &Played, names: [&str; 2]) -> String {
    let round = format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1);
    let start = game.opening.position.fen();
    let mut text = String::new();
    for (tag, value) in [
        ("Event", game.opening.id.as_deref().unwrap_or("phutbase match")),
        ("Round", &round),
        ("White", names[game.first]),
        ("Black", names[1 - game.first]),
        ("Result", game.result()),
        ("Variant", "phutball"),
        ("SetUp", "1"),
        ("FEN", &start),
        ("PlyCount", &game.turns.len().to_string()),
        ("Termination", game.ending.word()),
    ] {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{tag} \"{value}\"]\n");
    }
    text.push('\n');
    let begins = game.opening.position.side() as usize;
    for (place, made) in (begins..).zip(&game.turns) {
        let seconds = made.time.as_secs_f64();
        match (place % 2 == Side::Left as usize, place == begins) {
            (true, _) => text += &format!("{}. ", place / 2 + 1),
            (false, true) => text += &format!("{}... ", place / 2 + 1),
            (false, false) => {}
        }
        text += &format!("{} {{{seconds:.3}s}}\n", made.turn);
    }
    if let Some(reason) = game.ending.fault() {
        let reason: String = reason
            .chars()
            .filter(|symbol| !"{}".contains(*symbol) && !symbol.is_control())
            .collect();
        text += &format!("{{{reason}}}\n");
    }
    text + game.result() + "\n\n"
}
