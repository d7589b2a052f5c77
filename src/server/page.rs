//! The page: a few files that are part of the program, with nothing loaded from elsewhere.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// Nothing but the page's own files, and answers of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Path, type, contents.
const FILES: [(&str, &str, &str); 9] = [
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    (
        "/page/page.css",
        "text/css; charset=utf-8",
        include_str!("page/page.css"),
    ),
    ("/page/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("/page/page.js", SCRIPT, include_str!("page/page.js")),
    ("/page/position.js", SCRIPT, include_str!("page/position.js")),
    ("/page/board.js", SCRIPT, include_str!("page/board.js")),
    ("/page/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/page/words.js", SCRIPT, include_str!("page/words.js")),
    (
        "/page/examples.json",
        "application/json",
        include_str!("page/examples.json"),
    ),
];
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The page's paths.
pub fn routes() -> Router {
    FILES.iter().fold(Router::new(), |router, &(path, kind, text)| {
        router.route(path, get(move || async move { file(kind, text) }))
    })
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // A newer program has other files under the same names.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
