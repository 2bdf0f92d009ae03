//! `meeple play`: a table at the terminal. Each person is shown what their seat knows.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use meeple_core::agent::Budget;
use meeple_core::erased::{AnyAgent, AnyGame, AnyPosition};
use meeple_core::record::Versions;
use meeple_core::{Information, Player, Record, Rng, Turn};

use super::{BadUsage, GameArguments};

/// Play at the terminal, or watch agents play
#[derive(Args)]
#[command(
    after_help = "Examples:\n  meeple play connect-four\n  meeple play hearts --seats random,human,random,random\n  \
    meeple play sueca --watch --reveal"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Who sits where: `human` or an agent for each seat [default: human against random players]
    #[arg(long, value_name = "SEAT,SEAT,..")]
    seats: Option<String>,
    /// Agents play, Enter shows the next move
    #[arg(long)]
    watch: bool,
    /// With --watch: show all that is hidden
    #[arg(long, requires = "watch")]
    reveal: bool,
    /// Write the record here, after every action
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Of the deal and of the agents [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build_for_table()?;
    let seats = seats(&*game, arguments)?;
    let seed = arguments.seed.unwrap_or_else(seed_from_clock);
    let mut table = Table {
        record: Record {
            game: game.info().name.to_string(),
            rules: game.rules(),
            seats: seats.iter().map(|seat| seat.name.clone()).collect(),
            versions: Some(Versions::of(&game.info())),
            ..Record::default()
        },
        record_file: arguments.record.clone(),
        position: game.start(),
        shared_screen: game.info().information == Information::Hidden
            && seats.iter().filter(|seat| seat.agent.is_none()).count() > 1,
        seats,
        rng: Rng::from_seed(seed),
        watch: arguments.watch,
        reveal: arguments.reveal,
        at_screen: None,
        out: std::io::stdout(),
    };
    writeln!(table.out, "{} (seed {seed})", game.info().name)?;
    for (number, seat) in table.seats.iter().enumerate() {
        if seat.agent.as_ref().is_some_and(AnyAgent::cheats) {
            writeln!(table.out, "warning: seat {number} ({}) cheats: it sees what is hidden", seat.name)?;
        }
    }
    table.play()?;
    Ok(ExitCode::SUCCESS)
}

struct Seat {
    name: String,
    /// `None` for a person.
    agent: Option<AnyAgent>,
}

fn seats(game: &dyn AnyGame, arguments: &Arguments) -> anyhow::Result<Vec<Seat>> {
    let players = game.info().players;
    let names = match (&arguments.seats, arguments.watch) {
        (Some(list), _) => meeple_catalog::split_agents(list),
        (None, true) => vec!["random".to_string(); players],
        (None, false) => (0..players).map(|seat| if seat == 0 { "human" } else { "random" }.to_string()).collect(),
    };
    if names.len() != players {
        let message = format!("{} has {players} seats, but --seats names {}", game.info().name, names.len());
        return Err(BadUsage(message).into());
    }
    if arguments.watch && names.iter().any(|name| name == "human") {
        return Err(BadUsage("--watch is for agents only: leave `human` out of --seats".to_string()).into());
    }
    names.into_iter().map(|name| seat(game, name)).collect()
}

fn seat(game: &dyn AnyGame, name: String) -> anyhow::Result<Seat> {
    let agent = if name == "human" { None } else { Some(game.agent(&name)?) };
    Ok(Seat { name, agent })
}

fn seed_from_clock() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    time.map_or(0, |time| time.as_nanos() as u64 % 1_000_000)
}

struct Table {
    position: Box<dyn AnyPosition>,
    seats: Vec<Seat>,
    record: Record,
    record_file: Option<PathBuf>,
    rng: Rng,
    watch: bool,
    reveal: bool,
    /// Several people share the terminal and must not see each other's hands.
    shared_screen: bool,
    at_screen: Option<usize>,
    out: std::io::Stdout,
}

impl Table {
    fn play(&mut self) -> anyhow::Result<()> {
        loop {
            let turn = self.position.turn();
            let text = match turn {
                Turn::Over => break,
                Turn::Chance => self.position.apply_chance(&mut self.rng),
                Turn::Player(player) => match self.decide(player)? {
                    Some(text) => text,
                    None => return self.stop(),
                },
            };
            self.record.actions.push(text);
            self.save()?;
            if self.watch && turn != Turn::Chance && self.position.turn() != Turn::Over && !self.wait_for_enter()? {
                return self.stop();
            }
        }
        self.finish()
    }

    fn stop(&mut self) -> anyhow::Result<()> {
        Ok(writeln!(self.out, "stopped")?)
    }

    fn wait_for_enter(&mut self) -> anyhow::Result<bool> {
        Ok(self.read_line()?.is_some_and(|line| line != "quit"))
    }

    /// The action of a seat, carried out; `None` to stop.
    fn decide(&mut self, player: usize) -> anyhow::Result<Option<String>> {
        let text = match &mut self.seats[player].agent {
            None => return self.ask(player),
            Some(agent) => {
                let decision = self.position.decide(agent, &Budget::NONE, &mut self.rng);
                if let Some(failure) = agent.failure() {
                    bail!("{failure}");
                }
                decision.action
            }
        };
        if self.watch {
            self.show_to_spectator()?;
        }
        let shown = if self.may_be_shown(&text) { &text } else { "what others do not see" };
        writeln!(self.out, "seat {player} ({}) plays {shown}", self.seats[player].name)?;
        self.position.apply(&text).expect("an agent plays legal actions");
        Ok(Some(text))
    }

    fn show_to_spectator(&mut self) -> std::io::Result<()> {
        let public = self.position.render(None);
        writeln!(self.out, "\n{public}")?;
        if !self.reveal {
            return Ok(());
        }
        for seat in 0..self.seats.len() {
            let private = self.position.render(Some(seat));
            for line in private.lines().filter(|line| !public.lines().any(|shown| shown == *line)) {
                writeln!(self.out, "  seat {seat} sees: {line}")?;
            }
        }
        Ok(())
    }

    /// Whether everybody at the terminal may see which action an agent took.
    fn may_be_shown(&self, action: &str) -> bool {
        let people = (0..self.seats.len()).filter(|&seat| self.seats[seat].agent.is_none());
        let viewers: Vec<Option<Player>> = if self.watch { vec![None] } else { people.map(Some).collect() };
        self.reveal || viewers.into_iter().all(|viewer| is_seen(&*self.position, action, viewer))
    }

    /// Shows a person their view and asks until the answer is legal.
    fn ask(&mut self, player: usize) -> anyhow::Result<Option<String>> {
        if self.shared_screen && self.at_screen != Some(player) {
            write!(self.out, "\x1b[2J\x1b[HSeat {player}: press Enter when only you see the screen. ")?;
            if self.read_line()?.is_none() {
                return Ok(None);
            }
        }
        self.at_screen = Some(player);
        writeln!(self.out, "\n{}", self.position.render(Some(player)))?;
        loop {
            write!(self.out, "seat {player}, your move (? lists them, quit stops): ")?;
            let Some(answer) = self.read_line()? else { return Ok(None) };
            match answer.as_str() {
                "" => {}
                "quit" => return Ok(None),
                "?" => writeln!(self.out, "{}", self.position.actions().join("  "))?,
                text => match self.position.apply(text) {
                    Ok(()) => return Ok(Some(answer)),
                    Err(error) => writeln!(self.out, "{error}")?,
                },
            }
        }
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        let players = self.seats.len();
        let outcome = self.position.outcome();
        writeln!(self.out, "\n{}\n\nover: {}", self.position.render(None), outcome.reason)?;
        let winners: Vec<usize> = outcome.winners(players).collect();
        for (player, seat) in self.seats.iter().enumerate() {
            let won = if winners.contains(&player) { "  wins" } else { "" };
            writeln!(
                self.out,
                "  seat {player} ({}): score {}, payoff {}{won}",
                seat.name, outcome.scores[player], outcome.payoffs[player]
            )?;
        }
        if winners.is_empty() {
            writeln!(self.out, "  nobody wins")?;
        }
        self.record.payoffs = Some(outcome.payoffs[..players].to_vec());
        self.record.scores = Some(outcome.scores[..players].to_vec());
        self.record.reason = Some(outcome.reason.to_string());
        self.save()
    }

    fn save(&self) -> anyhow::Result<()> {
        let Some(file) = &self.record_file else { return Ok(()) };
        let line = serde_json::to_string(&self.record)? + "\n";
        std::fs::write(file, line).with_context(|| format!("cannot write {}", file.display()))
    }

    /// One trimmed line from the terminal; `None` at its end.
    fn read_line(&mut self) -> anyhow::Result<Option<String>> {
        self.out.flush()?;
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line).context("cannot read the answer")?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_string()))
    }
}

/// Whether a viewer can tell this action from the other legal ones, as when a card is played; cards
/// that are passed face down all look the same, except to the seat that passes them.
fn is_seen(position: &dyn AnyPosition, action: &str, viewer: Option<Player>) -> bool {
    let Turn::Player(mover) = position.turn() else { return true };
    let views_after = |action: &str| {
        let mut next = position.clone_box();
        next.apply(action).expect("a listed action is legal");
        [viewer, Some(mover)].map(|seat| next.view_text(seat).unwrap_or_else(|| next.render(seat)))
    };
    let [seen, done] = views_after(action);
    position.actions().iter().all(|other| {
        let [other_seen, other_done] = views_after(other);
        other_seen != seen || other_done == done
    })
}
