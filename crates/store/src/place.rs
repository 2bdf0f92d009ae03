//! Where a database is.

use std::fmt;
use std::path::{Path, PathBuf};

use postgres::Config;
use postgres::config::Host;

/// The port of a server that names none.
const USUAL_PORT: u16 = 5432;

/// A file, or a server.
#[derive(Clone, PartialEq, Eq)]
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

/// Whether it is beyond doubt which part of an address is the password. Of `//me:a@b@host` and `//host?password=a@b`
/// a part of it would be taken for the host.
pub(crate) fn is_clear(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    match rest.split_once('@') {
        Some((credentials, rest)) => !credentials.contains(['/', '?', '#']) && !rest.contains('@'),
        None => true,
    }
}

/// Scheme, hosts and database of an address, if that can be told for sure.
fn plain_address(address: &str) -> Option<String> {
    let config: Config = address.parse().ok().filter(|_| is_clear(address))?;
    let (scheme, _) = address.split_once("://")?;
    let host = |(number, host)| plain_host(host, config.get_ports().get(number).copied().unwrap_or(USUAL_PORT));
    let hosts: Vec<String> = config.get_hosts().iter().enumerate().map(host).collect();
    let database = config.get_dbname().map_or(String::new(), |name| format!("/{name}"));
    Some(format!("{scheme}://{}{database}", hosts.join(",")))
}

/// A host, with its port if that is not the usual one.
fn plain_host(host: &Host, port: u16) -> String {
    let name = match host {
        Host::Tcp(name) if name.contains(':') => format!("[{name}]"),
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    };
    if port == USUAL_PORT { name } else { format!("{name}:{port}") }
}

/// Without user, password and options, which have no place in messages.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(f, "{}", path.display()),
            Place::Server(address) => match plain_address(address) {
                Some(plain) => f.write_str(&plain),
                None => f.write_str("the PostgreSQL address"),
            },
        }
    }
}

/// As it is displayed, for the same reason.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self})")
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
        let shown = |text: &str| {
            let place = Place::new(text);
            assert_eq!(format!("{place:?}"), format!("Place({place})"));
            place.to_string()
        };
        for (address, plain) in [
            ("postgres://me:secret@host:5433/games?password=secret", "postgres://host:5433/games"),
            ("postgresql://me:se%3Fc%40ret@host:5432/games?sslmode=require", "postgresql://host/games"),
            ("postgres://host/games?password=secret", "postgres://host/games"),
            ("postgres://me@a,[::1]:5433/games", "postgres://a,[::1]:5433/games"),
            ("postgres:///games?host=/run", "postgres:///run/games"),
            ("runs/games.db", "runs/games.db"),
        ] {
            assert_eq!(shown(address), plain);
        }
        for unclear in [
            "postgres://me:se?cret@host/games",
            "postgres://me:se#cret@host/games",
            "postgres://me:se/cret@host/games",
            "postgres://me:sec@ret@host:5432/games",
            "postgres://me:a@b?secret=c@host/games",
            "postgres://host:5432/games?password=sec@ret",
            "postgres://me:secret@host/games?sslmode=maybe",
            "postgres://me:secret",
        ] {
            assert_eq!(shown(unclear), "the PostgreSQL address");
        }
    }
}
