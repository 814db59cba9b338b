//! Labels: a separator and a segment, or a word of a segment. The forms of labels.

use crate::operate::infer::mask::{MARK, form, is_separator, is_weak, pure_form, split};

/// The first character of a label that stands for the text behind a label, in a tree of its words.
pub(super) const SHAPE: char = '\u{2}';

/// The label that is a single text, with this separator.
pub(super) fn text_label(separator: &str) -> String {
    format!("{separator}{MARK}{}", form::TEXT)
}

/// The label for all further segments, with this separator.
pub(super) fn rest_label(separator: &str) -> String {
    format!("{separator}{MARK}{}", form::REST)
}

/// The separator with which a label begins.
pub(super) fn separator(label: &str) -> &str {
    label.strip_prefix(is_separator).and_then(|text| label.strip_suffix(text)).unwrap_or_default()
}

/// A label without its separator.
pub(super) fn content(label: &str) -> &str {
    label.strip_prefix(is_separator).unwrap_or(label)
}

/// Whether a label is text and nothing else.
pub(super) fn is_text(label: &str) -> bool {
    pure_form(label) == Some(form::TEXT)
}

/// Whether a label is a text, or all further segments.
pub(super) fn is_text_or_rest(label: &str) -> bool {
    matches!(pure_form(label), Some(form::TEXT | form::REST))
}

/// The forms of the marks of a label.
pub(super) fn forms(label: &str) -> impl Iterator<Item = char> {
    label.split(MARK).skip(1).filter_map(|part| part.chars().next())
}

/// A label without its marks' forms.
pub(super) fn skeleton(label: &str) -> String {
    let mut skeleton = String::with_capacity(label.len());
    for (index, part) in label.split(MARK).enumerate() {
        if index == 0 {
            skeleton.push_str(part);
        } else {
            skeleton.push(MARK);
            skeleton.extend(part.chars().skip(1));
        }
    }
    skeleton
}

/// Whether a label contains a parameter that is text.
pub(super) fn has_text(label: &str) -> bool {
    forms(label).any(|form| form == form::TEXT)
}

/// Whether a label is a name with a number, for example a host's name.
pub(super) fn is_numbered(label: &str) -> bool {
    label
        .strip_suffix(form::INTEGER)
        .and_then(|label| label.strip_suffix(MARK))
        .is_some_and(|name| name.ends_with(['-', '.']))
}

/// Whether a label has a parameter that is text, and otherwise numbers and separators only.
pub(super) fn is_of_texts(label: &str) -> bool {
    has_text(label) && has_only(label, &[form::TEXT, form::INTEGER])
}

/// Whether a label is texts and then an address.
pub(super) fn is_of_address(label: &str) -> bool {
    label.ends_with(form::EMAIL) && has_only(label, &[form::TEXT, form::INTEGER, form::EMAIL])
}

/// Whether a label can be a part of a path.
pub(super) fn is_of_path(label: &str) -> bool {
    label.starts_with('/') && (!label.contains(MARK) || is_text_or_rest(label))
}

/// Whether a label is a word and then text or random.
pub(super) fn begins_with_name(label: &str) -> bool {
    let first = split(content(label), is_weak).next().unwrap_or_default();
    let rest = content(label).get(first.len()..).unwrap_or_default();
    !first.is_empty() && !first.contains([MARK, SHAPE]) && has_only(rest, &[form::TEXT, form::RANDOM, form::BASE64])
}

/// Whether a text has marks of these forms, and otherwise separators only.
fn has_only(text: &str, allowed: &[char]) -> bool {
    let (start, _) = text.split_once(MARK).unwrap_or((text, ""));
    let is_allowed = |part: &str| {
        let mut signs = part.chars();
        signs.next().is_some_and(|form| allowed.contains(&form)) && !signs.any(char::is_alphanumeric)
    };
    text.contains(MARK) && !start.contains(char::is_alphanumeric) && text.split(MARK).skip(1).all(is_allowed)
}
