//! The keys of a declaration, as the patterns of an ACL.

use std::collections::BTreeSet;

use redis_keys_core::legacy::escaped;
use redis_keys_core::rights;
use redis_keys_schema::Kind;
use redis_keys_schema::legacy::Glob;

use super::Names;
use crate::Failure;
use crate::declare::catalog::{Key, Template, Values, legacy_of};
use crate::render::printable;

/// A declaration whose keys a user may access.
pub(super) struct Declared<'c> {
    pub(super) key: &'c Key,
    /// The keys, or the channels, under the template and under the legacy text.
    pub(super) texts: Vec<DeclaredText>,
}

/// The keys under one of a declaration's texts.
pub(super) struct DeclaredText {
    /// The narrowest pattern that matches them.
    pub(super) pattern: String,
    /// All texts that the pattern matches.
    matched: Glob,
    /// The keys.
    keys: Glob,
}

impl<'c> Declared<'c> {
    pub(super) fn new(key: &'c Key, names: Names<'_>) -> Result<Self, Failure> {
        let unreadable = || Failure::new(format!("the texts of `{}` cannot be read", printable(key.full_name())));
        let mut texts = vec![of_template(key, names).ok_or_else(unreadable)?];
        if key.legacy.is_some() || key.formerly.is_some() {
            let mut legacy = legacy_of(key).ok_or_else(unreadable)?;
            legacy.literals.iter_mut().take(1).for_each(|first| first.insert_str(0, names.legacy_prefix));
            texts.push(DeclaredText::new(legacy.literals.iter().map(String::as_str), legacy.glob()));
        }
        Ok(Self { key, texts })
    }

    pub(super) fn is_channel(&self) -> bool {
        self.key.kind == Kind::Channel
    }

    pub(super) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| text.pattern.as_str())
    }

    /// The commands of its accessors.
    pub(super) fn commands(&self) -> BTreeSet<&'static str> {
        rights::groups(&self.key.schema).flat_map(str::split_whitespace).collect()
    }

    /// The first pattern that matches keys of another declaration.
    pub(super) fn pattern_of(&self, other: &Self) -> Option<&str> {
        let is_one_namespace = self.is_channel() == other.is_channel();
        let matches = |text: &&DeclaredText| other.texts.iter().any(|keys| text.matched.overlaps(&keys.keys));
        self.texts.iter().filter(|_| is_one_namespace).find(matches).map(|text| text.pattern.as_str())
    }
}

impl DeclaredText {
    /// The text with these literals, between which there are fields.
    fn new<'t>(literals: impl Iterator<Item = &'t str>, keys: Glob) -> Self {
        let pattern = as_word(&literals.map(escaped).collect::<Vec<_>>().join("*"));
        Self { matched: matched_by(&pattern), pattern, keys }
    }
}

/// The keys under the template, of which each parameter is `*` in the pattern.
fn of_template(key: &Key, names: Names<'_>) -> Option<DeclaredText> {
    const PARAMETER: char = '\0';
    let text = Template::parse(&key.template)?.rendered(|_| Some(PARAMETER.to_string()))?;
    let text = names.namespace.map_or_else(|| text.clone(), |namespace| format!("{namespace}:{text}"));
    let mut keys = Glob::default();
    for (index, literal) in text.split(PARAMETER).enumerate() {
        if let Some(parameter) = index.checked_sub(1) {
            keys.push_parameter(key.parameters.get(parameter)?.values.as_ref().unwrap_or(&Values::Any));
        }
        keys.push_literal(literal);
    }
    Some(DeclaredText::new(text.split(PARAMETER), keys))
}

/// The pattern as one word of a rule: a byte that would end the word, or that looks like another one, becomes `?`, which
/// matches any byte.
fn as_word(pattern: &str) -> String {
    let mut word = String::with_capacity(pattern.len());
    for char in pattern.chars() {
        let is_part = if char.is_ascii() {
            char.is_ascii_graphic() && !matches!(char, '(' | ')' | '"' | '\'')
        } else {
            char.is_alphanumeric()
        };
        if is_part {
            word.push(char);
        } else {
            word.extend(std::iter::repeat_n('?', char.len_utf8()));
        }
    }
    word
}

/// The texts that a pattern matches. `?` counts as any text.
fn matched_by(pattern: &str) -> Glob {
    let mut glob = Glob::default();
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '*' | '?' => glob.push_text(None),
            '\\' => glob.push_literal(chars.next().map(String::from).as_deref().unwrap_or_default()),
            char => glob.push_literal(char.encode_utf8(&mut [0; 4])),
        }
    }
    glob
}
