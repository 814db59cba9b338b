//! Reads servers: every key, page by page, each node on a thread of its own.
//!
//! A page is a reply to `SCAN`. The next `SCAN` is sent in front of the commands for the keys of this page, so at full speed the
//! server always has something to do. What has been counted is in a [`NodeState`], which changes only when a page is
//! complete. So a lost connection goes on with the page that it had begun, and the resume file always fits the cursor.
//!
//! Keys that vanish or change their type meanwhile are no errors. `SCAN` can return a key twice while a server rehashes,
//! so the counts on a busy server are approximate.

mod latency;
mod node;
mod options;
mod page;
mod plan;
mod probes;
mod progress;
mod reader;
mod resume;
mod run;
mod state;
mod visitor;

pub(crate) use latency::Latency;
pub(crate) use options::{PaceArgs, ScanArgs};
pub(crate) use run::{run, stop_at_signals, until_stopped, visit};
pub(crate) use visitor::Visitor;
