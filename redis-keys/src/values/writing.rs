//! What a type writes at a place, as its `Serialize` has shown it.

use super::reading::Leaf;

/// What is known of writing at a place.
#[derive(Debug, Default)]
pub(super) struct Writing {
    /// What the type has written: more than one if it writes several kinds of values.
    pub(super) kinds: Vec<WrittenKind>,
    /// Whether it has written an `Option`.
    pub(super) is_option: bool,
    /// How often a struct was written here.
    pub(super) times: usize,
    /// The fields, each with how often it was written.
    pub(super) fields: Vec<(String, usize)>,
    pub(super) variants: Vec<&'static str>,
}

/// What a type writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenKind {
    Leaf(Leaf),
    List,
    Tuple(usize),
    Map,
    Struct,
    Enum,
    /// The content of a variant with a single value.
    Newtype,
}

impl Writing {
    /// Notes what is written.
    pub(super) fn note(&mut self, kind: WrittenKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// Notes a struct, before its fields.
    pub(super) fn note_struct(&mut self) {
        self.note(WrittenKind::Struct);
        self.times += 1;
    }

    /// Notes a field.
    pub(super) fn note_field(&mut self, name: &str) {
        match self.fields.iter_mut().find(|(field, _)| field == name) {
            Some((_, times)) => *times += 1,
            None => self.fields.push((name.to_owned(), 1)),
        }
    }

    /// Notes a variant.
    pub(super) fn note_variant(&mut self, name: &'static str) {
        if !self.variants.contains(&name) {
            self.variants.push(name);
        }
    }

    /// Returns whether anything was written.
    pub(super) fn is_known(&self) -> bool {
        self.is_option || !self.kinds.is_empty()
    }

    /// Returns what is always written. `None` if nothing is known, or if it differs.
    pub(super) fn only_kind(&self) -> Option<WrittenKind> {
        match self.kinds[..] {
            [kind] => Some(kind),
            _ => None,
        }
    }

    /// Returns whether the field has been written.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }
}
