//! Passwords: Argon2id with the parameters that OWASP recommends, which are the defaults of `argon2`.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};

use crate::failure::Failure;

/// Returns what is stored of a password. It takes a tenth of a second and 19 MB.
pub(crate) fn hash(password: &str) -> Result<String, Failure> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt)?;
    let salt = SaltString::encode_b64(&salt).map_err(internal)?;
    Ok(Argon2::default().hash_password(password.as_bytes(), &salt).map_err(internal)?.to_string())
}

/// Returns whether a password is the stored one, on a thread that may block.
pub(crate) async fn is_right(password: String, stored: String) -> Result<bool, Failure> {
    let verify = move || {
        let hash = PasswordHash::new(&stored).map_err(internal)?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    };
    tokio::task::spawn_blocking(verify).await.map_err(|_| Failure::Internal)?
}

fn internal(error: argon2::password_hash::Error) -> Failure {
    eprintln!("password: {error}");
    Failure::Internal
}
