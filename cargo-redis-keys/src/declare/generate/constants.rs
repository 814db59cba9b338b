//! The constants of a generated key.

use redis_keys_core::schema::{Keep, Renew};

use super::builder::Builder;

/// The value of a constant.
pub(super) enum Constant {
    Number(u64),
    Text(String),
    Texts(Vec<String>),
}

/// The constants of a key, each with its name in snake case.
pub(super) fn constants(builder: &Builder<'_>) -> Vec<(&'static str, Constant)> {
    let key = builder.key;
    let text = |text: &str| Some(Constant::Text(text.to_owned()));
    let number = |number: Option<u64>| number.map(Constant::Number);
    let (last, top) = match key.keep {
        Some(Keep::Top(count)) => (None, Some(count)),
        keep => (keep.map(Keep::count), None),
    };
    let forms = key.value_form.as_ref().and_then(|form| form.forms.clone()).filter(|forms| !forms.is_empty());
    let renew = match key.renew {
        Some(Renew::Write) => text("write"),
        Some(Renew::Read) => text("read"),
        Some(Renew::Below(_)) => text("below"),
        _ => None,
    };
    let constants = [
        ("template", text(&key.template)),
        ("legacy", key.legacy.as_deref().and_then(text)),
        ("type", text(key.kind.name())),
        ("value", key.value.as_deref().and_then(text)),
        ("field", key.field.as_deref().and_then(text)),
        ("forms", forms.map(Constant::Texts)),
        ("pattern", key.role_name().and_then(text)),
        ("ttl_ms", number(key.ttl_ms())),
        ("jitter_ms", number(Some(key.jitter_ms()).filter(|jitter| *jitter > 0))),
        ("renew", renew),
        ("max_bytes", number(key.max_bytes)),
        ("max_len", number(key.max_len)),
        ("max_member_bytes", number(key.max_member_bytes)),
        ("keep_last", number(last)),
        ("keep_top", number(top)),
        ("copies", number(builder.key.copies().map(u64::from))),
        ("owner", key.owner.as_deref().and_then(text)),
    ];
    constants.into_iter().filter_map(|(name, constant)| Some((name, constant?))).collect()
}

/// A number with `_` between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    crate::render::units::count(number).replace(',', "_")
}
