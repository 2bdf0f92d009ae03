//! Self-play by the names of searches and settings.

use meeple_catalog::{Session, SessionError, model, self_player};
use meeple_core::Rules;
use meeple_network::Model;
use meeple_network::samples::Sample;

fn samples(network: &Model, agent: &str) -> Result<Vec<Sample>, SessionError> {
    let player = self_player("tic-tac-toe", &Rules::default()).unwrap();
    let session = Session::plain(network, agent.to_string(), 10, 1);
    player.check(&session)?;
    player.play(&session, &mut |_| true).map(|played| played.samples)
}

#[test]
fn a_temperature_stands_for_the_final_choice() {
    let network = model("tic-tac-toe/dense").unwrap();
    for search in ["puct", "ispuct"] {
        let of = |more: &str| samples(&network, &format!("{search}:iterations=8{more}"));
        let hot = of(",temperature=3").unwrap();
        assert_eq!(hot, of(",final=sampled(3)").unwrap());
        assert_ne!(hot, of("").unwrap(), "games differ with it");
        let why = |more: &str| of(more).unwrap_err().0;
        assert!(why(",temperature=3,final=sampled(3)").contains("set one of them"));
        for bad in ["hot", "-1", "1:1", "NaN", "1001"] {
            let why = why(&format!(",temperature={bad}"));
            assert!(why.contains(&format!("temperature={bad}")), "{why}");
        }
    }
}

/// What a session could not be played with is found by looking at it.
#[test]
fn checks_find_what_play_would_refuse() {
    let network = model("tic-tac-toe/dense").unwrap();
    let player = self_player("tic-tac-toe", &Rules::default()).unwrap();
    let plain = |agent: &str| Session::plain(&network, agent.to_string(), 1, 1);
    let sessions = [
        Session { cut_loops: true, ..plain("ispuct:iterations=4") },
        Session { target_discount: Some(0.0), ..plain("puct:iterations=4") },
        Session { target_discount: Some(0.0), first: Some("random"), ..plain("puct:iterations=4") },
    ];
    for session in sessions {
        let found = player.check(&session).unwrap_err();
        assert_eq!(player.play(&session, &mut |_| true).unwrap_err(), found);
    }
    // An agent in the place of the search does not mind what the search cannot do.
    player.check(&Session { cut_loops: true, first: Some("random"), ..plain("ispuct:iterations=4") }).unwrap();
}
