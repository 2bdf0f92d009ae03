//! The two searches and the policy alone as one: what a game in self-play needs of them.

use meeple_core::agent::{ActionReport, Budget, Decision, Report};
use meeple_core::{Game, Known, Player, Rng};
use meeple_search::informed::{self, InformedSettings, Leaf, Priors};
use meeple_search::ismcts::{self, IsmctsSettings, Puct, Reuse};
use meeple_search::{Choice, Evaluation, Gumbel, RootRule, Temperature, TreeSettings};

use super::settings::{Method, Quick, SelfPlaySettings};
use crate::agent::weights;

/// The search of one game, for the players in turn.
pub(super) enum Searcher<G: Game> {
    Puct(Box<PuctSearcher<G>>),
    Ispuct { search: Box<ismcts::Search<G>>, cheats: bool },
    Policy(PolicySearcher<G>),
}

pub(super) struct PuctSearcher<G: Game> {
    search: informed::Search<G>,
    iterations: u64,
    leaves: usize,
    /// Iterations of the decision at hand.
    done: u64,
    actions: Vec<G::Action>,
}

impl<G: Game> Searcher<G> {
    pub(super) fn new(game: &G, settings: &SelfPlaySettings) -> Searcher<G> {
        match settings.method {
            Method::Puct => Searcher::Puct(Box::new(PuctSearcher::new(game, settings))),
            Method::Policy => Searcher::Policy(PolicySearcher::new(settings)),
            method => {
                let search = ismcts::Search::new(game, ispuct(settings)).with_evaluations();
                Searcher::Ispuct { search: Box::new(search), cheats: method == Method::CheatingIspuct }
            }
        }
    }

    /// For quick decisions, if there are any.
    pub(super) fn quick(game: &G, settings: &SelfPlaySettings) -> Option<Searcher<G>> {
        let Quick { iterations, .. } = settings.quick?;
        if iterations == 0 {
            return Some(Searcher::Policy(PolicySearcher::new(settings)));
        }
        let root = match settings.root {
            RootRule::Gumbel(gumbel) => RootRule::Gumbel(Gumbel { noise: 0.0, ..gumbel }),
            RootRule::Forced(_) | RootRule::Same => RootRule::Same,
        };
        let noise = informed::Noise::NONE;
        Some(Searcher::new(game, &SelfPlaySettings { iterations, noise, root, ..settings.clone() }))
    }

    pub(super) fn new_game(&mut self) {
        match self {
            Searcher::Puct(searcher) => searcher.search.forget(),
            Searcher::Ispuct { search, .. } => search.new_game(),
            Searcher::Policy(_) => {}
        }
    }

    /// Starts a decision of the player who is to move. `played` are the keys of positions to which
    /// the search does not return.
    pub(super) fn begin(&mut self, game: &G, state: &G::State, mover: Player, played: &[u64], rng: &mut Rng) {
        match self {
            Searcher::Puct(searcher) => searcher.begin(game, state, played, rng),
            Searcher::Ispuct { search, cheats: true } => {
                search.begin(game, Box::new(Known(state.clone())), &Budget::NONE, rng);
            }
            Searcher::Ispuct { search, cheats: false } => {
                let view = game.view(state, Some(mover));
                search.begin(game, Box::new(game.worlds(&view)), &Budget::NONE, rng);
            }
            Searcher::Policy(searcher) => searcher.begin(game, state),
        }
    }

    /// Appends the states whose evaluations the search needs to go on. False, and none, if it has
    /// done its iterations.
    pub(super) fn gather(&mut self, game: &G, requests: &mut Vec<G::State>, rng: &mut Rng) -> bool {
        let asked = requests.len();
        match self {
            Searcher::Puct(searcher) => searcher.gather(game, requests, rng),
            Searcher::Ispuct { search, .. } => while requests.len() == asked && search.gather(game, requests, rng) {},
            Searcher::Policy(searcher) => requests.extend(searcher.request.take()),
        }
        requests.len() > asked
    }

    /// Takes the evaluations of what was asked for.
    pub(super) fn apply(&mut self, game: &G, evaluations: &[Evaluation], rng: &mut Rng) {
        match self {
            Searcher::Puct(searcher) => searcher.search.apply(game, evaluations, rng),
            Searcher::Ispuct { search, .. } => search.apply(game, &evaluations[0], rng),
            Searcher::Policy(searcher) => searcher.evaluation.clone_from(&evaluations[0]),
        }
    }

    /// `number` counts the decisions in this game from 1.
    pub(super) fn decide(&mut self, game: &G, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        match self {
            Searcher::Puct(searcher) => searcher.decide(game, number, rng),
            Searcher::Ispuct { search, .. } => search.decide(game, number, rng),
            Searcher::Policy(searcher) => searcher.decide(game, number, rng),
        }
    }
}

impl<G: Game> PuctSearcher<G> {
    fn new(game: &G, settings: &SelfPlaySettings) -> PuctSearcher<G> {
        PuctSearcher {
            search: informed::Search::new(game, puct(settings)),
            iterations: settings.iterations,
            leaves: settings.leaves,
            done: 0,
            actions: Vec::new(),
        }
    }

    fn begin(&mut self, game: &G, state: &G::State, played: &[u64], rng: &mut Rng) {
        self.done = 0;
        game.legal_actions(state, &mut self.actions);
        if self.actions.len() > 1 {
            self.search.begin(game, state, played, rng);
        }
    }

    fn gather(&mut self, game: &G, requests: &mut Vec<G::State>, rng: &mut Rng) {
        if self.actions.len() == 1 {
            return;
        }
        if !self.search.is_ready() {
            self.search.gather(game, requests, rng);
            return;
        }
        let mut waiting = 0;
        while waiting < self.leaves && self.done < self.iterations {
            let asked = requests.len();
            if !self.search.gather(game, requests, rng) {
                break; // its leaf waits already
            }
            self.done += 1;
            waiting += usize::from(requests.len() > asked);
        }
    }

    fn decide(&mut self, game: &G, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        if let [action] = self.actions[..] {
            return Decision::forced(action);
        }
        let mut decision = self.search.decide(game, number, rng);
        decision.report.iterations = self.done;
        decision
    }
}

/// Draws actions from the policy.
pub(super) struct PolicySearcher<G: Game> {
    /// If the search chooses among groups of actions, one of these is drawn, and of its actions this rule takes one.
    group_rule: Option<usize>,
    temperature: Temperature,
    /// The state, until its evaluation was asked for.
    request: Option<G::State>,
    actions: Vec<G::Action>,
    /// Without priors if the network has no policy.
    evaluation: Evaluation,
}

impl<G: Game> PolicySearcher<G> {
    fn new(settings: &SelfPlaySettings) -> PolicySearcher<G> {
        PolicySearcher {
            group_rule: settings.group_rule,
            temperature: settings.temperature.clone(),
            request: None,
            actions: Vec::new(),
            evaluation: Evaluation::default(),
        }
    }

    fn begin(&mut self, game: &G, state: &G::State) {
        game.legal_actions(state, &mut self.actions);
        self.request = (self.actions.len() > 1).then(|| state.clone());
    }

    fn decide(&mut self, game: &G, number: u32, rng: &mut Rng) -> Decision<G::Action> {
        if let [action] = self.actions[..] {
            return Decision::forced(action);
        }
        let groups = game.action_groups().zip(self.group_rule);
        let group = |place: usize| groups.map_or(place as u32, |(groups, _)| groups.group(game, self.actions[place]));
        let weights = match self.evaluation.priors.is_empty() {
            true => vec![1.0; self.actions.len()],
            false => weights(&self.evaluation.priors, group, self.temperature.at(number)),
        };
        let place = rng.weighted(&weights);
        let report = Report { actions: self.entries(&weights), ..Report::default() };
        let Some((groups, rule)) = groups else { return Decision { action: self.actions[place], report } };
        let drawn = groups.group(game, self.actions[place]);
        self.actions.retain(|&action| groups.group(game, action) == drawn);
        Decision { action: groups.choose(game, rule, &self.actions, rng), report }
    }

    /// All actions with the probabilities by which one was drawn, and what the position is worth.
    fn entries(&self, weights: &[f64]) -> Vec<ActionReport<G::Action>> {
        let sum: f64 = weights.iter().sum();
        let entry = |(&action, weight): (&G::Action, &f64)| ActionReport {
            payoffs: Some(self.evaluation.payoffs),
            prior: Some((weight / sum) as f32),
            ..ActionReport::unsearched(action)
        };
        self.actions.iter().zip(weights).map(entry).collect()
    }
}

fn tree<G: Game>(settings: &SelfPlaySettings) -> TreeSettings<G> {
    TreeSettings {
        budget: Budget::iterations(settings.iterations),
        exploration: settings.exploration,
        choice: Choice::Sampled(settings.temperature.clone()),
        memory: settings.memory,
        ..TreeSettings::default()
    }
}

/// Gumbel noise takes its place.
fn dirichlet(settings: &SelfPlaySettings) -> informed::Noise {
    if matches!(settings.root, RootRule::Gumbel(_)) { informed::Noise::NONE } else { settings.noise }
}

fn puct<G: Game>(settings: &SelfPlaySettings) -> InformedSettings<G> {
    InformedSettings {
        tree: tree(settings),
        selection: informed::Selection { first_play: settings.first_play, ..informed::Selection::default() },
        leaf: Leaf::Evaluator,
        priors: Priors::Evaluator,
        prior_temperature: settings.prior_temperature,
        noise: dirichlet(settings),
        root: settings.root,
        // Visits are what the policy learns from, so none are saved by proofs.
        solver: false,
        discount: settings.discount,
        cut_loops: settings.cut_path_loops,
        reuse: settings.reuse,
        ..InformedSettings::default()
    }
}

fn ispuct<G: Game>(settings: &SelfPlaySettings) -> IsmctsSettings<G> {
    IsmctsSettings {
        selection: ismcts::Selection::Puct(Puct {
            first_play: settings.fixed_first_play().unwrap_or(0.0),
            prior_temperature: settings.prior_temperature,
            noise: dirichlet(settings).share,
            alpha: settings.noise.alpha,
        }),
        root: settings.root,
        keys: settings.keys,
        determinizations: settings.determinizations,
        evaluations: settings.evaluations,
        depth: settings.depth,
        ahead: settings.ahead,
        mixture: settings.mixture,
        group_rule: settings.group_rule,
        reuse: if settings.reuse { Reuse::Game } else { Reuse::None },
        discount: settings.discount,
        ..tree(settings).into()
    }
}
