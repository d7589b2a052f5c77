//! The page: a few embedded files, which load nothing from elsewhere.

use super::atlas;
use super::error::ApiError;
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::LazyLock;

/// Allows only the page's own files and answers of this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of `page/` with their contents, under the paths of their names.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("/page/", $name), include_str!(concat!("page/", $name)))),*]
    };
}
const FILES: &[(&str, &str)] = files![
    "site.css",
    "page.css",
    "board.css",
    "icon.svg",
    "ball.svg",
    "address.js",
    "api.js",
    "ask.js",
    "board.js",
    "chart.js",
    "clicks.js",
    "curve.js",
    "defence.js",
    "games.js",
    "hands.js",
    "keys.js",
    "line.js",
    "lists.js",
    "page.js",
    "picture.js",
    "play.js",
    "puzzles.js",
    "reason.js",
    "review.js",
    "rules.js",
    "save.js",
    "setup.js",
    "show.js",
    "state.js",
    "statistics.js",
    "tasks.js",
    "words.js",
    "examples.json",
    "puzzles.json",
];
const PAGES: [(&str, &str); 5] = [
    ("/", include_str!("page/index.html")),
    ("/puzzles", include_str!("page/puzzles.html")),
    ("/rules", include_str!("page/rules.html")),
    ("/statistics", include_str!("page/statistics.html")),
    ("/api", include_str!("page/api.html")),
];
const LINKS: &str = r#"<a href="{home}">Play</a> <a href="{home}?mode=explore">Explore</a> "#;
static NOT_FOUND: LazyLock<Bytes> =
    LazyLock::new(|| in_layout("/", "404", include_str!("page/404.html")).into());

/// Returns the type of a file by the ending of its path; pages have none.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "json")) => "application/json",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

pub fn routes() -> Router {
    let mut texts: Vec<_> = (FILES.iter()).map(|&(path, text)| (path, text.into())).collect();
    texts.extend(PAGES.map(|(path, text)| (path, in_layout("", &path[1..], text).into())));
    let atlas = in_layout("../", "docs/atlas", &atlas::page());
    texts.push(("/docs/atlas", atlas.into()));
    (texts.into_iter()).fold(Router::new(), |router, (path, text): (_, Bytes)| {
        router.route(path, get(async move || file(path, text)))
    })
}

/// Returns a page: the layout with the lines of a file for the head, an empty line, and those for the
/// body. `root` leads from the page to the first one, whose name is empty.
fn in_layout(root: &str, name: &str, text: &str) -> String {
    let (head, body) = text.split_once("\n\n").expect("a page has a head and a body");
    let class = if name.is_empty() {
        "play strip waiting"
    } else {
        "text"
    };
    include_str!("page/layout.html")
        .replace("{root}", root)
        .replace("{class}", class)
        .replace("{head}", head)
        .replace("{header}", &header(root, name))
        .replace("{body}", body)
}

/// Returns the header of a page. The first page has buttons in place of the links to itself.
fn header(root: &str, name: &str) -> String {
    let (modes, links) = match name {
        "" => (include_str!("page/modes.html"), ""),
        _ => ("", LINKS),
    };
    let link = format!("\"{root}{name}\"");
    include_str!("page/header.html")
        .replace("{modes}", modes)
        .replace("{links}", links)
        .replace("{home}", if root.is_empty() { "./" } else { root })
        .replace("{root}", root)
        .replace(&format!("{link}>"), &format!("{link} aria-current=\"page\">"))
}

/// Answers unknown paths: browsers get a page with a link back, programs a refusal in JSON.
pub async fn not_found(headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    if !accepted.is_some_and(|kinds| kinds.contains("text/html")) {
        return ApiError::NoSuchPath.into_response();
    }
    (StatusCode::NOT_FOUND, file("/", NOT_FOUND.clone())).into_response()
}

fn file(path: &str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind(path)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // A newer version has other files under the same names.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
