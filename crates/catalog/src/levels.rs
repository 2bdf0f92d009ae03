//! Opponents by strength. `docs/levels.md` has matches of neighbours, as far as they were played.

/// An opponent for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub name: &'static str,
    /// As a text.
    pub agent: &'static str,
}

macro_rules! ladder {
    ($($name:literal $agent:literal),+ $(,)?) => {
        &[$(Level { name: $name, agent: $agent }),+]
    };
}

/// The opponents in a game, the weakest first; a few that play anything for games without a list.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        "tic-tac-toe" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=20",
            "Strong" "network:model=tic-tac-toe/dense,temperature=0",
        ),
        "connect-four" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=30",
            "Medium" "mcts:iterations=500",
            "Strong" "mcts:iterations=5000",
            "Strongest" "mcts:iterations=60000",
        ),
        "breakthrough" | "lines-of-action" => ladder!(
            "Beginner" "random",
            "Easy" "mcts:iterations=50",
            "Medium" "mcts:iterations=500",
            "Strong" "alphabeta:time=50ms",
            "Strongest" "alphabeta:time=1s",
        ),
        "just4fun" => ladder!(
            "Beginner" "random",
            "Easy" "ismcts:iterations=100",
            "Medium" "network:model=just4fun/fieldnet",
            "Strong" "ispuct:model=just4fun/cardfieldnet,iterations=150,determinizations=3",
            "Strongest" "ispuct:model=just4fun/cardfieldnet,iterations=3000,determinizations=20",
        ),
        "sueca" | "bisca" | "hearts" => ladder!(
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
            "Strong" "mcts:select=puct,iterations=200",
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
