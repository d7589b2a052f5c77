//! `--sprt`: the keys of a sequential test, `elo0= elo1= alpha= beta= model=`.

use super::engine_keys::{split, value};
use phutbase_engine::matches::score::{EloModel, Sprt};
use phutbase_terminal::output::CommandError;

/// The largest difference in strength that a test may assume: 99.7 % of the points, or a mean that is
/// 0.8 deviations of a pair from one half.
fn max_elo(model: EloModel) -> f64 {
    match model {
        EloModel::Logistic => 1000.0,
        EloModel::Normalized => 200.0,
    }
}

/// Parses the keys of a test; without `elo0` and `elo1` they are 0 and 10.
pub fn sprt(keys: &[String]) -> Result<Sprt, CommandError> {
    let mut sprt = Sprt {
        model: EloModel::default(),
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };
    for key in keys {
        let (key, text) = split(key)?;
        let place = match key {
            "elo0" => &mut sprt.elo0,
            "elo1" => &mut sprt.elo1,
            "alpha" => &mut sprt.alpha,
            "beta" => &mut sprt.beta,
            "model" => {
                let wrong = |error| CommandError::Usage(format!("--sprt: {error}"));
                sprt.model = text.parse().map_err(wrong)?;
                continue;
            }
            _ => return Err(CommandError::Usage(format!("--sprt: unknown key '{key}'"))),
        };
        *place = value(key, text)?;
    }
    let has = |key: &str| keys.iter().any(|given| given.split('=').next() == Some(key));
    if has("elo0") && !has("elo1") {
        return Err(CommandError::usage("--sprt: elo0 without elo1: give both"));
    }
    let most = max_elo(sprt.model);
    let are_shares = [sprt.alpha, sprt.beta]
        .iter()
        .all(|&share| share > 0.0 && share < 0.5);
    let are_elo = [sprt.elo0, sprt.elo1].iter().all(|elo| elo.abs() <= most);
    if are_shares && are_elo && sprt.elo0 < sprt.elo1 {
        return Ok(sprt);
    }
    Err(CommandError::Usage(format!(
        "--sprt: elo0 must be less than elo1, both from -{most} to {most}, alpha and beta between 0 and 0.5"
    )))
}
