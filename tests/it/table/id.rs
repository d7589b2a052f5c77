//! Names of tables.

use crate::common::RULES;
use crate::games::pitch_support::shape;
use crate::table::support::METRICS;
use phutbase::table::id::TableId;

#[test]
fn every_name_is_read_as_the_table_that_it_was_written_for() {
    let mut ids = vec![TableId::Nimbers];
    for rules in RULES {
        for metric in METRICS {
            ids.extend([0, 3, 36, 128, 4096].map(|length| TableId::Strip(rules, metric, length)));
        }
        ids.extend(["3x1", "7x3", "19x15", "3x19"].map(|size| TableId::Pitch(rules, shape(size))));
    }
    for id in ids {
        assert_eq!(id.to_string().parse(), Ok(id), "{id}");
    }
    for (name, id) in [
        ("strip-36-dtw.phut", "Strip(Ordinary, Dtw, 36)"),
        ("directional-strip-8-wdl.phut", "Strip(Directional, Wdl, 8)"),
        ("obstruction.phut", "Nimbers"),
    ] {
        assert_eq!(format!("{:?}", name.parse::<TableId>().unwrap()), id);
    }
    assert_eq!(
        "pitch-4x3-dtw.phut".parse(),
        Ok(TableId::Pitch(RULES[0], shape("4x3")))
    );
}

#[test]
fn foreign_names_are_refused() {
    for name in [
        "",
        ".phut",
        "notes.txt",
        "strip-8-dtw",
        "strip-8-dtw.phut.bak",
        "tables/strip-8-dtw.phut",
        ".strip-8-dtw.phut",
        "Strip-8-dtw.phut",
        "strip-08-dtw.phut",
        "strip-+8-dtw.phut",
        "strip--8-dtw.phut",
        "strip- 8-dtw.phut",
        "strip-8-dtw .phut",
        "strip-8.phut",
        "strip-8-dtz.phut",
        "strip-8-DTW.phut",
        "strip-x-dtw.phut",
        "strip-99999999999999999999-dtw.phut",
        "strip-8-dtw-wdl.phut",
        "directional-directional-strip-8-dtw.phut",
        "ordinary-strip-8-dtw.phut",
        "pitch-4x3-wdl.phut",
        "pitch-4x3.phut",
        "pitch-04x3-dtw.phut",
        "pitch-4-dtw.phut",
        "pitch-0x3-dtw.phut",
        "directional-obstruction.phut",
        "obstruction-8x8.phut",
        "oddish-8-dtw.phut",
    ] {
        let error = name.parse::<TableId>().unwrap_err().to_string();
        assert!(error.contains(&format!("'{name}'")), "{error}");
    }
}
