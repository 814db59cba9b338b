//! Declarations that must compile, each in a file of `pass/`. Those that must not are in `fail/`.
//!
//! They are modules of a library, not cases of trybuild, so that clippy and `missing_docs` check them like a user's
//! crate.

#[path = "../pass/beside_serde.rs"]
pub mod beside_serde;
#[path = "../pass/buckets.rs"]
pub mod buckets;
#[path = "../pass/cache.rs"]
pub mod cache;
#[path = "../pass/calls.rs"]
pub mod calls;
#[path = "../pass/cfg_attr.rs"]
pub mod cfg_attr;
#[path = "../pass/copies.rs"]
pub mod copies;
#[path = "../pass/deprecated.rs"]
pub mod deprecated;
#[path = "../pass/digests.rs"]
pub mod digests;
#[path = "../pass/first_tries.rs"]
pub mod first_tries;
#[path = "../pass/forms.rs"]
pub mod forms;
#[path = "../pass/functions.rs"]
pub mod functions;
#[path = "../pass/generics.rs"]
pub mod generics;
#[path = "../pass/legacy.rs"]
pub mod legacy;
#[path = "../pass/macro_by_example.rs"]
pub mod macro_by_example;
#[path = "../pass/no_prelude.rs"]
pub mod no_prelude;
#[path = "../pass/options.rs"]
pub mod options;
#[path = "../pass/other_json.rs"]
pub mod other_json;
#[path = "../pass/overlap.rs"]
pub mod overlap;
#[path = "../pass/parse.rs"]
pub mod parse;
#[path = "../pass/patterns.rs"]
pub mod patterns;
#[path = "../pass/quoted.rs"]
pub mod quoted;
#[path = "../pass/raw_names.rs"]
pub mod raw_names;
#[path = "../pass/record.rs"]
pub mod record;
#[path = "../pass/references.rs"]
pub mod references;
#[path = "../pass/segment.rs"]
pub mod segment;
#[path = "../pass/shadowed_names.rs"]
pub mod shadowed_names;
#[path = "../pass/shapes.rs"]
pub mod shapes;
#[path = "../pass/strict.rs"]
pub mod strict;
#[path = "../pass/templates.rs"]
pub mod templates;
#[path = "../pass/trait_alone.rs"]
pub mod trait_alone;
#[path = "../pass/types.rs"]
pub mod types;
#[path = "../pass/values.rs"]
pub mod values;
#[path = "../pass/visibility.rs"]
pub mod visibility;

/// Asserts the text of a key.
#[cfg(test)]
#[track_caller]
fn assert_key(key: &impl redis_keys::RedisKey, text: &str) {
    assert_eq!(key.key().map_err(|error| error.to_string()).as_deref(), Ok(text));
}
