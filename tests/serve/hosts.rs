//! The names under which a server is asked, and the sites that may read its answers.

use crate::prelude::*;
use crate::support::{Answer, Server, server_for};
use axum::body::Body;
use axum::http::{Method, Request};
use phutbase_server::Access;
use phutbase_server::app::RequestLimits;

/// Returns the answer to a request with these header lines.
fn asked(server: &Server, version: &str, headers: &str) -> String {
    server.ask(&format!(
        "GET /healthz {version}\r\n{headers}connection: close\r\n\r\n"
    ))
}

/// RFC 9112 wants 400 for a request of HTTP/1.1 that does not name one valid host.
#[test]
fn requests_name_one_host() {
    let server = Server::start(&Tables::made("3"));
    for (version, headers, status) in [
        ("HTTP/1.1", "", "400"),
        ("HTTP/1.1", "host: localhost\r\n", "200"),
        ("HTTP/1.0", "", "200"),
        ("HTTP/1.1", "host: localhost\r\nhost: localhost\r\n", "400"),
        ("HTTP/1.1", "host: localhost\r\nhost: example.org\r\n", "400"),
        ("HTTP/1.0", "host: localhost\r\nhost: localhost\r\n", "400"),
        ("HTTP/1.1", "host:\r\n", "400"),
        ("HTTP/1.1", "host: a b\r\n", "400"),
        ("HTTP/1.1", "host: localhost/path\r\n", "400"),
        ("HTTP/1.1", "host: someone@localhost\r\n", "400"),
        ("HTTP/1.1", "host: localhost:port\r\n", "400"),
        ("HTTP/1.1", "host: http://localhost\r\n", "400"),
    ] {
        let answer = asked(&server, version, headers);
        assert_eq!(
            answer.split(' ').nth(1),
            Some(status),
            "{version} {headers:?}: {answer}"
        );
    }
}

/// A site of another name cannot have its pages ask the server on the visitor's machine, although
/// that name leads there (DNS rebinding).
#[test]
fn a_server_of_this_machine_is_asked_under_its_names_only() {
    let tables = Tables::made("3");
    let statuses = |options: &str| {
        let server = Server::start_with(&tables, options);
        let names = [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1",
            "[::1]:80",
            "example.org",
            "localhost.example.org:8080",
            "127.0.0.1.example.org",
            "192.0.2.1",
        ];
        names.map(|name| {
            let answer = asked(&server, "HTTP/1.1", &format!("host: {name}\r\n"));
            answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
        })
    };
    assert_eq!(statuses(""), [200, 200, 200, 200, 421, 421, 421, 421]);
    assert_eq!(statuses("--bind 0.0.0.0"), [200; 8]);
    assert_eq!(statuses("--cors"), [200; 8]);
}

#[tokio::test]
async fn other_sites_may_read_only_with_cors() {
    for (access, origin) in [(Access::Any, "*"), (Access::AnyHost, ""), (Access::Local, "")] {
        let server = server_for("tables".as_ref(), RequestLimits::default(), access);
        let from = |request: axum::http::request::Builder| {
            let request = request.header("origin", "https://example.org");
            request.header("host", "localhost:8080")
        };
        let ask = from(Request::get("/api/probe?position=.@."));
        let answer = Answer::to(&server, ask.body(Body::empty()).unwrap()).await;
        assert_eq!(
            (answer.status, answer.header("access-control-allow-origin")),
            (200, origin)
        );
        let first = from(Request::builder().method(Method::OPTIONS).uri("/api/batch"))
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type");
        let answer = Answer::to(&server, first.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header("access-control-allow-origin"), origin);
        assert_eq!(answer.status == 200, access == Access::Any);
        assert_eq!(
            answer.header("access-control-allow-methods").contains("POST"),
            access == Access::Any
        );
    }
}
