//! Tables of values that know where they stand in a file.

use std::ops::Range;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    List(Vec<Node>),
    Table(Table),
    /// What nothing here takes: what it is called.
    Other(&'static str),
}

impl Value {
    /// What it is, in words.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a number",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(what) => what,
        }
    }
}

/// Names and values, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: Name,
    pub(super) node: Node,
    /// Whether a header of its own has opened it, which can happen once.
    pub(super) opened: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

impl Entry {
    pub(super) fn is_table(&self) -> bool {
        self.table().is_some()
    }

    pub(super) fn table(&self) -> Option<&Table> {
        if let Value::Table(table) = &self.node.value { Some(table) } else { None }
    }
}

impl Table {
    /// The number of the entry of that name; a new table if there is none.
    pub(super) fn entry(&mut self, name: &Name) -> usize {
        if let Some(at) = self.entries.iter().position(|entry| entry.name.text == name.text) {
            return at;
        }
        let node = Node { range: name.range.clone(), value: Value::Table(Self::default()) };
        self.entries.push(Entry { name: name.clone(), node, opened: false });
        self.entries.len() - 1
    }

    pub(super) fn inner(&mut self, name: &Name) -> Option<&mut Self> {
        let entry = self.entries.iter_mut().find(|entry| entry.name.text == name.text)?;
        match &mut entry.node.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
}
