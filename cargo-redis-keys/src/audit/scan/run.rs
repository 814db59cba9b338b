//! Reads all nodes at once, and watches them.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use super::node::{self, Node};
use super::options::ScanArgs;
use super::page;
use super::plan::{Plan, plan};
use super::progress::Progress;
use super::resume::{self, Fingerprint};
use super::visitor::Visitor;
use crate::Failure;
use crate::audit::report;
use crate::audit::tally::Schemas;
use crate::connection::{Server, shown_command};
use crate::output::units::things;

/// How often the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// How often the threads and Ctrl-C are looked at. The end of a thread is seen at once.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long work may take to end by itself at Ctrl-C.
const GRACE: Duration = Duration::from_millis(500);

/// What all threads know.
pub(super) struct Context {
    pub(super) schemas: Arc<Schemas>,
    pub(super) args: ScanArgs,
    /// What sees the keys in the place of the tallies.
    pub(super) visitor: Option<Arc<dyn Visitor>>,
    /// What `SCAN` matches.
    pub(super) pattern: Option<Vec<u8>>,
    /// Whether the threads must stop, at Ctrl-C and at a failure.
    pub(super) stop: Arc<AtomicBool>,
    /// The addresses of the nodes that are read.
    pub(super) claimed: Mutex<Vec<String>>,
    /// What the user must know at once.
    pub(super) messages: Mutex<Vec<String>>,
}

impl Context {
    pub(super) fn message(&self, text: String) {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    pub(super) fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps, unless the thread must stop meanwhile.
    pub(super) fn sleep(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while let Some(rest) = end.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero()) {
            if self.must_stop() {
                return;
            }
            thread::sleep(rest.min(Duration::from_millis(100)));
        }
    }
}

/// Reads the servers, and returns what was found on each node.
pub(crate) fn run(
    servers: &[Server],
    args: &ScanArgs,
    schemas: &Arc<Schemas>,
) -> Result<(report::Run, Vec<report::Node>), Failure> {
    let started = SystemTime::now();
    let (nodes, took) = read(servers, args, schemas, None)?;
    let mut options = args.described();
    options.extend(schemas.namespace.iter().map(|namespace| ("namespace".to_owned(), namespace.clone())));
    for node in &nodes {
        options.extend(node.excess().map(|excess| ("latency".to_owned(), format!("{}: {excess}", node.address()))));
    }
    let run = report::Run { started, took, options, is_complete: args.sample.is_none() };
    Ok((run, nodes.iter().map(|node| node.take()).collect()))
}

/// Shows the keys of a server and its cluster to a visitor. Returns what could not be read.
pub(crate) fn visit(
    server: &Server,
    args: &ScanArgs,
    schemas: &Arc<Schemas>,
    visitor: Arc<dyn Visitor>,
) -> Result<Vec<String>, Failure> {
    let (nodes, _) = read(std::slice::from_ref(server), args, schemas, Some(visitor))?;
    let refused: u64 = nodes.iter().map(|node| node.state().refused_keys).sum();
    Ok((refused > 0).then(|| format!("{refused} keys: the user may not access them")).into_iter().collect())
}

/// Reads all nodes. Returns them, and how long it took.
fn read(
    servers: &[Server],
    args: &ScanArgs,
    schemas: &Arc<Schemas>,
    visitor: Option<Arc<dyn Visitor>>,
) -> Result<(Vec<Arc<Node>>, Duration), Failure> {
    let clock = Instant::now();
    let context = Arc::new(Context {
        schemas: Arc::clone(schemas),
        pattern: page::pattern(args.pattern.as_deref(), schemas.namespace.as_deref()),
        args: args.clone(),
        visitor,
        stop: stop_at_signals()?,
        claimed: Mutex::default(),
        messages: Mutex::default(),
    });
    let Plan { nodes } = {
        let (servers, stop, context) = (servers.to_vec(), Arc::clone(&context.stop), Arc::clone(&context));
        until_stopped(&stop, move || plan(&servers, &context))?.ok_or_else(|| Failure::new("interrupted"))??
    };
    let fingerprint = Fingerprint::new(schemas, args);
    if let Some(file) = &args.resume {
        resume::load(file, fingerprint, &nodes)?;
    }
    let threads = nodes.iter().map(|node| spawn(node, &context)).collect::<Result<Vec<_>, _>>()?;
    watch(&nodes, threads, &context, fingerprint)?;
    let took = clock.elapsed();
    say_what_was_read(&nodes, took);
    Ok((nodes, took))
}

fn say_what_was_read(nodes: &[Arc<Node>], took: Duration) {
    let keys: u64 = nodes.iter().map(|node| node.seen()).sum();
    let seconds = took.as_secs_f64();
    let servers = things(nodes.len() as u64, "server");
    anstream::eprintln!("read {} of {servers} in {seconds:.1} s", things(keys, "key"));
}

fn spawn(node: &Arc<Node>, context: &Arc<Context>) -> Result<JoinHandle<Result<(), Failure>>, Failure> {
    let (node, context, watcher) = (Arc::clone(node), Arc::clone(context), thread::current());
    let work = move || {
        let result = node::scan(&node, &context);
        watcher.unpark();
        result
    };
    let thread = thread::Builder::new().name("node".to_owned()).spawn(work);
    thread.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))
}

/// Ctrl-C and the signal of a system that shuts down set the flag. A second Ctrl-C ends the process at once.
pub(crate) fn stop_at_signals() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    let register = || {
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(SIGINT, Arc::clone(&stop))?;
        signal_hook::flag::register(SIGTERM, Arc::clone(&stop))
    };
    register().map_err(|error| Failure::new(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Does some work in a thread. `None` if the program must stop and the work does not end soon: a server may hang.
pub(crate) fn until_stopped<T: Send + 'static>(
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || sender.send(work()).is_ok());
    thread.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
    let mut asked: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(result) => return Ok(Some(result)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Failure::new("a thread has failed")),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if stop.load(Ordering::Relaxed) && asked.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            return Ok(None);
        }
    }
}

/// Waits until all threads have ended. It saves the state meanwhile, and shows the progress.
fn watch(
    nodes: &[Arc<Node>],
    mut threads: Vec<JoinHandle<Result<(), Failure>>>,
    context: &Context,
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
            break Err(Failure::new("interrupted"));
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
        thread::park_timeout(LOOK_EVERY);
    };
    if let Some(progress) = progress {
        progress.clear();
    }
    print_messages(context, None);
    let Err(failure) = result else { return Ok(()) };
    context.stop.store(true, Ordering::Relaxed);
    if context.visitor.is_some() {
        return Err(failure);
    }
    Err(with_resume(failure, file, || resume::save_or_say(file, fingerprint, nodes)))
}

/// Removes the threads that have ended.
fn join_finished(threads: &mut Vec<JoinHandle<Result<(), Failure>>>) -> Result<(), Failure> {
    while let Some(index) = threads.iter().position(JoinHandle::is_finished) {
        match threads.swap_remove(index).join() {
            Ok(result) => result?,
            Err(_) => return Err(Failure::new("a thread of the audit has failed")),
        }
    }
    Ok(())
}

/// Adds how to go on.
fn with_resume(failure: Failure, file: Option<&Path>, save: impl FnOnce() -> Result<(), Failure>) -> Failure {
    match (file, save()) {
        (Some(_), Ok(())) => failure.or_help(format!("go on with `{}`", shown_command())),
        (Some(_), Err(not_saved)) => not_saved,
        (None, _) => failure.or_help("with `--resume FILE`, the audit can be interrupted and go on later"),
    }
}

fn print_messages(context: &Context, progress: Option<&Progress>) {
    let messages = std::mem::take(&mut *context.messages.lock().unwrap_or_else(PoisonError::into_inner));
    if let (Some(progress), false) = (progress, messages.is_empty()) {
        progress.clear();
    }
    for message in messages {
        anstream::eprintln!("{message}");
    }
}
