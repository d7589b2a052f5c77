//! The options of the engine.

use phutbase::engine::options::Options;

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
    // And what is between them.
    for repetitions in 2..=1000 {
        Options::default()
            .set("repetitions", &repetitions.to_string())
            .unwrap();
    }
}

#[test]
fn wrong_values_change_nothing() {
    let wrong = [
        ("boards", "20"),
        ("boards", "3..21"),
        ("boards", "129"),
        ("boards", "4x3"),
        ("boards", "chess"),
        ("boards", "obstruction:3x3"),
        ("tables", "yes"),
        ("player", "me"),
        ("hash", "0"),
        ("repetitions", "1"),
        ("repetitions", "0"),
        ("book", "on"),
    ];
    let mut options = Options::default();
    for (name, value) in wrong {
        assert!(options.set(name, value).is_err(), "{name} {value}");
        assert_eq!(options, Options::default(), "{name}");
    }
}
