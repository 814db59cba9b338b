//! A file in TOML, read as far as it can be read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, ParseError, Source, Span};

use super::fault::{Lines, PolicyFault};
use super::syntax;
use super::table::{Entry, Name, Node, Table, Value};

/// How deep lists and tables may lie in each other. Nothing in a policy is deeper than three.
const DEPTH: u32 = 16;

/// What a file says, and what is wrong with it as TOML.
pub(super) struct Document {
    pub(super) table: Table,
    pub(super) faults: Vec<PolicyFault>,
    /// Whether there are so many mistakes that not all were looked at.
    pub(super) cut: bool,
}

pub(super) fn read(text: &str) -> Document {
    let source = Source::new(text);
    let mut errors: Vec<ParseError> = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    let tokens = source.lex().into_vec();
    parse_document(&tokens, &mut RecursionGuard::new(&mut events, DEPTH), &mut errors);
    let meaningless = |event: &Event| {
        use EventKind::{Comment, Error, Newline, Whitespace};
        matches!(event.kind(), Whitespace | Comment | Newline | Error)
    };
    events.retain(|event| !meaningless(event));
    let mut reader = Reader { source, events: events.into_iter().peekable(), errors, faults: Vec::new() };
    let table = reader.document();
    let mut faults = reader.faults;
    let lines = Lines::of(text);
    let told: BTreeSet<_> = faults.iter().map(|fault| lines.of_fault(fault)).collect();
    let (syntax, cut) = syntax::faults(text, &lines, &reader.errors);
    faults.extend(syntax.into_iter().filter(|fault| !told.contains(&lines.of_fault(fault))));
    Document { table, faults, cut }
}

struct Reader<'t> {
    source: Source<'t>,
    events: std::iter::Peekable<std::vec::IntoIter<Event>>,
    errors: Vec<ParseError>,
    faults: Vec<PolicyFault>,
}

impl Reader<'_> {
    fn document(&mut self) -> Table {
        let mut root = Table::default();
        // What stands below a header that can't be is read and forgotten.
        let mut nowhere = Table::default();
        let mut header: Option<Vec<Name>> = Some(Vec::new());
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen => {
                    let path = self.path();
                    let whole = self.is_whole(&path);
                    header = (whole && self.open(&mut root, &path)).then_some(path);
                    nowhere = Table::default();
                }
                EventKind::ArrayTableOpen => {
                    let path = self.path();
                    let names = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".");
                    let end = path.last().map_or(event.span().end(), |name| name.range.end);
                    let closed = self.source.input().get(end..).is_some_and(|rest| rest.starts_with("]]"));
                    let range = event.span().start()..end + if closed { 2 } else { 0 };
                    let fault = PolicyFault::at(range, format!("`[[{names}]]`: there is one table of each name"));
                    self.faults.push(fault.help(format!("write `[{names}]`")));
                    header = None;
                    nowhere = Table::default();
                }
                EventKind::SimpleKey => {
                    let first = self.name(event);
                    let table = match &header {
                        Some(path) => path.iter().try_fold(&mut root, |table, name| table.inner(name)),
                        None => Some(&mut nowhere),
                    };
                    if let Some(table) = table {
                        self.assignment(first, table);
                    }
                }
                _ => {}
            }
        }
        root
    }

    /// Whether all of a header is read: what stands below half of a name is not of that half.
    fn is_whole(&self, path: &[Name]) -> bool {
        let end = path.last().map_or(0, |name| name.range.end);
        let behind = self.source.input().get(end..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let ends = behind.is_empty() || behind.starts_with([']', '\n', '\r', '#']);
        ends && !path.is_empty() && path.iter().all(|name| !name.range.is_empty())
    }

    /// Makes the table of a header. `false` where there can be none.
    fn open(&mut self, root: &mut Table, path: &[Name]) -> bool {
        let mut table = root;
        for (number, name) in path.iter().enumerate() {
            let last = number + 1 == path.len();
            let at = table.entry(name);
            let Some(entry) = table.entries.get_mut(at) else { return false };
            if last && std::mem::replace(&mut entry.opened, true) && entry.is_table() {
                let names = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".");
                let fault = PolicyFault::at(name.range.clone(), format!("the table `[{names}]` is there already"));
                self.faults.push(fault.help("put the two together"));
            }
            if !entry.is_table() {
                self.faults.push(below_a_value(entry, path, number));
            }
            let Value::Table(inner) = &mut entry.node.value else { return false };
            table = inner;
        }
        true
    }

    /// The names of a header or before a `=`, up to what ends them.
    fn path(&mut self) -> Vec<Name> {
        let mut path = Vec::new();
        loop {
            if let Some(event) = self.events.next_if(|event| event.kind() == EventKind::SimpleKey) {
                let name = self.name(event);
                path.push(name);
            }
            if self.events.next_if(|event| event.kind() == EventKind::KeySep).is_none() {
                return path;
            }
        }
    }

    fn name(&mut self, event: Event) -> Name {
        let mut text = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut text, &mut self.errors as &mut dyn ErrorSink);
        }
        Name { text: text.into_owned(), range: range(event.span()) }
    }

    /// `name = value`, of which the first name is read.
    fn assignment(&mut self, first: Name, table: &mut Table) {
        let mut path = vec![first];
        path.extend(self.path());
        if self.events.next_if(|event| event.kind() == EventKind::KeyValSep).is_none() {
            return;
        }
        let Some(node) = self.value() else { return };
        let mut table = table;
        let last = path.len().saturating_sub(1);
        for (number, name) in path.iter().enumerate() {
            let there = table.entries.iter().position(|entry| entry.name.text == name.text);
            if number == last {
                match there {
                    Some(_) => self.faults.push(twice(name)),
                    None => table.entries.push(Entry { name: name.clone(), node, opened: true }),
                }
                return;
            }
            let at = table.entry(name);
            let Some(entry) = table.entries.get_mut(at) else { return };
            if !entry.is_table() {
                self.faults.push(below_a_value(entry, &path, number));
            }
            let Value::Table(inner) = &mut entry.node.value else { return };
            table = inner;
        }
    }

    fn value(&mut self) -> Option<Node> {
        let starts = |event: &Event| {
            matches!(event.kind(), EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen)
        };
        let event = self.events.next_if(starts)?;
        Some(match event.kind() {
            EventKind::ArrayOpen => self.list(event),
            EventKind::InlineTableOpen => self.inline_table(event),
            _ => Node { range: range(event.span()), value: self.scalar(event) },
        })
    }

    fn list(&mut self, open: Event) -> Node {
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
        Node { range: open.span().start()..end, value: Value::List(nodes) }
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
        match raw.decode_scalar(&mut text, &mut self.errors as &mut dyn ErrorSink) {
            ScalarKind::String => Value::Text(text.into_owned()),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&text, radix.value()) {
                Ok(number) => Value::Whole(number),
                Err(_) => Value::Other("a number beyond counting"),
            },
            ScalarKind::Float => Value::Other("a fraction"),
            ScalarKind::Boolean(_) => Value::Other("a yes or no"),
            ScalarKind::DateTime => Value::Other("a date"),
        }
    }
}

fn twice(name: &Name) -> PolicyFault {
    PolicyFault::at(name.range.clone(), format!("`{}` is given twice", name.text)).help("keep one of them")
}

/// Something stands below what is no table.
fn below_a_value(entry: &Entry, path: &[Name], number: usize) -> PolicyFault {
    let (name, value) = (&entry.name, &entry.node.value);
    let rest = path.get(number + 1..).unwrap_or_default();
    let below = rest.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".");
    let range = path.get(number).map_or(name.range.clone(), |name| name.range.clone());
    if name.text == "modules" && matches!(value, Value::List(_)) && !below.is_empty() {
        let message = "beside the list `modules`, what holds for one module stands in a table `module`";
        return PolicyFault::at(range, message).help(format!("write `[module.{below}]`"));
    }
    let message = format!("`{}` is {} already, and no table", name.text, value.what());
    PolicyFault::at(range, message).help("keep one of the two")
}

fn range(span: Span) -> Range<usize> {
    span.start()..span.end()
}
