//! The rules as tables of texts, and the messages.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on")]

use redis_keys_core::schema::Schema;
use redis_keys_core::value_shape::Form;

use crate::{Attribute, Field, Item, Policy, Shape};

mod lifetime;
mod messages;
mod random_shapes;
mod rules;

/// A form. `; ` is the end of a line.
#[track_caller]
fn form(text: &str) -> Form {
    text.replace("; ", "\n").parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The schema of a declaration with the fields `id` and `day`.
#[track_caller]
fn schema(attribute: &str) -> Schema<String> {
    let field = |name: &str, ty| Field { name: name.to_owned(), ty, phantom: false, attributes: vec![] };
    let fields =
        [("id", "u64"), ("day", "Day")].into_iter().filter(|(name, _)| attribute.contains(&format!("{{{name}}}")));
    let item = Item {
        name: "Case".to_owned(),
        shape: Shape::Struct,
        documented: true,
        attributes: vec![Attribute::Arguments(attribute)],
        fields: fields.map(|(name, ty)| field(name, ty)).collect(),
    };
    let checked = crate::check(&item, &Policy::default());
    assert!(checked.diagnostics.is_empty(), "{attribute}: {:?}", checked.diagnostics);
    checked.declaration.schema(&item).unwrap()
}
