//! Laws along one random game: actions, texts, ends, payoffs, replay.

use std::collections::{HashMap, HashSet};

use super::{Checked, LawReport, Laws, Violation, public, require, scene, view};
use crate::playout::actions_or_outcomes;
use crate::{Game, MAX_PLAYERS, PayoffSum, Player, Rng, Turn};

/// Plays one random game and checks every position of it.
pub(super) fn check_game<G: Game>(game: &G, laws: &Laws, rng: &mut Rng, report: &mut LawReport) -> Checked {
    let mut actions = Vec::new();
    let mut texts = Vec::new();
    let end = follow(game, laws, rng, report, &mut actions, &mut texts)
        .map_err(|violation| Violation { actions: texts.clone(), ..violation })?;
    report.games += 1;
    check_replay(game, &actions, &texts, &end).map_err(|violation| Violation { actions: texts, ..violation })
}

fn follow<G: Game>(
    game: &G,
    laws: &Laws,
    rng: &mut Rng,
    report: &mut LawReport,
    actions: &mut Vec<G::Action>,
    texts: &mut Vec<String>,
) -> Result<G::State, Violation> {
    let info = game.info();
    let mut state = game.initial_state();
    let mut actions_by_key = HashMap::new();
    require(
        (1..=MAX_PLAYERS).contains(&info.players) && (1..=info.players).contains(&info.teams),
        "players and teams are within bounds",
        || format!("{info:?}"),
    )?;
    loop {
        view::check_notation(game, &state, report)?;
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                report.outcomes_of_chance += 1;
                require(info.chance, "a game without chance has no chance turn", || format!("{state:?}"))?;
                check_chance(game, &state)?;
                check_scenes(game, &state)?;
                game.sample_chance(&state, rng)
            }
            Turn::Player(player) => {
                report.decisions += 1;
                require(player < info.players, "the seat exists", || format!("seat {player}"))?;
                check_actions(game, &state)?;
                check_key(game, &state, player, &mut actions_by_key)?;
                view::check_views(game, &state, player, laws, rng, report)?;
                view::check_symmetries(game, &state, report)?;
                game.random_action(&state, &mut Vec::new(), rng)
            }
        };
        let possible = actions_or_outcomes(game, &state);
        require(possible.contains(&action), "random actions are possible ones", || format!("{action:?}"))?;
        public::check_public(game, &state, action, rng)?;
        actions.push(action);
        texts.push(game.action_text(&state, action));
        require(actions.len() <= info.longest_game, "the game ends within its bound", || {
            format!("more than {} actions", info.longest_game)
        })?;
        game.apply(&mut state, action);
    }
    check_end(game, &state)?;
    Ok(state)
}

fn check_actions<G: Game>(game: &G, state: &G::State) -> Checked {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    require(!actions.is_empty(), "a player to move has an action", || format!("{state:?}"))?;
    let mut again = actions.clone(); // the content is to be replaced, not added to
    game.legal_actions(state, &mut again);
    require(actions == again, "the list of actions is stable", || format!("{actions:?} then {again:?}"))?;
    check_distinct(game, state, &actions)
}

/// A search table has one entry for a key, so its actions must be legal wherever the key is met.
fn check_key<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    actions_by_key: &mut HashMap<(Player, u64), Vec<G::Action>>,
) -> Checked {
    let actions = actions_or_outcomes(game, state);
    let key = game.view_key(state, Some(player));
    let known = actions_by_key.entry((player, key)).or_insert_with(|| actions.clone());
    require(*known == actions, "equal keys have equal actions", || format!("{key}: {known:?} and {actions:?}"))
}

fn check_chance<G: Game>(game: &G, state: &G::State) -> Checked {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    require(!outcomes.is_empty(), "chance has an outcome", || format!("{state:?}"))?;
    require(outcomes.iter().all(|&(_, weight)| weight > 0), "weights are positive", || format!("{outcomes:?}"))?;
    let total = outcomes.iter().try_fold(0u32, |sum, &(_, weight)| sum.checked_add(weight));
    require(total.is_some(), "weights add up within 32 bits", || format!("{outcomes:?}"))?;
    let actions: Vec<G::Action> = outcomes.iter().map(|&(action, _)| action).collect();
    check_distinct(game, state, &actions)
}

/// No duplicates, neither as values nor as codes nor as texts: so every text parses back.
fn check_distinct<G: Game>(game: &G, state: &G::State, actions: &[G::Action]) -> Checked {
    let values: HashSet<G::Action> = actions.iter().copied().collect();
    require(values.len() == actions.len(), "no action twice", || format!("{actions:?}"))?;
    let decoded: Vec<G::Action> =
        actions.iter().map(|&action| game.action_from_code(game.action_code(action))).collect();
    require(decoded == actions, "codes give back their actions", || format!("{actions:?} and {decoded:?}"))?;
    let texts: Vec<String> = actions.iter().map(|&action| game.action_text(state, action)).collect();
    let distinct: HashSet<&String> = texts.iter().collect();
    require(distinct.len() == actions.len(), "texts are distinct", || format!("{texts:?}"))?;
    let clean = |text: &String| !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
    require(texts.iter().all(clean), "texts are one clean line", || format!("{texts:?}"))
}

fn check_end<G: Game>(game: &G, state: &G::State) -> Checked {
    let info = game.info();
    let payoffs = game.payoffs(state);
    let detail = || format!("{payoffs:?}");
    let outcome = game.outcome(state);
    require(payoffs == outcome.payoffs, "payoffs and outcome agree", || format!("{payoffs:?} and {outcome:?}"))?;
    require(payoffs.iter().all(|payoff| (-1.0..=1.0).contains(payoff)), "payoffs are in [-1, 1]", detail)?;
    require(payoffs[info.players..].iter().all(|&payoff| payoff == 0.0), "empty seats get nothing", detail)?;
    for a in 0..info.players {
        require(game.team(a) < info.teams, "teams are numbered from 0", || format!("seat {a}: {}", game.team(a)))?;
        for b in 0..a {
            let fair = game.team(a) != game.team(b) || payoffs[a] == payoffs[b];
            require(fair, "partners share payoffs", detail)?;
        }
    }
    if let PayoffSum::Constant(sum) = info.payoff_sum {
        let found: f32 = payoffs[..info.players].iter().sum();
        require((found - sum).abs() < 1e-4, "payoffs add up to the constant", detail)?;
    }
    for viewer in viewers(info.players) {
        let drawn = game.render(&game.view(state, viewer));
        require(!drawn.is_empty(), "the end can be drawn", || format!("{viewer:?}"))?;
    }
    check_scenes(game, state)
}

/// Those of all viewers where no player is to move.
fn check_scenes<G: Game>(game: &G, state: &G::State) -> Checked {
    viewers(game.info().players).try_for_each(|viewer| scene::draw(game, &game.view(state, viewer)).map(|_| ()))
}

/// The texts alone lead to the same end.
fn check_replay<G: Game>(game: &G, actions: &[G::Action], texts: &[String], end: &G::State) -> Checked {
    let mut state = game.initial_state();
    for (text, &action) in texts.iter().zip(actions) {
        let possible = actions_or_outcomes(game, &state);
        let parsed = possible.into_iter().find(|&candidate| game.action_text(&state, candidate) == *text);
        require(parsed == Some(action), "texts parse back", || format!("{text}: {parsed:?} for {action:?}"))?;
        game.apply(&mut state, action);
    }
    require(state == *end, "a record replays to the same end", || format!("{state:?} and {end:?}"))
}

/// Every seat, then the spectator.
pub(super) fn viewers(players: usize) -> impl Iterator<Item = Option<Player>> {
    (0..players).map(Some).chain([None])
}
