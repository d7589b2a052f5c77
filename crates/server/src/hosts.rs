//! The names under which the server is asked, in the header `Host`.

use super::error::ApiError;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// Refuses requests with an invalid host or several hosts, and those of HTTP/1.1 without one.
pub async fn with_host(request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let is_valid = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() != Version::HTTP_11 || request.uri().host().is_some(),
        (Some(host), None) => name(host).is_some(),
        _ => false,
    };
    if !is_valid {
        return ApiError::bad("the request needs one header 'Host' with a name and perhaps a port")
            .into_response();
    }
    next.run(request).await
}

/// Refuses requests to names that need not be this machine's: the owner of such a name can direct
/// it here and let a page ask the server (DNS rebinding).
pub async fn local(request: Request, next: Next) -> Response {
    let is_local = |host: &HeaderValue| name(host).is_some_and(|name| is_of_this_machine(&name));
    if !request.headers().get_all(header::HOST).iter().all(is_local) {
        return ApiError::Host.into_response();
    }
    next.run(request).await
}

/// Returns the name or address in a header `Host`; `None` if it is invalid.
fn name(host: &HeaderValue) -> Option<String> {
    let text = host.to_str().ok()?;
    let authority: Authority = text.parse().ok()?;
    let rest = text.strip_prefix(authority.host())?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
    (is_whole && !authority.host().is_empty()).then(|| authority.host().to_string())
}

fn is_of_this_machine(name: &str) -> bool {
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || (address.parse::<IpAddr>()).is_ok_and(|address| address.is_loopback())
}
