//! The arrows between crates, as ARCHITECTURE.md draws them. A new arrow is a decision: make it here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Each crate with the crates of this project that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("games", &["core"]),
    ("search", &["core"]),
    ("arena", &["core"]),
    ("store", &["core"]),
    ("network", &["core", "search"]),
    ("catalog", &["core", "games", "network", "search"]),
    ("training", &["core", "arena", "catalog", "network"]),
    ("server", &["core", "arena", "catalog", "store"]),
    ("cli", &["core", "arena", "catalog", "network", "server", "store", "training"]),
];

/// What only some crates may link, because it is heavy or because it would leak into the rules.
const RESTRICTED: &[(&str, &[&str])] = &[
    ("burn", &["training"]),
    ("burn-tensor", &["training"]),
    ("tokio", &["store", "server"]),
    ("axum", &["server"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli"]),
];

fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeMap::new();
    for folder in fs::read_dir(crates).unwrap() {
        let folder = folder.unwrap();
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let names = manifest.get("dependencies").and_then(|table| table.as_table());
        let names = names.map(|table| table.keys().cloned().collect()).unwrap_or_default();
        found.insert(folder.file_name().into_string().unwrap(), names);
    }
    found
}

#[test]
fn arrows_go_one_way() {
    let found = dependencies();
    let listed: Vec<&str> = ARROWS.iter().map(|&(name, _)| name).collect();
    for (name, dependencies) in &found {
        assert!(listed.contains(&name.as_str()), "crate {name} has no line in ARROWS");
        let allowed = ARROWS.iter().find(|&&(listed, _)| listed == name).unwrap().1;
        for inner in dependencies.iter().filter_map(|dependency| dependency.strip_prefix("meeple-")) {
            assert!(allowed.contains(&inner), "{name} may not use {inner}");
        }
    }
    assert_eq!(found.len(), ARROWS.len());
}

#[test]
fn heavy_dependencies_stay_where_they_belong() {
    for (name, dependencies) in dependencies() {
        for &(heavy, allowed) in RESTRICTED {
            let links = dependencies.iter().any(|dependency| dependency == heavy);
            assert!(!links || allowed.contains(&name.as_str()), "{name} may not link {heavy}");
        }
    }
}
