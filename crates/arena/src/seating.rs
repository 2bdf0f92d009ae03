//! Who sits where.

use meeple_core::{GameInfo, Player, Team};

/// The most seatings that are all played with each deal; beyond, only the rotations.
const MOST: usize = 24;

/// Every way to seat the agents, as the number of the agent at each seat, each once.
///
/// With partners an agent takes all seats of a team. Otherwise every agent sits at as many seats as
/// the others; where the seats cannot be divided evenly, each in turn takes the additional ones
/// (three players, two agents: the six ways of two against one). An error says why agents do not
/// fit the game.
pub fn seatings(info: &GameInfo, team: impl Fn(Player) -> Team, agents: usize) -> Result<Vec<Vec<usize>>, String> {
    let places = if info.teams < info.players { info.teams } else { info.players };
    let what = if info.teams < info.players { "teams" } else { "seats" };
    if agents < 2 || agents > places {
        return Err(format!("{} has {places} {what}: name 2 to {places} agents, not {agents}", info.name));
    }
    let mut by_place = arrangements(places, agents);
    if by_place.len() > MOST {
        by_place = rotations(places, agents);
    }
    if info.teams == info.players {
        return Ok(by_place);
    }
    let seats = |by_team: Vec<usize>| (0..info.players).map(|player| by_team[team(player)]).collect();
    Ok(by_place.into_iter().map(seats).collect())
}

/// All arrangements in which the numbers of places differ by at most one.
fn arrangements(places: usize, agents: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    extend(&mut Vec::new(), places, agents, &mut found);
    found
}

fn extend(begun: &mut Vec<usize>, places: usize, agents: usize, found: &mut Vec<Vec<usize>>) {
    if begun.len() == places {
        let count = |agent| begun.iter().filter(|&&other| other == agent).count();
        if (0..agents).all(|agent| count(agent) >= places / agents) {
            found.push(begun.clone());
        }
        return;
    }
    for agent in 0..agents {
        let count = begun.iter().filter(|&&other| other == agent).count();
        if count < places.div_ceil(agents) {
            begun.push(agent);
            extend(begun, places, agents, found);
            begun.pop();
        }
    }
}

fn rotations(places: usize, agents: usize) -> Vec<Vec<usize>> {
    (0..agents).map(|shift| (0..places).map(|place| (place + shift) % agents).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_core::{Information, PayoffSum};

    fn info(players: usize, teams: usize) -> GameInfo {
        GameInfo {
            name: "test",
            version: 1,
            players,
            teams,
            longest_game: 1,
            payoff_sum: PayoffSum::General,
            information: Information::Perfect,
            chance: false,
        }
    }

    #[test]
    fn seats_are_shared_fairly() {
        let free = |players, agents| seatings(&info(players, players), |player| player, agents).unwrap();
        assert_eq!(free(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(free(3, 2).len(), 6);
        assert_eq!(free(3, 3).len(), 6);
        assert_eq!(free(4, 2).len(), 6);
        assert_eq!(free(4, 4).len(), 24);
        for (players, agents) in [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4), (6, 2), (6, 6)] {
            let found = free(players, agents);
            for agent in 0..agents {
                let count = |seat: usize| found.iter().filter(|seating| seating[seat] == agent).count();
                assert!((0..players).all(|seat| count(seat) * agents == found.len()), "{players} {agents} {found:?}");
            }
        }
    }

    #[test]
    fn partners_play_the_same_agent() {
        let found = seatings(&info(4, 2), |player| player % 2, 2).unwrap();
        assert_eq!(found, [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert!(seatings(&info(4, 2), |player| player % 2, 4).unwrap_err().contains("2 teams"));
        assert!(seatings(&info(2, 2), |player| player, 1).is_err());
    }
}
