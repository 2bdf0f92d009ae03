//! A program of the user's that decides over its standard input and output, one line for each message.
//! `docs/bots.md` describes the lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use meeple_core::agent::{Agent, Budget, Decision, Seated};
use meeple_core::{Game, Rng, RuleError, Turn, Worlds};
use serde_json::json;

pub(super) fn exec<G: Game>(command: &str) -> Result<Seated<G>, RuleError> {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else {
        return Err(RuleError("name a program, as in `exec:./mybot.py`".to_string()));
    };
    let spawned = Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| RuleError(format!("cannot run {program}: {error}")))?;
    let lines = child.stdin.take().zip(child.stdout.take()).map(|(input, output)| (input, BufReader::new(output)));
    Ok(Seated::fair(Exec { command: command.to_string(), child, lines, actions_taken_for_it: 0 }))
}

/// The program, as long as this lives.
struct Exec {
    command: String,
    child: Child,
    /// None once it did not answer.
    lines: Option<(ChildStdin, BufReader<ChildStdout>)>,
    actions_taken_for_it: u64,
}

impl Drop for Exec {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Exec {
    /// Sends a line and, if one is wanted, reads the answer.
    fn send(&mut self, message: &str) -> bool {
        let sent = self
            .lines
            .as_mut()
            .is_some_and(|(input, _)| writeln!(input, "{message}").and_then(|()| input.flush()).is_ok());
        if !sent {
            self.lines = None;
        }
        sent
    }

    fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.lines.as_mut()?.1.read_line(&mut line) {
            Ok(length) if length > 0 => Some(line.trim().to_string()),
            _ => {
                self.lines = None;
                None
            }
        }
    }

    /// Says once in a while that the program does not play.
    fn complain(&mut self, answer: Option<&str>) {
        self.actions_taken_for_it += 1;
        if self.actions_taken_for_it.is_power_of_two() {
            let what = answer
                .map_or("did not answer".to_string(), |answer| format!("answered `{answer}`, which is not legal"));
            let count = self.actions_taken_for_it;
            eprintln!("exec:{}: it {what}; a random action was taken for it ({count} so far)", self.command);
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
        let message = json!({
            "type": "decide",
            "game": game.info().name,
            "seat": seat,
            "view": {
                "text": game.notation().map(|notation| notation.view_text(view)),
                "scene": game.scenery().map(|scenery| scenery.scene(game, view)),
                "render": game.render(view),
            },
            "actions": texts,
            "seconds": limit.time.map(|time| time.as_secs_f64()),
        });
        let answer = if self.send(&message.to_string()) { self.answer() } else { None };
        let chosen = answer.as_ref().and_then(|answer| texts.iter().position(|text| text == answer));
        let place = chosen.unwrap_or_else(|| {
            self.complain(answer.as_deref());
            rng.below(actions.len() as u32) as usize
        });
        Decision::plain(actions[place])
    }

    fn new_game(&mut self) {
        self.send(&json!({"type": "new"}).to_string());
    }
}
