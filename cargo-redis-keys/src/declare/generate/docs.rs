//! The doc comments of generated keys.

use redis_keys_core::schema::Role;
use redis_keys_schema::Kind;

use super::builder::Builder;
use super::script_call::ScriptCall;
use crate::declare::catalog::Key;
use crate::render::{is_visible, wrapped};

/// The longest line of a comment.
const WIDTH: usize = 113;

/// The lines of a key's doc comment, which can be empty. Signs that are not visible are written as `\u{…}`.
pub(super) fn lines(builder: &Builder<'_>) -> Vec<String> {
    let key = builder.key;
    let docs = key.docs.iter().flat_map(|docs| docs.lines().map(str::trim).chain([""]));
    let mut lines = vec![visible(&text_line(key))];
    if key.ttl_ms().is_some() {
        let after = if key.ttl_from_end_of.is_some() { "" } else { "after " };
        lines.push(format!("Expires {after}{}.", key.expiry()));
    } else if let Some(reason) = key.reason.as_ref().filter(|_| key.kind != Kind::Channel) {
        lines.push(visible(&format!("Never expires: {reason}.")));
    }
    lines.extend(key.size().map(|size| format!("Stores {size}.")).filter(|_| key.role.is_none()));
    lines.extend(key.role_text().map(|role| format!("A {role}.")));
    lines.extend(advice(key).map(str::to_owned));
    lines.extend(is_secret(key).then(|| "Its values are encrypted.".to_owned()));
    lines.extend(key.copies().map(|copies| format!("Write and delete all {copies} copies; read any of them.")));
    let owner = key.owner.as_ref().map(|owner| format!(" Owner: {owner}.")).unwrap_or_default();
    lines.push(visible(&format!("Declared as `{}` in `{}`.{owner}", key.path(), key.file)));
    let lines = lines.iter().map(|line| wrapped(line.split(' '), WIDTH)).collect::<Vec<_>>().join("\n");
    docs.map(visible).chain(lines.split('\n').map(str::to_owned)).collect()
}

/// The text, the type and the stored form.
fn text_line(key: &Key) -> String {
    let (kind, stored) = (key.kind.name(), key.stored());
    let stored = stored.map(|stored| format!(" of `{stored}`")).unwrap_or_default();
    let texts = match (&key.legacy, &key.formerly) {
        (Some(legacy), _) => format!("`{legacy}`, until programs write `{}`", key.template),
        (None, Some(formerly)) => format!("`{}`, formerly `{formerly}`", key.template),
        (None, None) => format!("`{}`", key.template),
    };
    format!("{texts}: a {kind}{stored}.")
}

/// What other programs may do with the key.
fn advice(key: &Key) -> Option<&'static str> {
    let has_call = ScriptCall::of(key).is_some();
    match key.role {
        Some(Role::Cache(_)) => Some("Do not write it: delete it to invalidate it."),
        Some(Role::Limit(_)) if has_call => Some("Do not write it: send `take` to take from it."),
        Some(Role::Jobs(_)) if has_call => Some("Do not write it: send `push` to add jobs."),
        Some(Role::Jobs(_)) => Some("Only redis-keys writes it. While it has two names, it has no `push`."),
        Some(_) => Some("Only redis-keys writes it."),
        None if key.formerly.is_some() || key.legacy.is_some() => {
            Some("While programs move to the other name, only redis-keys writes it.")
        }
        None => None,
    }
}

/// Whether the key's values are encrypted.
fn is_secret(key: &Key) -> bool {
    key.value_form.iter().flat_map(|form| form.forms.iter().flatten()).any(|form| form == "secret")
}

/// A text with all signs visible, in one line.
pub(super) fn visible(text: &str) -> String {
    text.chars()
        .map(|sign| if is_visible(sign) { sign.to_string() } else { sign.escape_unicode().to_string() })
        .collect()
}
