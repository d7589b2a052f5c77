//! `phutbase find --suite`.

use crate::prelude::*;

#[test]
fn suites_have_every_depth_and_the_turns_of_the_tables() {
    let suite = |options: &str| run(&format!("find 12..13 --suite --sample 3 {options}")).ok();
    let items = suite("--json").json_lines();
    let text = |item: &Json, name: &str| item[name].as_str().unwrap().to_string();
    let words = |item: &Json, name: &str| -> Vec<String> {
        let turns = item[name].as_array().unwrap().iter();
        turns.map(|turn| turn.as_str().unwrap().to_string()).collect()
    };
    let positions: BTreeSet<String> = items.iter().map(|item| text(item, "position")).collect();
    assert_eq!(positions.len(), items.len(), "no position twice");
    let mut by_depth: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut sides = BTreeSet::new();
    for item in &items {
        let position = text(item, "position");
        let board = position.trim_end_matches(" R");
        sides.insert(text(item, "side"));
        let stratum = (board.len(), item["depth"].as_u64().unwrap());
        *by_depth.entry(stratum).or_default() += 1;
        let probed = run_with("probe --json", &position).json();
        let value = fields(item, "value depth");
        assert_eq!(fields(&probed, "value depth"), value, "{position}");
        let mut moves = probed["turns"].as_array().unwrap().clone();
        moves.retain(|rated| rated["value"] == item["value"]);
        let (best, mut keep): (Vec<&Json>, Vec<&Json>) = moves
            .iter()
            .partition(|rated| fields(rated, "value depth") == value);
        if item["value"] == "loss" {
            // The others lose sooner.
            keep.clear();
        }
        for (name, expected) in [("best", best), ("keep", keep)] {
            let expected: BTreeSet<String> = expected.into_iter().map(|rated| text(rated, "move")).collect();
            assert_eq!(
                BTreeSet::from_iter(words(item, name)),
                expected,
                "{position} {name}"
            );
        }
    }
    assert_eq!(sides, BTreeSet::from(["left".to_string(), "right".to_string()]));
    for length in [12, 13] {
        let stats = run(&format!("stats {length} --json")).json();
        for depth in 1..=stats["longest"].as_u64().unwrap() {
            let found = by_depth.get(&(length, depth)).copied().unwrap_or(0);
            assert!(
                (1..=3).contains(&found),
                "{length} squares, depth {depth}: {found}"
            );
        }
    }
    let epd = suite("").stdout;
    assert_eq!(
        epd,
        suite("--seed 0 --threads 1").stdout,
        "the same seed, the same bytes"
    );
    assert_ne!(epd, suite("--seed 1").stdout);
    for (line, item) in epd.lines().zip(&items) {
        let expected = format!(" value {}; depth {};", text(item, "value"), item["depth"]);
        assert!(
            line.starts_with(&text(item, "position")) && line.contains(&expected),
            "{line}"
        );
        has(line, &[&format!(" bm {};", words(item, "best").join(" "))]);
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("suite.epd");
    assert_eq!(suite(&format!("--out {}", file.display())).stdout, "");
    assert_eq!(std::fs::read_to_string(file).unwrap(), epd);
    let far = lines("find 50 --suite --sample 4");
    let values: Vec<String> = far.iter().map(|item| text(item, "value")).collect();
    assert_eq!(values, [["win"; 4], ["loss"; 4]].concat());
}

/// A suite of a pitch has positions of every depth, and their best turns are those of the table.
#[test]
fn suites_of_pitches_have_every_depth() {
    let items = lines("find 4x3 --suite --sample 2");
    let counted = lines("stats 4x3");
    let depths: BTreeSet<u64> = items.iter().filter_map(|item| item["depth"].as_u64()).collect();
    let longest = counted[0]["longest"].as_u64().unwrap();
    assert!(depths.contains(&1) && depths.contains(&longest), "{depths:?}");
    for item in &items {
        let probe = run_with("probe --json", item["position"].as_str().unwrap()).json();
        assert_eq!(
            fields(item, "value depth"),
            fields(&probe, "value depth"),
            "{item}"
        );
        let best = probe["turns"][0]["move"].as_str().unwrap();
        assert!(
            item["best"].as_array().unwrap().iter().any(|turn| turn == best),
            "{item}"
        );
    }
    // Deep positions alone, also of strips.
    for boards in ["4x3", "9"] {
        for item in lines(&format!("find {boards} --suite --depth 5.. --sample 1")) {
            assert!(item["depth"].as_u64().unwrap() >= 5, "{item}");
        }
    }
}
