//! Samples in files, merged, and in a window.

use std::fs;
use std::path::PathBuf;

use meeple_core::Rng;
use meeple_network::Sample;
use meeple_network::samples::{Extent, Packed, SampleError, Weighing, Window, merge, read, write};

fn sample(key: u64, policy: &[(u16, f32)], payoff: f32) -> Sample {
    Sample {
        input: Packed::new(&[0.0, 1.0, key as f32 / 7.0]),
        hidden: Packed::default(),
        legal: policy.iter().map(|&(index, _)| index).collect(),
        policy: policy.iter().map(|&(_, share)| share).collect(),
        drawn: None,
        payoffs: [payoff, -payoff, 0.0, 0.0, 0.0, 0.0],
        key,
        weight: 1.0,
    }
}

fn samples(count: u64) -> Vec<Sample> {
    let mut rng = Rng::from_seed(1);
    let share = |rng: &mut Rng| rng.unit() as f32;
    (0..count)
        .map(|key| {
            let first = share(&mut rng);
            let input: Vec<f32> = (0..45).map(|_| [0.0, 0.0, 1.0, share(&mut rng)][rng.below(4) as usize]).collect();
            let sample = sample(key, &[(3, first), (700, 0.0), (u16::MAX, 1.0 - first)], 2.0 * first - 1.0);
            let hidden = Packed::new(&input[..33]);
            Sample { input: Packed::new(&input), hidden, weight: 0.5 + first, ..sample }
        })
        .collect()
}

fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("meeple-samples-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn what_is_written_is_read_again() {
    let path = file("whole");
    for count in [0, 1, 50] {
        let samples = samples(count);
        write(&path, &samples).unwrap();
        assert_eq!(read(&path).unwrap(), samples);
    }
    assert!(!path.with_extension("part").exists());
}

#[test]
fn torn_and_changed_files_are_refused() {
    let path = file("broken");
    write(&path, &samples(5)).unwrap();
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match read(&path) {
            Err(error @ SampleError::Damaged(..)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    for length in 0..whole.len() {
        refused(&whole[..length]);
    }
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 0x10;
        refused(&changed);
    }
    let message = refused(&whole[..whole.len() - 1]);
    assert!(message.contains("is not a usable file of samples: its checksum is wrong"), "{message}");
    assert!(matches!(read(&file("missing")), Err(SampleError::Io(..))));
}

/// Whoever knows how the checksum is made still cannot pass on nonsense.
#[test]
fn numbers_that_make_no_sense_are_refused() {
    let path = file("nonsense");
    let good = sample(1, &[(2, 0.25), (5, 0.75)], 1.0);
    let broken = [
        Sample { weight: f32::NAN, ..good.clone() },
        Sample { weight: 0.0, ..good.clone() },
        Sample { payoffs: [2.0; 6], ..good.clone() },
        Sample { legal: [5, 2].into(), ..good.clone() },
        Sample { legal: [5, 5].into(), ..good.clone() },
        Sample { legal: [].into(), policy: [].into(), ..good.clone() },
        Sample { policy: [0.5, 0.6].into(), ..good.clone() },
        Sample { policy: [-0.5, 1.5].into(), ..good.clone() },
        Sample { input: Packed::new(&[f32::INFINITY]), ..good.clone() },
    ];
    write(&path, &[Sample { policy: [0.0, 0.0].into(), ..good }]).unwrap();
    assert_eq!(read(&path).unwrap().len(), 1, "a position that was not searched");
    for sample in broken {
        write(&path, std::slice::from_ref(&sample)).unwrap();
        assert!(matches!(read(&path), Err(SampleError::Damaged(..))), "{sample:?}");
    }
}

#[test]
fn equal_positions_become_one() {
    let all = [
        sample(1, &[(2, 0.5), (5, 0.5)], 1.0),
        sample(2, &[(0, 1.0)], -1.0),
        sample(1, &[(2, 1.0), (5, 0.0)], -1.0),
        sample(1, &[(2, 0.0), (4, 1.0)], -1.0),
        sample(1, &[(2, 0.5), (5, 0.5)], 1.0),
    ];
    for (weighing, weight) in [(Weighing::One, 1.0), (Weighing::Count, 4.0), (Weighing::Logarithmic, 3.0)] {
        let merged = merge(&all, weighing);
        assert_eq!(merged.len(), 2);
        let first = Sample { weight, ..sample(1, &[(2, 0.5), (4, 0.25), (5, 0.25)], 0.0) };
        assert_eq!((merged[0].key, &merged[0].policy, &merged[0].legal), (1, &first.policy, &first.legal));
        assert_eq!((merged[0].payoffs[0], merged[0].weight, &merged[0].input), (0.0, weight, &all[0].input));
        assert_eq!(merged[1], all[1]);
    }
    // What was not searched says nothing about the policy.
    let unsearched = sample(2, &[(0, 0.0), (1, 0.0)], 1.0);
    let merged = merge([&all[1], &unsearched], Weighing::One);
    assert_eq!((&merged[0].policy[..], merged[0].payoffs[0]), (&[1.0, 0.0][..], 0.0));
}

#[test]
fn a_window_keeps_the_last() {
    let session = |first: u64, count: u64| (first..first + count).map(|key| sample(key, &[(0, 1.0)], 0.0)).collect();
    let keys = |window: &Window| window.samples().map(|sample| sample.key).collect::<Vec<_>>();
    let mut window = Window::new(Extent::Positions(5));
    window.add(session(0, 3));
    window.add(session(3, 4));
    assert_eq!(keys(&window), [2, 3, 4, 5, 6]);
    window.set_extent(Extent::Sessions(2));
    window.add(session(7, 2));
    assert_eq!(keys(&window), [3, 4, 5, 6, 7, 8], "what was left of the first session is gone");
    window.add(Vec::new());
    assert_eq!(keys(&window), [7, 8]);
    window.add(session(9, 1));
    assert_eq!(keys(&window), [9]);
    window.clear();
    assert!(window.is_empty());
}
