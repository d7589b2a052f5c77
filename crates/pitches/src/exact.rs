//! Certificates from exact values: in each position the player makes a best turn.

use hashbrown::HashSet;
use phutbase_base::outcome::{Depth, Side, Value};
use phutbase_rules::pitch::certificate::{Certificate, CertifiedValue, Choice};
use phutbase_rules::pitch::{After, Pitch, TooManyJumps, Turn};

/// Proves the value of a position. `value` is asked for positions of its pitch, with the values of
/// all their successors; where it errs, the certificate fails its check (`verify::certificate`).
pub fn certify<E: From<TooManyJumps>>(
    position: &Pitch,
    value: impl Fn(&Pitch) -> Result<Value, E>,
) -> Result<Certificate, E> {
    let winner = value(position)?.wdl().winner(position.side());
    let claim = winner.map_or(CertifiedValue::Draw, CertifiedValue::Wins);
    let mut strategies = [Vec::new(), Vec::new()];
    for player in [Side::Left, Side::Right] {
        if claim != CertifiedValue::Wins(player.opponent()) {
            strategies[player as usize] = strategy(position, player, claim, &value)?;
        }
    }
    Ok(Certificate {
        claim,
        position: *position,
        strategies,
    })
}

/// A best turn for every position that a player may have to face, unless it is won at once. The
/// depth of a won position is its rank.
fn strategy<E: From<TooManyJumps>>(
    position: &Pitch,
    player: Side,
    claim: CertifiedValue,
    value: &impl Fn(&Pitch) -> Result<Value, E>,
) -> Result<Vec<Choice>, E> {
    let mut open = if position.side() == player {
        vec![*position]
    } else {
        answers(position)?
    };
    let mut met = HashSet::new();
    let mut choices = Vec::new();
    while let Some(position) = open.pop() {
        let worth = value(&position)?;
        if worth == Value::Win(Depth(1)) || !met.insert(position) {
            continue;
        }
        let Some((turn, next)) = best(&position, value)? else {
            continue;
        };
        open.extend(answers(&next)?);
        let depth = worth.depth().filter(|_| claim != CertifiedValue::Draw);
        let rank = depth.map_or(0, |depth| depth.0.into());
        choices.push(Choice { position, turn, rank });
    }
    Ok(choices)
}

/// The first of the best turns that do not end the game, with the position after it; `None` only if
/// the values are wrong.
fn best<E: From<TooManyJumps>>(
    position: &Pitch,
    value: &impl Fn(&Pitch) -> Result<Value, E>,
) -> Result<Option<(Turn, Pitch)>, E> {
    let mut best: Option<(Value, Turn, Pitch)> = None;
    for turn in position.turns()? {
        if let After::Position(next) = position.after(&turn) {
            let worth = value(&next)?.before();
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, turn, next));
            }
        }
    }
    Ok(best.map(|(_, turn, next)| (turn, next)))
}

/// The positions after the turns of one player that do not end the game.
fn answers(position: &Pitch) -> Result<Vec<Pitch>, TooManyJumps> {
    let after = |turn| match position.after(&turn) {
        After::Position(next) => Some(next),
        After::Over { .. } => None,
    };
    Ok(position.turns()?.into_iter().filter_map(after).collect())
}
