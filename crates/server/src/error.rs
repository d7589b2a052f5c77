//! Refusals: each has a status and a sentence with the error and its remedy.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    #[error("{0}")]
    Bad(String),
    /// A table, a file or a position of a depth is missing; the text says which.
    #[error("{0}")]
    Missing(String),
    #[error("no such path; /openapi.json lists the paths")]
    NoSuchPath,
    /// The request names a host that is not this machine's.
    #[error(
        "the header 'Host' names another machine: ask localhost, 127.0.0.1 or [::1], or start the server with --cors"
    )]
    Host,
    #[error("this path does not support the method; see /openapi.json")]
    Method,
    #[error("the body did not arrive in time")]
    Slow,
    #[error("{0}")]
    TooLarge(String),
    /// The part of a file of this many bytes is outside of it.
    #[error("the file has {0} bytes")]
    Range(u64),
    #[error("{0}")]
    MediaType(String),
    /// The search for the answer was stopped.
    #[error("{0}")]
    TooHard(String),
    /// There are too many concurrent requests.
    #[error("too many requests; retry in a second")]
    Busy,
    /// A table is damaged, or the program has a bug.
    #[error("{0}")]
    Internal(String),
}

/// Maximum length of a description, in characters.
const MAX_ERROR_CHARS: usize = 600;

impl ApiError {
    pub fn bad(error: impl ToString) -> ApiError {
        ApiError::Bad(error.to_string())
    }

    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::Bad(_) => StatusCode::BAD_REQUEST,
            ApiError::Missing(_) | ApiError::NoSuchPath => StatusCode::NOT_FOUND,
            ApiError::Host => StatusCode::MISDIRECTED_REQUEST,
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Slow => StatusCode::REQUEST_TIMEOUT,
            ApiError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Range(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            ApiError::MediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::TooHard(_) => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::Busy => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// A refusal as JSON.
#[derive(Serialize)]
pub struct Refusal {
    /// The error, and how to correct it.
    pub error: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // Quoted text may be as long as a body, and six times longer in JSON.
        let plain = self.to_string();
        let plain = plain.chars().filter(|symbol| !symbol.is_control());
        let error: String = plain.take(MAX_ERROR_CHARS).collect();
        // Serializing a string cannot fail.
        let mut response = super::json_answer(super::line(&Refusal { error }).unwrap_or_default());
        *response.status_mut() = self.status();
        match self {
            ApiError::Busy => (response.headers_mut()).insert(header::RETRY_AFTER, 1.into()),
            ApiError::Range(length) => (format!("bytes */{length}").parse().ok())
                .and_then(|size| response.headers_mut().insert(header::CONTENT_RANGE, size)),
            _ => None,
        };
        response
    }
}
