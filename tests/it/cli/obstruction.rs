//! Obstruction: `probe`, `generate` and `theory dawson`, the program itself.

use crate::common::cli::{Tables, flip_byte, run};
use phutbase::games::obstruction::{Form, Grid};
use phutbase::nimber::Nimber;
use phutbase::table::nimbers::NimberTable;
use serde_json::{Value, json};

/// The texts under a name in every object of an array.
fn texts<'a>(array: &'a Value, name: &str) -> Vec<&'a str> {
    let objects = array.as_array().unwrap().iter();
    objects.map(|object| object[name].as_str().unwrap()).collect()
}

#[test]
fn a_board_has_a_nimber_a_winner_and_components() {
    let tables = Tables::none();
    let answer = tables.probe("obstruction:....../..x.../......");
    assert_eq!(
        (&answer["nimber"], &answer["winner"]),
        (&json!(0), &json!("second"))
    );
    assert_eq!(texts(&answer["components"], "shape"), ["1x3", "2x3"]);
    let words = tables.run("probe obstruction:3x3").ok().stdout;
    assert!(words.contains("The first player wins\nnimber 1\n"), "{words}");
}

#[test]
fn winning_moves_of_sums() {
    let tables = Tables::none();
    let answer = tables.probe("obstruction:1+2+3");
    assert_eq!(answer["nimber"], 2);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(
        (&moves[0]["board"], &moves[0]["move"]),
        (&json!(3), &json!("r1c2"))
    );
    assert_eq!(moves[0]["position"], "obstruction:1x1 + 1x2 + 1x0");
    assert_eq!(moves[0]["components"].as_array().unwrap().len(), 2);
    let lost = tables.run_with("probe", "obstruction:1x2 + 1x7").ok();
    assert!(lost.stdout.contains("no winning turn"));
}

#[test]
fn rows_come_with_their_period() {
    let lines = run("theory dawson --max 1000 --json").ok().json_lines();
    let period = ["period", "preperiod", "exceptions"].map(|field| lines[0][field].clone());
    assert_eq!(period, [json!(34), json!(52), json!([0, 14, 16, 17, 31, 34, 51])]);
    assert_eq!((lines.len(), &lines[1001]["length"]), (1 + 1001, &json!(1000)));
    let first: Vec<u64> = (lines[1..22].iter())
        .map(|line| line["nimber"].as_u64().unwrap())
        .collect();
    assert_eq!(
        first,
        [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0]
    );
    assert!(
        run("theory dawson")
            .ok()
            .stdout
            .contains("Period 34 from n = 52 on")
    );
}

#[test]
fn a_table_is_saved_reused_and_grows() {
    let tables = Tables::none();
    let made = |arguments: &str| {
        let lines = tables
            .run(&format!("generate {arguments} --json"))
            .ok()
            .json_lines();
        ["computed", "stored"].map(|status| lines.iter().filter(|line| line["status"] == status).count())
    };
    assert_eq!(made("obstruction:4x5"), [14, 0]);
    assert_eq!(made("obstruction:4x6 --threads 2"), [4, 14]);
    let words = tables.run("generate obstruction:6x4").ok().stdout;
    assert!(
        words.contains("    4   0   0   0   0\n") && !words.contains("not reached"),
        "{words}"
    );
}

#[test]
fn shapes_and_graphs_are_probed_like_rectangles() {
    let tables = Tables::none();
    let torus = tables.probe("obstruction:torus:3x7");
    assert_eq!((&torus["nimber"], &torus["winner"]), (&json!(1), &json!("first")));
    let positions = texts(&torus["moves"], "position");
    assert_eq!(
        (positions.len(), positions[0]),
        (21, "obstruction:torus:x....../......./.......")
    );
    assert_eq!(tables.probe(positions[0])["nimber"], 0);
    let cubes = tables.probe("obstruction:x../...//.../...//.../... + 1x3");
    assert_eq!(
        (&cubes["nimber"], texts(&cubes["components"], "shape").len()),
        (&json!(1), 2)
    );
    let graph = tables.probe("obstruction:graph:0-1,1-2,2-3,x3");
    assert_eq!(graph["components"][0]["shape"], "0 1");
    assert_eq!(texts(&graph["moves"], "move")[1], "1");
    assert_eq!(
        texts(&graph["moves"], "position")[1],
        "obstruction:graph:0-1,1-2,2-3,x1,x3"
    );
}

#[test]
fn misere_play_has_winners_and_no_nimbers() {
    let tables = Tables::none();
    let answer = tables.probe("obstruction:misere:3x3");
    assert_eq!(
        (&answer["winner"], &answer["value"]),
        (&json!("second"), &json!("loss"))
    );
    assert_eq!((answer.get("nimber"), &answer["moves"]), (None, &json!([])));
    let words = tables.run("probe obstruction:misere:1+2+3").ok().stdout;
    let turn = "board 3, r1c1 leaves obstruction:misere:1x1 + 1x2 + 1x1\n";
    assert!(words.contains(turn), "{words}");
    let large = tables.run_with("probe", "obstruction:misere:11x11 + 3x3");
    large.refuses(3, &["130 free squares are too many"]);
}

#[test]
fn graphs_are_read_from_files() {
    let tables = Tables::none();
    let file = tables.path().join("graph");
    let name = format!("obstruction:graph:{}", file.display());
    // A path of three vertices.
    let dimacs = "c\np edge 3 2\ne 1 2\ne 2 3\n";
    for contents in ["0-1\n1-2\n", "0 1\n1 2", "Bg\n", ">>graph6<<Bg", dimacs] {
        std::fs::write(&file, contents).unwrap();
        let answer = tables.probe(&name);
        let found = (&answer["nimber"], &answer["position"]);
        assert_eq!(
            found,
            (&json!(2), &json!("obstruction:graph:0-1,1-2")),
            "{contents}"
        );
    }
    // All pairs of 128 vertices: longer than any position that is typed.
    let pairs = (0..128).flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")));
    std::fs::write(&file, pairs.collect::<String>()).unwrap();
    assert_eq!(tables.probe(&name)["nimber"], 1);
    let too_long = vec![b'\n'; (1 << 20) + 1];
    for (contents, part) in [
        (&b""[..], "without vertices"),
        (b"0-1\n1 1\n", "line 2: an edge from vertex 1 to itself"),
        (b"p edge 3 2\ne 1 4\n", "line 2: DIMACS"),
        (b"Bgg", "graph6: 1 characters"),
        (b"Bg\nBg\n", "2 graphs"),
        (b":An", "sparse6 is not read"),
        (b"\xff\xfe", "it is no text"),
        (b"0-1,x0,x1", "touch"),
        (b"0-200", "graphs of up to 128 vertices"),
        (&too_long, "more than 1048576 bytes"),
    ] {
        std::fs::write(&file, contents).unwrap();
        let run = tables.run_with("probe", &name);
        run.refuses(2, &[part]);
    }
    std::fs::remove_file(&file).unwrap();
    tables.run_with("probe", &name).refuses(2, &["cannot read it"]);
    // In a batch no file is read.
    let batch = tables.run_on("probe --batch -", name.as_bytes());
    assert!(
        batch.code == Some(1) && batch.stdout.contains("files are read only"),
        "{batch:?}"
    );
}

#[test]
fn nimbers_of_shapes_are_stored_shown_and_verified() {
    let tables = Tables::none();
    let lines = |arguments: &str| tables.run(&format!("{arguments} --json")).ok().json_lines();
    let made = lines("generate obstruction:cylinder:3x4");
    assert_eq!(
        (made.len(), &made[11]["boards"]),
        (12, &json!("obstruction:cylinder:3x4"))
    );
    lines("generate obstruction:2x3x3");
    let shown = tables.run("stats obstruction:cylinder:3x5").ok().stdout;
    let rows = [
        "  m\\n   1   2   3   4   5",
        "    1   1   1   1   0   ?",
        "    2   1   1   1   0   ?",
    ];
    assert_eq!(shown, rows.join("\n") + "\n    3   2   2   2   0   ?\n");
    let stored = lines("stats obstruction:cylinder:3x5");
    assert_eq!((stored.len(), &stored[0]["status"]), (12, &json!("stored")));
    assert!(
        tables
            .run("stats obstruction:2x3x3")
            .ok()
            .stdout
            .contains("\n\n2 layers\n")
    );
    let verified = lines("verify obstruction:cylinder:3x4");
    assert!(verified.len() == 12 && verified.iter().all(|line| line["ok"] == true));
    let missing = tables.run("stats obstruction:hex:3x3");
    missing.refuses(1, &["phutbase generate obstruction:hex:3x3"]);
    tables.run("verify obstruction:hex:3x3").refusal(1);
}

#[test]
fn a_wrong_nimber_is_found() {
    let tables = Tables::none();
    let mut table = NimberTable::default();
    table.insert(Grid::flat(Form::Torus, 3, 7).unwrap(), Nimber(0));
    table.save(&tables.path().join("obstruction.phut")).unwrap();
    let run = tables.run("verify obstruction:torus:3x7");
    run.fails(1, &["obstruction:torus:3x7 is worth 1, and not 0"]);
}

#[test]
fn boards_that_are_not_reached_are_listed() {
    let tables = Tables::made("obstruction:3x3");
    let lines = tables
        .run("generate obstruction:4x3 --seconds 0 --json")
        .ok()
        .json_lines();
    let last = lines.last().unwrap();
    let found = ["game", "boards", "status", "nimber"].map(|field| &last[field]);
    let expected = [
        json!("obstruction"),
        json!("obstruction:3x4"),
        json!("not reached"),
        Value::Null,
    ];
    assert_eq!(found, expected.each_ref());
    assert_eq!(lines[0]["status"], "stored");
    let words = tables.run("generate obstruction:4x3 --seconds 0").ok().stdout;
    assert!(
        words.ends_with("not reached: 1x4, 2x4, 3x4\n") && words.contains('?'),
        "{words}"
    );
}

#[test]
fn a_damaged_table_is_refused_and_kept() {
    let tables = Tables::made("obstruction:3x3");
    let file = tables.path().join("obstruction.phut");
    flip_byte(&file, 18);
    let bytes = std::fs::read(&file).unwrap();
    for question in ["generate obstruction:3x3", "probe obstruction:3x3"] {
        let run = tables.run(question);
        run.refuses(3, &["obstruction.phut", "delete it"]);
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn bad_usage_is_refused() {
    let tables = Tables::none();
    for (verb, boards, part) in [
        ("probe", "obstruction:xx", "r1c1 and r1c2 touch"),
        ("probe", "obstruction:../...", "row 2 has 3 squares"),
        ("probe", "obstruction:..o", "'o' at r1c3"),
        ("probe", "obstruction:12x11", "too many"),
        ("probe", "obstruction:1 +", "term 2 is empty"),
        ("probe", "obstruction:graph:0-1,2-2", "vertex 2 to itself"),
        ("probe", "obstruction:klein:3x3", "no shape 'klein'"),
        ("generate", "obstruction:graph:0-1", "names no boards"),
        ("generate", "obstruction:6", "names no boards"),
        ("generate", "obstruction:../..", "names no boards"),
        ("generate --seconds=-1", "obstruction:3x3", "--seconds"),
        ("generate --memory 0", "obstruction:3x3", "--memory '0'"),
    ] {
        let run = tables.run_with(verb, boards);
        run.refuses(2, &[part]);
    }
    run("theory dawson --max 1000001").refuses(2, &["1000000"]);
    assert!(tables.names().is_empty());
}
