//! Secrets that prove who one is. The server keeps their hashes only.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// So many hexadecimal digits of randomness.
pub(crate) fn random_hex(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).expect("the system has random numbers");
    hex(&random)
}

/// A new secret.
pub(crate) fn new_token() -> String {
    random_hex(16)
}

/// What is kept of a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TokenHash(String);

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenHash")
    }
}

impl TokenHash {
    pub(crate) fn of(token: &str) -> TokenHash {
        TokenHash(hex(&Sha256::digest(token.as_bytes())))
    }

    /// In the same time for all tokens.
    pub(crate) fn matches(&self, token: &str) -> bool {
        let other = TokenHash::of(token);
        let difference = self.0.bytes().zip(other.0.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        self.0.len() == other.0.len() && difference == 0
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_itself_matches() {
        let token = new_token();
        let hash = TokenHash::of(&token);
        assert_eq!(token.len(), 32);
        assert!(hash.matches(&token));
        assert!(!hash.matches(&new_token()) && !hash.matches("") && !hash.matches(&token[1..]));
        assert!(!format!("{hash:?}").contains(&hash.0));
    }
}
