//! Runs of a policy that plays alone: which they are, and what they cannot have.

use meeple_network::Header;

use super::config::{Config, ConfigError, Replay, SelfPlay, nothing};

impl Config {
    fn is_alone(&self) -> bool {
        self.self_play.agent == "network"
    }

    /// Whether the policy plays alone in an iteration, and learns from how its decisions turned out.
    pub(super) fn plays_alone(&self, iteration: u32) -> bool {
        self.is_alone() && (iteration > 1 || self.self_play.first.is_none())
    }

    /// A policy that plays alone learns from what it has just done, and nothing is searched.
    pub(super) fn check_alone(&self) -> Result<(), String> {
        if !self.is_alone() {
            return Ok(());
        }
        let SelfPlay { settings, true_state, target_discount, root_value, quick, surprise, cut_loops, .. } =
            &self.self_play;
        let idle = [
            ("self_play.settings", !settings.is_empty()),
            ("self_play.true_state", *true_state),
            ("self_play.target_discount", target_discount.is_some()),
            ("self_play.root_value", *root_value != nothing()),
            ("self_play.quick", quick.is_some()),
            ("self_play.surprise", *surprise > 0.0),
            ("self_play.cut_loops", *cut_loops),
            ("replay", self.replay != Replay::default()),
            ("learning.value_trace", self.learning.traces_values()),
        ];
        match idle.iter().find(|(_, is_set)| *is_set) {
            Some((name, _)) => Err(format!("{name} does nothing where the policy plays alone (self_play.agent)")),
            None => Ok(()),
        }
    }

    /// Such a policy must say the same when it learns as when it played.
    pub(super) fn check_lone_network(&self, header: &Header) -> Result<(), ConfigError> {
        let complain = |why: &str| Err(ConfigError(format!("network: a policy that plays alone {why}")));
        match &header.description {
            _ if !self.is_alone() => Ok(()),
            network if network.policy.is_none() || network.value.is_none() => {
                complain("needs a policy and a value to judge it by")
            }
            network if network.has_norms() => complain("has no batch norm, which depends on what is learnt together"),
            _ => Ok(()),
        }
    }
}
