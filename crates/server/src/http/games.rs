//! Games, positions and what agents think of them.

use axum::extract::State;
use meeple_core::{Information, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::{App, Client, Json};
use crate::analysis::{Analysis, AnalysisRequest, PositionInfo, PositionRequest};
use crate::error::ApiError;

/// A game that can be played.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameEntry {
    name: &'static str,
    about: &'static str,
    players: usize,
    /// Whether players have secrets.
    hidden: bool,
    chance: bool,
    /// Opponents, the weakest first.
    levels: Vec<LevelInfo>,
    parameters: Vec<ParameterInfo>,
    /// How a position is written, if it can be.
    notation: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct LevelInfo {
    name: &'static str,
    agent: &'static str,
    /// The agents under some rules that are not the usual ones.
    elsewhere: Vec<AgentElsewhere>,
    /// The agent under all other rules.
    agent_for_any_rules: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct AgentElsewhere {
    /// The parameters that are not the usual ones, all of them.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    rules: Rules,
    agent: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
struct ParameterInfo {
    name: &'static str,
    values: String,
    /// As it is played at tables.
    default: String,
    meaning: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Games {
    games: Vec<GameEntry>,
}

/// All games.
#[utoipa::path(get, path = "/api/v1/games", responses((status = 200, body = Games), (status = "default", body = ApiError)))]
pub(crate) async fn games(State(app): State<App>) -> Result<Json<Games>, ApiError> {
    let entry = |entry: &meeple_catalog::GameEntry| {
        let (game, _) = app.hub.game_at_table(entry.name, &Rules::default())?;
        let info = game.info();
        let parameter = |parameter: &meeple_core::rules::Parameter| ParameterInfo {
            name: parameter.name,
            values: parameter.values.clone(),
            default: parameter.value.clone(),
            meaning: parameter.meaning,
        };
        let elsewhere = |&(rules, agent): &(&str, &'static str)| AgentElsewhere {
            rules: Rules::parse(rules).expect("rules of the catalog"),
            agent,
        };
        Ok(GameEntry {
            name: entry.name,
            about: entry.summary,
            players: info.players,
            hidden: info.information == Information::Hidden,
            chance: info.chance,
            levels: meeple_catalog::levels(entry.name)
                .iter()
                .enumerate()
                .map(|(number, level)| LevelInfo {
                    name: level.name,
                    agent: level.agent,
                    elsewhere: level.elsewhere.iter().map(elsewhere).collect(),
                    agent_for_any_rules: level.agent_for_any_rules(number),
                })
                .collect(),
            parameters: game.parameters().iter().map(parameter).collect(),
            notation: game.notation_help(),
        })
    };
    Ok(Json(Games { games: meeple_catalog::GAMES.iter().map(entry).collect::<Result<_, ApiError>>()? }))
}

/// What is seen of a position that the request describes.
#[utoipa::path(post, path = "/api/v1/positions", request_body = PositionRequest,
    responses((status = 200, body = PositionInfo), (status = "default", body = ApiError)))]
pub(crate) async fn positions(
    State(app): State<App>,
    Client(client): Client,
    Json(request): Json<PositionRequest>,
) -> Result<Json<PositionInfo>, ApiError> {
    app.may_describe(client)?;
    let info = app.look_up(move |hub| request.answer(&*hub.game(&request.game, &request.rules)?)).await?;
    Ok(Json(info))
}

/// What an agent thinks of a position that the request describes, from what the player to move knows.
#[utoipa::path(post, path = "/api/v1/analysis", request_body = AnalysisRequest,
    responses((status = 200, body = Analysis), (status = "default", body = ApiError)))]
pub(crate) async fn analysis(
    State(app): State<App>,
    Client(client): Client,
    Json(request): Json<AnalysisRequest>,
) -> Result<Json<Analysis>, ApiError> {
    let analysis = app.think(client, move |hub| request.answer(&*hub.game(&request.game, &request.rules)?)).await?;
    Ok(Json(analysis))
}
