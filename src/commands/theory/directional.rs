//! `phutbase theory directional`: the directional game beside the ordinary one.

use super::super::output::{BigCount, CommandError, grouped};
use super::{Asked, of_length, strips};
use crate::diagram::graph::Graph;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::games::strip::MAX_LENGTH;
use crate::outcome::Side;
use crate::solve::symbolic::{DepthSolver, Levels};
use crate::table::error::TableError;
use crate::theory::directional::{Parted, parted};
use crate::theory::watch::{TheoryError, Watch, solve_levels};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::{self, Write};

/// Positions of each length that are shown, of either kind.
const SHOWN: usize = 3;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory directional                     strips of 3 to 24 squares
  phutbase theory directional 20..22              where depths part, and where winners do
  phutbase theory directional 3..64 --depths-length 0 --json")]
pub struct Arguments {
    /// Strips; of the ordinary game those are solved that have no table of who wins
    #[arg(default_value = "3..24")]
    boards: Boards,
    /// Compare depths too, up to length N
    #[arg(long, value_name = "N", default_value_t = 22)]
    depths_length: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    /// Of the directional game, with Left to move.
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    /// The most turns that are not forward that a win needs.
    backward_turns: usize,
    /// Positions with Left to move that another player wins than in the ordinary game.
    other_winner: BigCount,
    winner_examples: Vec<String>,
    /// Positions that end after another number of plies, or with another winner; `null` where depths were not compared.
    other_depth: Option<BigCount>,
    depth_examples: Vec<String>,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("directional", &arguments.boards, MAX_LENGTH)?;
    let tables = asked.tables()?;
    let mut shorter: [Option<Levels>; 2] = [None, None];
    let answer = |length, watch: Watch<'_>| {
        let levels = solve_levels(length, Rules::Directional, shorter[1].as_ref(), watch)?.levels()?;
        let mut graph = Graph::new(length);
        let ordinary = match tables.ask_levels(length, |table| table.sets(length)) {
            Ok(sets) => graph.copy(
                &sets,
                &[Side::Left, Side::Right].map(|side| sets.won_by_left(side)),
            )?,
            Err(TableError::Missing { .. }) => {
                let shorter_one = shorter[0].take();
                let levels = solve_levels(length, Rules::Ordinary, shorter_one.as_ref(), watch)?.levels()?;
                let copied = graph.copy(levels.store(), &levels.winners())?;
                shorter[0] = Some(levels);
                copied
            }
            Err(error) => return Err(error.into()),
        };
        let directional = graph.copy(levels.store(), &levels.winners())?;
        let winners = parted(graph, &ordinary, &directional, SHOWN)?;
        let depths = (length <= arguments.depths_length).then(|| depths(length, watch));
        let line = line(&levels, winners, depths.transpose()?);
        shorter[1] = Some(levels);
        Ok(line)
    };
    asked.each(lengths, of_length, answer, print)
}

/// Solves a length with depths by both rules, and compares.
fn depths(length: usize, watch: Watch<'_>) -> Result<Parted, TheoryError> {
    let solved = |rules: Rules| {
        let mut solver = DepthSolver::new(length, watch.limits())?.under(rules);
        while solver.step()? != BigUint::ZERO {
            watch.check(length)?;
            (watch.say)(format!("{rules} rules, ply {}", solver.counts().len()));
        }
        Ok::<_, TheoryError>(solver)
    };
    let [ordinary, directional] = [solved(Rules::Ordinary)?, solved(Rules::Directional)?];
    let mut graph = Graph::new(length);
    let mut sets = |solver: &DepthSolver| graph.copy(solver.store(), solver.plies());
    let (ordinary, directional) = (sets(&ordinary)?, sets(&directional)?);
    Ok(parted(graph, &ordinary, &directional, SHOWN)?)
}

fn line(levels: &Levels, winners: Parted, depths: Option<Parted>) -> Line {
    let totals = levels.totals();
    let examples = |parted: &Parted| parted.first.iter().map(ToString::to_string).collect();
    Line {
        length: levels.store().length(),
        wins: BigCount(totals.wins),
        losses: BigCount(totals.losses),
        draws: BigCount(totals.draws),
        backward_turns: levels.count() - 1,
        winner_examples: examples(&winners),
        other_winner: BigCount(winners.count),
        depth_examples: depths.as_ref().map_or(Vec::new(), examples),
        other_depth: depths.map(|parted| BigCount(parted.count)),
    }
}

fn print(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    let depths = (line.other_depth.as_ref()).map_or(String::new(), |count| {
        format!("; another depth: {}", grouped(&count.0))
    });
    writeln!(
        out,
        "length {:>3}, Left to move: {} wins, {} losses, {} draws, with at most {} turns back; another winner: {}{depths}",
        line.length,
        grouped(&line.wins.0),
        grouped(&line.losses.0),
        grouped(&line.draws.0),
        line.backward_turns,
        grouped(&line.other_winner.0)
    )?;
    for (what, positions) in [
        ("winner", &line.winner_examples),
        ("depth ", &line.depth_examples),
    ] {
        for position in positions {
            writeln!(out, "  {what}  {position}")?;
        }
    }
    Ok(())
}
