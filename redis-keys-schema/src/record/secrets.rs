//! `plain_secret` for the fields of records, which are stored under their names.

use super::{Presence, RecordField, RecordItem};
use crate::edit::Suggestion;
use crate::item::{Attribute, Field};
use crate::place::Place;
use crate::policy::Policy;
use crate::rust_type::option_inner;
use crate::secret_name::is_secret;
use crate::warning::{Level, Lint, Warning};

/// Returns the warnings, at the levels of the policy.
pub(super) fn check(item: &RecordItem<'_>, read: &[RecordField], policy: &Policy) -> Vec<Warning> {
    let fields = item.fields.iter().zip(read).enumerate();
    let warnings = fields.filter_map(|(index, (field, read))| match (&read.allow, of_field(index, field, read)) {
        (None, warning) => warning,
        (Some(_), Some(_)) => None,
        (Some(place), None) => {
            let message = format!("unused `allow({})`: the lint does not fire for this field", Lint::PlainSecret);
            Some(Warning::new(Lint::UnneededAllow, place.clone(), message, "remove it"))
        }
    });
    let leveled = warnings.map(|warning| Warning { level: policy.lints.of(warning.lint), ..warning });
    leveled.filter(|warning| warning.level != Level::Allow).collect()
}

/// The warning for a field whose name says that it is a secret, and whose form the server can read.
fn of_field(index: usize, field: &Field<'_>, read: &RecordField) -> Option<Warning> {
    let ty = option_inner(field.ty).unwrap_or(field.ty);
    let form = read.value.as_ref().and_then(|(attribute, form)| {
        let Attribute::Arguments(text) = field.attributes.get(*attribute)? else { return None };
        Some((Place::FieldAttribute(index, *attribute, form.range.clone()), text.get(form.range.clone())?))
    });
    let stored = form.as_ref().map_or(ty, |(_, text)| text);
    if read.presence == Presence::Phantom || stored.contains("Secret<") || !is_secret(&field.name, stored) {
        return None;
    }
    let message = format!("`{}` names a secret that is stored as plain text", field.name);
    let help = if let Some((place, text)) = form {
        Suggestion::write(format!("Secret<{text}>")).at(place)
    } else {
        let option = format!("redis_hash(value = Secret<{ty}>)");
        let attribute = Place::WholeFieldAttribute(index, field.attributes.len());
        Suggestion::from(format!("add `#[{option}]`")).with(attribute, option)
    };
    Some(Warning::new(Lint::PlainSecret, Place::Field(index), message, help))
}
