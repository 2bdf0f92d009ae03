//! The tables of a tournament, as Markdown.

use std::io::{Result, Write};

use meeple_arena::{Cell, EloRatings, Kind, Skill, Standings, Tournament};

pub(super) fn show(out: &mut dyn Write, tournament: &Tournament, standings: &Standings) -> Result<()> {
    let Standings { title, game, rules, games, planned, seconds, .. } = standings;
    let game = format!("{game} {rules}");
    writeln!(out, "# {title}\n\n{games} of {planned} games of {} in {seconds:.1} s.", game.trim_end())?;
    if !tournament.remarks.is_empty() {
        writeln!(out, "{}", tournament.remarks.trim())?;
    }
    let order = order(standings);
    cross_table(out, standings, &order)?;
    if let Some(elo) = &standings.elo {
        elo_table(out, standings, elo)?;
    }
    if let Some(skills) = &standings.skills {
        skill_table(out, standings, skills)?;
    }
    meetings(out, standings)?;
    if standings.agents.iter().any(|agent| agent.cheats) {
        writeln!(out, "\n\\* cheats: sees what is hidden from the others")?;
    }
    Ok(())
}

/// Agents as the cross table shows them: by rating, unless the file's order means something.
fn order(standings: &Standings) -> Vec<usize> {
    match standings.kind {
        Kind::RoundRobin | Kind::Tables => by_rating(standings),
        Kind::Gauntlet | Kind::Versions => (0..standings.agents.len()).collect(),
    }
}

/// The strongest first.
pub(super) fn by_rating(standings: &Standings) -> Vec<usize> {
    let rating = |agent: usize| match (&standings.elo, &standings.skills) {
        (Some(elo), _) => elo.ratings[agent].elo,
        (None, Some(skills)) => skills[agent].mean,
        (None, None) => 0.0,
    };
    let mut agents: Vec<usize> = (0..standings.agents.len()).collect();
    agents.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    agents
}

fn name(standings: &Standings, agent: usize) -> String {
    let agent = &standings.agents[agent];
    format!("{}{}", agent.name, if agent.cheats { " \\*" } else { "" })
}

fn cross_table(out: &mut dyn Write, standings: &Standings, order: &[usize]) -> Result<()> {
    let what = match standings.kind {
        Kind::Tables => "Games in which the row was placed above the column",
        _ => "Games that the row won against the column",
    };
    writeln!(out, "\n{what}, in % with draws as halves (95 % interval over deals)\n")?;
    let names: Vec<String> = order.iter().map(|&agent| name(standings, agent)).collect();
    writeln!(out, "| | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()))?;
    for (&row, name) in order.iter().zip(&names) {
        let cells: Vec<String> = order.iter().map(|&column| cell(standings, row, column)).collect();
        writeln!(out, "| {name} | {} |", cells.join(" | "))?;
    }
    Ok(())
}

fn cell(standings: &Standings, row: usize, column: usize) -> String {
    if row == column {
        return "X".to_string();
    }
    let found = standings.cross_table.iter().find(|cell| (cell.row, cell.column) == (row, column));
    found.map_or("-".to_string(), |Cell { share, interval: [low, high], .. }| {
        let [share, low, high] = [share, low, high].map(|rate| 100.0 * rate);
        format!("{share:.1} [{low:.1}, {high:.1}]")
    })
}

fn elo_table(out: &mut dyn Write, standings: &Standings, elo: &EloRatings) -> Result<()> {
    let draws = 100.0 * elo.draw_rate;
    writeln!(out, "\nElo above the mean of all; between equals {draws:.1} % draws\n")?;
    writeln!(out, "| agent | Elo | 95 % interval | games | stronger than the next % |\n|---|---|---|---|---|")?;
    let order = by_rating(standings);
    for (place, &agent) in order.iter().enumerate() {
        let rating = &elo.ratings[agent];
        let [low, high] = rating.interval;
        let next = order.get(place + 1).map(|&next| format!("{:.1}", 100.0 * elo.superiority[agent][next]));
        let (name, next) = (name(standings, agent), next.unwrap_or("-".to_string()));
        writeln!(out, "| {name} | {:.0} | {low:.0} to {high:.0} | {} | {next} |", rating.elo, rating.games)?;
    }
    Ok(())
}

fn skill_table(out: &mut dyn Write, standings: &Standings, skills: &[Skill]) -> Result<()> {
    writeln!(out, "\nSkill of the TrueSkill type: 25 is the mean of all, a player varies by 4.2 from game to game\n")?;
    writeln!(out, "| agent | skill | deviation | 95 % interval | conservative | games |\n|---|---|---|---|---|---|")?;
    for agent in by_rating(standings) {
        let Skill { mean, deviation, conservative, games } = skills[agent];
        let [low, high] = [mean - 1.96 * deviation, mean + 1.96 * deviation];
        let name = name(standings, agent);
        writeln!(out, "| {name} | {mean:.2} | {deviation:.2} | {low:.2} to {high:.2} | {conservative:.2} | {games} |")?;
    }
    Ok(())
}

fn meetings(out: &mut dyn Write, standings: &Standings) -> Result<()> {
    writeln!(out, "\nMeetings: how many games without shared deals one game is worth\n")?;
    writeln!(out, "| meeting | games | seatings of a deal | worth | seconds |\n|---|---|---|---|---|")?;
    for meeting in &standings.meetings {
        let names: Vec<String> = meeting.agents.iter().map(|&agent| name(standings, agent)).collect();
        let gain = meeting.pairing_gain.map_or("-".to_string(), |gain| format!("{gain:.2}"));
        let (names, games, seatings) = (names.join(" : "), meeting.games, meeting.seatings);
        writeln!(out, "| {names} | {games} | {seatings} | {gain} | {:.1} |", meeting.seconds)?;
    }
    Ok(())
}
