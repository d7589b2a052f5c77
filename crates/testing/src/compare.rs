//! Comparisons of outputs whose failure names the fields that differ.

use serde_json::Value as Json;
use std::fmt;
use std::ops::Deref;

/// The differences that a message names.
const SHOWN: usize = 8;

/// Returns a value of JSON as a message shows it: the beginning of a long one.
fn shown(value: Option<&Json>) -> String {
    let Some(value) = value else {
        return "missing".to_string();
    };
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{} … ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}

/// Lists the fields that differ, as `turns[3].depth: expected 7, found 5`.
pub fn differences(found: &Json, expected: &Json) -> Vec<String> {
    let mut all = Vec::new();
    compare("", Some(found), Some(expected), &mut all);
    all
}

fn compare(field: &str, found: Option<&Json>, expected: Option<&Json>, all: &mut Vec<String>) {
    match (found, expected) {
        (Some(Json::Object(found)), Some(Json::Object(expected))) => {
            let more = found.keys().filter(|name| !expected.contains_key(*name));
            for name in expected.keys().chain(more) {
                let inner = if field.is_empty() {
                    name.clone()
                } else {
                    format!("{field}.{name}")
                };
                compare(&inner, found.get(name), expected.get(name), all);
            }
        }
        (Some(Json::Array(found)), Some(Json::Array(expected))) => {
            for index in 0..found.len().max(expected.len()) {
                compare(
                    &format!("{field}[{index}]"),
                    found.get(index),
                    expected.get(index),
                    all,
                );
            }
        }
        _ if found == expected => {}
        _ => {
            let name = if field.is_empty() { "value" } else { field };
            all.push(format!(
                "{name}: expected {}, found {}",
                shown(expected),
                shown(found)
            ));
        }
    }
}

/// Asserts that two values are the same; `command` names the source of the first one.
#[track_caller]
pub fn same_json(command: &str, found: &Json, expected: &Json) {
    let all = differences(found, expected);
    let rest = all.len().saturating_sub(SHOWN);
    let more = if rest > 0 {
        format!("\n  … and {rest} more")
    } else {
        String::new()
    };
    let first = all[..all.len() - rest].join("\n  ");
    assert!(all.is_empty(), "{command}\n  {first}{more}");
}

/// Asserts that two outputs are the same text. A failure names the fields that differ, or the first
/// lines that do if they are not JSON.
#[track_caller]
pub fn same_output(command: &str, found: &str, expected: &str) {
    if found == expected {
        return;
    }
    let parsed = |text: &str| -> Result<Vec<Json>, _> { text.lines().map(serde_json::from_str).collect() };
    if let (Ok(found), Ok(expected)) = (parsed(found), parsed(expected)) {
        same_json(command, &found.into(), &expected.into());
    }
    let lines = |text: &str| {
        text.lines()
            .map(|line| Json::from(line.trim_end()))
            .collect::<Json>()
    };
    same_json(
        &format!("{command} (lines from 0)"),
        &lines(found),
        &lines(expected),
    );
    panic!(
        "{command}\n  the outputs differ in blanks or in the order of fields\n  expected {expected:?}\n  found {found:?}"
    );
}

/// Some fields of an object with their names, which a failed comparison shows.
#[derive(Clone)]
pub struct Fields {
    names: Vec<String>,
    values: Json,
}

impl Fields {
    /// Takes fields of an object; `names` are separated by blanks.
    pub fn of(object: &Json, names: &str) -> Fields {
        let names: Vec<String> = names.split(' ').map(str::to_string).collect();
        let values = names.iter().map(|name| object[name].clone()).collect();
        Fields { names, values }
    }
}

impl PartialEq<Json> for Fields {
    fn eq(&self, expected: &Json) -> bool {
        self.values == *expected
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Fields) -> bool {
        self.values == other.values
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let values = self.values.as_array().into_iter().flatten();
        let named = self.names.iter().zip(values);
        let words: Vec<String> = named.map(|(name, value)| format!("{name} {value}")).collect();
        write!(to, "{}", words.join(", "))
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{self:?}")
    }
}

/// The values alone, as an array.
impl Deref for Fields {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.values
    }
}
