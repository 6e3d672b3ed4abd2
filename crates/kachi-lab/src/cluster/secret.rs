//! The secret that all processes of a cluster share. It is never sent: each side proves with a keyed hash (HMAC-SHA256) of both sides' random
//! numbers that it knows it.

use hmac::{Hmac, KeyInit, Mac};
use kachi_core::Error;
use sha2::Sha256;
use std::path::Path;

/// The name of the variable of the environment that may hold the secret.
pub const VARIABLE: &str = "KACHI_SECRET";

/// Shorter secrets can be guessed.
const SHORTEST: usize = 16;

/// A shared secret.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

/// A random number that is used once.
pub(super) type Nonce = [u8; 32];

impl Secret {
    /// From a text.
    ///
    /// # Errors
    /// `weak_secret` for fewer than 16 characters.
    pub fn new(text: &str) -> Result<Secret, Error> {
        let text = text.trim();
        if text.len() < SHORTEST {
            let message = format!("the secret has {} characters; {SHORTEST} are the fewest", text.len());
            return Err(
                Error::new("weak_secret", message).hint("head -c 32 /dev/urandom | base64 > secret.txt")
            );
        }
        Ok(Secret(text.as_bytes().to_vec()))
    }

    /// From a file, or else from the environment.
    ///
    /// # Errors
    /// `cannot_read`, `weak_secret`, `no_secret` if there is neither.
    pub fn find(file: Option<&Path>) -> Result<Secret, Error> {
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Error::new("cannot_read", format!("cannot read the secret in {}: {error}", path.display()))
            })?;
            return Secret::new(&text);
        }
        match std::env::var(VARIABLE) {
            Ok(text) => Secret::new(&text),
            Err(_) => Err(Error::new("no_secret", "the processes of a cluster need a secret in common")
                .hint(format!("--secret-file FILE, or the variable {VARIABLE}; the same on every host"))),
        }
    }

    /// A new one that nobody can guess.
    ///
    /// # Errors
    /// `no_randomness` if the system gives none.
    pub fn random() -> Result<Secret, Error> {
        Ok(Secret(hexadecimal(&nonce()?).into_bytes()))
    }

    /// The text, to be handed to a child process through a pipe.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    fn hash(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut hash =
            Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!("any length is a key"));
        for part in parts {
            // The length first, so that no two lists of parts are hashed as the same bytes.
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash
    }

    /// The proof of knowing the secret.
    pub(super) fn proof(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.hash(parts).finalize().into_bytes().into()
    }

    /// Checks a proof, in a time that does not depend on where it is wrong.
    pub(super) fn accepts(&self, parts: &[&[u8]], proof: &[u8]) -> bool {
        self.hash(parts).verify_slice(proof).is_ok()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Random bytes of the system.
pub(super) fn nonce() -> Result<Nonce, Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::new("no_randomness", error.to_string()))?;
    Ok(bytes)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_need_the_secret_and_the_parts() {
        let (one, other) = (Secret::new("sixteen letters!").unwrap(), Secret::random().unwrap());
        let proof = one.proof(&[b"ab", b"c"]);
        assert!(one.accepts(&[b"ab", b"c"], &proof));
        assert!(!one.accepts(&[b"a", b"bc"], &proof));
        assert!(!one.accepts(&[b"ab", b"c"], &proof[..31]));
        assert!(!other.accepts(&[b"ab", b"c"], &proof));
        assert_eq!(Secret::new(" short \n").unwrap_err().code, "weak_secret");
        assert!(!format!("{one:?}").contains("letters"));
    }
}
