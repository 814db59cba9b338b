//! The TOML of the file: tables of texts and numbers, without nested values.

use std::borrow::Cow;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, ParseError, Source};

use super::damage::Damage;

/// A table: its header, and its settings.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The names in the header. Empty at the start of the file.
    pub(super) header: Vec<String>,
    /// Whether it is an element of a list: `[[header]]`.
    pub(super) is_element: bool,
    /// The line of the header, from 1.
    pub(super) line: usize,
    pub(super) settings: Vec<Setting>,
}

/// A line `name = value`.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Value,
    /// The line of the name, from 1.
    pub(super) line: usize,
}

#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
}

/// The nested values that the parser follows before it gives up. The file has none.
const DEPTH: u32 = 4;

/// Reads the tables of a text, in their order.
pub(super) fn read(text: &str) -> Result<Vec<Table>, Damage> {
    let source = Source::new(text);
    let mut errors: Vec<ParseError> = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    let tokens = source.lex().into_vec();
    parse_document(&tokens, &mut RecursionGuard::new(&mut events, DEPTH), &mut errors);
    events.retain(|event| {
        !matches!(
            event.kind(),
            EventKind::Comment | EventKind::Newline | EventKind::Whitespace | EventKind::Error | EventKind::KeyValSep
        )
    });
    let mut reader = Reader { text, source, events: events.into_iter().peekable(), errors };
    let tables = reader.tables();
    let at = |error: &ParseError| error.unexpected().or(error.context()).map_or(0, |span| span.start());
    match reader.errors.iter().min_by_key(|error| at(error)) {
        Some(error) => Err(Damage::new(line_of(text, at(error)), format!("invalid TOML: {}", error.description()))),
        None => tables,
    }
}

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

struct Reader<'t> {
    text: &'t str,
    source: Source<'t>,
    events: std::iter::Peekable<std::vec::IntoIter<Event>>,
    errors: Vec<ParseError>,
}

impl Reader<'_> {
    fn tables(&mut self) -> Result<Vec<Table>, Damage> {
        let mut tables = Vec::new();
        let mut table = Table { line: 1, ..Table::default() };
        while let Some(event) = self.events.next() {
            let line = line_of(self.text, event.span().start());
            match event.kind() {
                kind @ (EventKind::StdTableOpen | EventKind::ArrayTableOpen) => {
                    let is_element = kind == EventKind::ArrayTableOpen;
                    let next = Table { header: self.names(), is_element, line, settings: Vec::new() };
                    tables.push(std::mem::replace(&mut table, next));
                }
                EventKind::SimpleKey => {
                    let name = self.name(event);
                    let value = self.value(&name, line)?;
                    table.settings.push(Setting { name, value, line });
                }
                _ => {}
            }
        }
        tables.push(table);
        Ok(tables)
    }

    /// The names of a header.
    fn names(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        while let Some(event) =
            self.events.next_if(|event| matches!(event.kind(), EventKind::SimpleKey | EventKind::KeySep))
        {
            if event.kind() == EventKind::SimpleKey {
                names.push(self.name(event));
            }
        }
        names
    }

    fn name(&mut self, event: Event) -> String {
        let mut name = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut name, &mut self.errors as &mut dyn ErrorSink);
        }
        name.into_owned()
    }

    fn value(&mut self, name: &str, line: usize) -> Result<Value, Damage> {
        let wrong = || Damage::new(line, format!("expected a text or a number as `{}`", shortened(name)));
        let event = self.events.next_if(|event| event.kind() == EventKind::Scalar).ok_or_else(wrong)?;
        let raw = self.source.get(event).ok_or_else(wrong)?;
        let mut text = Cow::Borrowed("");
        match raw.decode_scalar(&mut text, &mut self.errors as &mut dyn ErrorSink) {
            ScalarKind::String => Ok(Value::Text(text.into_owned())),
            ScalarKind::Integer(radix) => {
                i64::from_str_radix(&text, radix.value()).map(Value::Integer).map_err(|_| wrong())
            }
            _ => Err(wrong()),
        }
    }
}

/// A name for a message.
pub(super) fn shortened(name: &str) -> String {
    const MAX_CHARS: usize = 80;
    crate::render::printable(name.chars().take(MAX_CHARS).collect::<String>())
}
