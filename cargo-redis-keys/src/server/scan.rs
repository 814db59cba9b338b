//! Reads servers: every key, page by page, each node on a thread of its own.
//!
//! A page is a reply to `SCAN`. The next `SCAN` is sent in front of the commands for the keys of this page, so at full
//! speed the server always has something to do. What has been counted is in a `NodeState`, which changes only when a
//! page is complete. So after a lost connection the scan resumes at the current page, and the resume file always fits
//! the cursor. A [`Visitor`] counts the keys or collects them.
//!
//! Keys that vanish or change their type meanwhile are no errors. `SCAN` can return a key twice while a server
//! rehashes, so the counts on a busy server are approximate.

mod node;
mod options;
mod probes;
mod reader;
mod resume;
mod state;
mod visitor;

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(crate) use options::{PaceArgs, ScanArgs};
use resume::Fingerprint;
use state::Node;
pub(crate) use state::ScannedNode;
pub(crate) use visitor::{Expiry, FirstLook, Probes, SecondLook, Visitor};

use super::connection::Server;
use super::stop::{self, interrupted, stop_at_signals, until_stopped};
use crate::Failure;
use crate::password::shown_command;
use crate::render::units::things;

/// The interval at which the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// The interval at which the threads and Ctrl-C are checked. The end of a thread wakes up the watcher.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// The state that all threads share.
struct Context<V> {
    args: ScanArgs,
    visitor: Arc<V>,
    /// The pattern of `SCAN`.
    pattern: Option<Vec<u8>>,
    /// Whether the threads must stop, at Ctrl-C and at a failure.
    stop: Arc<AtomicBool>,
    /// The addresses of the nodes that are read.
    claimed: Mutex<Vec<String>>,
    /// The messages that are not shown yet.
    messages: Mutex<Vec<String>>,
}

impl<V> Context<V> {
    fn message(&self, text: String) {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn sleep(&self, duration: Duration) {
        stop::sleep(duration, &self.stop);
    }
}

/// The result of a scan.
pub(crate) struct Scanned<C> {
    pub(crate) nodes: Vec<ScannedNode<C>>,
    pub(crate) took: Duration,
}

/// Reads the servers and all nodes of their clusters. Returns each node as the visitor counted it.
pub(crate) fn scan<V: Visitor>(
    servers: &[Server],
    args: &ScanArgs,
    visitor: &Arc<V>,
) -> Result<Scanned<V::Counts>, Failure> {
    let clock = Instant::now();
    let schemas = visitor.schemas();
    let context = Arc::new(Context {
        visitor: Arc::clone(visitor),
        pattern: probes::pattern(args.pattern.as_deref(), schemas.namespace.as_deref()),
        args: args.clone(),
        stop: stop_at_signals()?,
        claimed: Mutex::default(),
        messages: Mutex::default(),
    });
    let nodes = {
        let (servers, stop, context) = (servers.to_vec(), Arc::clone(&context.stop), Arc::clone(&context));
        until_stopped(&stop, move || node::nodes(&servers, &context))?.ok_or_else(interrupted)??
    };
    let fingerprint = Fingerprint::new(schemas, args);
    if let Some(file) = &args.resume {
        resume::load(file, fingerprint, &nodes)?;
    }
    let threads = nodes.iter().map(|node| spawn(node, &context)).collect::<Result<Vec<_>, _>>()?;
    watch(&nodes, threads, &context, fingerprint)?;
    let took = clock.elapsed();
    report_progress(seen(&nodes), nodes.len(), took);
    Ok(Scanned { nodes: nodes.iter().map(|node| node.take()).collect(), took })
}

fn report_progress(keys: u64, nodes: usize, took: Duration) {
    let (keys, servers) = (things(keys, "key"), things(nodes as u64, "server"));
    anstream::eprintln!("read {keys} of {servers} in {:.1} s", took.as_secs_f64());
}

type ScanThread = JoinHandle<Result<(), Failure>>;

fn spawn<V: Visitor>(node: &Arc<Node<V::Counts>>, context: &Arc<Context<V>>) -> Result<ScanThread, Failure> {
    let (node, context, watcher) = (Arc::clone(node), Arc::clone(context), thread::current());
    let work = move || {
        let result = node::scan(&node, &context);
        watcher.unpark();
        result
    };
    let thread = thread::Builder::new().name("node".to_owned()).spawn(work);
    thread.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))
}

/// Waits until all threads have ended. It saves the state meanwhile, and shows the progress.
fn watch<V: Visitor>(
    nodes: &[Arc<Node<V::Counts>>],
    mut threads: Vec<ScanThread>,
    context: &Context<V>,
    fingerprint: Fingerprint,
) -> Result<(), Failure> {
    let file = context.args.resume.as_deref();
    let mut progress = std::io::stderr().is_terminal().then(|| Progress::new(nodes));
    let mut saved = Instant::now();
    let result = loop {
        if let Some(progress) = &mut progress {
            progress.show(nodes);
        }
        print_messages(context, progress.as_ref());
        if context.must_stop() {
            break Err(interrupted());
        }
        if let Err(failure) = join_finished(&mut threads) {
            break Err(failure);
        }
        if threads.is_empty() {
            break Ok(());
        }
        if let Some(file) = file
            && saved.elapsed() >= SAVE_EVERY
        {
            if let Err(failure) = resume::save(file, fingerprint, nodes) {
                break Err(failure);
            }
            saved = Instant::now();
        }
        thread::park_timeout(CHECK_EVERY);
    };
    if let Some(progress) = progress {
        progress.clear();
    }
    print_messages(context, None);
    let Err(failure) = result else { return Ok(()) };
    context.stop.store(true, Ordering::Relaxed);
    let Some(file) = file else {
        return Err(match V::WITHOUT_RESUME {
            Some(help) => failure.or_help(help),
            None => failure,
        });
    };
    resume::save(file, fingerprint, nodes)?;
    Err(failure.or_help(format!("go on with `{}`", shown_command())))
}

/// Removes the threads that have ended.
fn join_finished(threads: &mut Vec<ScanThread>) -> Result<(), Failure> {
    while let Some(index) = threads.iter().position(JoinHandle::is_finished) {
        match threads.swap_remove(index).join() {
            Ok(result) => result?,
            Err(_) => return Err(Failure::new("a thread of the audit has failed")),
        }
    }
    Ok(())
}

fn print_messages<V>(context: &Context<V>, progress: Option<&Progress>) {
    let messages = std::mem::take(&mut *context.messages.lock().unwrap_or_else(PoisonError::into_inner));
    if let (Some(progress), false) = (progress, messages.is_empty()) {
        progress.clear();
    }
    for message in messages {
        anstream::eprintln!("{message}");
    }
}

/// The interval at which the line of the progress changes.
const SHOW_EVERY: Duration = Duration::from_millis(250);

/// The line that shows the progress on a terminal.
struct Progress {
    started: Instant,
    shown: Option<Instant>,
    /// The keys that an earlier run has counted.
    earlier: u64,
}

impl Progress {
    fn new<C: Default>(nodes: &[Arc<Node<C>>]) -> Self {
        Self { started: Instant::now(), shown: None, earlier: seen(nodes) }
    }

    /// Shows the line, if it is time.
    fn show<C: Default>(&mut self, nodes: &[Arc<Node<C>>]) {
        if self.shown.is_some_and(|shown| shown.elapsed() < SHOW_EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let (seen, all) = (seen(nodes), nodes.iter().map(|node| node.keys()).sum());
        let finished = nodes.iter().filter(|node| node.is_finished()).count();
        let seconds = self.started.elapsed().as_secs_f64();
        anstream::eprint!(
            "\r{}\x1b[K",
            line(seen, all, seen.saturating_sub(self.earlier), seconds, finished, nodes.len())
        );
    }

    /// Removes the line.
    #[allow(clippy::unused_self, reason = "without a line there is nothing to remove")]
    fn clear(&self) {
        anstream::eprint!("\r\x1b[K");
    }
}

fn seen<C: Default>(nodes: &[Arc<Node<C>>]) -> u64 {
    nodes.iter().map(|node| node.seen()).sum()
}

#[allow(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn line(seen: u64, all: u64, new: u64, seconds: f64, finished: usize, nodes: usize) -> String {
    let percent = (seen as f64 / all.max(1) as f64 * 100.0).min(100.0);
    let mut line = format!("{seen} of about {all} keys ({percent:.0}%), {:.0} keys/s", new as f64 / seconds.max(0.1));
    if nodes > 1 {
        let _ = write!(line, ", {finished} of {nodes} nodes finished");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_a_terminal() {
        assert_eq!(line(500, 1_000, 100, 2.0, 0, 1), "500 of about 1000 keys (50%), 50 keys/s");
        assert_eq!(line(0, 0, 0, 0.0, 1, 3), "0 of about 0 keys (0%), 0 keys/s, 1 of 3 nodes finished");
        assert_eq!(line(7, 5, 7, 1.0, 0, 1), "7 of about 5 keys (100%), 7 keys/s");
    }
}
