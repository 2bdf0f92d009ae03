//! Agents that search with priors and estimates, by text.

use meeple_core::Rng;
use meeple_core::agent::Budget;

use crate::the;

#[test]
fn every_setting_can_be_written() {
    for (name, agent) in [
        ("breakthrough", "mcts:select=puct"),
        ("breakthrough", "mcts:select=puct,exploration=1.25,exploration_base=19652,noise=0.25,alpha=0.4,batch=8"),
        ("breakthrough", "mcts:select=puct,leaf=playout,priors=uniform,prior_temperature=1.5,fpu=reduced(0.4)"),
        ("breakthrough", "mcts:select=bias(10),heuristic=schadd"),
        ("breakthrough", "mcts:select=bias,playout=mast,fpu=infinite,reward=positive"),
        ("breakthrough", "mcts:select=implicit(0.4),heuristic=schadd,leaf=heuristic,cache=true"),
        ("breakthrough", "mcts:select=implicit(decreasing(0.6,0.3,0.1)),exploration=0.0001"),
        ("breakthrough", "mcts:select=implicit(increasing(0.3,0.6,0.1)),weight=softmax(2),exploration=1"),
        ("breakthrough", "mcts:select=implicit,weight=softmax(0),explore=root,minimax=false,solver=false"),
        ("breakthrough", "mcts:select=implicit,bias=2,rescale=bounds(-1,1),top=explore(3,1)"),
        ("breakthrough", "mcts:select=implicit,grave=grave(50,0.001),rescale=multiply(2),top=sample(2)"),
        ("breakthrough", "mcts:select=implicit,multiplier=0.1,rescale=spread(1),virtual_loss=0,batch=4,reuse=true"),
        ("breakthrough", "mcts:select=puct,fpu=estimate,discount=0.99,final=secure(1),nodes=500"),
        ("connect-four", "mcts:select=puct"),
        ("connect-four", "mcts:select=implicit,evaluator=playouts(2)"),
        ("chinese-checkers", "mcts:select=bias,evaluator=playouts(1),iterations=2,time=1ms"),
    ] {
        let game = the(name);
        let text = if agent.contains("iterations") { agent.to_string() } else { format!("{agent},iterations=60") };
        let mut player = game.agent(&text).unwrap_or_else(|error| panic!("{error}"));
        let position = game.start();
        let decision = position.decide(&mut player, &Budget::NONE, &mut Rng::from_seed(1));
        assert!(position.actions().contains(&decision.action), "{name} {agent}");
    }
}

#[test]
fn bad_settings_say_what_would_work() {
    for (name, agent, part) in [
        ("connect-four", "mcts:select=uct", "must be ucb1 |"),
        ("connect-four", "mcts:select=implicit(2)", "| implicit(ALPHA)"),
        ("connect-four", "mcts:select=implicit(decreasing(0.3,0.6,0.1))", "| implicit(ALPHA)"),
        ("breakthrough", "mcts:select=puct,heuristic=none", "breakthrough has schadd"),
        ("breakthrough", "mcts:select=puct,threads=2", "unknown setting `threads`"),
        ("breakthrough", "mcts:select=puct,fpu=parents", "must be parent | reduced(R)"),
        ("breakthrough", "mcts:select=puct,top=sample(0)", "must be best | sample(K)"),
        ("breakthrough", "mcts:select=puct,weight=softmax(-1)", "must be one | priors"),
        ("breakthrough", "mcts:select=puct,rescale=bounds(1,-1)", "must be none | multiply(F)"),
        ("breakthrough", "mcts:select=puct,grave=grave(1)", "must be none | grave(VISITS,BIAS)"),
        ("breakthrough", "mcts:select=puct,noise=2", "must be a number in 0..1"),
        ("hearts", "mcts:select=puct", "use ismcts"),
    ] {
        let error = the(name).agent(agent).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{name} {agent}: {error}");
    }
}
