//! The types of fields, as far as their text tells something. Of all others the compiler knows whether they can be stored.

use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::Field;
use crate::options::{StoredForm, form_named};
use crate::piece::{Piece, is_name_char};

const BORROWS: &str = "a record owns what it holds, since `load` gives it back";

/// What stands inside of an `Option<…>`, if the type is one.
pub(super) fn payload(ty: &str) -> Option<&str> {
    let (path, rest) = ty.split_once('<')?;
    let path = path.trim().trim_start_matches("::");
    let is_option = matches!(path, "Option" | "std::option::Option" | "core::option::Option");
    rest.trim_end().strip_suffix('>').filter(|_| is_option).map(str::trim)
}

/// Why a field cannot be stored, where its type's text says so.
pub(super) fn refusal(number: usize, field: &Field<'_>, has_form: bool) -> Option<Diagnostic> {
    let ty = payload(field.ty).unwrap_or(field.ty);
    let place = Place::FieldType(number);
    if let Some(owned) = owned(ty) {
        let owned = if payload(field.ty).is_some() { format!("Option<{owned}>") } else { owned };
        return Some(Diagnostic::new(place, Rule::Record, BORROWS).help(format!("write `{owned}`")));
    }
    if lifetimes(ty).any(|lifetime| lifetime != "'static") {
        let help = "write a type that owns what it holds, such as `String`";
        return Some(Diagnostic::new(place, Rule::Record, BORROWS).help(help));
    }
    if has_form {
        return None;
    }
    if payload(ty).is_some() {
        let message = "Redis knows one kind of nothing: a field is there, or it is not";
        return Some(Diagnostic::new(place, Rule::Record, message).help(format!("write `{ty}`")));
    }
    let (head, _) = ty.split_once('<')?;
    let stored = StoredForm::payload(Piece::new(ty)).text;
    if stored != ty && form_named(head).is_some() {
        let payload = stored;
        let message = format!("`{ty}` is a stored form, and there are no values of it");
        let help = format!("write `#[redis_hash(value = {ty})]`, and `{payload}` as the field's type");
        return Some(Diagnostic::new(place, Rule::StoredForm, message).help(help));
    }
    None
}

/// The lifetimes that a type names.
pub(super) fn lifetimes(ty: &str) -> impl Iterator<Item = &str> {
    ty.match_indices('\'').filter_map(|(at, _)| {
        let rest = ty.get(at..)?;
        let name = rest.get(1..)?.find(|c| !is_name_char(c)).map_or(rest.len(), |end| end + 1);
        let lifetime = rest.get(..name)?;
        // Between two ticks stands a character.
        (name > 1 && !rest.get(name..)?.starts_with('\'')).then_some(lifetime)
    })
}

/// The type that owns what a reference refers to, or what may be borrowed.
fn owned(ty: &str) -> Option<String> {
    let cow = ty.strip_suffix('>').and_then(|ty| ty.split_once("Cow<'")).filter(|(path, _)| !path.contains('<'));
    if let Some((lifetime, borrowed)) = cow.and_then(|(_, arguments)| arguments.split_once(','))
        && lifetime != "static"
    {
        return owned(&format!("&{}", borrowed.trim()));
    }
    let rest = ty.strip_prefix('&')?;
    let rest = rest.strip_prefix('\'').map_or(rest, |rest| rest.trim_start_matches(is_name_char)).trim_start();
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    Some(match rest {
        "str" => "String".to_owned(),
        _ if rest.starts_with('&') => return owned(rest),
        _ => match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(item) if !item.contains(';') => format!("Vec<{item}>"),
            _ => rest.to_owned(),
        },
    })
}

/// The stored form of an `Option` field is that of what is inside: `None` is stored by not being there.
pub(super) fn form_of_an_option(field: &Field<'_>, value: Piece<'_>, form: &StoredForm) -> Option<Diagnostic> {
    let inner = payload(field.ty)?;
    let stored = StoredForm::payload(value);
    if form.ours.is_empty() || payload(stored.text).is_none() || plain(stored.text) != plain(field.ty) {
        return None;
    }
    let message = "an `Option` field that is `None` is not stored at all, so that its form is that of what is inside";
    Some(Diagnostic::at(stored.range(), Rule::StoredForm, message).help(format!("write `{inner}`")))
}

fn plain(ty: &str) -> String {
    ty.chars().filter(|c| !c.is_whitespace()).collect()
}
