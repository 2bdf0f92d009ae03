//! Finished games, experiments and training runs.

use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use meeple_core::Record;
use meeple_store::StoreError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Json, Path, Query};
use crate::archive::RecordInfo;
use crate::error::ApiError;
use crate::hub::Hub;

/// The largest file that is shown.
const LARGEST: u64 = 8 << 20;

#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    game: Option<String>,
    /// Of a competition.
    run: Option<String>,
    limit: Option<usize>,
    before: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordList {
    records: Vec<RecordInfo>,
}

/// Finished games, the newest first: of one game or of all, and those of the competition `run` or all.
#[utoipa::path(get, path = "/api/v1/records",
    params(("game" = Option<String>, Query), ("run" = Option<String>, Query), ("limit" = Option<usize>, Query), ("before" = Option<i64>, Query)),
    responses((status = 200, body = RecordList), (status = "default", body = ApiError)))]
pub(crate) async fn records(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<RecordList>, ApiError> {
    let known = |name: &String| meeple_catalog::GAMES.iter().any(|entry| entry.name == name);
    if which.game.as_ref().is_some_and(|name| !known(name)) {
        return Err(ApiError::not_found("game"));
    }
    let is_id = |text: &String| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if which.run.as_ref().is_some_and(|run| !is_id(run)) {
        return Err(ApiError::not_found("competition"));
    }
    let limit = which.limit.unwrap_or(50).min(500);
    let list = move |hub: &Arc<Hub>| {
        let Which { game, run, before, .. } = &which;
        hub.archive.list(game.as_deref(), run.as_deref(), *before, limit).map_err(ApiError::internal)
    };
    Ok(Json(RecordList { records: app.look_up(list).await? }))
}

/// One finished game.
#[utoipa::path(get, path = "/api/v1/records/{id}", params(("id" = i64, Path)),
    responses((status = 200, body = Object), (status = "default", body = ApiError)))]
pub(crate) async fn record(State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Record>, ApiError> {
    let find = move |hub: &Arc<Hub>| match hub.archive.record(id) {
        Ok(record) if hub.may_be_seen(record.run.as_ref()) => Ok(record),
        Ok(_) => Err(ApiError::conflict("not_over", "the competition is not over")),
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
        // Before its first line of metrics a training run has its settings and its state.
        () if has("metrics.jsonl") || (has("config.toml") && has("state.json")) => "training",
        () if has("tournament.json") => "tournament",
        () => "experiment",
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
    let (kind, bytes) = app.look_up(move |hub| read(&hub.settings.results, &run, &file)).await?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response())
}

/// Only files that the list names, each with its kind: no path leads out of the folders.
fn read(folders: &[PathBuf], run: &str, file: &str) -> Result<(&'static str, Vec<u8>), ApiError> {
    let missing = || ApiError::not_found("file");
    let is_plain = |name: &str| !name.contains(['/', '\\', '\0']) && !name.starts_with('.');
    let kind = kind_of(file).filter(|_| is_plain(run) && is_plain(file)).ok_or_else(missing)?;
    let path = folders.iter().map(|folder| folder.join(run).join(file)).find(|path| path.is_file());
    let path = path.ok_or_else(missing)?;
    match fs::metadata(&path) {
        Ok(metadata) if metadata.len() <= LARGEST => Ok((kind, fs::read(&path).map_err(ApiError::internal)?)),
        _ => Err(missing()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of results that is gone after the test, in one that also holds a secret.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str, files: &[&str]) -> Place {
            let place = Place(std::env::temp_dir().join(format!("meeple-results-{}-{name}", std::process::id())));
            for file in ["secret.json"].iter().chain(files) {
                let path = place.0.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, file).unwrap();
            }
            place
        }

        fn folders(&self) -> [PathBuf; 1] {
            [self.0.join("runs")]
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn runs_are_told_apart_by_their_files() {
        let place = Place::new(
            "kinds",
            &[
                "runs/learning/metrics.jsonl",
                "runs/learning/loss.svg",
                "runs/learning/model.bin",
                "runs/figure/report.md",
                "runs/figure/a-line.json",
                "runs/figure/wins.svg",
                "runs/older/a-line.json",
                "runs/cup/report.md",
                "runs/cup/ratings.svg",
                "runs/cup/tournament.json",
                "runs/begun/config.toml",
                "runs/begun/state.json",
                "runs/other/notes.txt",
                "runs/report.md",
            ],
        );
        let mut runs = list(&place.folders());
        runs.sort_by(|a, b| a.name.cmp(&b.name));
        let told: Vec<(&str, &str, usize)> =
            runs.iter().map(|run| (run.name.as_str(), run.kind, run.files.len())).collect();
        let expected = [
            ("begun", "training", 2),
            ("cup", "tournament", 3),
            ("figure", "experiment", 3),
            ("learning", "training", 2),
            ("older", "experiment", 1),
        ];
        assert_eq!(told, expected);
        for run in &runs {
            for file in &run.files {
                let (_, bytes) = read(&place.folders(), &run.name, file).unwrap();
                assert_eq!(bytes, format!("runs/{}/{file}", run.name).as_bytes());
            }
        }
        assert_eq!(read(&place.folders(), "cup", "ratings.svg").unwrap().0, "image/svg+xml");
    }

    #[test]
    fn no_path_leads_out_of_the_folders() {
        let files =
            ["runs/figure/report.md", "runs/figure/.hidden.md", "runs/figure/deep/file.md", "runs/figure/a.bin"];
        let place = Place::new("paths", &files);
        let secret = place.0.join("secret.json");
        let folder = place.0.display().to_string();
        for (run, file) in [
            ("..", "secret.json"),
            ("figure", "../../secret.json"),
            ("figure", "..\\..\\secret.json"),
            ("figure/../..", "secret.json"),
            ("figure", secret.to_str().unwrap()),
            (&*folder, "secret.json"),
            ("", "report.md"),
            (".", "report.md"),
            ("figure", ".hidden.md"),
            ("figure", "deep/file.md"),
            ("figure", "a.bin"),
            ("figure", "report.md\0"),
        ] {
            assert!(read(&place.folders(), run, file).is_err(), "{run} {file}");
        }
        assert!(read(&place.folders(), "figure", "report.md").is_ok());
    }
}
