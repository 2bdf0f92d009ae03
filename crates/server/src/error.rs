//! What a client is told when something is refused.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// A stable code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ApiError {
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) status: StatusCode,
    /// The same for the same reason, in every version.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// Seconds to wait before the next try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wait: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into(), wait: None }
    }

    /// The request itself is wrong.
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    /// Who asks may not do this.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, code, message)
    }

    /// What is asked does not fit the state of things.
    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message)
    }

    pub(crate) fn too_many(message: impl Into<String>, wait: u64) -> ApiError {
        ApiError { wait: Some(wait), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message) }
    }

    /// Something of ours failed; the reason is for the log, not for the client.
    pub(crate) fn internal(reason: impl std::fmt::Display) -> ApiError {
        eprintln!("meeple serve: {reason}");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "something went wrong here")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, wait) = (self.status, self.wait);
        let mut response = (status, Json(self)).into_response();
        if let Some(seconds) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
