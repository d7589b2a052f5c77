//! The options of the engine.

use phutbase_engine::options::Options;

#[test]
fn every_listed_default_is_one_that_can_be_set() {
    for line in Options::default().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |word: &str| words.iter().position(|&found| found == word).unwrap() + 1;
        let mut options = Options::default();
        options.set(words[at("name")], words[at("default")]).unwrap();
        assert_eq!(options, Options::default(), "{line}");
        options.startpos();
    }
}

#[test]
fn both_ends_of_every_range_can_be_set() {
    for line in Options::default().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for end in ["min", "max"] {
            if let Some(at) = words.iter().position(|&word| word == end) {
                let set = Options::default().set(words[2], words[at + 1]);
                assert_eq!(set, Ok(()), "{line}");
            }
        }
    }
}

#[test]
fn the_listed_default_is_the_one_in_force() {
    for (name, value) in [
        ("boards", "7x3"),
        ("tables", "false"),
        ("player", "random"),
        ("seed", "7"),
        ("hash", "64"),
        ("repetitions", "5"),
    ] {
        let mut options = Options::default();
        options.set(name, value).unwrap();
        let line = options
            .lines()
            .into_iter()
            .find(|line| line.contains(&format!(" {name} ")));
        let line = line.unwrap();
        assert!(
            format!("{line} ").contains(&format!(" default {value} ")),
            "{line}"
        );
    }
}
