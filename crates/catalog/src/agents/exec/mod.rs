//! A program of the user's that decides over its standard input and output, one line for each message.
//! `docs/bots.md` describes the lines.

mod program;

use std::time::Duration;

use meeple_core::agent::{Agent, AgentError, Budget, Decision, Seated};
use meeple_core::scene::scene_of;
use meeple_core::{Game, Rng, RuleError, Rules, Turn, Worlds};
use serde_json::{Value, json};

use program::Program;

/// How long an answer may take where nobody sets a limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// What an answer may take beyond a limit.
const GRACE: Duration = Duration::from_secs(1);

/// After so many decisions in a row without an answer nobody waits for the program any more.
const MOST_SILENCES: u32 = 3;

/// `rules` are those that differ from their defaults.
pub(super) fn exec<G: Game>(game: &G, rules: &Rules, command: &str) -> Result<Seated<G>, RuleError> {
    let program = Program::start(command).map_err(RuleError)?;
    Ok(Seated::fair(Exec {
        command: command.to_string(),
        game: json!({"game": game.info().name, "rules": rules.0}),
        program: Some(program),
        silences: 0,
        illegal_answers: 0,
        failure: None,
    }))
}

struct Exec {
    command: String,
    /// What every message says about the game.
    game: Value,
    /// None once it is given up.
    program: Option<Program>,
    /// Decisions without an answer, since the last one with.
    silences: u32,
    illegal_answers: u64,
    failure: Option<AgentError>,
}

impl Exec {
    fn message(&self, kind: &str) -> Value {
        let mut message = self.game.clone();
        message["type"] = json!(kind);
        message
    }

    /// The program's answer; none if there was none in time, which costs it its life.
    fn ask(&mut self, message: &Value, time: Duration) -> Option<String> {
        let program = self.program.as_ref()?;
        program.tell(&message.to_string());
        match program.answer(time) {
            Ok(answer) => {
                self.silences = 0;
                Some(answer)
            }
            Err(silence) => {
                self.start_again(&silence);
                None
            }
        }
    }

    fn start_again(&mut self, silence: &str) {
        self.silences += 1;
        let command = &self.command;
        eprintln!("exec:{command}: it {silence}; a random action was taken for it");
        self.program = None; // the old one ends before the next one begins
        let started = match self.silences {
            MOST_SILENCES => Err(format!("it did not answer {MOST_SILENCES} times in a row")),
            _ => Program::start(command),
        };
        match started {
            Ok(program) => {
                program.tell(&self.message("new").to_string());
                self.program = Some(program);
            }
            Err(error) => self.failure = Some(AgentError(format!("exec:{command}: {error}"))),
        }
    }

    /// Says once in a while that the program does not play by the rules.
    fn complain(&mut self, answer: &str) {
        self.illegal_answers += 1;
        if self.illegal_answers.is_power_of_two() {
            let (command, count) = (&self.command, self.illegal_answers);
            let what = format!("it answered `{answer}`, which is not legal");
            eprintln!("exec:{command}: {what}; a random action was taken for it ({count} so far)");
        }
    }
}

impl<G: Game> Agent<G> for Exec {
    fn decide(&mut self, game: &G, view: &G::View, limit: &Budget, rng: &mut Rng) -> Decision<G::Action> {
        let mut world = game.initial_state();
        game.worlds(view).sample_into(&mut world, &mut Rng::from_seed(0));
        let Turn::Player(seat) = game.turn(&world) else { unreachable!("an agent is asked when it is to move") };
        let mut actions = Vec::new();
        game.view_actions(view, &mut actions);
        let texts: Vec<String> = actions.iter().map(|&action| game.action_text(&world, action)).collect();
        let mut message = self.message("decide");
        message["seat"] = json!(seat);
        message["view"] = json!({
            "text": game.notation().map(|notation| notation.view_text(view)),
            "scene": game.scenery().map(|_| scene_of(game, view)),
            "render": game.render(view),
        });
        message["actions"] = json!(texts);
        message["seconds"] = json!(limit.time.map(|time| time.as_secs_f64()));
        let answer = self.ask(&message, limit.time.map_or(PATIENCE, |time| time.saturating_add(GRACE)));
        let chosen = answer.as_ref().and_then(|answer| texts.iter().position(|text| text == answer));
        if let (Some(answer), None) = (&answer, chosen) {
            self.complain(answer);
        }
        Decision::plain(actions[chosen.unwrap_or_else(|| rng.below(actions.len() as u32) as usize)])
    }

    fn new_game(&mut self) {
        if let Some(program) = &self.program {
            program.tell(&self.message("new").to_string());
        }
    }

    fn failure(&self) -> Option<AgentError> {
        self.failure.clone()
    }
}
