//! Opponents by strength. `docs/levels.md` has matches of neighbours.

/// An opponent for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub name: &'static str,
    /// As a text.
    pub agent: &'static str,
    /// Rules that are not the usual ones, as texts, with the agents for them: networks that were trained for these.
    pub elsewhere: &'static [(&'static str, &'static str)],
}

impl Level {
    /// The opponent under any rules, of the level with this number. Networks, and what was written by hand, know only
    /// some: a search stands in for them, with the more iterations the higher the level.
    pub fn agent_for_any_rules(&self, number: usize) -> String {
        let knows_all = !self.agent.contains("model=") && self.agent != "rules" && self.agent != "cfr";
        match knows_all {
            true => self.agent.to_string(),
            false => format!("ismcts:iterations={}", ITERATIONS[number.min(ITERATIONS.len() - 1)]),
        }
    }
}

/// Of searches that stand in for networks, by level.
const ITERATIONS: [u32; 5] = [50, 300, 1000, 5000, 30_000];

macro_rules! ladder {
    ($($name:literal $agent:literal $({ $($rules:literal $other:literal),+ $(,)? })?),+ $(,)?) => {
        &[$(Level { name: $name, agent: $agent, elsewhere: &[$($(($rules, $other)),+)?] }),+]
    };
}

/// The opponents in a game, the weakest first; a few that play anything for games without a list.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        "tic-tac-toe" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=20",
            "Strong" "puct:model=tic-tac-toe/dense,iterations=100",
        ),
        "connect-four" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=30",
            "Medium" "mcts:iterations=500",
            "Strong" "mcts:iterations=5000",
            "Strongest" "puct:model=connect-four/residual,iterations=200",
        ),
        "lines-of-action" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=50",
            "Medium" "mcts:iterations=500",
            "Strong" "alphabeta:time=50ms",
            "Strongest" "alphabeta:time=300ms",
        ),
        // Six times the time made no difference.
        "breakthrough" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=50",
            "Medium" "mcts:iterations=500",
            "Strong" "alphabeta:time=50ms",
        ),
        "just4fun" => ladder!(
            "Beginner" "random",
            "Easy" "ismcts:iterations=100",
            "Medium" "network:model=just4fun/fieldnet",
            "Strong" "network:model=just4fun/cardfieldnet" {
                "players=3" "network:model=just4fun/three,temperature=0",
                "players=4" "network:model=just4fun/four,temperature=0",
            },
            "Strongest" "ispuct:model=just4fun/cardfieldnet,iterations=1500,determinizations=50" {
                "players=3" "ispuct:model=just4fun/three,iterations=1000,determinizations=0,ahead=1,exploration=1.5",
                "players=4" "ispuct:model=just4fun/four,iterations=1000,determinizations=0,ahead=1,exploration=1.5",
            },
        ),
        "bisca" => ladder!(
            "Beginner" "random",
            "Easy" "ismcts:iterations=50",
            "Medium" "ismcts:iterations=500",
            "Strong" "ismcts:iterations=10000",
            "Strongest" "ispuct:model=bisca/dense,iterations=1000,determinizations=50",
        ),
        "sueca" => ladder!(
            "Beginner" "random",
            "Easy" "ismcts:iterations=50",
            "Medium" "ismcts:iterations=500",
            "Strong" "ismcts:iterations=10000",
            "Strongest" "ispuct:model=sueca/dense,iterations=1500,determinizations=0,keys=view,exploration=1.5,ahead=own,sure=0.95,endgame=600",
        ),
        "hearts" => ladder!(
            "Beginner" "random",
            "Easy" "ismcts:iterations=50",
            "Medium" "ismcts:iterations=500",
            "Strong" "ismcts:iterations=10000",
        ),
        "keezen" => ladder!(
            "Beginner" "random",
            "Medium" "ismcts:iterations=300",
            "Strong" "rules",
        ),
        "chinese-checkers" => ladder!(
            "Beginner" "rules:script=initialise",
            "Easy" "rules:script=greedy",
            "Medium" "greedy",
            "Strong" "mcts:select=puct,iterations=200" {
                "board=37" "puct:model=chinese-checkers/residual,iterations=200",
            },
        ),
        "kuhn-poker" | "leduc-poker" => ladder!(
            "Beginner" "random",
            "Medium" "ismcts:iterations=200",
            "Strong" "cfr",
        ),
        _ => ladder!(
            "Beginner" "random",
            "Medium" "ismcts:iterations=200",
            "Strong" "ismcts:iterations=5000",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_stand_in_for_networks() {
        let just4fun = levels("just4fun");
        let agents: Vec<String> = (0..).zip(just4fun).map(|(n, level)| level.agent_for_any_rules(n)).collect();
        assert_eq!(agents[0], "random");
        assert_eq!(agents.last().unwrap(), "ismcts:iterations=30000");
        assert!(agents.iter().all(|agent| !agent.contains("model")));
    }
}
