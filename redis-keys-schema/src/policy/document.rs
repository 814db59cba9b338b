//! A TOML file as tables whose names and values know their places.

use std::borrow::Cow;
use std::ops::Range;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, ParseError, Source};

use super::error::PolicyError;
use super::syntax;
use super::syntax::range;

/// The depth to which lists and tables can be nested. A policy needs three levels.
const DEPTH: u32 = 16;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    String(String),
    Integer(i64),
    Array(Vec<Node>),
    Table(Table),
    /// A value that no setting has, with its kind's name.
    Other(&'static str),
}

impl Value {
    /// Returns the words for the value in a message.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Self::String(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
            Self::Other(what) => what,
        }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
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
    /// Whether the table has a header or a value, which it can have once.
    defined: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

impl Entry {
    pub(super) fn table(&self) -> Option<&Table> {
        self.node.value.as_table()
    }
}

impl Table {
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.name.text == name).map(|entry| &entry.node)
    }

    /// The entry of that name. If there is none, it is a new table.
    fn entry(&mut self, name: &Name) -> Option<&mut Entry> {
        let at = self.entries.iter().position(|entry| entry.name.text == name.text).unwrap_or_else(|| {
            let node = Node { range: name.range.clone(), value: Value::Table(Self::default()) };
            self.entries.push(Entry { name: name.clone(), node, defined: false });
            self.entries.len() - 1
        });
        self.entries.get_mut(at)
    }
}

/// Reads a file. If a part is not TOML, the table is empty and the errors are the parser's.
pub(super) fn read(text: &str) -> (Table, Vec<PolicyError>) {
    let source = Source::new(text);
    let mut rejected: Vec<ParseError> = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    let tokens = source.lex().into_vec();
    parse_document(&tokens, &mut RecursionGuard::new(&mut events, DEPTH), &mut rejected);
    events.retain(|event| {
        let raw = source.get(*event);
        match event.kind() {
            EventKind::Comment => raw.into_iter().for_each(|raw| raw.decode_comment(&mut rejected)),
            EventKind::Newline => raw.into_iter().for_each(|raw| raw.decode_newline(&mut rejected)),
            EventKind::Whitespace | EventKind::Error => {}
            _ => return true,
        }
        false
    });
    let mut reader = Reader { source, events: events.into_iter().peekable(), rejected, errors: Vec::new() };
    let table = reader.document();
    if reader.rejected.is_empty() {
        return (table, reader.errors);
    }
    (Table::default(), syntax::errors(text, &reader.rejected))
}

struct Reader<'t> {
    source: Source<'t>,
    events: std::iter::Peekable<std::vec::IntoIter<Event>>,
    rejected: Vec<ParseError>,
    errors: Vec<PolicyError>,
}

impl Reader<'_> {
    fn document(&mut self) -> Table {
        let mut root = Table::default();
        // The content of a table that cannot exist is read and dropped.
        let mut dropped = Table::default();
        let mut header: Option<Vec<Name>> = Some(Vec::new());
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen => {
                    let path = self.path();
                    dropped = Table::default();
                    header = self.define_table(&mut root, &path).then_some(path);
                }
                EventKind::ArrayTableOpen => {
                    let path = self.path();
                    let end = path.last().map_or(event.span().end(), |name| name.range.end + 2);
                    let help = format!("write `[{}]`", joined(&path));
                    let error = PolicyError::new(event.span().start()..end, "arrays of tables are not used here");
                    self.errors.push(error.help(help));
                    header = None;
                }
                EventKind::SimpleKey => {
                    let first = self.name(event);
                    let table = header.as_ref().and_then(|path| inner_table(&mut root, path));
                    self.assignment(first, table.unwrap_or(&mut dropped));
                }
                _ => {}
            }
        }
        root
    }

    /// Defines the table of a header. `false` if it cannot exist.
    fn define_table(&mut self, root: &mut Table, path: &[Name]) -> bool {
        let mut table = root;
        for (index, name) in path.iter().enumerate() {
            let Some(entry) = table.entry(name) else { return false };
            let is_last = index + 1 == path.len();
            if is_last && std::mem::replace(&mut entry.defined, true) && entry.table().is_some() {
                let message = format!("duplicate table `[{}]`", joined(path));
                self.errors.push(PolicyError::new(name.range.clone(), message).help("merge the two"));
            }
            // A list called `module` is reported where it is.
            if entry.table().is_none() && (entry.name.text != "module" || suggested_array(&entry.node.value).is_none())
            {
                self.errors.push(not_a_table(entry, path, index));
            }
            let Value::Table(inner) = &mut entry.node.value else { return false };
            table = inner;
        }
        true
    }

    /// The names of a header or before a `=`.
    fn path(&mut self) -> Vec<Name> {
        let mut path = Vec::new();
        loop {
            if let Some(event) = self.events.next_if(|event| event.kind() == EventKind::SimpleKey) {
                path.push(self.name(event));
            }
            if self.events.next_if(|event| event.kind() == EventKind::KeySep).is_none() {
                return path;
            }
        }
    }

    fn name(&mut self, event: Event) -> Name {
        let mut text = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut text, &mut self.rejected as &mut dyn ErrorSink);
        }
        Name { text: text.into_owned(), range: range(event.span()) }
    }

    /// Reads `name = value` after its first name.
    fn assignment(&mut self, first: Name, mut table: &mut Table) {
        let mut path = vec![first];
        path.extend(self.path());
        if self.events.next_if(|event| event.kind() == EventKind::KeyValSep).is_none() {
            return;
        }
        let Some(node) = self.value() else { return };
        let Some((last, tables)) = path.split_last() else { return };
        for (index, name) in tables.iter().enumerate() {
            let Some(entry) = table.entry(name) else { return };
            if entry.table().is_none() {
                self.errors.push(not_a_table(entry, &path, index));
            }
            let Value::Table(inner) = &mut entry.node.value else { return };
            table = inner;
        }
        if table.get(&last.text).is_some() {
            let error = PolicyError::new(last.range.clone(), format!("duplicate setting `{}`", last.text));
            self.errors.push(error.help("remove one of the two"));
        } else {
            table.entries.push(Entry { name: last.clone(), node, defined: true });
        }
    }

    fn value(&mut self) -> Option<Node> {
        let is_value = |event: &Event| {
            matches!(event.kind(), EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen)
        };
        let event = self.events.next_if(is_value)?;
        Some(match event.kind() {
            EventKind::ArrayOpen => self.array(event),
            EventKind::InlineTableOpen => self.inline_table(event),
            _ => Node { range: range(event.span()), value: self.scalar(event) },
        })
    }

    fn array(&mut self, open: Event) -> Node {
        let mut nodes = Vec::new();
        let mut end = open.span().end();
        loop {
            if let Some(node) = self.value() {
                end = node.range.end;
                nodes.push(node);
                continue;
            }
            match self.events.peek().map(Event::kind) {
                Some(EventKind::ValueSep) => drop(self.events.next()),
                Some(EventKind::ArrayClose) => {
                    end = self.events.next().map_or(end, |close| close.span().end());
                    break;
                }
                _ => break,
            }
        }
        Node { range: open.span().start()..end, value: Value::Array(nodes) }
    }

    fn inline_table(&mut self, open: Event) -> Node {
        let mut table = Table::default();
        let mut end = open.span().end();
        while let Some(event) = self.events.peek().copied() {
            match event.kind() {
                EventKind::SimpleKey => {
                    self.events.next();
                    let first = self.name(event);
                    self.assignment(first, &mut table);
                }
                EventKind::ValueSep => drop(self.events.next()),
                EventKind::InlineTableClose => {
                    end = event.span().end();
                    self.events.next();
                    break;
                }
                _ => break,
            }
        }
        Node { range: open.span().start()..end, value: Value::Table(table) }
    }

    fn scalar(&mut self, event: Event) -> Value {
        let mut text = Cow::Borrowed("");
        let Some(raw) = self.source.get(event) else { return Value::Other("nothing") };
        match raw.decode_scalar(&mut text, &mut self.rejected as &mut dyn ErrorSink) {
            ScalarKind::String => Value::String(text.into_owned()),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&text, radix.value()) {
                Ok(number) => Value::Integer(number),
                Err(_) => Value::Other("a larger integer than TOML has"),
            },
            ScalarKind::Float => Value::Other("a float"),
            ScalarKind::Boolean(_) => Value::Other("a boolean"),
            ScalarKind::DateTime => Value::Other("a date"),
        }
    }
}

fn inner_table<'t>(root: &'t mut Table, path: &[Name]) -> Option<&'t mut Table> {
    path.iter().try_fold(root, |table, name| match &mut table.entry(name)?.node.value {
        Value::Table(inner) => Some(inner),
        _ => None,
    })
}

/// A name below a value that is not a table.
fn not_a_table(entry: &Entry, path: &[Name], index: usize) -> PolicyError {
    let (name, value) = (&entry.name, &entry.node.value);
    let range = path.get(index).map_or(name.range.clone(), |name| name.range.clone());
    let below = joined(path.get(index + 1..).unwrap_or_default());
    if name.text == "modules" && matches!(value, Value::Array(_)) && !below.is_empty() {
        let error = PolicyError::new(range, "`modules` is an array: the table of a module is `module`");
        return error.help(format!("write `[module.{below}]`"));
    }
    let message = format!("`{}` is {}, not a table", name.text, value.describe());
    PolicyError::new(range, message).help("remove one of the two")
}

fn joined(path: &[Name]) -> String {
    path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".")
}

/// The elements of the array that was written, or meant, as the value of `module`.
pub(super) fn suggested_array(value: &Value) -> Option<String> {
    let quoted = |value: &Value| Some(format!("\"{}\"", value.as_str()?));
    let Value::Array(nodes) = value else { return quoted(value) };
    let texts: Vec<_> = nodes.iter().filter_map(|node| quoted(&node.value)).collect();
    Some(if texts.is_empty() { "\"user\"".to_owned() } else { texts.join(", ") })
}
