//! Last segments that name a role or a stored form in place of a type: `lock:order:{id}:lock`, `user:profile:{id}:json`.

use crate::Kind;
use crate::attribute::{Options, RoleName, example_of_form, form_named, wrapped};
use crate::edit::Suggestion;
use crate::piece::Piece;

/// The type that such a word stands for, and the text to write instead, options included.
pub(super) fn meant(template: Piece<'_>, attribute: &str, options: &Options) -> Option<(Kind, Suggestion)> {
    let (before, word) = template.bare().text.rsplit_once(':')?;
    if !before.contains(':') {
        // It is the name of the stored data.
        return None;
    }
    let value = options.value.as_ref();
    let written = value.and_then(|value| attribute.get(value.range.clone()));
    let named = match word {
        "mutex" => Some(RoleName::Lock),
        // A limit has no value and no ttl.
        word => RoleName::from_name(word).filter(|role| *role != RoleName::Limit),
    };
    let add = |option: String| match value {
        Some(value) => Suggestion::write_option(option).at(value.name.clone()),
        None => Suggestion::add(option),
    };
    let Some(role) = named else {
        let form = form_named(word)?;
        let stored = written.map_or_else(|| Some(example_of_form(form, "Profile")), |written| wrapped(form, written));
        let suffix = Suggestion::write(Kind::String.name());
        let Some(option) = stored.map(|stored| format!("value = {stored}")) else {
            return Some((Kind::String, suffix));
        };
        let text = format!("write `{}` and `{option}`", Kind::String);
        return Some((Kind::String, suffix.followed_by(add(option)).saying(text)));
    };
    let kind = role.kind();
    let suffix = Suggestion::write(kind.name());
    if options.role_name().is_some() || options.has_option_of(role) {
        // It is there, or suggested for its options.
        return Some((kind, suffix));
    }
    let option = role.example();
    let text = format!("write `{kind}` and `{option}`");
    let replaced = value.filter(|_| !role.has_value());
    let option = match replaced {
        Some(value) => Suggestion::write_option(option).at(value.name.clone()),
        None => Suggestion::add(option),
    };
    Some((kind, suffix.followed_by(option).saying(text)))
}
