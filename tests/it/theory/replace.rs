//! Laws of replacement as the program prints them.

use crate::prelude::*;

#[test]
fn a_law_that_holds_is_one_line() {
    let found = run("theory replace o@ .@").ok();
    assert_eq!(found.stdout, "Left's wins are kept on strips of every length\n");
    let lines = lines("theory replace o@ .@");
    let expected = json!({
        "pattern": "o@", "replacement": ".@", "holds": true, "examples": [], "replaced": []
    });
    assert_eq!(lines, [expected]);
}

/// The law of docs/THEORY.md, in both directions and with four empty squares.
#[test]
fn words_at_the_left_end_may_have_different_lengths() {
    for words in [
        "|.... |............oooo.oo.oo..o....",
        "|............oooo.oo.oo..o.... |....",
        "|oo |",
    ] {
        run(&format!("theory replace {words}")).ok();
    }
}

#[test]
fn a_false_law_is_refuted_by_its_first_boards() {
    let found = run("theory replace o@. .o@");
    found.fails(1, &["the law fails"]);
    assert_eq!(
        found.stdout,
        "Left's wins are lost, first on these boards:\n  \
         Left wins ....ooooo@.. and loses ....oooo.o@.\n  \
         Left wins ........ooo@.. R and loses ........oo.o@. R\n"
    );
    let found = run("theory replace o@. .o@ --json");
    found.fails(1, &["the law fails"]);
    let line = &found.json_lines()[0];
    assert_eq!(line["holds"], false);
    assert_eq!(line["examples"], json!(["....ooooo@..", "........ooo@.. R"]));
    assert_eq!(line["replaced"], json!(["....oooo.o@.", "........oo.o@. R"]));
}
