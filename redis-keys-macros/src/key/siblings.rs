//! The keys of each crate for `sibling_fields`.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use redis_keys_schema::{Sibling, Warning};
use redis_keys_syntax::Siblings;

/// By the folder of the package and the name of the crate.
type Crates = HashMap<[Option<OsString>; 2], Siblings>;

static CRATES: LazyLock<Mutex<Crates>> = LazyLock::new(Mutex::default);

/// The warning for a key that is a field of the same object as an earlier one. `declared` identifies the declaration.
pub(super) fn check(sibling: &Sibling, declared: String) -> Option<Warning> {
    let mut crates = CRATES.lock().unwrap_or_else(PoisonError::into_inner);
    let siblings = crates.entry(["CARGO_MANIFEST_DIR", "CARGO_CRATE_NAME"].map(env::var_os)).or_default();
    siblings.check(sibling, declared)
}
