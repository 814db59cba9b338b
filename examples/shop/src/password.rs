//! Passwords: Argon2id with the parameters that OWASP recommends, which are the defaults of `argon2`.

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _, password_hash};
use tokio::task::block_in_place;

/// Returns what is stored of a password, with a random salt. It needs 19 MB for a moment.
pub(crate) fn hash(password: &str) -> Result<String, password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

/// Returns whether a password is the stored one.
pub(crate) fn is_right(password: &str, stored: &str) -> bool {
    block_in_place(|| Argon2::default().verify_password(password.as_bytes(), stored).is_ok())
}
