//! The page: a few files that are part of the program, with nothing loaded from elsewhere.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// Nothing but the page's own files, and answers of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The documents are of text and pictures with their own styles.
const DOCUMENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Path, type, contents.
const FILES: [(&str, &str, &str); 15] = [
    ("/", HTML, include_str!("page/index.html")),
    (
        "/page/page.css",
        "text/css; charset=utf-8",
        include_str!("page/page.css"),
    ),
    ("/page/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("/page/page.js", SCRIPT, include_str!("page/page.js")),
    ("/page/address.js", SCRIPT, include_str!("page/address.js")),
    ("/page/ask.js", SCRIPT, include_str!("page/ask.js")),
    ("/page/hands.js", SCRIPT, include_str!("page/hands.js")),
    ("/page/chart.js", SCRIPT, include_str!("page/chart.js")),
    ("/page/games.js", SCRIPT, include_str!("page/games.js")),
    ("/page/board.js", SCRIPT, include_str!("page/board.js")),
    ("/page/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/page/play.js", SCRIPT, include_str!("page/play.js")),
    ("/page/show.js", SCRIPT, include_str!("page/show.js")),
    ("/page/state.js", SCRIPT, include_str!("page/state.js")),
    ("/page/words.js", SCRIPT, include_str!("page/words.js")),
];
/// What the page refers to.
const DOCUMENTS: [(&str, &str, &str); 3] = [
    (
        "/page/examples.json",
        "application/json",
        include_str!("page/examples.json"),
    ),
    (
        "/docs/rules",
        "text/plain; charset=utf-8",
        include_str!("../../docs/RULES.md"),
    ),
    ("/docs/atlas", HTML, include_str!("../../docs/atlas/atlas.html")),
];
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The page's paths.
pub fn routes() -> Router {
    let files = FILES.iter().map(|file| (file, POLICY));
    let documents = DOCUMENTS.iter().map(|file| (file, DOCUMENT_POLICY));
    (files.chain(documents)).fold(Router::new(), |router, (&(path, kind, text), policy)| {
        router.route(path, get(move || async move { file(kind, text, policy) }))
    })
}

fn file(kind: &'static str, text: &'static str, policy: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, policy),
        // A newer program has other files under the same names.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
