//! A subscriber of tracing that can be read.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata};
use tracing_core::span::Current;

/// Notes the spans and events of redis-keys and of the tests.
#[derive(Clone, Default)]
pub(crate) struct Subscriber {
    state: Arc<Mutex<State>>,
    /// Whether the spans of all commands are noted.
    commands: bool,
}

#[derive(Default)]
struct State {
    lines: Vec<String>,
    /// The spans, in the order of their ids.
    spans: Vec<&'static Metadata<'static>>,
    entered: Vec<Id>,
    /// The events, with the spans in which they were.
    events: Vec<(String, Vec<&'static str>)>,
}

impl Subscriber {
    /// A subscriber that also notes the spans of all commands.
    pub(crate) fn of_commands() -> Self {
        Self { commands: true, ..Self::default() }
    }

    /// One line for each span and each event, with all fields.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.state.lock().unwrap().lines.clone()
    }

    /// The names of the spans in which an event was.
    pub(crate) fn spans_of(&self, event: &str) -> Vec<&'static str> {
        let events = &self.state.lock().unwrap().events;
        let (_, spans) = events.iter().find(|(line, _)| line.contains(event)).expect("the event");
        spans.clone()
    }
}

impl State {
    fn span(&self, id: &Id) -> &'static Metadata<'static> {
        self.spans[usize::try_from(id.into_u64() - 1).unwrap()]
    }
}

impl tracing::Subscriber for Subscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        if metadata.target() == "redis_keys::command" {
            return self.commands;
        }
        metadata.target().starts_with("redis_keys::") || metadata.target().starts_with("integration")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let metadata = span.metadata();
        let mut line = Line(format!("{} span {}", metadata.level(), metadata.name()));
        span.record(&mut line);
        let mut state = self.state.lock().unwrap();
        state.lines.push(line.0);
        state.spans.push(metadata);
        Id::from_u64(state.spans.len() as u64)
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        let mut state = self.state.lock().unwrap();
        let spans = state.entered.iter().map(|id| state.span(id).name()).collect();
        state.lines.push(line.0.clone());
        state.events.push((line.0, spans));
    }

    fn enter(&self, span: &Id) {
        self.state.lock().unwrap().entered.push(span.clone());
    }

    fn exit(&self, span: &Id) {
        assert_eq!(self.state.lock().unwrap().entered.pop().as_ref(), Some(span));
    }

    fn current_span(&self) -> Current {
        let state = self.state.lock().unwrap();
        state.entered.last().map_or_else(Current::none, |id| Current::new(id.clone(), state.span(id)))
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut line = Line(format!("record {}", self.state.lock().unwrap().span(span).name()));
        values.record(&mut line);
        self.state.lock().unwrap().lines.push(line.0);
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        _ = write!(self.0, " {}={value}", field.name());
    }
}
