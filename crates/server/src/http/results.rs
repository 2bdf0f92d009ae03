//! Finished games, experiments and training runs.

use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::time::UNIX_EPOCH;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use meeple_core::Record;
use meeple_store::StoreError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Json};
use crate::archive::RecordInfo;
use crate::error::ApiError;

/// The largest file that is shown.
const LARGEST: u64 = 8 << 20;

#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    game: Option<String>,
    limit: Option<usize>,
    before: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordList {
    records: Vec<RecordInfo>,
}

/// Finished games, the newest first.
#[utoipa::path(get, path = "/api/v1/records",
    params(("game" = Option<String>, Query), ("limit" = Option<usize>, Query), ("before" = Option<i64>, Query)),
    responses((status = 200, body = RecordList), (status = "default", body = ApiError)))]
pub(crate) async fn records(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<RecordList>, ApiError> {
    let known = |name: &String| meeple_catalog::GAMES.iter().any(|entry| entry.name == name);
    if which.game.as_ref().is_some_and(|name| !known(name)) {
        return Err(ApiError::not_found("game"));
    }
    let limit = which.limit.unwrap_or(50).min(500);
    let list = move |hub: &crate::hub::Hub| {
        hub.archive.list(which.game.as_deref(), which.before, limit).map_err(ApiError::internal)
    };
    Ok(Json(RecordList { records: app.look_up(list).await? }))
}

/// One finished game.
#[utoipa::path(get, path = "/api/v1/records/{id}", params(("id" = i64, Path)),
    responses((status = 200, body = Object), (status = "default", body = ApiError)))]
pub(crate) async fn record(State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Record>, ApiError> {
    let find = move |hub: &crate::hub::Hub| match hub.archive.record(id) {
        Ok(record) => Ok(record),
        Err(StoreError::NoGame(_)) => Err(ApiError::not_found("record")),
        Err(error) => Err(ApiError::internal(error)),
    };
    Ok(Json(app.look_up(find).await?))
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Runs {
    runs: Vec<RunInfo>,
}

/// A folder of results.
#[derive(Debug, Serialize, ToSchema)]
struct RunInfo {
    name: String,
    /// training, experiment or tournament.
    kind: &'static str,
    updated: String,
    files: Vec<String>,
}

/// Training runs, experiments and tournaments, the latest first.
#[utoipa::path(get, path = "/api/v1/results", responses((status = 200, body = Runs), (status = "default", body = ApiError)))]
pub(crate) async fn runs(State(app): State<App>) -> Result<Json<Runs>, ApiError> {
    let runs = app.look_up(|hub| Ok(list(&hub.settings.results))).await?;
    Ok(Json(Runs { runs }))
}

fn list(folders: &[PathBuf]) -> Vec<RunInfo> {
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut runs: Vec<(u64, RunInfo)> = entries.filter_map(|entry| run(&entry.path())).collect();
    runs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    runs.into_iter().map(|(_, run)| run).collect()
}

fn run(folder: &FilePath) -> Option<(u64, RunInfo)> {
    let name = folder.file_name()?.to_str()?.to_string();
    let mut updated = 0;
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let (Ok(file), Ok(metadata)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
        if metadata.is_file() && kind_of(&file).is_some() {
            let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            updated = updated.max(changed.map_or(0, |time| time.as_secs()));
            files.push(file);
        }
    }
    files.sort();
    let has = |file: &str| files.iter().any(|known| known == file);
    let kind = match () {
        () if files.is_empty() => return None,
        () if has("metrics.jsonl") => "training",
        () if has("report.md") => "experiment",
        () => "tournament",
    };
    Some((updated, RunInfo { name, kind, updated: crate::time::text(updated), files }))
}

/// How a file is sent, if it is one of those that are shown.
fn kind_of(file: &str) -> Option<&'static str> {
    match FilePath::new(file).extension()?.to_str()? {
        "svg" => Some("image/svg+xml"),
        "md" | "toml" | "jsonl" => Some("text/plain; charset=utf-8"),
        "json" => Some("application/json"),
        _ => None,
    }
}

/// A file of a run.
#[utoipa::path(get, path = "/api/v1/results/{run}/{file}", params(("run" = String, Path), ("file" = String, Path)),
    responses((status = 200, body = String), (status = "default", body = ApiError)))]
pub(crate) async fn file(
    State(app): State<App>,
    Path((run, file)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let kind = kind_of(&file).ok_or_else(|| ApiError::not_found("file"))?;
    let bytes = app.look_up(move |hub| read(&hub.settings.results, &run, &file)).await?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response())
}

/// Only files that the list names: no path leads out of the folders.
fn read(folders: &[PathBuf], run: &str, file: &str) -> Result<Vec<u8>, ApiError> {
    let is_plain = |name: &str| !name.contains(['/', '\\', '\0']) && !name.starts_with('.');
    let found = folders.iter().map(|folder| folder.join(run).join(file)).find(|path| path.is_file());
    let path = found.filter(|_| is_plain(run) && is_plain(file)).ok_or_else(|| ApiError::not_found("file"))?;
    match fs::metadata(&path) {
        Ok(metadata) if metadata.len() <= LARGEST => fs::read(&path).map_err(ApiError::internal),
        _ => Err(ApiError::not_found("file")),
    }
}
