//! The shapes that types of all kinds have.

mod alternatives;
mod forms;
mod made;
#[cfg(feature = "protobuf")]
mod protobuf;
mod rules;
mod types;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::shape_of;
use redis_keys_core::value_shape::{Codec, Form};

/// The shape on one line, whose text is read again, and the notes.
fn traced<T: Serialize + DeserializeOwned>(is_human_readable: bool) -> (String, Vec<String>) {
    let traced = shape_of::<T>(is_human_readable);
    let form = Form::Serde(Codec::Json, traced.shape.clone());
    assert_eq!(form.to_string().parse(), Ok(form));
    (traced.shape.to_string(), traced.notes)
}

/// Asserts that a type is known in full, and the same for all formats.
#[track_caller]
fn assert_shape<T: Serialize + DeserializeOwned>(shape: &str) {
    for is_human_readable in [true, false] {
        assert_eq!(traced::<T>(is_human_readable), (shape.to_owned(), Vec::new()));
    }
}

/// Asserts that a type is known only in part, and that this is said.
#[track_caller]
fn assert_noted<T: Serialize + DeserializeOwned>(shape: &str, notes: &[&str]) {
    let (found, found_notes) = traced::<T>(true);
    assert_eq!((found.as_str(), found_notes), (shape, notes.iter().map(|note| (*note).to_owned()).collect()));
}
