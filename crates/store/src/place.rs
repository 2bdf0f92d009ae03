//! Where a database is.

use std::fmt;
use std::path::{Path, PathBuf};

/// A file, or a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    File(PathBuf),
    /// An address that begins with `postgres://` or `postgresql://`.
    Server(String),
}

impl Place {
    pub fn new(text: &str) -> Place {
        match is_address(text) {
            true => Place::Server(text.to_string()),
            false => Place::File(PathBuf::from(text)),
        }
    }

    /// Whether a text names a database where other files may be named, too: it is an address, or
    /// ends in `.db`, `.sqlite` or `.sqlite3`.
    pub fn names_database(text: &str) -> bool {
        let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
        is_address(text) || matches!(ending, Some("db" | "sqlite" | "sqlite3"))
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Without user, password and options, which have no place in messages.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(f, "{}", path.display()),
            Place::Server(address) => {
                let plain = address.split(['?', '#']).next().unwrap_or_default();
                let (scheme, rest) = plain.split_once("://").unwrap_or_default();
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                write!(f, "{scheme}://{host}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_told_from_other_files() {
        for text in ["games.db", "runs/a.sqlite", "a.sqlite3", "postgres://host/games", "postgresql:///games"] {
            assert!(Place::names_database(text), "{text}");
        }
        for text in ["games.jsonl", "db", "games.db.jsonl", "-"] {
            assert!(!Place::names_database(text), "{text}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = |text: &str| Place::new(text).to_string();
        assert_eq!(shown("postgres://me:sec@ret@host:5432/games?password=secret"), "postgres://host:5432/games");
        assert_eq!(shown("postgres://host/games"), "postgres://host/games");
        assert_eq!(shown("runs/games.db"), "runs/games.db");
    }
}
