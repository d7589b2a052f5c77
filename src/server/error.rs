//! Refusals: each has a status, and one sentence that says what is wrong and what to do.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is not answered.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The question makes no sense.
    #[error("{0}")]
    Bad(String),
    /// No table for it; the text names the command that makes one.
    #[error("{0}")]
    Missing(String),
    /// No such path.
    #[error("no such path; /openapi.json lists the paths")]
    NoSuchPath,
    /// The path takes another method.
    #[error("this path takes another method; /openapi.json says which")]
    Method,
    /// The body took too long to arrive.
    #[error("the body did not arrive in time")]
    Slow,
    /// Too many bytes or positions.
    #[error("{0}")]
    TooLarge(String),
    /// A body of another type.
    #[error("{0}")]
    MediaType(String),
    /// The search for the answer was stopped.
    #[error("{0}")]
    TooHard(String),
    /// Too many others ask.
    #[error("too many requests at the moment; ask again in a second")]
    Busy,
    /// A table is damaged, or the program at fault.
    #[error("{0}")]
    Internal(String),
}

/// The most that is said of what is wrong, in characters.
const LONGEST_ERROR: usize = 600;

/// The body of a refusal.
#[derive(Serialize)]
struct Refusal {
    error: String,
}

impl ApiError {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::Bad(_) => StatusCode::BAD_REQUEST,
            ApiError::Missing(_) | ApiError::NoSuchPath => StatusCode::NOT_FOUND,
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Slow => StatusCode::REQUEST_TIMEOUT,
            ApiError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::MediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::TooHard(_) => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::Busy => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // What is quoted may be as long as a body, and six times that in JSON.
        let plain = self.to_string();
        let error = (plain.chars().filter(|symbol| !symbol.is_control()))
            .take(LONGEST_ERROR)
            .collect();
        // A string in an object can always be written.
        let mut response = super::json_answer(super::line(&Refusal { error }).unwrap_or_default());
        *response.status_mut() = self.status();
        if matches!(self, ApiError::Busy) {
            (response.headers_mut()).insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}
