//! Monte Carlo tree search with priors and estimates of actions: `mcts:select=puct`, `bias(W)` or
//! `implicit(α)`.
//!
//! | thesis 001 | settings |
//! |---|---|
//! | 3.3 | `select=bias(W)` |
//! | 3.4 (MCTS_base) | `select=implicit(0.8),exploration=0.0001,leaf=heuristic` |
//! | 6.1, 6.2 | `select=puct` |
//! | 6.4 (MCTS_exploration) | `select=implicit(0.8),weight=softmax(2),exploration=1,leaf=heuristic` |
//! | 6.6 (MCTS_alpha) | `select=implicit(decreasing(0.6,0.3,0.1)),exploration=0.0001,leaf=heuristic` |
//! | 6.7 (MCTS_combined) | `select=implicit(decreasing(0.6,0.3,0.1)),weight=softmax(2),exploration=1,leaf=heuristic` |
//! | MCTS_POC | `select=implicit(0.8),weight=softmax(0),exploration=1,leaf=playout` |
//! | 7.1 | `select=implicit(0.8),bias=1` |
//! | 7.2 | `select=implicit(0.8),grave=grave(100,0.000001)` |
//! | 7.3, 7.4, 7.5 | 6.4 with `explore=constant`, `explore=root`, `explore=inverse` |

use meeple_core::agent::{Budget, Seated};
use meeple_core::{Game, RuleError, RuleReader};
use meeple_search::evaluator::{CachedEvaluator, Evaluator, HeuristicEvaluator, PlayoutEvaluator};
use meeple_search::informed::{
    FirstPlay, Grave, Growth, Influence, Informed, InformedSettings, Leaf, Noise, Priors, Rescale, Selection, Top,
    Weight,
};
use meeple_search::{Gumbel, Playout, RootRule, TreeSettings};

use super::settings::{budget, choice, has_heuristic, heuristic, memory, number, playout, reward};
use super::text::{call, split_outside_parentheses};

/// AlphaZero's at Go and chess is 800.
const NETWORK_ITERATIONS: u64 = 800;

/// Positions that `cache=true` remembers.
const CACHE: usize = 1 << 16;

/// What `select` may be here.
pub(super) const RULES: &str = "puct | bias(W) | implicit(ALPHA) | implicit(decreasing(FIRST,LAST,SLOPE)) | implicit(increasing(FIRST,LAST,SLOPE))";

/// A rule by name: what the other settings are unless they are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// PUCT where a network gives values and priors.
    Network,
    Puct,
    Bias(f64),
    Implicit(Influence),
}

impl Rule {
    /// `None` if the text names none of these rules.
    pub(super) fn parse(text: &str) -> Option<Rule> {
        match call(text)? {
            ("puct", "") => Some(Rule::Puct),
            ("bias", "") => Some(Rule::Bias(5.0)),
            ("bias", weight) => number(weight, 1e6).map(Rule::Bias),
            ("implicit", "") => Some(Rule::Implicit(Influence::fixed(0.8))),
            ("implicit", influence) => parse_influence(influence).map(Rule::Implicit),
            _ => None,
        }
    }
}

fn parse_influence(text: &str) -> Option<Influence> {
    let (name, inner) = call(text)?;
    if inner.is_empty() {
        return number(name, 1.0).map(Influence::fixed);
    }
    let [first, last, slope] = split_outside_parentheses(inner)[..] else { return None };
    let influence = Influence { first: number(first, 1.0)?, last: number(last, 1.0)?, slope: number(slope, 1.0)? };
    let fits = match name {
        "decreasing" => influence.last <= influence.first,
        "increasing" => influence.last > influence.first,
        _ => false,
    };
    fits.then_some(influence)
}

const LOOPS: [(&str, bool); 2] = [("follow", false), ("cut", true)];

pub(super) fn informed<G: Game>(game: &G, rule: Rule, reader: &mut RuleReader) -> Result<Seated<G>, RuleError> {
    let guided = has_heuristic(game);
    let tree = TreeSettings { playout: playout(game, reader)?, ..tree(game, rule, reader)? };
    let leaf = leaf(guided && rule == Rule::Puct, reader)?;
    let priors = priors(guided && rule == Rule::Puct, reader)?;
    let settings = settings(tree, rule, leaf, priors, reader)?;
    let needed = settings.selection.needs_estimates()
        || matches!(settings.priors, Priors::Softmax(_))
        || settings.leaf == Leaf::Evaluator;
    let evaluator = evaluator(game, needed, reader)?;
    Ok(Seated::fair(Informed::new(game, settings, evaluator)))
}

/// For a search whose leaves and priors come from a network.
pub(crate) fn network_settings<G: Game>(game: &G, reader: &mut RuleReader) -> Result<InformedSettings<G>, RuleError> {
    let tree = tree(game, Rule::Network, reader)?;
    settings(tree, Rule::Network, Leaf::Evaluator, Priors::Evaluator, reader)
}

fn settings<G: Game>(
    tree: TreeSettings<G>,
    rule: Rule,
    leaf: Leaf,
    priors: Priors,
    reader: &mut RuleReader,
) -> Result<InformedSettings<G>, RuleError> {
    Ok(InformedSettings {
        root: root_rule(&tree.budget, reader)?,
        tree,
        selection: selection(rule, reader)?,
        leaf,
        priors,
        prior_temperature: reader.number("prior_temperature", "priors become P^(1/T)", 0.01..=100.0, 1.0)?,
        noise: Noise {
            share: reader.number("noise", "share of Dirichlet noise in the priors at the root", 0.0..=1.0, 0.0)?,
            alpha: reader.number("alpha", "of the Dirichlet noise", 0.0001..=1000.0, 0.3)?,
        },
        batch: reader.integer("batch", "leaves that are evaluated together", 1..=4096, 1)?,
        solver: reader.flag("solver", "whether proven results are kept", true)?,
        discount: reader.number("discount", "what a reward keeps with every action before it", 0.0..=1.0, 1.0)?,
        cut_loops: reader.choice("loops", "an action that repeats a position of its path", &LOOPS, "follow")?,
        reuse: reader.flag("reuse", "whether the tree is used again at the next decision", false)?,
    })
}

fn tree<G: Game>(game: &G, rule: Rule, reader: &mut RuleReader) -> Result<TreeSettings<G>, RuleError> {
    let mut default = TreeSettings::<G>::default();
    if rule == Rule::Network {
        default.budget = Budget::iterations(NETWORK_ITERATIONS);
    }
    // Good at Breakthrough with rewards from -1 to 1; with a network AlphaZero's.
    let c = match rule {
        Rule::Network => 1.25,
        Rule::Puct => 0.6,
        Rule::Bias(_) => 0.5,
        Rule::Implicit(_) => 0.7,
    };
    Ok(TreeSettings {
        budget: budget(reader, default.budget)?,
        exploration: reader.number("exploration", "C, the weight of exploration", 0.0..=1000.0, c)?,
        playout: Playout::random(),
        reward: reward(game, reader)?,
        choice: choice(reader, "robust")?,
        memory: memory(reader, default.memory)?,
    })
}

fn selection(rule: Rule, reader: &mut RuleReader) -> Result<Selection, RuleError> {
    let (growth, weight, first_play, bias, minimax) = match rule {
        Rule::Puct | Rule::Network => ("puct", "priors", "reduced", 0.0, false),
        Rule::Bias(weight) => ("ucb1", "one", "parent", weight, false),
        Rule::Implicit(_) => ("ucb1", "one", "parent", 0.0, true),
    };
    let influence = match rule {
        Rule::Implicit(influence) => influence,
        _ => Influence::fixed(0.0),
    };
    let base = reader.number("exploration_base", "C grows as C + ln((1+N+B)/B); 0: constant", 0.0..=1e9, 0.0)?;
    let growths = [
        ("ucb1", Growth::Ucb1),
        ("puct", Growth::Puct),
        ("root", Growth::Root),
        ("inverse", Growth::Inverse),
        ("constant", Growth::Constant),
    ];
    Ok(Selection {
        exploration_base: (base > 0.0).then_some(base),
        growth: reader.choice("explore", "how exploration depends on visits", &growths, growth)?,
        weight: parsed(reader, "weight", "by what exploration is multiplied", WEIGHTS, weight, parse_weight)?,
        influence,
        bias: reader.number("bias", "W of progressive bias, W v / (losses + 1)", 0.0..=1e6, bias)?,
        minimax: reader.flag("minimax", "whether estimates are backed up by minimax", minimax)?,
        grave: parsed(reader, "grave", "share of all-moves-as-first", GRAVES, "none", parse_grave)?,
        first_play: parsed(reader, "fpu", "the mean of a child without visits", FIRST_PLAYS, first_play, parse_first)?,
        rescale: parsed(reader, "rescale", "how estimates of siblings are changed", RESCALES, "none", parse_rescale)?,
        top: parsed(reader, "top", "what happens to the children with the best scores", TOPS, "best", parse_top)?,
        multiplier: reader.number("multiplier", "scores are multiplied by 1-R..1+R at random", 0.0..=1.0, 0.0)?,
        virtual_loss: reader.number("virtual_loss", "for each visit under way in a batch", 0.0..=1000.0, 1.0)?,
    })
}

/// Agents take what has the highest priors; self-play draws.
pub(super) fn root_rule(budget: &Budget, reader: &mut RuleReader) -> Result<RootRule, RuleError> {
    const RULES: &str = "same | gumbel(ACTIONS) | gumbel(ACTIONS,VISITS,SCALE) | forced(K)";
    let gumbel = |considered: f64, visits: f64, scale: f64| {
        let fits = considered.fract() == 0.0 && (1.0..=65_535.0).contains(&considered) && visits >= 0.0 && scale >= 0.0;
        let settings = Gumbel { considered: considered as usize, noise: 0.0, visits, scale };
        fits.then_some(RootRule::Gumbel(settings))
    };
    let Gumbel { visits, scale, .. } = Gumbel::default();
    let rule =
        parsed(reader, "root", "how visits at the root are shared out", RULES, "same", |name, numbers| {
            match (name, numbers) {
                ("same", []) => Some(RootRule::Same),
                ("gumbel", []) => gumbel(16.0, visits, scale),
                ("gumbel", &[considered]) => gumbel(considered, visits, scale),
                ("gumbel", &[considered, visits, scale]) => gumbel(considered, visits, scale),
                ("forced", []) => Some(RootRule::Forced(2.0)),
                ("forced", &[k]) if k > 0.0 => Some(RootRule::Forced(k)),
                _ => None,
            }
        })?;
    match (rule, budget.iterations) {
        (RootRule::Gumbel(_), None) => Err(RuleError("root=gumbel shares out iterations: set iterations, too".into())),
        _ => Ok(rule),
    }
}

/// A setting that has a form of its own.
pub(super) fn parsed<T>(
    reader: &mut RuleReader,
    name: &'static str,
    meaning: &'static str,
    values: &str,
    default: &'static str,
    parse: impl Fn(&str, &[f64]) -> Option<T>,
) -> Result<T, RuleError> {
    let text = reader.text(name, meaning, values, default);
    let value = call(&text).and_then(|(name, inner)| {
        let numbers: Option<Vec<f64>> =
            split_outside_parentheses(inner).into_iter().map(|number| number.parse().ok()).collect();
        parse(name, &numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))?)
    });
    value.ok_or_else(|| RuleError(format!("setting {name}={text}: must be {values}")))
}

const WEIGHTS: &str = "one | priors | softmax(T)";

fn parse_weight(name: &str, numbers: &[f64]) -> Option<Weight> {
    match (name, numbers) {
        ("one", []) => Some(Weight::One),
        ("priors", []) => Some(Weight::Priors),
        ("softmax", []) => Some(Weight::Softmax(2.0)),
        ("softmax", &[temperature]) if temperature >= 0.0 => Some(Weight::Softmax(temperature)),
        _ => None,
    }
}

const GRAVES: &str = "none | grave(VISITS,BIAS)";

fn parse_grave(name: &str, numbers: &[f64]) -> Option<Option<Grave>> {
    match (name, numbers) {
        ("none", []) => Some(None),
        ("grave", []) => Some(Some(Grave { reference: 100, bias: 1e-6 })),
        ("grave", &[visits, bias]) if (0.0..=1e9).contains(&visits) && bias >= 0.0 => {
            Some(Some(Grave { reference: visits as u32, bias }))
        }
        _ => None,
    }
}

const FIRST_PLAYS: &str = "parent | reduced(R) | estimate | infinite | win | draw | loss | zero";

fn parse_first(name: &str, numbers: &[f64]) -> Option<FirstPlay> {
    match (name, numbers) {
        ("parent", []) => Some(FirstPlay::Parent),
        ("reduced", []) => Some(FirstPlay::Reduced(0.25)),
        ("reduced", &[reduction]) => Some(FirstPlay::Reduced(reduction)),
        ("estimate", []) => Some(FirstPlay::Estimate),
        ("infinite", []) => Some(FirstPlay::Infinite),
        ("win", []) => Some(FirstPlay::Win),
        ("draw", []) => Some(FirstPlay::Draw),
        ("loss", []) => Some(FirstPlay::Loss),
        ("zero", []) => Some(FirstPlay::Zero),
        _ => None,
    }
}

const RESCALES: &str = "none | multiply(F) | spread(D) | bounds(LOW,HIGH)";

fn parse_rescale(name: &str, numbers: &[f64]) -> Option<Rescale> {
    match (name, numbers) {
        ("none", []) => Some(Rescale::None),
        ("multiply", &[factor]) if factor >= 0.0 => Some(Rescale::Multiply(factor)),
        ("spread", &[spread]) if spread >= 0.0 => Some(Rescale::Spread(spread)),
        ("bounds", &[low, high]) if low < high => Some(Rescale::Bounds(low, high)),
        _ => None,
    }
}

const TOPS: &str = "best | sample(K) | explore(K,C)";

fn parse_top(name: &str, numbers: &[f64]) -> Option<Top> {
    let count = |number: f64| (number.fract() == 0.0 && (1.0..=65_535.0).contains(&number)).then_some(number as usize);
    match (name, numbers) {
        ("best", []) => Some(Top::Best),
        ("sample", &[most]) => Some(Top::Sample(count(most)?)),
        ("explore", &[most, c]) if c >= 0.0 => Some(Top::Explore(count(most)?, c)),
        _ => None,
    }
}

fn leaf(by_heuristic: bool, reader: &mut RuleReader) -> Result<Leaf, RuleError> {
    let leaves = [("playout", Leaf::Playout), ("heuristic", Leaf::Evaluator)];
    let default = if by_heuristic { "heuristic" } else { "playout" };
    reader.choice("leaf", "whence the value of a new leaf comes", &leaves, default)
}

fn priors(by_estimates: bool, reader: &mut RuleReader) -> Result<Priors, RuleError> {
    let default = if by_estimates { "softmax" } else { "uniform" };
    parsed(reader, "priors", "of actions, for weight=priors", "uniform | softmax(T)", default, |name, numbers| {
        match (name, numbers) {
            ("uniform", []) => Some(Priors::Uniform),
            ("softmax", []) => Some(Priors::Softmax(0.1)),
            ("softmax", &[temperature]) if temperature >= 0.0 => Some(Priors::Softmax(temperature)),
            _ => None,
        }
    })
}

/// `needed` says that the search asks for evaluations.
fn evaluator<G: Game>(game: &G, needed: bool, reader: &mut RuleReader) -> Result<Box<dyn Evaluator<G>>, RuleError> {
    const VALUES: &str = "heuristic | playouts(N)";
    let by_heuristic = has_heuristic(game);
    let default = if by_heuristic || needed { "heuristic" } else { "playouts" };
    let playouts =
        parsed(reader, "evaluator", "what values positions", VALUES, default, |name, numbers| match (name, numbers) {
            ("heuristic", []) => Some(None),
            ("playouts", []) => Some(Some(1)),
            ("playouts", &[count]) if (1.0..=1e6).contains(&count) => Some(Some(count as u32)),
            _ => None,
        })?;
    let evaluator: Box<dyn Evaluator<G>> = match playouts {
        Some(count) => Box::new(PlayoutEvaluator::new(game, Playout::random(), count)),
        None if by_heuristic => Box::new(HeuristicEvaluator(heuristic(game, reader, "heuristic")?)),
        None => {
            let message = format!("{} has no heuristic: use evaluator=playouts(4)", game.info().name);
            return Err(RuleError(message));
        }
    };
    let cached = reader.flag("cache", "whether evaluations of positions are remembered", false)?;
    Ok(if cached { Box::new(CachedEvaluator::new(evaluator, CACHE)) } else { evaluator })
}
