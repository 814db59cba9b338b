//! The forms of a record that must work.

#[path = "record/functions.rs"]
pub mod functions;
#[path = "record/generics.rs"]
pub mod generics;
#[path = "record/macro_by_example.rs"]
pub mod macro_by_example;
#[path = "record/names.rs"]
pub mod names;
#[path = "record/no_prelude.rs"]
pub mod no_prelude;
#[path = "record/options.rs"]
pub mod options;
#[path = "record/outdated.rs"]
pub mod outdated;
#[path = "record/shadowed_names.rs"]
pub mod shadowed_names;
#[path = "record/strict.rs"]
pub mod strict;

/// The names under which a record's fields are stored.
#[cfg(test)]
fn names<R: redis_keys::RedisHash>() -> Vec<&'static str> {
    R::FIELDS.iter().map(|field| field.name).collect()
}
