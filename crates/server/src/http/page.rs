//! The page, which is part of the program, and the description of the interface.

use axum::extract::Path;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
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

/// The description as a page without scripts.
pub(super) async fn docs() -> Html<String> {
    Html(docs_text())
}

fn docs_text() -> String {
    let document = serde_json::to_value(description()).unwrap_or_default();
    let mut text = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Meeple: interface</title>\
         <link rel=\"stylesheet\" href=\"/web/theme.css\"><main class=\"docs\"><h1>Interface</h1>\
         <p>The same as <a href=\"/api/v1/openapi.json\">OpenAPI</a>. Errors are <code>{\"code\", \"message\"}</code>.</p>",
    );
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let summary = operation["summary"].as_str().unwrap_or_default();
            let more = operation["description"].as_str().unwrap_or_default();
            text += &format!("<h2><code>{} {}</code></h2><p>{}", method.to_uppercase(), escape(path), escape(summary));
            text += &format!(" {}</p>", escape(more));
            let reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
            let name = reference.and_then(|reference| reference.rsplit('/').next()).unwrap_or_default();
            text += &fields("Request", &document["components"]["schemas"][name]);
            let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"];
            let name = answer.as_str().and_then(|reference| reference.rsplit('/').next()).unwrap_or_default();
            text += &fields("Answer", &document["components"]["schemas"][name]);
        }
    }
    text + "</main></html>"
}

/// The fields of an object as a list.
fn fields(title: &str, schema: &serde_json::Value) -> String {
    let Some(properties) = schema["properties"].as_object() else { return String::new() };
    let item = |(name, property): (&String, &serde_json::Value)| {
        let about = property["description"].as_str().unwrap_or_default();
        format!("<li><code>{}</code> {}</li>", escape(name), escape(about))
    };
    format!("<h3>{title}</h3><ul>{}</ul>", properties.iter().map(item).collect::<String>())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
