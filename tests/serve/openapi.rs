//! openapi.json: every route answers as it describes, and its schemas have the fields of the types.

#![cfg(feature = "serve")]

use crate::prelude::*;
use crate::support::{get, post, server};
use phutbase_ask::batch::LineAnswer;
use phutbase_ask::board::BoardAnswer;
use phutbase_ask::counts::WinCounts;
use phutbase_ask::obstruction::ComponentAnswer;
use phutbase_ask::stats::{ServedTables, TableCounts, TableDepths, TableEntry, TableStats};
use phutbase_ask::strip::{HalfWorth, Reason, TurnCounts};
use phutbase_ask::wins::WinsInOne;
use phutbase_ask::{Answer, BoardsLabel, Move};
use phutbase_base::count::Count;
use phutbase_pitches::wins::WinLimits;
use phutbase_rules::Boards;
use phutbase_server::OPENAPI;
use phutbase_server::daily::DailyPuzzle;
use phutbase_server::error::Refusal;
use phutbase_server::stats::StoredNimber;

/// Checks a value against a schema of the document: types, enumerations, properties, items.
fn fits(document: &Json, schema: &Json, value: &Json) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = document.pointer(name.trim_start_matches('#'));
        return fits(document, target.ok_or(format!("no {name}"))?, value);
    }
    if let Some(several) = schema["oneOf"].as_array() {
        let fit = several.iter().filter(|one| fits(document, one, value).is_ok());
        return (fit.count() == 1)
            .then_some(())
            .ok_or(format!("{value} is not one of {several:?}"));
    }
    let types: Vec<&str> = match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => return Err(format!("a schema without a type: {schema}")),
    };
    let found = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    if !types.contains(&found) {
        return Err(format!("{value} is {found}, not {types:?}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Err(format!("{value} is not one of {allowed:?}"));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(document, &schema["items"], item)?;
    }
    match value.as_object().filter(|_| schema["properties"].is_object()) {
        Some(object) => object_fits(document, schema, object),
        None => Ok(()),
    }
}

fn object_fits(document: &Json, schema: &Json, object: &serde_json::Map<String, Json>) -> Result<(), String> {
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap_or("")) {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in object {
        match schema["properties"].get(name) {
            Some(property) => fits(document, property, value).map_err(|error| format!("{name}: {error}"))?,
            None => {
                return Err(format!(
                    "the field '{name}' is not in crates/server/src/openapi.json"
                ));
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn every_route_answers_as_openapi_json_describes() {
    let server = server("tables".as_ref());
    let document: Json = serde_json::from_str(OPENAPI).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let answer = match (method.as_str(), path.as_str()) {
                ("post", "/api/batch") => {
                    let body = document["components"]["schemas"]["Batch"]["example"].to_string();
                    post(&server, path, "application/json", body).await
                }
                ("get", _) => get(&server, &example_question(path, operation)).await,
                _ => panic!("{method} {path}: write its request in this test"),
            };
            answer.has_status(200);
            let content = operation["responses"]["200"]["content"].as_object().unwrap();
            assert!(content.contains_key(answer.header("content-type")), "{path}");
            let Some(json) = content.get("application/json") else {
                continue;
            };
            let schema = &json["schema"];
            fits(&document, schema, &answer.json()).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
    // Errors fit their schema.
    let refusal = get(&server, "/api/probe?position=x").await;
    fits(
        &document,
        &json!({"$ref": "#/components/schemas/Refusal"}),
        &refusal.json(),
    )
    .unwrap();
    let served = get(&server, "/openapi.json").await;
    assert_eq!(served.text, OPENAPI);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

/// Returns a request with the examples of an operation's parameters.
fn example_question(path: &str, operation: &Json) -> String {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    if let Some(name) = parameters.clone().find(|parameter| parameter["in"] == "path") {
        return path.replace("{name}", name["example"].as_str().unwrap());
    }
    let query: Vec<String> = parameters
        .filter_map(|parameter| {
            let example = match &parameter["example"] {
                Json::Null => return None,
                Json::String(example) => example.clone(),
                number => number.to_string(),
            };
            Some(format!("{}={example}", parameter["name"].as_str().unwrap()))
        })
        .collect();
    format!("{path}?{}", query.join("&"))
}

/// Fails unless these values of a type fit a schema and have all of its fields together.
fn has_the_fields_of(schema: &str, values: &[Json]) {
    let document: Json = serde_json::from_str(OPENAPI).unwrap();
    let reference = json!({"$ref": format!("#/components/schemas/{schema}")});
    let mut fields = BTreeSet::new();
    for value in values {
        fits(&document, &reference, value).unwrap_or_else(|error| panic!("{schema}: {error}"));
        fields.extend(value.as_object().unwrap().keys());
    }
    let described = document["components"]["schemas"][schema]["properties"]
        .as_object()
        .unwrap();
    let described: BTreeSet<&String> = described.keys().collect();
    let (missing, unused): (Vec<_>, Vec<_>) = (
        fields.difference(&described).collect(),
        described.difference(&fields).collect(),
    );
    assert!(
        missing.is_empty() && unused.is_empty(),
        "{schema}: fields that crates/server/src/openapi.json lacks: {missing:?}; that it has and the \
         values of this test lack: {unused:?}"
    );
}

fn json(value: impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap()
}

/// The values have every field that the schemas describe, and no other.
#[test]
fn the_schemas_have_the_fields_of_the_types() {
    let component = ComponentAnswer {
        shape: "1x3".to_string(),
        squares: 3,
        nimber: 1,
    };
    let turn = Move {
        turn: "o5".to_string(),
        position: "o@o.o.o....".to_string(),
        value: Some(Wdl::Win),
        depth: Some(1),
        board: None,
        nimber: None,
        components: None,
    };
    let mark = Move {
        board: Some(1),
        nimber: Some(0),
        components: Some(vec![component.clone()]),
        ..turn.clone()
    };
    let answer = |game, rules, side, winner| Answer {
        game,
        rules,
        position: "o@o.o.o....".to_string(),
        side,
        value: Some(Wdl::Win),
        depth: Some(1),
        winner: Some(winner),
        ..Answer::default()
    };
    let half = HalfWorth {
        word: "o".to_string(),
        name: "L [0]".to_string(),
        potential: 0,
        kind: 'b',
    };
    let reason = Reason {
        by: "solution",
        lead: 0,
        left: half.clone(),
        right: half.clone(),
    };
    let turn_counts = TurnCounts {
        winning: 1,
        losing: 9,
    };
    let (turns, line) = (Some(vec![turn.clone()]), Some(vec![turn.clone()]));
    let strip = Answer {
        reason: Some(reason.clone()),
        backward_turns: Some(0),
        potentials: Some([1, 2]),
        turn: Some("o5".to_string()),
        turn_counts: Some(turn_counts),
        turns: turns.clone(),
        line: line.clone(),
        ..answer("strip", Some("ordinary"), "left", "left")
    };
    let of_pitch = Answer {
        turn: Some("d3".to_string()),
        turns: turns.clone(),
        line,
        ..answer("pitch", Some("ordinary"), "alfred", "betty")
    };
    let obstruction = Answer {
        nimber: Some(1),
        components: Some(vec![component.clone()]),
        turns: Some(vec![mark.clone()]),
        winning_turns: Some(vec![mark.clone()]),
        ..answer("obstruction", None, "first", "second")
    };
    let oddish = Answer {
        turns,
        ..answer("oddish", None, "left", "right")
    };
    let board = |text: &str, turns: &[&str]| json(BoardAnswer::after(&text.parse().unwrap(), turns).unwrap());
    let (drawn, marked) = (board(".@o.", &["o0", "@3"]), board("obstruction:2x5", &[]));
    let detour = board("1o2/ooo1/1o@1/3o/o1oo", &[]);
    let pitch = "3/1o1/1@1/3 A".parse().unwrap();
    let wins = WinsInOne::find(&pitch, 2, WinLimits::default(), &Job::default()).unwrap();
    let open = board(".@o.", &[]);
    has_the_fields_of(
        "BoardTurn",
        &[drawn["played"][1].clone(), detour["detours"][0].clone()],
    );
    has_the_fields_of("StripHalves", &[open["halves"].clone()]);
    has_the_fields_of("Board", &[drawn, marked, detour, open]);
    has_the_fields_of("Component", &[json(component)]);
    has_the_fields_of("Half", &[json(half)]);
    has_the_fields_of("Reason", &[json(reason)]);
    has_the_fields_of("TurnCounts", &[json(turn_counts)]);
    has_the_fields_of("Move", &[json(turn)]);
    has_the_fields_of("Mark", &[json(mark)]);
    has_the_fields_of("StripAnswer", &[json(strip)]);
    has_the_fields_of("PitchAnswer", &[json(of_pitch), json(wins)]);
    has_the_fields_of("ObstructionAnswer", &[json(obstruction)]);
    has_the_fields_of("OddishAnswer", &[json(oddish)]);
    has_the_fields_of(
        "BadLine",
        &[json(LineAnswer::Bad {
            number: 1,
            error: "the position is empty".to_string(),
        })],
    );
    let refusal = Refusal {
        error: "no such path".to_string(),
    };
    has_the_fields_of("Refusal", &[json(refusal)]);
    let nimber = StoredNimber {
        board: "1x3".to_string(),
        nimber: 1,
    };
    has_the_fields_of("StoredNimber", &[json(nimber)]);
    let puzzle = DailyPuzzle {
        day: 0,
        position: "o@o.o.o....".to_string(),
        depth: Some(13),
    };
    has_the_fields_of("DailyPuzzle", &[json(puzzle)]);
    let label = BoardsLabel::new(&Boards::strip(16), Rules::Ordinary);
    let count = || Count(BigUint::from(1u8));
    let counts = TableCounts {
        label: label.clone(),
        metric: "dtw".to_string(),
        positions: count(),
        wins: count(),
        losses: count(),
        draws: count(),
        longest: Some(16),
    };
    let table = TableDepths {
        stats: TableStats {
            counts,
            longest_win: Some(15),
            longest_loss: Some(16),
            name: Some("strip-16-dtw.phut".to_string()),
            bytes: Some(1000),
        },
        depths: Some([(1, count())].into()),
    };
    let damaged = TableEntry::Damaged {
        label,
        error: "damaged".to_string(),
    };
    let solved = WinCounts::up_to(5, &Job::default()).unwrap().of_length(5);
    has_the_fields_of("Table", &[json(&table), json(damaged), json(solved.unwrap())]);
    let tables = ServedTables {
        tables: vec![table],
        obstruction_boards: 1,
    };
    has_the_fields_of("Stats", &[json(tables)]);
}
