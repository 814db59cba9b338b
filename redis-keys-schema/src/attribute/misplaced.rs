//! Pieces that are no option of a key: a type or a duration without its option's name, and options of fields.

use super::raw_option::RawOption;
use super::{KeyOption, RoleName, duration};
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::edit::Suggestion;
use crate::item::Field;
use crate::piece::Piece;
use crate::place::Place;
use crate::rust_type::{is_integer, is_scalar};
use crate::template::Encoding;

/// The flag of a field whose value contains no `:`.
pub(crate) const NO_COLON: &str = "no_colon";

/// The options that a key has or lacks, as far as they decide the meaning of a value without a name.
pub(super) struct Lacking {
    pub(super) field: bool,
    pub(super) value: bool,
    pub(super) ttl: bool,
}

/// Reports a type or a duration without a name, with the option that it is the value of.
pub(super) fn unnamed(written: RawOption<'_>, lacking: &Lacking) -> Option<(KeyOption, Diagnostic)> {
    let value = written.whole.bare();
    let is_role = RoleName::from_name(&value.text.to_lowercase()).is_some();
    if written.whole.assignment().is_some() || is_role {
        return None;
    }
    let (option, what, text) = if let Some(meant) = duration_of(value.text).filter(|_| lacking.ttl) {
        (KeyOption::Ttl, "a duration", meant)
    } else if is_type(value.text) && (lacking.field || lacking.value) {
        let option = if lacking.field { KeyOption::Field } else { KeyOption::Value };
        (option, "a type", value.text.to_owned())
    } else {
        return None;
    };
    let message = format!("expected an option, found {what}: `{}`", value.text);
    let help = Suggestion::write(format!("{} = {text}", option.name()));
    Some((option, Diagnostic::new(written.whole.range(), Rule::Declaration, message, help)))
}

/// The duration that a text is or means, as an option has it.
fn duration_of(text: &str) -> Option<String> {
    match duration::parse_duration(text) {
        Ok(_) => Some(text.to_owned()),
        Err(error) => error.suggestion.filter(|_| text.contains(|c: char| c.is_ascii_digit())),
    }
}

/// Whether a text can only be a type: a name in camel case, a path that ends with such a name, or a scalar.
pub(super) fn is_type(text: &str) -> bool {
    let name = text.split('<').next().unwrap_or_default().trim_end();
    let last = name.rsplit("::").next().unwrap_or_default();
    let is_camel = last.starts_with(|c: char| c.is_ascii_uppercase())
        && last.contains(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c == ':' || c == '_' || c.is_alphanumeric());
    (is_scalar(text) || is_camel) && text.contains('<') == text.ends_with('>')
}

/// Reports an option of fields among the key's options. The edits move it to the field that it names, or to the only
/// field that it can be about.
pub(super) fn of_field(written: RawOption<'_>, fields: &[Field<'_>]) -> Option<Diagnostic> {
    let name = written.name.text;
    let known = Encoding::ALL.iter().map(|encoding| encoding.name()).chain([NO_COLON]).find(|known| *known == name)?;
    let value = written.bare_value().map_or("", |value: Piece<'_>| value.text);
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let option = if is_number { format!("{known} = {value}") } else { known.to_owned() };
    let attribute = format!("redis_key({option})");
    let message = format!("unknown option `{name}`: it is an option of fields");
    let help = match field_of(value, fields) {
        Some((index, field)) => Suggestion::remove_listed()
            .saying(format!("write `#[{attribute}]` at the field `{}`", field.name))
            .at(written.whole.range())
            .with(Place::WholeFieldAttribute(index, field.attributes.len()), attribute),
        None => format!("move it to a field: `#[{attribute}]` before its name").into(),
    };
    Some(Diagnostic::new(written.name.range(), Rule::Declaration, message, help))
}

fn field_of<'f, 't>(value: &str, fields: &'f [Field<'t>]) -> Option<(usize, &'f Field<'t>)> {
    let all = || fields.iter().enumerate().filter(|(_, field)| !field.phantom);
    if let Some(named) = all().find(|(_, field)| field.name == value) {
        return Some(named);
    }
    let mut likely = all().filter(|(_, field)| !is_integer(field.ty) && field.ty != "bool");
    likely.next().filter(|_| likely.next().is_none())
}
