//! The table of results, docs/atlas/results.md: every cell against the tables, the rules and the
//! list of runs in docs/CHECKS.md, and the pages that include it.

use phutbase_atlas::depths::stored;
use phutbase_base::digits::short;
use phutbase_fixtures::prelude::*;

fn page(name: &str) -> String {
    std::fs::read_to_string(repository(name)).unwrap()
}

/// Returns the cells of each row of a Markdown table.
fn cells(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Returns the greatest number of squares that CHECKS lists for each checker.
fn accepted() -> Vec<(String, usize)> {
    let checks = page("docs/CHECKS.md");
    let runs = checks
        .split("| program | accepted |")
        .nth(1)
        .expect("the table of runs");
    let run = |cells: Vec<&str>| {
        let squares = cells[1].strip_suffix(" squares").unwrap();
        (
            cells[0].replace("`phutbase verify` (Rust)", "`verify`"),
            squares.parse().unwrap(),
        )
    };
    cells(&format!("|{runs}")).into_iter().map(run).collect()
}

#[test]
fn every_cell_of_the_results_is_what_was_computed() {
    let results = page("docs/atlas/results.md");
    let rows = cells(&results);
    let depths = shipped("strip-36-dtw.phut");
    let winners = shipped("strip-144-wdl.phut");
    let with_levels = shipped("strip-64-levels.phut");
    // The longest games by length, and the last length with depths.
    let mut longest: BTreeMap<usize, usize> = depths
        .lengths()
        .map(|n| (n, depths.summary(n).unwrap().longest().into()))
        .collect();
    longest.extend(stored().map(|(length, depths)| (length, depths.len())));
    let last_depths = *longest.keys().last().unwrap();
    let runs = accepted();
    let mut next = 3;
    for row in &rows {
        let &[squares, positions, plies, levels, by] = &row[..] else {
            panic!("{row:?}")
        };
        let (first, last) = squares.split_once(" to ").unwrap();
        let [first, last] = [first, last].map(|number| number.parse::<usize>().unwrap());
        assert_eq!(first, next, "{row:?}");
        next = last + 1;
        let all = BigUint::from(last - 2) << (last - 1);
        assert_eq!(positions, short(&all), "{row:?}");
        assert_eq!(winners.summary(last).unwrap().draws, BigUint::ZERO);
        assert_eq!(winners.summary(last).unwrap().positions(), all);
        let known = longest.range(first..=last).map(|(_, plies)| plies).max();
        let expected = match known {
            None => String::new(),
            Some(plies) if last_depths < last => format!("{plies} (to {last_depths})"),
            Some(plies) => plies.to_string(),
        };
        assert_eq!(plies, expected, "{row:?}");
        // Longer tables of levels are not shipped.
        if with_levels.lengths().contains(&last) {
            let found = with_levels.metadata().counts(last).levels;
            assert_eq!(levels, found.to_string(), "{row:?}");
        }
        // Exactly the checkers that accepted the row's last length.
        let named: BTreeSet<&str> = by.split(", ").collect();
        let expected = runs
            .iter()
            .filter(|(name, to)| *to >= last && !name.contains("cudd"));
        assert_eq!(named, expected.map(|(name, _)| &name[..]).collect(), "{row:?}");
    }
    assert_eq!(next, winners.length() + 1);
    for name in ["README.md", "docs/THEORY.md", "docs/atlas/atlas.md"] {
        assert!(page(name).contains(&results), "{name}: run scripts/results.py");
    }
}

/// Depths of lengths beyond the shipped table add up to the wins and losses of the longer one.
#[test]
fn stored_depths_are_those_of_the_tables() {
    let winners = shipped("strip-144-wdl.phut");
    let lengths: Vec<usize> = stored().map(|(length, _)| length).collect();
    let file = page("crates/atlas/src/depths.tsv");
    assert_eq!(
        lengths.len(),
        file.lines().filter(|line| !line.starts_with('#')).count()
    );
    assert_eq!(lengths.first(), Some(&37));
    for (length, depths) in stored() {
        let summary = winners.summary(length).unwrap();
        let sum = |first: usize| {
            depths
                .iter()
                .skip(first)
                .step_by(2)
                .map(|&count| BigUint::from(count))
                .sum()
        };
        let sums: [BigUint; 2] = [sum(0), sum(1)];
        assert_eq!(sums, [summary.wins, summary.losses], "{length}");
        assert!(depths.last().is_some_and(|&count| count > 0), "{length}");
    }
}

/// Repeats the run behind the stored depths: three minutes of processor time.
#[test]
#[ignore = "slow: part of scripts/campaign.sh"]
fn a_run_finds_the_stored_depths() {
    let directory = tempfile::tempdir().unwrap();
    let last = stored().last().unwrap().0;
    let file = generate_in(directory.path(), last, Metric::Dtw);
    let table = StripTable::open(&file).unwrap();
    for (length, depths) in stored() {
        let found = BoardTable::Strips(&table, length).depths().unwrap().unwrap();
        let count = |plies| found.get(&plies).map_or(0, |count| count.try_into().unwrap());
        let counts: Vec<u128> = (1..=*found.keys().last().unwrap()).map(count).collect();
        assert_eq!(counts, depths, "{length}");
    }
}
