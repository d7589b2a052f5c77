//! Winning paths as satisfying assignments of a formula.
//!
//! Time is the number of flights made. For each time there are variables for *the ball is on this
//! point*, *this chap is still present* and *this flight is made*. A flight requires the ball at
//! its start, its chaps, and no chap on its landing point. The ball is where a flight has ended,
//! and nowhere after the last; a chap disappears only under a flight. A satisfying assignment is
//! therefore a path, and a further clause requires that it reaches the goal. Every flight removes a
//! chap, so if the formula with as many flights as there are removable chaps is unsatisfiable,
//! there is no win.

use super::WinSearch;
use super::relaxed::Reach;
use batsat::{Callbacks, Lit, Solver, SolverInterface, Var, lbool};
use phutbase_rules::pitch::{Path, Pitch};

/// Lets the solver poll the stop function.
struct Watch<'a>(&'a dyn Fn() -> bool);

impl Callbacks for Watch<'_> {
    fn stop(&self) -> bool {
        (self.0)()
    }
}

/// Searches for a win with formulas of at most `literals` literals.
pub fn solve(pitch: &Pitch, reach: &Reach, literals: usize, stop: &dyn Fn() -> bool) -> WinSearch {
    let most = reach.removable.len();
    let mut flights = 8.min(most);
    loop {
        if size(pitch, reach, flights) > literals || stop() {
            return WinSearch::Unknown;
        }
        let mut formula = Formula::new(pitch, reach, flights, stop);
        let found = formula.solver.solve_limited(&[]);
        if found == lbool::TRUE {
            return WinSearch::Wins(formula.path());
        }
        if found != lbool::FALSE {
            return WinSearch::Unknown;
        }
        if flights == most {
            return WinSearch::None;
        }
        flights = (2 * flights).min(most);
    }
}

/// Returns a bound of the literals of the formula with this many flights.
fn size(pitch: &Pitch, reach: &Reach, flights: usize) -> usize {
    let points = pitch.shape().points();
    let each: usize = (reach.hops.iter().map(|hop| 6 * hop.flight.over.len() + 12)).sum();
    let mut from = vec![0; points];
    (reach.hops.iter()).for_each(|hop| from[usize::from(hop.from)] += 1);
    // Two literals for each pair of flights from a point.
    let pairs: usize = from
        .into_iter()
        .map(|hops: usize| hops * hops.saturating_sub(1))
        .sum();
    (each + pairs + 4 * points).saturating_mul(flights)
}

struct Formula<'a> {
    pitch: &'a Pitch,
    reach: &'a Reach,
    solver: Solver<Watch<'a>>,
    /// For each time, the variable of each flight.
    made: Vec<Vec<Var>>,
}

impl<'a> Formula<'a> {
    fn new(pitch: &'a Pitch, reach: &'a Reach, flights: usize, stop: &'a dyn Fn() -> bool) -> Formula<'a> {
        let mut formula = Formula {
            pitch,
            reach,
            solver: Solver::new(Default::default(), Watch(stop)),
            made: Vec::new(),
        };
        let points = pitch.shape().points();
        let mut ball = formula.variables(points);
        let mut chaps = formula.variables(points);
        for point in 0..points {
            let lies = Lit::new(ball[point], point == pitch.ball());
            let stands = Lit::new(chaps[point], pitch.chaps().contains(point));
            formula.clause([lies]);
            formula.clause([stands]);
        }
        let mut goal = Vec::new();
        for _ in 0..flights {
            let next = [formula.variables(points), formula.variables(points)];
            let made = formula.step([&ball, &chaps], &next);
            let home = reach.hops.iter().zip(&made).filter(|(hop, _)| hop.home);
            goal.extend(home.map(|(_, &made)| Lit::new(made, true)));
            formula.made.push(made);
            [ball, chaps] = next;
        }
        formula.clause(goal);
        formula
    }

    fn variables(&mut self, count: usize) -> Vec<Var> {
        (0..count).map(|_| self.solver.new_var_default()).collect()
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.solver.add_clause_reuse(&mut literals.into_iter().collect());
    }

    /// Adds the clauses from one time to the next; returns the variables of the flights.
    fn step(&mut self, [ball, chaps]: [&[Var]; 2], [next_ball, next_chaps]: &[Vec<Var>; 2]) -> Vec<Var> {
        let (pitch, reach) = (self.pitch, self.reach);
        let [yes, no] = [
            |var: &Var| Lit::new(*var, true),
            |var: &Var| Lit::new(*var, false),
        ];
        let made = self.variables(reach.hops.len());
        let points = pitch.shape().points();
        let mut begin: Vec<Vec<Lit>> = vec![Vec::new(); points];
        let mut end = begin.clone();
        let mut remove = begin.clone();
        for (hop, var) in reach.hops.iter().zip(&made) {
            self.clause([no(var), yes(&ball[usize::from(hop.from)])]);
            begin[usize::from(hop.from)].push(no(var));
            for point in hop.flight.over.iter() {
                self.clause([no(var), yes(&chaps[point])]);
                self.clause([no(var), no(&next_chaps[point])]);
                remove[point].push(yes(var));
            }
            if let Some(to) = hop.to() {
                self.clause([no(var), no(&chaps[to])]);
                self.clause([no(var), yes(&next_ball[to])]);
                end[to].push(yes(var));
            }
        }
        // At most one flight at a time. Flights from different points exclude each other already.
        for from in begin {
            for (place, one) in from.iter().enumerate() {
                from[..place].iter().for_each(|other| self.clause([*one, *other]));
            }
        }
        for point in 0..points {
            let [end, remove] = [&mut end, &mut remove].map(|lists| std::mem::take(&mut lists[point]));
            self.clause(end.into_iter().chain([no(&next_ball[point])]));
            self.clause([no(&next_chaps[point]), yes(&chaps[point])]);
            let goes = [no(&chaps[point]), yes(&next_chaps[point])];
            self.clause(remove.into_iter().chain(goes));
        }
        made
    }

    fn path(&self) -> Path {
        let is_made = |var: &Var| self.solver.value_var(*var) == lbool::TRUE;
        let mut path = Path::new();
        for made in &self.made {
            let hop = self.reach.hops.iter().zip(made).find(|(_, var)| is_made(var));
            let (hop, _) = hop.expect("a satisfying assignment has a flight at every time up to the goal");
            path.push(hop.flight);
            if hop.home {
                break;
            }
        }
        path
    }
}
