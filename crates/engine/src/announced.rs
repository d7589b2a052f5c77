//! Options that another engine announces after `ugi`, and their allowed values.

use phutbase_base::outcome::ParseError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// The name, compared without case.
    pub name: String,
    pub kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A number between two inclusive bounds; `None` if the engine announces no bound.
    Spin(Option<i128>, Option<i128>),
    /// One of these values.
    Combo(Vec<String>),
    /// Any value: a string, a button or an unknown type.
    Any,
}

/// Parses the text after the word `option`:
/// `name NAME type TYPE default VALUE min N max N var WORD …`. Returns `None` without a name.
pub fn parse(line: &str) -> Option<Announced> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let typed = words.iter().position(|&word| word == "type");
    let (name, rest) = words.split_at(typed.unwrap_or(words.len()));
    let name = name.strip_prefix(&["name"])?;
    let bound = |which: &str| {
        let place = rest.iter().position(|&word| word == which)?;
        rest.get(place + 1)?.parse::<i128>().ok()
    };
    let kind = match rest.get(1) {
        Some(&"check") => OptionKind::Combo(vec!["true".to_string(), "false".to_string()]),
        Some(&"spin") => OptionKind::Spin(bound("min"), bound("max")),
        Some(&"combo") => OptionKind::Combo(
            rest.split(|&word| word == "var")
                .skip(1)
                .map(|words| words.join(" "))
                .collect(),
        ),
        _ => OptionKind::Any,
    };
    (!name.is_empty()).then(|| Announced {
        name: name.join(" "),
        kind,
    })
}

/// Checks that an option is announced and accepts a value.
pub fn check(announced: &[Announced], name: &str, value: &str) -> Result<(), ParseError> {
    let is_named = |option: &&Announced| option.name.eq_ignore_ascii_case(name);
    let Some(option) = announced.iter().find(is_named) else {
        let names: Vec<&str> = announced.iter().map(|option| &option.name[..]).collect();
        let known = if names.is_empty() {
            "none"
        } else {
            &names.join(", ")
        };
        return Err(ParseError(format!(
            "the engine announces no option '{name}', but {known}"
        )));
    };
    let expected = match &option.kind {
        OptionKind::Any => return Ok(()),
        OptionKind::Combo(words) if words.iter().any(|word| word == value) => return Ok(()),
        OptionKind::Combo(words) => words.join(", "),
        &OptionKind::Spin(least, most) => {
            let range = least.unwrap_or(i128::MIN)..=most.unwrap_or(i128::MAX);
            if value.parse().is_ok_and(|number: i128| range.contains(&number)) {
                return Ok(());
            }
            let end = |bound: Option<i128>| bound.map_or(String::new(), |bound| bound.to_string());
            format!("a number {}..{}", end(least), end(most))
        }
    };
    Err(ParseError(format!(
        "option '{name}' takes {expected}, not '{value}'"
    )))
}
