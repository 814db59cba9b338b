//! The form of a record, for `cargo redis-keys values`.

use redis_keys_core::value_shape;

use super::{Presence, RecordField};
use crate::values::forms::{Form, Notes};

/// Returns the form of a record, from the forms of its fields.
pub fn form_of(fields: &[RecordField], forms: &[fn(&mut Notes) -> Form], notes: &mut Notes) -> Form {
    let fields = fields.iter().zip(forms).map(|(field, form)| {
        let mut of_field = Notes::new();
        let form = form(&mut of_field);
        notes.extend(of_field.iter().map(|note| within(field.name, note)));
        value_shape::RecordField {
            name: field.name.to_owned(),
            form,
            is_optional: field.presence != Presence::Mandatory,
        }
    });
    Form::Record(fields.collect())
}

/// Adds the name of a field to the place of a note.
fn within(field: &str, note: &str) -> String {
    let place = note.strip_prefix("`.`").map(|rest| format!("`.{field}`{rest}"));
    let place = place.or_else(|| note.strip_prefix('`').map(|rest| format!("`.{field}{rest}")));
    place.unwrap_or_else(|| format!("`.{field}`: {note}"))
}
