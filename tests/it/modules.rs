//! Modules import only modules below them in the picture of docs/DESIGN.md.

use crate::prelude::*;

/// The modules of each line of the picture, the lowest first.
fn picture() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string("docs/DESIGN.md").unwrap();
    let picture = page.split("```").nth(1).unwrap().lines().rev();
    let modules = picture.filter_map(|line| Some(line.split_once('|')?.0.split_whitespace()));
    modules
        .map(|modules| modules.map(str::to_string).collect())
        .collect()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries
        .flat_map(below)
        .filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
        .collect()
}

/// Returns the modules that a module imports.
fn imports(module: &str) -> BTreeSet<String> {
    let file = PathBuf::from(format!("src/{module}.rs"));
    let files = if file.exists() {
        vec![file]
    } else {
        files(Path::new(&format!("src/{module}")))
    };
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect::<String>();
    let code = texts.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    let first = |path: &str| {
        path.split(|symbol: char| !symbol.is_alphanumeric())
            .next()
            .unwrap()
            .to_string()
    };
    paths.map(first).filter(|import| import != module).collect()
}

#[test]
fn modules_import_only_those_on_lower_lines_of_the_picture() {
    let mut below: BTreeSet<String> = BTreeSet::new();
    for line in picture() {
        for module in &line {
            let upwards: Vec<String> = imports(module).difference(&below).cloned().collect();
            assert!(upwards.is_empty(), "{module} imports {upwards:?}");
        }
        below.extend(line);
    }
    let library = std::fs::read_to_string("src/lib.rs").unwrap();
    let modules = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    assert_eq!(
        below,
        modules.map(str::to_string).collect(),
        "the picture has every module"
    );
    assert!(
        !imports("verify").contains("solve"),
        "the check shares code with the engines"
    );
}
