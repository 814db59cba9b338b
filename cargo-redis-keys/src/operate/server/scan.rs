//! Reads servers: every key, page by page, with a thread for each node.
//!
//! A page is a reply to `SCAN`. The next `SCAN` is sent in front of the commands for this page's keys, so at full
//! speed the server always has something to do. The counts are in a `NodeState`, which changes only when a page is
//! complete. So after a lost connection the scan resumes at the current page, and the resume file always fits the
//! cursor. A [`Visitor`] counts the keys or collects them.
//!
//! Keys that vanish or change their type meanwhile are no errors. `SCAN` can return a key twice while a server
//! rehashes, so the counts on a busy server are approximate.

mod node;
mod options;
mod probes;
mod reader;
mod resume;
mod slots;
mod state;
mod visitor;

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(crate) use options::{PaceArgs, ScanArgs};
use resume::Fingerprint;
pub(crate) use state::NodeResult;
use state::{Node, Nodes};
pub(crate) use visitor::{Expiry, FirstLook, Probes, SecondLook, Visitor};

use super::connection::Server;
use super::progress::{ProgressLine, progress};
use super::stop::{self, CHECK_EVERY, interrupted, stop_at_signals, until_stopped_with};
use crate::Failure;
use crate::operate::hidden_passwords::shown_command;
use crate::render::units::{duration, millis, things};

/// The interval at which the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(5);

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
    started: Instant,
}

impl<V> Context<V> {
    fn message(&self, text: String) {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the time limit is over.
    fn is_late(&self) -> bool {
        self.args.timeout.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// The failure of a scan that must stop.
    fn stopped(&self) -> Failure {
        match self.args.timeout.filter(|_| self.is_late()) {
            Some(limit) => Failure::new(format!("stopped after the time limit of {}", duration(millis(limit)))),
            None => interrupted(),
        }
    }

    fn sleep(&self, duration: Duration) {
        stop::sleep(duration, &self.stop);
    }
}

/// The result of a scan.
pub(crate) struct ScanResult<C> {
    pub(crate) nodes: Vec<NodeResult<C>>,
    pub(crate) took: Duration,
    /// Whether it was interrupted, or stopped at its time limit.
    pub(crate) is_interrupted: bool,
    /// The failure if it has ended early.
    pub(crate) failure: Option<Failure>,
}

/// Reads the servers and all nodes of their clusters. Returns each node as the visitor counted it.
pub(crate) fn scan<V: Visitor>(
    servers: &[Server],
    args: &ScanArgs,
    visitor: &Arc<V>,
) -> Result<ScanResult<V::Counts>, Failure> {
    let schemas = visitor.schemas();
    // Keys with legacy texts are in no namespace.
    let namespace = schemas.namespace.as_ref().filter(|_| !schemas.matcher.has_legacy_texts());
    let context = Arc::new(Context {
        visitor: Arc::clone(visitor),
        pattern: probes::pattern(args.pattern.as_deref(), namespace.map(String::as_str)),
        args: args.clone(),
        stop: stop_at_signals()?,
        claimed: Mutex::default(),
        messages: Mutex::default(),
        started: Instant::now(),
    });
    let nodes = find_nodes(servers, &context)?;
    let fingerprint = Fingerprint::new(schemas, args);
    let servers: Vec<_> = servers.iter().map(|server| format!("{server}/{}", server.database())).collect();
    if let Some(file) = &args.resume {
        resume::load(file, fingerprint, &servers, &nodes)?;
    }
    let threads = nodes.iter().map(|node| spawn(node, &context)).collect::<Result<Vec<_>, _>>()?;
    let save = |file: &Path| resume::save(file, fingerprint, &servers, &nodes);
    let failure = watch(&nodes, threads, &context, &save).err();
    let (is_interrupted, took) =
        (failure.as_ref().is_some_and(|ended| ended.is_interrupted), context.started.elapsed());
    let failure = failure.map(|ended| ended.failure);
    if let Some(failure) = failure.as_ref().filter(|_| !V::IS_USEFUL_IN_PART || seen(&nodes) == 0) {
        return Err(failure.clone());
    }
    let (keys, servers) = (things(seen(&nodes), "key"), things(nodes.len() as u64, "server"));
    message!("read {keys} of {servers} in {:.1} s", took.as_secs_f64());
    Ok(ScanResult { nodes: nodes.iter().map(|node| node.take()).collect(), took, is_interrupted, failure })
}

/// Finds the nodes to read, unless the program must stop meanwhile.
fn find_nodes<V: Visitor>(servers: &[Server], context: &Arc<Context<V>>) -> Result<Nodes<V::Counts>, Failure> {
    let work = {
        let (servers, context) = (servers.to_vec(), Arc::clone(context));
        move || node::nodes(&servers, &context)
    };
    let found = until_stopped_with(&context.stop, work, || {
        if context.is_late() {
            context.stop.store(true, Ordering::Relaxed);
        }
    })?;
    if context.must_stop() { Err(context.stopped()) } else { found.ok_or_else(interrupted)? }
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

/// The early end of a scan.
struct EarlyEnd {
    failure: Failure,
    /// Whether it was interrupted, or stopped at its time limit.
    is_interrupted: bool,
}

/// Waits until all threads have ended. It saves the state meanwhile, and shows the progress.
fn watch<V: Visitor>(
    nodes: &[Arc<Node<V::Counts>>],
    mut threads: Vec<ScanThread>,
    context: &Context<V>,
    save: &dyn Fn(&Path) -> Result<(), Failure>,
) -> Result<(), EarlyEnd> {
    let file = context.args.resume.as_deref();
    // The counts of an earlier run say nothing about the speed.
    let (mut line, earlier) = (ProgressLine::new(), seen(nodes));
    let (mut saved, is_saved) = (Instant::now(), Cell::new(true));
    let save = |file: &Path| {
        let failure = save(file).err();
        let was_saved = is_saved.replace(failure.is_none());
        // A disk that is full is no reason to lose the counts.
        if let Some(failure) = failure.filter(|_| was_saved) {
            context.message(format!("warning: {failure}"));
        }
    };
    let result = loop {
        line.show(|seconds| shown_progress(nodes, earlier, seconds));
        print_messages(context, &line);
        if context.must_stop() || context.is_late() {
            break Err(EarlyEnd { failure: context.stopped(), is_interrupted: true });
        }
        if let Err(failure) = join_finished(&mut threads) {
            break Err(EarlyEnd { failure, is_interrupted: false });
        }
        if threads.is_empty() {
            break Ok(());
        }
        if let Some(file) = file
            && saved.elapsed() >= SAVE_EVERY
        {
            save(file);
            saved = Instant::now();
        }
        thread::park_timeout(CHECK_EVERY);
    };
    line.clear();
    let result = result.map_err(|ended| {
        context.stop.store(true, Ordering::Relaxed);
        file.map(save);
        let help = file.filter(|_| is_saved.get()).map(|_| format!("go on with `{}`", shown_command()));
        let help = help.or(V::WITHOUT_RESUME.filter(|_| file.is_none()).map(str::to_owned));
        let failure = match help {
            Some(help) => ended.failure.or_help(help),
            None => ended.failure,
        };
        EarlyEnd { failure, ..ended }
    });
    print_messages(context, &line);
    result
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

fn print_messages<V>(context: &Context<V>, line: &ProgressLine) {
    let messages = std::mem::take(&mut *context.messages.lock().unwrap_or_else(PoisonError::into_inner));
    if !messages.is_empty() {
        line.clear();
    }
    for message in messages {
        message!("{message}");
    }
}

fn seen<C: Default>(nodes: &[Arc<Node<C>>]) -> u64 {
    nodes.iter().map(|node| node.seen()).sum()
}

fn shown_progress<C: Default>(nodes: &[Arc<Node<C>>], earlier: u64, seconds: f64) -> String {
    let (seen, all) = (seen(nodes), nodes.iter().map(|node| node.state().facts.keys).sum());
    let finished = nodes.iter().filter(|node| node.state().is_finished).count();
    progress_line(seen, all, seen.saturating_sub(earlier), seconds, finished, nodes.len())
}

fn progress_line(seen: u64, all: u64, new: u64, seconds: f64, finished: usize, nodes: usize) -> String {
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
        assert_eq!(progress_line(500, 1_000, 100, 2.0, 0, 1), "500 of about 1,000 keys (50%), 50 keys/s, 10s left");
        assert_eq!(progress_line(0, 0, 0, 0.0, 1, 3), "0 of about 0 keys (0%), 0 keys/s, 1 of 3 nodes finished");
    }
}
