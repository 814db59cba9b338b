//! The page *What Redis sees*: the commands of the last requests of a visitor, and their keys as they are now.

use std::collections::BTreeSet;
use std::time::Duration;

use maud::{Markup, html};
use redis_keys::redis;

use super::page;
use crate::app::{App, Request};
use crate::failure::Result;
use crate::visit::Visit;

/// The number of requests that are shown.
const SHOWN: usize = 8;

pub(crate) async fn show(visit: Visit) -> Result<Markup> {
    let requests = visit.app.requests_of(&visit.visitor, SHOWN);
    let names: BTreeSet<_> = requests.iter().flat_map(|request| &request.sent).flat_map(|sent| &sent.keys).collect();
    let keys = describe(&visit.app, names.into_iter().cloned().collect()).await;
    let content = html! {
        p.lead {
            "The shop notes which commands each request of your browser sends, without their values. "
            "What other requests and background tasks send is not here."
        }
        @for (index, request) in requests.iter().enumerate() { (commands(request, index == 0)) }
        @if requests.is_empty() { p { "You have not opened another page yet." } }
        section {
            h2 { "The keys of these commands now" }
            @match keys {
                None => p.notice role="status" { "Redis cannot be reached." },
                Some(keys) => table.commands {
                    thead { tr { th { "Key" } th { "Type" } th.number { "Time left" } } }
                    tbody {
                        @for (key, (kind, left)) in &keys {
                            tr { td { code { (key) } } td { (kind) } td.number { (time_left(*left)) } }
                        }
                    }
                },
            }
        }
    };
    Ok(page("What Redis sees", &visit.frame, &content))
}

fn commands(request: &Request, is_open: bool) -> Markup {
    let trips = request.sent.last().map_or(0, |sent| sent.trip);
    html! {
        details open[is_open] {
            summary {
                strong { (request.line) } " "
                span.quiet {
                    (request.status) ", " (request.sent.len()) " commands in " (trips)
                    @if trips == 1 { " round trip, " } @else { " round trips, " }
                    (milliseconds(request.took)) " in all"
                }
            }
            table.commands {
                thead { tr { th { "Trip" } th { "Command" } th { "Keys" } th.number { "Bytes" } th.number { "After" } } }
                tbody {
                    @for sent in &request.sent {
                        tr {
                            td { (sent.trip) }
                            td { code { (sent.command) } }
                            td { @for key in &sent.keys { code { (key) } " " } }
                            td.number { (sent.bytes) }
                            td.number { (milliseconds(sent.at.duration_since(request.started))) }
                        }
                    }
                }
            }
        }
    }
}

/// Reads the types of keys, and the milliseconds that they have left: -1 if a key never expires, -2 if there is none.
/// The types are what the page shows, so these commands have no declaration.
async fn describe(app: &App, keys: Vec<String>) -> Option<Vec<(String, (String, i64))>> {
    if keys.is_empty() {
        return Some(Vec::new());
    }
    let mut pipeline = redis::pipe();
    for key in &keys {
        pipeline.cmd("TYPE").arg(key).cmd("PTTL").arg(key);
    }
    let found: Vec<(String, i64)> = pipeline.query_async(&mut app.quick.0.clone()).await.ok()?;
    Some(keys.into_iter().zip(found).collect())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn time_left(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        _ if milliseconds == -1 => "never expires".to_owned(),
        _ if milliseconds < 0 => "gone".to_owned(),
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", (seconds + 43_200) / 86_400),
    }
}
