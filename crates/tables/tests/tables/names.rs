//! Names of tables.

use phutbase_fixtures::prelude::*;
use phutbase_tables::id::TableId;

#[test]
fn a_name_determines_its_table() {
    let pitch = |rules| TableId::Pitch(rules, shape("4x3"));
    for (name, table) in [
        ("strip-3-dtw.phut", TableId::Strip(Metric::Dtw, 3)),
        ("strip-64-levels.phut", TableId::Strip(Metric::Levels, 64)),
        ("strip-255-wdl.phut", TableId::Strip(Metric::Wdl, 255)),
        ("pitch-4x3-dtw.phut", pitch(Rules::Ordinary)),
        ("directional-pitch-4x3-dtw.phut", pitch(Rules::Directional)),
        ("obstruction.phut", TableId::Nimbers),
    ] {
        assert_eq!(name.parse(), Ok(table), "{name}");
        assert_eq!(table.to_string(), name);
    }
}

#[test]
fn other_names_denote_no_table() {
    for name in [
        "strip-2-dtw.phut",
        "strip-256-dtw.phut",
        "strip-03-dtw.phut",
        "strip-3-dtw",
        "strip-3-plies.phut",
        "pitch-4x3-wdl.phut",
        "pitch-4x0-dtw.phut",
        "directional-strip-3-dtw.phut",
    ] {
        let error = name.parse::<TableId>().expect_err(name).to_string();
        assert_eq!(error, format!("'{name}' is not the name of a table"));
    }
}
