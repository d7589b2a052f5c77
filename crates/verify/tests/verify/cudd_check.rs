//! `scripts/check_with_cudd.py`, which uses only the rules and docs/FORMAT.md, must accept valid
//! tables and reject tampered ones.
//!
//! If `python3` cannot import the package `dd`, the tests are skipped with a message, unless
//! `PHUTBASE_REQUIRE` names `cudd`.

use phutbase_fixtures::container::directory as directory_of;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::follows;
use phutbase_testing::tools::run_python as python;
use tempfile::TempDir;

const SCRIPT: &str = "scripts/check_with_cudd.py";

/// Returns a directory for tables if the script can run here.
fn ready() -> Option<TempDir> {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| match python(&["-c", "import dd.autoref"]) {
        Err(error) => Some(format!("python3 cannot be run: {error}")),
        Ok(output) if output.status.success() => None,
        Ok(_) => Some("python3 has no package 'dd'".into()),
    });
    available("cudd", why_not.as_deref()).then(|| tempfile::tempdir().unwrap())
}

/// Returns the script's output for some tables, and its exit code.
fn checked(paths: &[PathBuf], options: &[&str]) -> (Vec<Json>, i32) {
    let mut arguments = [&[SCRIPT, "--json"], options].concat();
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let output = python(&arguments).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let results = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let results: Vec<Json> = results.collect();
    assert_eq!(results.len(), paths.len());
    (results, output.status.code().unwrap())
}

/// Asserts that the script rejects each of these tables; returns its reports.
fn refused(tables: &[Vec<u8>]) -> Vec<Json> {
    let directory = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..tables.len())
        .map(|number| directory.path().join(format!("tampered-{number}.phut")))
        .collect();
    for (path, bytes) in paths.iter().zip(tables) {
        std::fs::write(path, bytes).unwrap();
    }
    let (results, code) = checked(&paths, &[]);
    assert_eq!(code, 1);
    for result in &results {
        assert_eq!(result["ok"], false, "{result}");
    }
    results
}

#[test]
fn good_tables_are_good() {
    let Some(directory) = ready() else { return };
    for metric in METRICS {
        let paths = (3..=12).map(|length| generate_in(directory.path(), length, metric));
        let paths: Vec<PathBuf> = paths.collect();
        for options in [&[][..], &["--pure"]] {
            let count = if options.is_empty() { paths.len() } else { 8 };
            let (results, code) = checked(&paths[..count], options);
            assert_eq!(code, 0, "{results:?}");
            for (result, length) in results.iter().zip(3..) {
                assert_eq!(result["ok"], true, "{result}");
                assert_eq!(result["length"], length);
                assert_eq!(result["metric"], metric.to_string());
                if !options.is_empty() {
                    assert_eq!(result["library"], "dd.autoref");
                }
            }
        }
    }
}

/// One value changed at a time: the named position must be one that does not follow.
#[test]
fn planted_faults_are_found_and_named() {
    let Some(_) = ready() else { return };
    let (mut planted, mut tables) = (Vec::new(), Vec::new());
    plant(8, 37, |planes, metric, _| {
        // It does not check levels.
        if metric != Metric::Levels {
            tables.push(planes.bytes(metric));
            planted.push((planes, metric));
        }
    });
    assert!(tables.len() > 70, "{}", tables.len());
    for (result, (mut planes, metric)) in refused(&tables).into_iter().zip(planted) {
        let position = result["position"].as_str().unwrap_or_else(|| panic!("{result}"));
        assert!(!follows(&mut planes, &strip(position), metric), "{result}");
    }
}

/// The last two sets are the proof; they must hold all winners, and with the right player to move.
#[test]
fn the_last_sets_are_the_proof() {
    let Some(directory) = ready() else { return };
    let good = table(22, Metric::Levels).sets(22).unwrap();
    let roots = good.roots();
    assert_eq!(good.levels(), 2);
    let with_roots = |roots: &[u32]| bytes_of(&good, roots, Metric::Wdl);
    let tables = [with_roots(&roots[..2]), with_roots(&[roots[3], roots[2]])];
    let faults: Vec<String> = (refused(&tables).iter())
        .map(|result| result["fault"].as_str().unwrap().to_string())
        .collect();
    let missing = "a win of Left, but not stored as one";
    let wrong = "stored as a win of Left, which does not follow";
    assert_eq!(faults, [missing, wrong]);
    let alone = directory.path().join("alone.phut");
    std::fs::write(&alone, with_roots(&roots[2..])).unwrap();
    let (results, code) = checked(&[alone], &[]);
    assert_eq!(code, 0, "{results:?}");
}

#[test]
fn other_files_are_refused() {
    let Some(directory) = ready() else { return };
    let pitch = generate_pitch_in(Rules::Ordinary, directory.path(), "3x3");
    let damaged = directory.path().join("damaged.phut");
    let mut bytes = generated(8, Metric::Dtw);
    let (entries, _) = directory_of(&bytes);
    bytes[entries[1].1 as usize] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let missing = directory.path().join("missing.phut");
    let (results, code) = checked(&[pitch, damaged, missing], &[]);
    assert_eq!(code, 1);
    let complaints = [
        "not a table of strips",
        "checksum mismatch in frame 0",
        "cannot read it",
    ];
    for (result, complaint) in results.iter().zip(complaints) {
        assert_eq!(result["ok"], false);
        assert!(result["fault"].as_str().unwrap().contains(complaint), "{result}");
    }
    assert_eq!(python(&[SCRIPT]).unwrap().status.code(), Some(2));
    assert_eq!(python(&[SCRIPT, "--what"]).unwrap().status.code(), Some(2));
}
