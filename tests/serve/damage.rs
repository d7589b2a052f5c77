//! A table with one damaged frame, over HTTP. `tests/it/cli/damage.rs` asks the other verbs.

use crate::prelude::*;
use crate::support::{get, post, server};

const FILE: &str = "strip-22-dtw.phut";

const POSITIONS: [&str; 3] = ["o@o.o.o....", ".@.", "..o@.o....o..... R"];

#[tokio::test]
async fn over_http_the_refusal_has_status_500_and_names_no_directory() {
    let tables = Tables::made("22");
    let file = tables.dtw(22);
    // The last frame contains the first squares, which every answer needs.
    damage_frame(&file, frames(&file) - 1);
    let server = server(tables.path());
    let directory = tables.path().to_str().unwrap().to_string();
    for path in [
        "/api/probe?position=o@o.o.o....",
        "/api/probe?line=true&position=.@.",
        "/api/stats?boards=9",
        "/api/example?boards=9&depth=3",
    ] {
        let answer = get(&server, path).await;
        answer.refused(500, FILE);
        assert!(!answer.text.contains(&directory), "{}", answer.text);
    }
    let answer = post(
        &server,
        "/api/batch",
        "text/plain",
        POSITIONS.join("\n").into_bytes(),
    )
    .await;
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .text
            .lines()
            .all(|line| line.contains(FILE) && !line.contains(&directory)),
        "{}",
        answer.text
    );
    assert_eq!(get(&server, "/api/stats").await.status, 200);
}
