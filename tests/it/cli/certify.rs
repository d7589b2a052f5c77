//! `phutbase certify`.

use crate::prelude::*;

#[test]
fn a_certificate_is_found_written_and_checked() {
    let tables = Tables::none();
    let file = tables.path().join("small.cert");
    let file = file.to_str().unwrap();
    let position = "3/3/2o/1o1/3/@2/3 A";
    let found = run_with(&format!("certify --json --out {file}"), position).json();
    assert_eq!(fields(&found, "value winner"), json!(["draw", null]));
    let checked = run(&format!("verify --json {file}")).json();
    assert_eq!(
        fields(&checked, "ok value position"),
        json!([true, "draw", position])
    );
    assert!(run(&format!("verify {file}")).ok().stdout.contains(": a draw"));
    // Alfred's first turn changed.
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let line = lines.find(|line| line.ends_with(position) && !line.starts_with("position"));
    std::fs::write(file, text.replace(line.unwrap(), &format!("a1 {position}"))).unwrap();
    run(&format!("verify {file}")).refuses(1, &[position]);
    run("verify nowhere.cert").refuses(3, &["nowhere.cert: cannot read it"]);
    // Without a table a search looks for threats.
    let open = "9/9/9/9/4@4/9/9/9/9 A";
    run_with("certify --effort 1", open).refuses(1, &["the search is exhausted", "try --effort 3"]);
    let won = run_with("certify --json", open).json();
    assert_eq!(fields(&won, "value winner"), json!(["win", "alfred"]));
    run_with("certify --effort 1", "3/3/3/3/3/1@1/3/3/3 A").refuses(1, &["phutbase generate 9x3"]);
    let read = Tables::none().run_on("certify -", b"# Betty wins\n3/1@1/1o1/1o1/3 B\n");
    assert!(read.ok().stdout.contains(": Betty wins"));
    let won = run_with("certify --json", "3/1@1/1o1/1o1/3 B").json();
    assert_eq!(fields(&won, "value winner"), json!(["win", "betty"]));
}
