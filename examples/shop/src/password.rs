//! Passwords: Argon2id with the parameters that OWASP recommends, which are the defaults of `argon2`.

use argon2::{Argon2, PasswordVerifier as _};
use tokio::task::block_in_place;

/// The hash of a random password, which is compared for addresses without an account: without it, the time of the
/// answer would tell which addresses have one.
pub(crate) const OF_NO_ACCOUNT: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$unZBhLR+kRFIaZCzxkU2HA$Fy1nhEliQZPLNnBkCoQcA3znvtLQEXCJbEqEImXgZQ4";

/// Returns whether a password is the stored one. It needs 19 MB for a moment.
pub(crate) fn is_right(password: &str, stored: &str) -> bool {
    block_in_place(|| Argon2::default().verify_password(password.as_bytes(), stored).is_ok())
}
