//! `phutbase report` as a user meets it.

mod common;

use common::cli::run;

#[test]
fn the_atlas_is_one_page_and_a_markdown_twin_with_its_pictures() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().join("new/atlas");
    let command = format!(
        "report --out {} --dense-length 13 --symbolic-length 23 --oddish-squares 8 --json",
        directory.display()
    );
    let done = run(&command).ok();
    assert!(
        done.stderr.contains("arrays up to 13 squares take"),
        "{}",
        done.stderr
    );
    let written = done.json();
    assert_eq!(written["claims"], 12);
    let page = std::fs::read_to_string(directory.join("atlas.html")).unwrap();
    let markdown = std::fs::read_to_string(directory.join("atlas.md")).unwrap();
    // Nothing is fetched from anywhere.
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src="));
    for name in [
        "ratio", "longest", "depths", "losses", "errors", "numbers", "classes", "states", "nodes",
    ] {
        assert!(markdown.contains(&format!("]({name}.svg)")), "{name}");
        assert!(
            std::fs::read_to_string(directory.join(format!("{name}.svg")))
                .unwrap()
                .starts_with("<svg")
        );
    }
    assert_eq!(page.matches("<figure>").count(), 9);
    for text in [
        "31,492",
        "13,564",
        "holds up to length 21, then false",
        ".@.o..o..",
    ] {
        assert!(markdown.contains(text), "{text}");
    }
    assert!(page.contains("31,492") && page.contains("class=\"strip\""));
}

#[test]
fn lengths_out_of_range_are_bad_usage_and_a_bad_directory_is_a_failure() {
    run("report --dense-length 8").refusal(2);
    run("report --symbolic-length 65").refusal(2);
    run("report --dense-length 9 --symbolic-length 9 --oddish-squares 3 --out /dev/null/x").failure(1);
}
