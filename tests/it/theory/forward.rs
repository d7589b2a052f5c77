//! How many turns that are not forward a win needs: by levels, by the rules alone, and as the command says it.

use crate::common::cli::Tables;
use phutbase::diagram::count::contains;
use phutbase::diagram::graph::Graph;
use phutbase::game::Game;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::Side;
use phutbase::solve::symbolic::{LevelSolver, Levels, SymbolicLimits};
use phutbase::theory::forward::{NotConfirmed, needed, replay};
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;

fn levels(length: usize) -> Levels {
    let mut solver = LevelSolver::new(length, SymbolicLimits::default(), 1).unwrap();
    assert!(
        solver
            .run(&mut |_| ControlFlow::Continue(()))
            .unwrap()
            .is_continue()
    );
    solver.levels().unwrap()
}

/// What is claimed is confirmed by playing on, and what is not so is refuted.
#[test]
fn replays_confirm_what_is_so_and_nothing_else() {
    for length in 3..=8 {
        let levels = levels(length);
        let roots = levels.roots();
        let game = StripGame::new(length).unwrap();
        for board in (0..game.positions()).map(|index| game.position(index)) {
            for (side, root) in [Side::Left, Side::Right].into_iter().zip(&roots) {
                let strip = board.with_side(side);
                let won = contains(levels.store(), *root, &strip);
                let replayed = replay(levels.store(), &roots, &strip, 0, 1 << 20);
                assert_eq!(replayed.is_ok(), won, "{strip}");
            }
        }
    }
}

#[test]
fn a_backward_turn_that_is_not_needed_is_not_confirmed() {
    let levels = levels(9);
    let won: Strip = "....@oo.. L".parse().unwrap();
    let replay = |turns, limit| replay(levels.store(), &levels.roots(), &won, turns, limit);
    assert!(replay(0, 1 << 20).is_ok());
    assert_eq!(replay(1, 1 << 20), Err(NotConfirmed::Refuted));
    assert_eq!(replay(0, 0), Err(NotConfirmed::TooLong(0)));
}

/// The three positions of 22 squares, and that there are no others.
#[test]
fn the_first_backward_turns_are_needed_at_22_squares() {
    let levels = levels(22);
    let found = needed(Graph::new(22), levels.store(), &levels.roots(), 5).unwrap();
    assert_eq!(found.left_to_move[1..], [3u32.into()]);
    assert_eq!(found.right_to_move[1..], [0u32.into()]);
    let positions: Vec<String> = found
        .examples
        .iter()
        .map(|(_, strip)| strip.to_string())
        .collect();
    assert_eq!(
        positions,
        [
            "........o.oo@.oooo....",
            "........oo.o@.oooo....",
            "........oooo@.oooo...."
        ]
    );
}

#[test]
fn the_command_prints_an_object_for_each_length() {
    let tables = Tables::made("--metric wdl 22");
    let run = tables.run("theory forward 21..23 --limit 1 --replay-length 0 --json");
    let lines: Vec<Json> = run.json_lines();
    let added = |line: &Json| (line["left_to_move"][1].clone(), line["right_to_move"][1].clone());
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["left_to_move"].as_array().unwrap().len(), 1);
    assert_eq!(added(&lines[1]), (json!(3), json!(0)));
    assert_eq!(added(&lines[2]), (json!(12), json!(0)));
    assert_eq!(
        lines[1]["examples"],
        json!([{"position": "........o.oo@.oooo....", "turns": 1, "replayed": null}])
    );
}
