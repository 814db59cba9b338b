//! The keys of a crate that may be fields of one object: the one thing that is known of other keys here.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use redis_keys_schema::{Elder, Sibling, Warning};

use crate::input::Input;

/// The crate, the object, and the key that was its first field: text alone, since tokens don't outlive their derive.
type Elders = HashMap<(Option<OsString>, Option<OsString>, String), Known>;

static ELDERS: LazyLock<Mutex<Elders>> = LazyLock::new(Mutex::default);

struct Known {
    elder: Elder,
    /// What tells its declaration from others: an editor expands each anew whenever something changes.
    declared: String,
}

/// What is told of a key that is a field of the same object as one before it.
pub(crate) fn meet(input: &Input<'_>, sibling: &Sibling) -> Option<Warning> {
    let family = (env::var_os("CARGO_MANIFEST_DIR"), env::var_os("CARGO_CRATE_NAME"), sibling.family.clone());
    let declared = input.place();
    let mut elders = ELDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = elders.entry(family).or_insert_with(|| {
        let (name, place) = declared.split_once(' ').unwrap_or((&declared, ""));
        let place = place.rsplit_once(':').map_or(place, |(place, _)| place).to_owned();
        let elder = Elder { field: sibling.field.clone(), name: name.to_owned(), place };
        Known { elder, declared: declared.clone() }
    });
    if known.declared == declared {
        known.elder.field.clone_from(&sibling.field);
        return None;
    }
    // The same field twice is the same key twice, which is no matter of lints.
    (known.elder.field != sibling.field).then(|| sibling.warning(&known.elder))
}
