//! Last segments that name a role or a stored form in place of a type: `lock:order:{id}:lock`, `user:profile:{id}:json`.

use crate::Kind;
use crate::attribute::{Options, example_of_form, form_named, wrapped};
use crate::edit::Suggestion;
use crate::piece::Piece;

/// The type that such a word stands for, and what to write instead, options included.
pub(super) fn meant(template: Piece<'_>, attribute: &str, options: &Options) -> Option<(Kind, Suggestion)> {
    let (before, word) = template.bare().text.rsplit_once(':')?;
    if !before.contains(':') {
        // It is the name of what is stored.
        return None;
    }
    let value = options.value.as_ref();
    let written = value.and_then(|value| attribute.get(value.range.clone()));
    let (kind, form) = match word {
        "lock" | "mutex" => (Kind::String, None),
        "bloom" => (Kind::Bitmap, Some("Bloom")),
        _ => (Kind::String, Some(form_named(word)?)),
    };
    let suffix = Suggestion::write(kind.name());
    let stored = match (form, written) {
        (None, None) => Some("Lock".to_owned()),
        (None, Some(_)) => None,
        (Some("Bloom"), Some(written)) => Some(format!("Bloom<{written}>")),
        (Some(form), None) => Some(example_of_form(form, "Profile")),
        (Some(form), Some(written)) => wrapped(form, written),
    };
    let Some(option) = stored.map(|stored| format!("value = {stored}")) else { return Some((kind, suffix)) };
    let text = format!("write `{kind}` and `{option}`");
    let option = match value {
        Some(value) => Suggestion::write_option(option).at(value.name.clone()),
        None => Suggestion::add(option),
    };
    Some((kind, suffix.followed_by(option).saying(text)))
}
