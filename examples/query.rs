//! Reading tables from a program: one position, its turns, a batch, and a walk over a whole length.
//!
//! `cargo run --release --example query` uses the tables that ship with the repository.

use phutbase_tables::Metric;
use phutbase_tables::phutbase_base::game::Game;
use phutbase_tables::phutbase_base::outcome::{Side, Wdl};
use phutbase_tables::phutbase_rules::strip::{Strip, StripGame};
use phutbase_tables::tablebase::Tablebase;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    // Opening a directory reads only its file names. A table is mapped on first use, and the parts
    // that are read are checked.
    let tables = Tablebase::open(Path::new("tables"))?;

    // One position, with its turns, best first.
    let strip: Strip = "o@o.o.o....".parse()?;
    println!("{strip}: {}", tables.value(&strip)?);
    for rated in tables
        .ask_strips(strip.length(), None, Ok)?
        .rated_turns(&strip)?
        .iter()
        .take(3)
    {
        println!("  {:<4} {}", rated.turn.to_string(), rated.verdict);
    }

    // Positions of several lengths.
    for text in ["o@o.ooo....", "o@o.oo....", ".@.o..o..", ".@.o..o.. R"] {
        let strip: Strip = text.parse()?;
        println!("{strip}: {}", tables.verdict(&strip)?);
    }

    // Every position of a length by index: count the boards that both players win moving first.
    let game = StripGame::new(12).ok_or("a length in range")?;
    let table = tables.ask_strips(12, Some(Metric::Dtw), Ok)?;
    let mut hot = 0;
    for index in 0..game.positions() {
        let strip = game.position(index);
        let won = |strip: &Strip| table.verdict(strip).map(|verdict| verdict.wdl == Wdl::Win);
        if won(&strip)? && won(&strip.with_side(Side::Right))? {
            hot += 1;
        }
    }
    println!(
        "length 12: {hot} of {} boards are won by the player who moves first",
        game.positions()
    );
    Ok(())
}
