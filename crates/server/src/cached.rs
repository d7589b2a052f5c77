//! Answers that clients may keep: `ETag`, `Cache-Control`, and parts of files (`Range`).

use super::error::ApiError;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::ops::Range;

/// Answers may change with the tables, so clients ask again, with the tag of their answer.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Adds the tag of an answer.
pub fn tag(response: &mut Response, tag: &str) {
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{tag}\"")) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    (response.headers_mut()).insert(header::CACHE_CONTROL, REVALIDATE);
}

/// Returns the tag of a content of this length, with some bytes that tell it from others.
pub fn tag_of(length: u64, bytes: &[u8]) -> String {
    format!("{length:x}-{:08x}", crc32fast::hash(bytes))
}

/// Answers 304 if the client has an answer with the same tag.
pub async fn unless_known(request: Request, next: Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let mut response = next.run(request).await;
    let tag = response.headers().get(header::ETAG);
    let is_same = |known: &HeaderValue, tag: &HeaderValue| {
        let (Ok(known), Ok(tag)) = (known.to_str(), tag.to_str()) else {
            return false;
        };
        let mut tags = known
            .split(',')
            .map(|known| known.trim().trim_start_matches("W/"));
        tags.any(|known| known == "*" || known == tag)
    };
    if let (Some(known), Some(tag), true) = (&known, tag, is_read && response.status().is_success())
        && is_same(known, tag)
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        for name in [
            header::CONTENT_LENGTH,
            header::CONTENT_TYPE,
            header::CONTENT_RANGE,
        ] {
            response.headers_mut().remove(name);
        }
    }
    response
}

/// Returns the part of a file of `length` bytes that a request asks for; `None` for all of it.
///
/// # Errors
/// [`ApiError::Range`] if the part is outside of the file. Several parts, and other units, are
/// answered by the whole file, as RFC 9110 allows.
pub fn range(headers: &HeaderMap, tag: &str, length: u64) -> Result<Option<Range<u64>>, ApiError> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_current = text(header::IF_RANGE).is_none_or(|known| known.trim_matches('"') == tag);
    let asked = text(header::RANGE).and_then(|range| range.strip_prefix("bytes="));
    let Some((first, last)) = asked
        .and_then(|range| range.split_once('-'))
        .filter(|_| is_current)
    else {
        return Ok(None);
    };
    let (first, last) = (first.trim(), last.trim());
    let range = match (number(first), number(last)) {
        (Some(first), None) if last.is_empty() => first..length,
        (Some(first), Some(last)) if last >= first => first..last.saturating_add(1).min(length),
        (None, Some(count)) if first.is_empty() => length.saturating_sub(count)..length,
        _ => return Ok(None),
    };
    if range.is_empty() {
        return Err(ApiError::Range(length));
    }
    Ok(Some(range))
}

/// Parses digits; numbers in Rust's notation may also have a sign.
fn number(digits: &str) -> Option<u64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
