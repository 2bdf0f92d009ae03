//! The page, which is part of the program, and the description of the interface for programs.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use super::{Json, description};
use crate::error::ApiError;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../web");

pub(super) async fn index() -> Result<Response, ApiError> {
    send("index.html")
}

pub(super) async fn file(Path(file): Path<String>) -> Result<Response, ApiError> {
    send(&file)
}

fn send(name: &str) -> Result<Response, ApiError> {
    let file = PAGE.get_file(name).ok_or_else(|| ApiError::not_found("file"))?;
    let kind = match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return Err(ApiError::not_found("file")),
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file.contents()).into_response())
}

pub(super) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(description())
}
