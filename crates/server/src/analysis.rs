//! Positions that a client describes, and what agents think of them. Nothing here looks at a table: whoever
//! asks has to know what is asked about.

use std::time::Instant;

use meeple_core::agent::ActionReport;
use meeple_core::erased::{ActionError, AnyGame, AnyPosition, AnyView, CardBelief};
use meeple_core::scene::{Choice, Scene};
use meeple_core::{Player, Rng, Rules, SearchTree, TreeLimits, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::agents;
use crate::error::ApiError;
use crate::table::{GameResult, Seen};
use crate::workers::unbroken;

/// The most actions that a client may send.
const MOST_ACTIONS: usize = 5000;

/// The most nodes of a tree that are built and sent.
const MOST_NODES: usize = 5000;

/// One of `actions`, `position` and `view` says which position is meant.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    pub(crate) game: String,
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub(crate) rules: Rules,
    /// From the start, outcomes of chance included.
    pub(crate) actions: Option<Vec<String>>,
    /// The whole position in the game's notation.
    pub(crate) position: Option<String>,
    /// What one seat knows in the game's notation.
    pub(crate) view: Option<String>,
    /// A seat, null for a spectator, or `all` for everything there is to see.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub(crate) viewer: Viewer,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(untagged, expecting = "the viewer is the number of a seat, null or \"all\"")]
pub(crate) enum Viewer {
    Seat(Player),
    All(All),
    #[default]
    Spectator,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum All {
    All,
}

/// What is seen of a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PositionInfo {
    /// A seat, `chance`, or null when the game is over.
    #[schema(value_type = Value)]
    pub(crate) turn: Option<Mover>,
    pub(crate) over: bool,
    #[schema(value_type = Object)]
    pub(crate) scene: Scene,
    pub(crate) render: String,
    /// In the game's notation, if it has one.
    pub(crate) text: Option<String>,
    /// Of the viewer, if it is to move.
    #[schema(value_type = Vec<Object>)]
    pub(crate) choices: Vec<Choice>,
    pub(crate) log: Vec<Seen>,
    pub(crate) result: Option<GameResult>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Mover {
    Seat(Player),
    Chance(&'static str),
}

/// A position, and who is to think about it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisRequest {
    pub(crate) game: String,
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub(crate) rules: Rules,
    pub(crate) actions: Option<Vec<String>>,
    pub(crate) position: Option<String>,
    pub(crate) view: Option<String>,
    pub(crate) agent: String,
    /// How much of the search tree is wanted; nothing by default.
    pub(crate) tree: Option<TreeRequest>,
    /// Worlds to draw for what is hidden; none by default.
    #[serde(default)]
    pub(crate) beliefs: u32,
    #[serde(default)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeRequest {
    pub(crate) depth: u32,
    pub(crate) visits: u64,
}

/// What an agent thinks, from what the player to move knows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Analysis {
    pub(crate) seat: Player,
    pub(crate) action: String,
    /// For the player to move, on the scale of the search.
    pub(crate) value: Option<f64>,
    /// What each seat may expect.
    pub(crate) payoffs: Option<Vec<f32>>,
    pub(crate) iterations: u64,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// The best one first.
    pub(crate) actions: Vec<ActionInfo>,
    /// What the agent expects to happen.
    pub(crate) principal: Vec<String>,
    #[schema(value_type = Option<Object>)]
    pub(crate) tree: Option<SearchTree<String>>,
    #[schema(value_type = Vec<Object>)]
    pub(crate) beliefs: Vec<CardBelief>,
}

/// What an agent thinks of one action.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ActionInfo {
    pub(crate) action: String,
    pub(crate) visits: u64,
    pub(crate) value: f64,
    pub(crate) prior: Option<f32>,
    pub(crate) availability: Option<u64>,
    pub(crate) payoffs: Option<Vec<f32>>,
    pub(crate) proven: Option<Vec<f32>>,
}

/// A position that a client described.
enum Described {
    /// All of it, with what happened before.
    Position(Box<dyn AnyPosition>, Vec<Past>),
    View(Box<dyn AnyView>),
}

/// Something that happened, and whether everybody saw it.
struct Past {
    seen: Seen,
    public: bool,
}

fn describe(
    game: &dyn AnyGame,
    actions: Option<&[String]>,
    position: Option<&str>,
    view: Option<&str>,
) -> Result<Described, ApiError> {
    let bad = |message: String| ApiError::bad("bad_position", message);
    match (actions, position, view) {
        (Some(actions), None, None) if actions.len() <= MOST_ACTIONS => {
            let mut position = game.start();
            let mut before = Vec::with_capacity(actions.len());
            for (number, action) in actions.iter().enumerate() {
                let seat = match position.turn() {
                    Turn::Player(player) => Some(player),
                    _ => None,
                };
                let wrong = |error: ActionError| bad(format!("action {number}: {error}"));
                let public = position.is_public(action).map_err(wrong)?;
                let label = position.label(action).map_err(wrong)?;
                position.apply(action).map_err(wrong)?;
                before.push(Past { seen: Seen { number, seat, action: action.clone(), label }, public });
            }
            Ok(Described::Position(position, before))
        }
        (Some(_), None, None) => Err(bad(format!("there are at most {MOST_ACTIONS} actions"))),
        (None, Some(text), None) => {
            let position = game.parse_position(text).map_err(|error| bad(error.to_string()))?;
            Ok(Described::Position(position, Vec::new()))
        }
        (None, None, Some(text)) => {
            // A view in which nobody is to move has no worlds to draw.
            let parsed = unbroken(|| game.parse_view(text));
            let parsed = parsed.ok_or_else(|| bad("nobody is to move in this view".to_string()))?;
            Ok(Described::View(parsed.map_err(|error| bad(error.to_string()))?))
        }
        _ => Err(bad("one of actions, position and view says which position is meant".to_string())),
    }
}

impl PositionRequest {
    pub(crate) fn answer(&self, game: &dyn AnyGame) -> Result<PositionInfo, ApiError> {
        let described = describe(game, self.actions.as_deref(), self.position.as_deref(), self.view.as_deref())?;
        match described {
            Described::View(view) => Ok(PositionInfo {
                turn: view.player().map(Mover::Seat),
                over: false,
                scene: view.scene(),
                render: view.render(),
                text: view.text(),
                choices: view.choices(),
                log: Vec::new(),
                result: None,
            }),
            Described::Position(position, before) => {
                let viewer = self.viewer(game)?;
                Ok(of_position(game, &*position, &before, viewer, matches!(self.viewer, Viewer::All(_))))
            }
        }
    }

    fn viewer(&self, game: &dyn AnyGame) -> Result<Option<Player>, ApiError> {
        match self.viewer {
            Viewer::Seat(seat) if seat < game.info().players => Ok(Some(seat)),
            Viewer::Seat(_) => Err(ApiError::bad("bad_viewer", "there is no such seat")),
            Viewer::All(_) | Viewer::Spectator => Ok(None),
        }
    }
}

fn of_position(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    before: &[Past],
    viewer: Option<Player>,
    all: bool,
) -> PositionInfo {
    let turn = match position.turn() {
        Turn::Player(player) => Some(Mover::Seat(player)),
        Turn::Chance => Some(Mover::Chance("chance")),
        Turn::Over => None,
    };
    let mover = match position.turn() {
        Turn::Player(player) if all || viewer == Some(player) => Some(player),
        _ => None,
    };
    let view = position.view(viewer);
    let players = game.info().players;
    let is_shown = |past: &&Past| all || past.public || (viewer.is_some() && past.seen.seat == viewer);
    let log = before.iter().filter(is_shown).map(|past| past.seen.clone());
    PositionInfo {
        turn,
        over: turn.is_none(),
        scene: if all { whole_scene(position, players) } else { view.scene() },
        render: view.render(),
        text: if all { position.state_text() } else { view.text() },
        choices: mover.map_or(Vec::new(), |player| position.view(Some(player)).choices()),
        log: log.collect(),
        result: (position.turn() == Turn::Over).then(|| {
            let outcome = position.outcome();
            GameResult {
                payoffs: outcome.payoffs[..players].to_vec(),
                scores: outcome.scores[..players].to_vec(),
                reason: outcome.reason.to_string(),
                winners: outcome.winners(players).collect(),
            }
        }),
    }
}

/// What spectators see, with the areas of each seat as that seat sees them.
fn whole_scene(position: &dyn AnyPosition, players: usize) -> Scene {
    let mut scene = position.scene(None);
    for player in 0..players {
        let own = position.scene(Some(player));
        for area in scene.areas.iter_mut().filter(|area| area.seat == Some(player)) {
            if let Some(open) = own.areas.iter().find(|open| open.name == area.name) {
                area.clone_from(open);
            }
        }
    }
    scene
}

impl AnalysisRequest {
    /// Takes as long as the agent does.
    pub(crate) fn answer(&self, game: &dyn AnyGame) -> Result<Analysis, ApiError> {
        let described = describe(game, self.actions.as_deref(), self.position.as_deref(), self.view.as_deref())?;
        let view = match described {
            Described::View(view) => view,
            Described::Position(position, _) => match position.turn() {
                Turn::Player(player) => position.view(Some(player)),
                _ => return Err(ApiError::bad("nobody_to_move", "nobody is to move in this position")),
            },
        };
        let Some(seat) = view.player() else {
            return Err(ApiError::bad("nobody_to_move", "whose view this is, is not to move"));
        };
        let mut agent = agents::agent(game, &self.agent)?;
        let mut rng = Rng::stream(self.seed, 0);
        let started = Instant::now();
        let decision = agents::decide(&*view, &mut agent, &agents::budget(None), &mut rng)
            .ok_or_else(|| ApiError::bad("nobody_to_move", "there is nothing to decide"))?;
        let seconds = started.elapsed().as_secs_f64();
        let tree = self.tree.and_then(|TreeRequest { depth, visits }| {
            let limits = TreeLimits { depth: depth.min(64), visits: visits.max(1), nodes: MOST_NODES };
            view.search_tree(&agent, limits)
        });
        let players = game.info().players;
        let actions: Vec<ActionInfo> =
            decision.report.actions.iter().map(|action| ActionInfo::of(action, players)).collect();
        let chosen = actions.iter().find(|info| info.action == decision.action);
        Ok(Analysis {
            seat,
            value: chosen.map(|info| info.value),
            payoffs: chosen.and_then(|info| info.proven.clone().or_else(|| info.payoffs.clone())),
            action: decision.action.clone(),
            iterations: decision.report.iterations,
            nodes: decision.report.nodes,
            seconds,
            principal: decision.report.principal_variation.clone(),
            tree,
            beliefs: view.beliefs(self.beliefs.min(2000), &mut rng),
            actions,
        })
    }
}

impl ActionInfo {
    fn of(report: &ActionReport<String>, players: usize) -> ActionInfo {
        ActionInfo {
            action: report.action.clone(),
            visits: report.visits,
            value: report.value_for_mover,
            prior: report.prior,
            availability: report.availability,
            payoffs: report.payoffs.map(|payoffs| payoffs[..players].to_vec()),
            proven: report.proven.map(|payoffs| payoffs[..players].to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree of a search after chance had its say.
    fn tree(name: &str, agent: &str) -> serde_json::Value {
        let game = meeple_catalog::game(name, &Rules::default()).unwrap();
        let (mut position, mut rng) = (game.start(), Rng::from_seed(1));
        let mut actions = Vec::new();
        while position.turn() == Turn::Chance {
            actions.push(position.apply_chance(&mut rng));
        }
        let request = serde_json::json!({
            "game": name, "actions": actions, "agent": agent, "tree": {"depth": 1000, "visits": 0},
        });
        let request: AnalysisRequest = serde_json::from_value(request).unwrap();
        serde_json::to_value(request.answer(&*game).unwrap()).unwrap()["tree"]["nodes"].take()
    }

    #[test]
    fn a_large_tree_is_cut_to_what_was_visited_most() {
        for (name, agent) in [("connect-four", "mcts:iterations=20000"), ("sueca", "ismcts:iterations=20000")] {
            let nodes = tree(name, agent);
            let visits = |node: usize| nodes[node]["visits"].as_u64().unwrap();
            assert_eq!((nodes.as_array().unwrap().len(), visits(0)), (MOST_NODES, 20_000));
            assert!((1..MOST_NODES).all(|node| visits(node) <= visits(node - 1)));
        }
    }

    #[test]
    fn a_scene_tells_who_plays_together() {
        let teams = |name: &str| {
            let game = meeple_catalog::game(name, &Rules::default()).unwrap();
            let request: PositionRequest =
                serde_json::from_value(serde_json::json!({"game": name, "actions": [], "viewer": "all"})).unwrap();
            let seats = request.answer(&*game).unwrap().scene.seats;
            seats.iter().map(|seat| seat.team).collect::<Vec<_>>()
        };
        assert_eq!(teams("keezen"), [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(teams("hearts"), [None; 4]);
    }

    #[test]
    fn a_tree_tells_availability_and_priors() {
        let nodes = tree("just4fun", "ispuct:iterations=50,model=just4fun/fieldnet");
        let below = &nodes.as_array().unwrap()[1..];
        assert!(below.len() > 1 && below.iter().all(|node| node["availability"].is_u64() && node["prior"].is_f64()));
    }
}
