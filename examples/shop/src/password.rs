//! Passwords: Argon2id with the parameters that OWASP recommends, which are the defaults of `argon2`.

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};

use crate::failure::Failure;

/// Returns what is stored of a password, with a random salt. It needs 19 MB for a moment.
pub(crate) fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

/// Returns whether a password is the stored one, on a thread that may block.
pub(crate) async fn is_right(password: String, stored: String) -> Result<bool, Failure> {
    let verify = move || Argon2::default().verify_password(password.as_bytes(), stored.as_str()).is_ok();
    tokio::task::spawn_blocking(verify).await.map_err(|_| Failure::Internal)
}
