//! The fields that placeholders can name, for suggestions.

use crate::piece::is_name_char;
use crate::suggest::nearest;

/// The fields of a key. A template uses some of these.
pub(super) struct Parameters<'f> {
    fields: &'f [&'f str],
    template: &'f str,
    /// The fields that suggestions name.
    pub(super) meant: Vec<&'f str>,
}

impl<'f> Parameters<'f> {
    pub(super) fn new(fields: &'f [&'f str], template: &'f str) -> Self {
        Self { fields, template, meant: Vec::new() }
    }

    /// The first field that no placeholder and no suggestion names.
    pub(super) fn next_unused(&mut self) -> &'f str {
        let next = self.fields.iter().find(|field| self.unused(field).is_some());
        next.map_or("field", |name| self.mean(name))
    }

    /// The field of that name, unless a placeholder or a suggestion names it.
    pub(super) fn unused(&self, name: &str) -> Option<&'f str> {
        let is_used = |name: &str| ["{", "{#"].iter().any(|open| self.template.contains(&format!("{open}{name}}}")));
        self.named(name).filter(|name| !is_used(name) && !self.meant.contains(name))
    }

    /// The field of that name.
    pub(super) fn named(&self, name: &str) -> Option<&'f str> {
        self.fields.iter().find(|field| **field == name).copied()
    }

    /// The field that a name was likely meant to name.
    pub(super) fn nearest(&self, name: &str) -> Option<&'f str> {
        nearest_field(self.fields.iter().copied(), name)
    }

    /// Notes that a suggestion names a field.
    pub(super) fn mean(&mut self, name: &'f str) -> &'f str {
        self.meant.push(name);
        name
    }

    /// The placeholder for a word that is a placeholder in the notation of another library: `[id]`, `<id>`, `$id`,
    /// `%(id)s`, `%s`.
    pub(super) fn in_other_notation(&mut self, word: &str) -> Option<String> {
        if is_positional(word) && self.fields.iter().any(|field| self.unused(field).is_some()) {
            return Some(format!("{{{}}}", self.next_unused()));
        }
        let name = in_other_brackets(word)?;
        let meant = self.named(name).or_else(|| self.nearest(name));
        Some(format!("{{{}}}", meant.map_or(name, |meant| self.mean(meant))))
    }
}

/// Whether a word stands for any parameter.
fn is_positional(word: &str) -> bool {
    let is_verb = |verb: &str| matches!(verb, "s" | "d" | "i" | "u" | "v" | "ld" | "lld" | "lu" | "llu");
    matches!(word, "*" | "?") || word.strip_prefix('%').is_some_and(is_verb)
}

/// The name in `[name]`, `<name>`, `(name)`, `%name%`, `%(name)s`, `$name` or `@name`, the placeholders of other tools.
fn in_other_brackets(word: &str) -> Option<&str> {
    let inside = |open: &str, close: &str| word.strip_prefix(open)?.strip_suffix(close);
    let brackets = [("[", "]"), ("<", ">"), ("(", ")"), ("%(", ")s"), ("%(", ")d"), ("%", "%"), ("$", ""), ("@", "")];
    let names = brackets.into_iter().filter_map(|(open, close)| inside(open, close));
    names.into_iter().find(|name| !name.is_empty() && name.chars().all(is_name_char))
}

/// The field that a name was likely meant to name: it is spelt nearly so, or starts or ends with the name.
pub(crate) fn nearest_field<'f>(mut fields: impl Iterator<Item = &'f str> + Clone, name: &str) -> Option<&'f str> {
    let part = |field: &&str| name.len() > 1 && (field.starts_with(name) || field.ends_with(name));
    nearest(name, fields.clone()).or_else(|| fields.find(part))
}
