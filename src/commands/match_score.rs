//! The games and scores that `phutbase match` prints.

use phutbase_base::object;
use phutbase_engine::matches::Match;
use phutbase_engine::matches::play::Played;
use phutbase_engine::matches::score::{MatchScore, Sprt};
use phutbase_rules::{Position, Rules};
use phutbase_terminal::output::{CommandError, print, print_result, shown};
use std::io::Write;

/// Prints a game and its false claims.
pub fn print_game(json: bool, game: &Played, plan: &Match) -> Result<(), CommandError> {
    let names = names(plan, game.pairing);
    let [first, second] = [names[game.first], names[1 - game.first]];
    let claims = game.false_claims();
    let claims: Vec<_> = claims
        .map(|(engine, turn, claim)| (names[engine], format!("{turn}: {claim}")))
        .collect();
    let position = &game.opening.position;
    let object = object! {
        game: Position::Phutball(position.clone()).game(),
        rules: Rules::Ordinary.word(),
        position: position.to_string(),
        round: game.number / 2 + 1,
        first: first,
        second: second,
        result: game.result(),
        ending: &*game.ending.termination,
        turns: game.turns.iter().map(|made| &made.turn).collect::<Vec<_>>(),
        message: game.ending.reason.as_deref(),
        false_claims: claims.iter().map(|(_, claim)| claim).collect::<Vec<_>>(),
    };
    print_result(json, &object, |out| {
        let (number, turns, result) = (game.number + 1, game.turns.len(), game.result());
        let ending = shown(object.message.unwrap_or(object.ending));
        writeln!(
            out,
            "game {number} ({first} vs {second}): {result} after {turns} turns, {ending}"
        )?;
        (claims.iter()).try_for_each(|(engine, claim)| writeln!(out, "  {engine}, {}", shown(claim)))
    })
}

/// Prints the score of two engines, on one line while the match goes on.
pub fn print_score(
    json: bool,
    names: [&str; 2],
    score: &MatchScore,
    sprt: Option<&Sprt>,
    is_over: bool,
) -> Result<(), CommandError> {
    let verdict = sprt.and_then(|sprt| sprt.verdict(score));
    let object = object! {
        engines: names,
        games: score.games(),
        #[serde(flatten)]
        score: score,
        /// Null if infinite.
        elo: score.elo(),
        error_bars: score.error_bars(),
        los: score.los(),
        llr: sprt.map(|sprt| score.llr(sprt)),
        llr_bounds: sprt.map(Sprt::bounds),
        accepted: verdict.map(|is_h1| if is_h1 { "H1" } else { "H0" }),
    };
    print_result(json, &object, |out| {
        let (Some(share), [one, other]) = (score.share(), names) else {
            return Ok(());
        };
        let &MatchScore {
            wins,
            losses,
            draws,
            failed: [by_one, by_other],
            false_claims: [of_one, of_other],
            repeated,
            pairs,
            ..
        } = score;
        let percent = 100.0 * share;
        let mut lines = vec![format!(
            "{one} vs {other}: {wins} wins, {losses} losses, {draws} draws ({percent:.1} %)"
        )];
        let elo = object.elo.map_or(String::new(), signed);
        lines.push(match (object.error_bars, object.los) {
            _ if object.elo.is_none() => "Elo: unknown before the first pair".to_string(),
            (Some([low, high]), Some(los)) => format!(
                "Elo {elo} ± {:.1}, with 95 % between {} and {}; LOS {:.1} %",
                (high - low) / 2.0,
                signed(low),
                signed(high),
                100.0 * los
            ),
            _ => format!("Elo {elo}, without error bars: all pairs ended alike"),
        });
        lines.push(format!(
            "pairs with 0, ½, 1, 1½ and 2 points: {}",
            pairs.map(|count| count.to_string()).join(", ")
        ));
        lines.push(format!(
            "games lost by faults: {one} {by_one}, {other} {by_other}"
        ));
        if of_one + of_other > 0 {
            lines.push(format!("false claims: {one} {of_one}, {other} {of_other}"));
        }
        if repeated > 0 {
            lines.push(format!(
                "{repeated} games repeat earlier ones; pairs of two such games do not count"
            ));
        }
        if let (Some(llr), Some([low, high])) = (object.llr, object.llr_bounds) {
            let verdict = (object.accepted).map_or("undecided".to_string(), |one| format!("{one} accepted"));
            lines.push(format!(
                "SPRT: LLR {llr:.2} between {low:.2} and {high:.2}, {verdict}"
            ));
        }
        writeln!(out, "{}", lines.join(if is_over { "\n" } else { "; " }))
    })
}

/// Returns the names of the engines of a game.
pub fn names(plan: &Match, pairing: [usize; 2]) -> [&str; 2] {
    pairing.map(|engine| &*plan.contestants[engine].name)
}

/// Prints the table of more than two engines, the best first. `scores` are those of the pairings.
pub fn print_table(json: bool, plan: &Match, scores: &[MatchScore]) -> Result<(), CommandError> {
    let mut rows: Vec<(&str, MatchScore)> = Vec::new();
    for (engine, contestant) in plan.contestants.iter().enumerate() {
        let mut sum = MatchScore::default();
        for (pairing, score) in plan.pairings().into_iter().zip(scores) {
            if pairing.contains(&engine) {
                sum.join(score, pairing[1] == engine);
            }
        }
        rows.push((&contestant.name, sum));
    }
    let share = |score: &MatchScore| score.share().unwrap_or(0.0);
    rows.sort_by(|(_, one), (_, other)| share(other).total_cmp(&share(one)));
    if !json {
        print(|out| Ok(writeln!(out, "{TABLE}")?))?;
    }
    for (place, (name, score)) in (1..).zip(&rows) {
        let &MatchScore {
            wins,
            losses,
            draws,
            repeated,
            pairs,
            ..
        } = score;
        let row = object! {
            engine: name,
            place: place,
            games: score.games(),
            wins: wins,
            losses: losses,
            draws: draws,
            failed: score.failed[0],
            false_claims: score.false_claims[0],
            repeated: repeated,
            pairs: pairs,
            elo: score.elo(),
            error_bars: score.error_bars(),
        };
        print_result(json, &row, |out| {
            let elo = row.elo.map_or("-".to_string(), signed);
            let bars = row
                .error_bars
                .map(|[low, high]| format!("{:.1}", (high - low) / 2.0));
            writeln!(
                out,
                "{place:>5} {:>6} {:>7.1} {wins:>6} {losses:>6} {draws:>6} {elo:>7} {:>7} {:>6} {:>6}  {}",
                row.games,
                100.0 * share(score),
                bars.unwrap_or("-".to_string()),
                row.failed,
                row.false_claims,
                shown(name)
            )
        })?;
    }
    Ok(())
}

/// The heads of the columns.
const TABLE: &str = "place  games       %   wins losses  draws     Elo       ± faults claims  engine";

/// Formats a number of Elo with its sign; 0 has none.
fn signed(elo: f64) -> String {
    match format!("{elo:+.1}") {
        zero if zero.ends_with("0.0") && elo.abs() < 0.05 => "0.0".to_string(),
        signed => signed,
    }
}
