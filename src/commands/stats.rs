//! `phutbase stats`: counts, longest games and depths of the tables.

use super::generate::obstruction;
use super::{Effect, Verb, not_for};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ethnum::U256;
use num_bigint::BigUint;
use phutbase_ask::BoardsLabel;
use phutbase_ask::counts::WinCounts;
use phutbase_ask::obstruction::BoardNimber;
use phutbase_ask::queries::{draws, pitch_draws};
use phutbase_ask::stats::{TableDepths, TableEntry, TableStats, count_ball, overview};
use phutbase_base::count::Count;
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::object;
use phutbase_base::outcome::read_word;
use phutbase_rules::Rules;
use phutbase_rules::boards::Boards;
use phutbase_rules::obstruction::Grid;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_sets::pattern::Pattern;
use phutbase_solution::count::Counts;
use phutbase_tables::{BoardTable, Metric, StripTable, Summary, TableError, Tablebase};
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, expect_none, json_line, monitor, no_tables, print, print_result,
    stdout,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase stats                      every length to 144 and every pitch
  phutbase stats 200                  numbers of wins, of any length to 255
  phutbase stats 16                   one length, with its depths
  phutbase stats 24 --ball 11         with the ball on square 11
  phutbase stats 7x3 --json
  phutbase stats 3..24 --bfile wins   OEIS format: lines 'n a(n)'
  phutbase stats obstruction:8x8      nimbers; '?' marks uncomputed boards

All counts are for Left (on a pitch Alfred) to move.")]
pub struct Arguments {
    /// Boards; a single table is shown with its depths [default: every table]
    boards: Option<Boards>,
    /// Count only the boards of one length with the ball on this square, counted from 0
    #[arg(long, value_name = "B")]
    ball: Option<usize>,
    /// Print a sequence over the lengths of strips, never as JSON: positions, wins, losses, draws, longest,
    /// longest-win or longest-loss
    #[arg(long, value_name = "SEQUENCE", value_parser = sequences(), hide_possible_values = true, conflicts_with = "ball")]
    bfile: Option<Sequence>,
    #[command(flatten)]
    by: ByRules,
}

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        let is_one_length = self.boards.as_ref().and_then(Boards::one_length).is_some();
        vec![
            (
                self.ball.is_some() && !is_one_length,
                "ball",
                "strips of one length",
            ),
            (
                common.json && self.bfile.is_some(),
                "json",
                "stats without --bfile, which has a format of its own",
            ),
            self.by.only_pitches(self.boards.as_ref()),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let tables = common.tablebase(self.by.rules)?;
        if let Some(sequence) = self.bfile {
            return print_sequence(sequence, &tables, self.boards.as_ref(), !common.tables.is_empty());
        }
        match (&self.boards, self.boards.as_ref().and_then(Boards::one_length)) {
            (Some(boards), Some(length)) => {
                if let Some(ball) = self.ball {
                    return with_ball(&tables, length, ball, common);
                }
                if tables.longest_strips(true).is_none_or(|longest| longest < length) {
                    let stats = match tables.ask_boards(boards, TableStats::of) {
                        Err(TableError::Missing { .. }) => counts_to(length, None)?
                            .and_then(|counts| counts.of_length(length))
                            .expect("the wins of the length are counted"),
                        held => held?,
                    };
                    let solved = TableDepths { stats, depths: None };
                    return details(boards, solved, BigUint::ZERO, None, common);
                }
                let (depths, mutual, example) = tables.ask_strips(length, Some(Metric::Dtw), |table| {
                    // The nodes stay in memory until all questions are answered.
                    let _nodes = table.sets(length)?;
                    let mutual = draws::count(table, length, 0)?.mutual_draws;
                    let table = BoardTable::Strips(table, length);
                    Ok((TableDepths::of(table)?, mutual, table.longest_win()?))
                })?;
                details(boards, depths, mutual, example, common)
            }
            (Some(boards @ Boards::Pitch(shape)), _) => {
                let table = tables.ask_pitch(*shape, Ok)?;
                let mutual = pitch_draws::find(table)?.mutual_draws.into();
                let table = BoardTable::Pitch(table);
                details(
                    boards,
                    TableDepths::of(table)?,
                    mutual,
                    table.longest_win()?,
                    common,
                )
            }
            (Some(Boards::Obstruction(largest)), _) => nimbers(&tables, *largest, common),
            (Some(boards @ Boards::Oddish(_)), _) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                Err(not_for("stats", boards, possible))
            }
            (Some(Boards::Strips(lengths)), _) => {
                let counts = counts_to(*lengths.end(), tables.longest_strips(false))?;
                let wanted = |boards: &Boards| {
                    boards
                        .one_length()
                        .is_some_and(|length| lengths.contains(&length))
                };
                list(&tables, counts.as_ref(), wanted, common)
            }
            (None, _) => {
                // A named directory is listed alone.
                let is_all = common.tables.is_empty() && tables.rules() == Rules::Ordinary;
                let counts = is_all.then(|| counts_to(MAX_LISTED, tables.longest_strips(false)));
                let counts = counts.transpose()?.flatten();
                list(&tables, counts.as_ref(), |_| true, common)
            }
        }
    }
}

/// Prints the computed nimbers of boards of Obstruction up to a size.
fn nimbers(tables: &Tablebase, largest: Grid, common: &GlobalOptions) -> Result<(), CommandError> {
    let table = tables.nimbers()?;
    let stored = obstruction::stored(table, largest);
    if stored.is_empty() {
        return Err(obstruction::no_nimbers(tables, largest));
    }
    let mut out = stdout();
    if common.json {
        (stored.into_iter())
            .try_for_each(|(board, nimber)| json_line(&mut out, &BoardNimber::new(board, Some(nimber))))?
    } else {
        obstruction::print(&mut out, largest, table)?
    }
    Ok(out.flush()?)
}

/// Prints the depths of the boards with the ball on one square.
fn with_ball(
    tables: &Tablebase,
    length: usize,
    ball: usize,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    Pattern::any(length)
        .with_ball(ball..=ball)
        .map_err(|error| CommandError::Usage(format!("--ball: {error}")))?;
    let by_table = |table: &StripTable| count_ball(&table.sets(length)?, ball);
    let (counts, depths) = match tables.ask_strips(length, Some(Metric::Dtw), by_table) {
        Err(TableError::Missing { .. }) => (solved_ball(length, ball)?, BTreeMap::new()),
        found => found?,
    };
    let [wins, losses, draws] = counts.map(Count);
    let object = object! {
        #[serde(flatten)]
        label: BoardsLabel::strip(length),
        ball: ball,
        positions: Count(counts.iter().sum::<U256>()),
        wins: wins,
        losses: losses,
        draws: draws,
        depths: depths.iter().map(|(&plies, &count)| (plies, Count(count))).collect::<BTreeMap<_, _>>(),
    };
    print_result(common.json, &object, |out| {
        let (positions, [wins, losses, draws]) = (grouped(object.positions.0), counts.map(grouped));
        writeln!(
            out,
            "{positions} positions, Left to move, the ball on square {ball} of {length}: {wins} wins, {losses} losses, {draws} draws"
        )?;
        if depths.is_empty() {
            return Ok(());
        }
        histogram(out, depths.iter().map(|(&plies, count)| (plies, grouped(count))))
    })
}

/// Counts the wins, losses and draws of the boards with the ball on one square, without a table.
fn solved_ball(length: usize, ball: usize) -> Result<[U256; 3], CommandError> {
    let counts = monitor::run("the numbers of wins", None, |job| Counts::up_to(length, job))?;
    let wins = counts.wins_by_ball(length, ball);
    let boards = U256::ONE << (length - 1) as u32;
    Ok([wins, boards - wins, U256::ZERO])
}

fn histogram(out: &mut dyn Write, mut depths: impl Iterator<Item = (u16, String)>) -> io::Result<()> {
    writeln!(out, "\n{:>6}  {:>18}", "plies", "positions")?;
    depths.try_for_each(|(plies, count)| {
        let outcome = if plies % 2 == 1 { "wins" } else { "losses" };
        writeln!(out, "{plies:>6}  {count:>18}  {outcome}")
    })
}

/// Prints a line for each length and each pitch. Damaged tables are reported.
fn list(
    tables: &Tablebase,
    counts: Option<&WinCounts>,
    wanted: impl Fn(&Boards) -> bool,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let entries: Vec<TableEntry> = overview(tables, counts, wanted, ToString::to_string);
    if entries.is_empty() {
        return Err(no_tables(tables));
    }
    let whole = entries.iter().filter_map(|entry| match entry {
        TableEntry::Whole(stats) => Some(cells(stats)),
        TableEntry::Damaged { .. } => None,
    });
    let widths = widths(whole);
    // The exit code reports damage even if the output is closed.
    print(|out| {
        if common.json {
            return entries.iter().try_for_each(|entry| json_line(out, entry));
        }
        row(out, widths, HEADING.map(str::to_string))?;
        for entry in &entries {
            match entry {
                TableEntry::Whole(stats) => row(out, widths, cells(stats))?,
                TableEntry::Damaged { label, error } => {
                    writeln!(out, "{:>width$}  {error}", label.boards, width = widths[0])?
                }
            }
        }
        let note = "counts are of positions with Left to move, on a pitch with Alfred to move";
        Ok(writeln!(out, "\n{note}")?)
    })?;
    let damaged = entries.into_iter().filter_map(|entry| match entry {
        TableEntry::Damaged { error, .. } => Some(error),
        TableEntry::Whole(_) => None,
    });
    let damaged: Vec<String> = damaged.collect();
    expect_none(&damaged, "; ", CommandError::System)
}

/// Greatest length that is listed if none is asked for.
const MAX_LISTED: usize = 144;

const HEADING: [&str; 7] = [
    "boards",
    "positions",
    "wins",
    "losses",
    "draws",
    "longest",
    "size",
];

/// The cells of a line.
fn cells(TableStats { counts, bytes, .. }: &TableStats) -> [String; 7] {
    [
        counts.label.boards.to_string(),
        grouped(&counts.positions.0),
        grouped(&counts.wins.0),
        grouped(&counts.losses.0),
        grouped(&counts.draws.0),
        counts.longest.map_or("-".to_string(), |plies| plies.to_string()),
        bytes.map_or("-".to_string(), human_bytes),
    ]
}

/// The width of each column: at least that of counts with 14 digits, so that most lists
/// have the same.
fn widths(rows: impl Iterator<Item = [String; 7]>) -> [usize; 7] {
    let least = [8, 18, 18, 18, 8, 7, 10];
    rows.fold(least, |mut widths, cells| {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
        widths
    })
}

fn row(out: &mut dyn Write, widths: [usize; 7], cells: [String; 7]) -> io::Result<()> {
    let cells = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:>width$}"));
    writeln!(out, "{}", cells.collect::<Vec<_>>().join("  "))
}

/// Prints the cells of one line below their heading.
fn heading(out: &mut dyn Write, cells: [String; 7]) -> io::Result<()> {
    let widths = widths([cells.clone()].into_iter());
    row(out, widths, HEADING.map(str::to_string))?;
    row(out, widths, cells)
}

/// Counts the wins of the lengths up to this one, unless a table holds them all.
fn counts_to(longest: usize, held: Option<usize>) -> Result<Option<WinCounts>, CommandError> {
    if held.is_some_and(|held| held >= longest) {
        return Ok(None);
    }
    let counts = monitor::run("the numbers of wins", None, |job| WinCounts::up_to(longest, job));
    counts.map(Some)
}

/// Prints the boards of one size with their mutual draws, the histogram of its depths, and a longest win.
fn details(
    boards: &Boards,
    depths: TableDepths,
    mutual_draws: BigUint,
    example: Option<String>,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let object = object! {
        #[serde(flatten)]
        depths: depths,
        /// Boards that are draws with either player to move.
        mutual_draws: Count(mutual_draws),
        longest_win_example: example,
    };
    print_result(common.json, &object, |out| {
        let stats = &object.depths.stats;
        heading(out, cells(stats))?;
        let more = match &object.depths.depths {
            None => "no table has depths for this length".to_string(),
            Some(_) => {
                let mutual = grouped(&object.mutual_draws.0);
                format!("{mutual} mutual draws (drawn with either player to move)")
            }
        };
        writeln!(
            out,
            "\nall of them with {} to move; {more}",
            boards.first_player()
        )?;
        if let Some(depths) = &object.depths.depths {
            let counts = depths.iter().map(|(&plies, count)| (plies, grouped(&count.0)));
            histogram(out, counts)?;
        }
        match (&object.longest_win_example, stats.longest_win) {
            (Some(example), Some(plies)) => {
                writeln!(out, "\na longest win, in {plies} plies: {example}")
            }
            _ => Ok(()),
        }
    })
}

/// A count with Left to move, or the longest game in plies: true if it needs depths, and its term.
type Sequence = (bool, fn(&Summary) -> BigUint);

const SEQUENCES: [(&str, Sequence); 7] = [
    ("positions", (false, Summary::positions)),
    ("wins", (false, |summary| summary.wins.clone())),
    ("losses", (false, |summary| summary.losses.clone())),
    ("draws", (false, |summary| summary.draws.clone())),
    ("longest", (true, |summary| summary.longest().into())),
    ("longest-win", (true, |summary| summary.longest_win.into())),
    ("longest-loss", (true, |summary| summary.longest_loss.into())),
];

fn sequences() -> impl TypedValueParser<Value = Sequence> {
    let words = PossibleValuesParser::new(SEQUENCES.map(|(word, _)| word));
    words.try_map(|word| read_word(&word, &SEQUENCES))
}

/// Prints a line `n a(n)` for some lengths; by default all that a table holds.
fn print_sequence(
    (needs_depths, term): Sequence,
    tables: &Tablebase,
    boards: Option<&Boards>,
    is_named: bool,
) -> Result<(), CommandError> {
    let lengths = match boards {
        Some(Boards::Strips(lengths)) => lengths.clone(),
        Some(boards) => return Err(not_for("stats --bfile", boards, "strips, such as 3..24")),
        None => {
            // Only the lengths that a named directory holds.
            let longest = if needs_depths || is_named {
                (tables.longest_strips(needs_depths)).ok_or_else(|| no_tables(tables))?
            } else {
                MAX_LISTED
            };
            MIN_LENGTH..=longest
        }
    };
    let counts = if needs_depths {
        None
    } else {
        counts_to(*lengths.end(), None)?
    };
    let mut out = stdout();
    for length in lengths {
        let summary = match counts.as_ref().and_then(|counts| counts.of_length(length)) {
            Some(solved) => Summary {
                wins: solved.counts.wins.0,
                losses: solved.counts.losses.0,
                ..Summary::default()
            },
            None => tables.ask_strips(length, Some(Metric::Dtw), |table| table.summary(length))?,
        };
        writeln!(out, "{length} {}", term(&summary))?;
    }
    Ok(out.flush()?)
}
