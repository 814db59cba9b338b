//! The page *What Redis sees*: what the last requests of a visitor have sent, by declaration, and their keys as they are
//! now.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use maud::{Markup, html};
use redis_keys::redis;
use redis_keys::schema::{Kind, Schema};

use super::page;
use crate::app::{App, Request};
use crate::failure::Result;
use crate::keys::ALL;
use crate::scripts;
use crate::trace::{SentCommand, Trace};
use crate::visit::Visit;

/// The number of requests that are shown.
const SHOWN: usize = 8;

/// The number of requests that are shown open.
const OPEN: usize = 3;

/// The number of keys of a declaration that are shown.
const SHOWN_KEYS: usize = 3;

/// The types of keys, and the milliseconds that they have left.
type Now = HashMap<String, (String, i64)>;

/// What a request has sent for the keys of a declaration.
#[derive(Default)]
struct Row<'t> {
    declaration: Option<&'static Schema>,
    accessors: Vec<&'t str>,
    sent: Vec<&'t SentCommand>,
    keys: Vec<&'t str>,
}

pub(crate) async fn show(visit: Visit) -> Result<Markup> {
    let requests = visit.app.requests_of(&visit.visitor, SHOWN);
    let sent = requests.iter().flat_map(|request| request.shared.sent.iter().chain(&request.own.sent));
    let now = describe(&visit.app, sent.flat_map(|sent| &sent.keys).collect()).await;
    let content = html! {
        p.lead {
            "Each row is a declaration of the shop: the accessors that a request of your browser has called, the commands "
            "that they have sent, without values, and the keys as they are now. A script is one atomic step: a new key gets "
            "its expiry together with its first value."
        }
        @if now.is_none() { p.notice role="status" { "Redis cannot be reached." } }
        @for (index, request) in requests.iter().enumerate() {
            (commands(request, index < OPEN, &now.clone().unwrap_or_default()))
        }
        @if requests.is_empty() { p { "You have not opened another page yet." } }
        p.quiet { "What other visitors and background tasks send is not here." }
    };
    Ok(page("What Redis sees", &visit.frame, &content))
}

fn commands(request: &Request, is_open: bool, now: &Now) -> Markup {
    let (shared, own) = (rows(&request.shared), rows(&request.own));
    let trips = request.shared.trips() + request.own.trips();
    html! {
        details open[is_open] {
            summary {
                strong { (request.line) } " "
                span.quiet {
                    (request.status) ", " (request.shared.sent.len() + request.own.sent.len()) " commands in " (trips)
                    @if trips == 1 { " round trip, " } @else { " round trips, " }
                    (milliseconds(request.took)) " in all"
                }
            }
            @if !own.is_empty() { (table(&own, now)) }
            details.shared {
                summary.quiet { "What every page sends: " (request.shared.sent.len()) " commands in 1 round trip" }
                (table(&shared, now))
            }
        }
    }
}

fn table(rows: &[Row<'_>], now: &Now) -> Markup {
    html! {
        table.commands {
            thead { tr { th { "Declaration" } th { "Accessor" } th { "Commands" } th { "Keys now" } } }
            tbody {
                @for row in rows {
                    tr {
                        td { @match row.declaration {
                            Some(schema) => { strong { (schema.name) } br; span.quiet { (lifetime(schema)) } },
                            None => "not declared",
                        } }
                        td { @for name in &row.accessors { code { "." (name) } " " } }
                        td { @for sent in &row.sent { (command(sent)) } }
                        td {
                            @for key in row.keys.iter().take(SHOWN_KEYS) { (key_now(key, row.declaration, now)) }
                            @if row.keys.len() > SHOWN_KEYS {
                                span.quiet { "and " (row.keys.len() - SHOWN_KEYS) " more" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn command(sent: &SentCommand) -> Markup {
    let script = sent.script.as_deref().map(|script| scripts::find(&sent.command, script));
    html! {
        div {
            code { (sent.command) @if let Some(script) = script { " " (script.map_or("unknown", |script| script.file)) } }
            @if let Some(problem) = &sent.problem {
                " "
                span.failed {
                    @match problem.as_str() {
                        "NOSCRIPT" => "unknown to the server: sent again as text",
                        problem => { "failed: " (problem) },
                    }
                }
            } @else if let Some(Some(script)) = script {
                br; span.quiet { (script.does) " Calls " (script.calls) "." }
            }
        }
    }
}

fn key_now(key: &str, declaration: Option<&Schema>, now: &Now) -> Markup {
    html! {
        div {
            code { (key) }
            @match now.get(key) {
                _ if declaration.is_some_and(|schema| schema.kind == Kind::Channel) => {
                    br; span.quiet { "a channel: nothing is stored" }
                },
                Some((_, -2)) => { br; span.quiet { "not there" } },
                Some((kind, left)) => { br; span.quiet { (kind) ", " (time_left(*left)) } },
                None => {},
            }
        }
    }
}

/// Puts together what is sent for the keys of each declaration, in the order of its first command.
fn rows(trace: &Trace) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for sent in &trace.sent {
        let declaration = sent.keys.first().and_then(|key| declaration_of(key));
        let template = declaration.map(|schema| schema.template);
        let index = rows.iter().position(|row| row.declaration.map(|schema| schema.template) == template);
        let index = index.unwrap_or_else(|| {
            let calls = trace.calls.iter().filter(|(of, _)| Some(of.as_str()) == template);
            let mut accessors: Vec<_> = calls.map(|(_, accessor)| accessor.as_str()).collect();
            accessors.dedup();
            rows.push(Row { declaration, accessors, ..Row::default() });
            rows.len() - 1
        });
        if let Some(row) = rows.get_mut(index) {
            row.sent.push(sent);
            for key in &sent.keys {
                if !row.keys.contains(&key.as_str()) {
                    row.keys.push(key);
                }
            }
        }
    }
    rows
}

fn declaration_of(key: &str) -> Option<&'static Schema> {
    let has_form = |form: &str| {
        let (mut words, mut values) = (form.split(':'), key.split(':'));
        words.by_ref().zip(values.by_ref()).all(|(word, value)| word == value || word.starts_with('{'))
            && form.matches(':').count() == key.matches(':').count()
    };
    ALL.into_iter().find(|schema| has_form(schema.template) || schema.formerly.is_some_and(has_form))
}

/// Reads the types of keys, and the milliseconds that they have left: -1 if a key never expires, -2 if there is none.
/// The types are what the page shows, so these commands have no declaration.
async fn describe(app: &App, keys: BTreeSet<&String>) -> Option<Now> {
    if keys.is_empty() {
        return Some(Now::new());
    }
    let mut pipeline = redis::pipe();
    for key in &keys {
        pipeline.cmd("TYPE").arg(key).cmd("PTTL").arg(key);
    }
    let found: Vec<(String, i64)> = pipeline.query_async(&mut app.quick.0.clone()).await.ok()?;
    Some(keys.into_iter().cloned().zip(found).collect())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// The lifetime of a key as its declaration has it.
fn lifetime(schema: &Schema) -> String {
    let Some(ttl) = schema.expiry.ttl() else { return String::new() };
    let jitter = schema.expiry.jitter();
    let jitter = if jitter.is_zero() { String::new() } else { format!(", jitter {}", length(jitter)) };
    let start = schema.ttl_from_end_of.map(|calendar| format!(" from the end of the {calendar}"));
    format!("ttl {}{jitter}{}", length(ttl), start.unwrap_or_default())
}

fn length(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [(86_400, 'd'), (3_600, 'h'), (60, 'm')];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds.is_multiple_of(*length)).unwrap_or((1, 's'));
    format!("{}{unit}", seconds / length)
}

fn time_left(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        _ if milliseconds == -1 => "never expires".to_owned(),
        0..120 => format!("{seconds} s left"),
        120..7_200 => format!("{} min left", seconds / 60),
        7_200..172_800 => format!("{} h left", seconds / 3_600),
        _ => format!("{} days left", (seconds + 43_200) / 86_400),
    }
}
