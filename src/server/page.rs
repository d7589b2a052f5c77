//! The page: a few embedded files, which load nothing from elsewhere.

use super::error::ApiError;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// Allows only the page's own files and answers of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Allows documents of text and pictures with inline styles.
const DOCUMENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Path, type, contents.
const FILES: [(&str, &str, &str); 26] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/rules", HTML, include_str!("page/rules.html")),
    ("/statistics", HTML, include_str!("page/statistics.html")),
    ("/api", HTML, include_str!("page/api.html")),
    ("/page/page.css", STYLE, include_str!("page/page.css")),
    ("/page/board.css", STYLE, include_str!("page/board.css")),
    ("/page/icon.svg", PICTURE, include_str!("page/icon.svg")),
    ("/page/ball.svg", PICTURE, include_str!("page/ball.svg")),
    ("/page/address.js", SCRIPT, include_str!("page/address.js")),
    ("/page/api.js", SCRIPT, include_str!("page/api.js")),
    ("/page/ask.js", SCRIPT, include_str!("page/ask.js")),
    ("/page/board.js", SCRIPT, include_str!("page/board.js")),
    ("/page/chart.js", SCRIPT, include_str!("page/chart.js")),
    ("/page/curve.js", SCRIPT, include_str!("page/curve.js")),
    ("/page/games.js", SCRIPT, include_str!("page/games.js")),
    ("/page/hands.js", SCRIPT, include_str!("page/hands.js")),
    ("/page/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/page/page.js", SCRIPT, include_str!("page/page.js")),
    ("/page/picture.js", SCRIPT, include_str!("page/picture.js")),
    ("/page/play.js", SCRIPT, include_str!("page/play.js")),
    ("/page/potential.js", SCRIPT, include_str!("page/potential.js")),
    ("/page/rules.js", SCRIPT, include_str!("page/rules.js")),
    ("/page/show.js", SCRIPT, include_str!("page/show.js")),
    ("/page/state.js", SCRIPT, include_str!("page/state.js")),
    ("/page/statistics.js", SCRIPT, include_str!("page/statistics.js")),
    ("/page/words.js", SCRIPT, include_str!("page/words.js")),
];
const DOCUMENTS: [(&str, &str, &str); 2] = [
    (
        "/page/examples.json",
        "application/json",
        include_str!("page/examples.json"),
    ),
    ("/docs/atlas", HTML, include_str!("../../docs/atlas/atlas.html")),
];
const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

pub fn routes() -> Router {
    let files = FILES.iter().map(|file| (file, POLICY));
    let documents = DOCUMENTS.iter().map(|file| (file, DOCUMENT_POLICY));
    (files.chain(documents)).fold(Router::new(), |router, (&(path, kind, text), policy)| {
        router.route(path, get(move || async move { file(kind, text, policy) }))
    })
}

/// Answers unknown paths: browsers get a page with a link back, programs a refusal in JSON.
pub async fn not_found(headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    if !accepted.is_some_and(|kinds| kinds.contains("text/html")) {
        return ApiError::NoSuchPath.into_response();
    }
    (
        StatusCode::NOT_FOUND,
        file(HTML, include_str!("page/404.html"), POLICY),
    )
        .into_response()
}

fn file(kind: &'static str, text: &'static str, policy: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, policy),
        // A newer version has other files under the same names.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
