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
use std::path::Path;
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
use super::progress::{ProgressLine, progress};
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
    /// Whether it was interrupted.
    pub(crate) is_interrupted: bool,
}

/// Reads the servers and all nodes of their clusters. Returns each node as the visitor counted it.
pub(crate) fn scan<V: Visitor>(
    servers: &[Server],
    args: &ScanArgs,
    visitor: &Arc<V>,
) -> Result<Scanned<V::Counts>, Failure> {
    let clock = Instant::now();
    let schemas = visitor.schemas();
    // Keys with legacy texts are in no namespace.
    let namespace = schemas.namespace.as_ref().filter(|_| !schemas.has_legacy_texts());
    let context = Arc::new(Context {
        visitor: Arc::clone(visitor),
        pattern: probes::pattern(args.pattern.as_deref(), namespace.map(String::as_str)),
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
    let servers: Vec<_> = servers.iter().map(|server| format!("{server}/{}", server.database())).collect();
    if let Some(file) = &args.resume {
        resume::load(file, fingerprint, &servers, &nodes)?;
    }
    let threads = nodes.iter().map(|node| spawn(node, &context)).collect::<Result<Vec<_>, _>>()?;
    let save = |file: &Path| resume::save(file, fingerprint, &servers, &nodes);
    let is_interrupted = watch(&nodes, threads, &context, &save)? == Watched::Interrupted;
    let took = clock.elapsed();
    report_progress(seen(&nodes), nodes.len(), took);
    Ok(Scanned { nodes: nodes.iter().map(|node| node.take()).collect(), took, is_interrupted })
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

/// The end of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    Finished,
    Interrupted,
}

/// Waits until all threads have ended. It saves the state meanwhile, and shows the progress.
fn watch<V: Visitor>(
    nodes: &[Arc<Node<V::Counts>>],
    mut threads: Vec<ScanThread>,
    context: &Context<V>,
    save: &dyn Fn(&Path) -> Result<(), Failure>,
) -> Result<Watched, Failure> {
    let file = context.args.resume.as_deref();
    let mut progress = Progress::new(nodes);
    let mut saved = Instant::now();
    let result = loop {
        progress.show(nodes);
        print_messages(context, &progress);
        if context.must_stop() {
            break if V::IS_USEFUL_IN_PART { Ok(Watched::Interrupted) } else { Err(interrupted()) };
        }
        if let Err(failure) = join_finished(&mut threads) {
            break Err(failure);
        }
        if threads.is_empty() {
            break Ok(Watched::Finished);
        }
        if let Some(file) = file
            && saved.elapsed() >= SAVE_EVERY
        {
            if let Err(failure) = save(file) {
                break Err(failure);
            }
            saved = Instant::now();
        }
        thread::park_timeout(CHECK_EVERY);
    };
    progress.line.clear();
    print_messages(context, &progress);
    let failure = match result {
        Ok(Watched::Interrupted) => return file.map_or(Ok(()), save).map(|()| Watched::Interrupted),
        Ok(watched) => return Ok(watched),
        Err(failure) => failure,
    };
    context.stop.store(true, Ordering::Relaxed);
    let Some(file) = file else {
        return Err(match V::WITHOUT_RESUME {
            Some(help) => failure.or_help(help),
            None => failure,
        });
    };
    save(file)?;
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

fn print_messages<V>(context: &Context<V>, progress: &Progress) {
    let messages = std::mem::take(&mut *context.messages.lock().unwrap_or_else(PoisonError::into_inner));
    if !messages.is_empty() {
        progress.line.clear();
    }
    for message in messages {
        anstream::eprintln!("{message}");
    }
}

/// The progress of all nodes.
struct Progress {
    line: ProgressLine,
    /// The keys that an earlier run has counted.
    earlier: u64,
}

impl Progress {
    fn new<C: Default>(nodes: &[Arc<Node<C>>]) -> Self {
        Self { line: ProgressLine::new(), earlier: seen(nodes) }
    }

    /// Shows the line, if it is time.
    fn show<C: Default>(&mut self, nodes: &[Arc<Node<C>>]) {
        let earlier = self.earlier;
        self.line.show(|seconds| {
            let (seen, all) = (seen(nodes), nodes.iter().map(|node| node.keys()).sum());
            let finished = nodes.iter().filter(|node| node.is_finished()).count();
            line(seen, all, seen.saturating_sub(earlier), seconds, finished, nodes.len())
        });
    }
}

fn seen<C: Default>(nodes: &[Arc<Node<C>>]) -> u64 {
    nodes.iter().map(|node| node.seen()).sum()
}

fn line(seen: u64, all: u64, new: u64, seconds: f64, finished: usize, nodes: usize) -> String {
    let mut line = progress(seen, "about ", all, new, seconds);
    if nodes > 1 {
        let _ = write!(line, ", {finished} of {nodes} nodes finished");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_nodes() {
        assert_eq!(line(500, 1_000, 100, 2.0, 0, 1), "500 of about 1,000 keys (50%), 50 keys/s, 10s left");
        assert_eq!(line(0, 0, 0, 0.0, 1, 3), "0 of about 0 keys (0%), 0 keys/s, 1 of 3 nodes finished");
    }
}
