//! Near copies: whatever comes between, no copy of what was there before is served, and each call that waits for a push
//! is woken by it.

#![allow(dead_code, clippy::option_option, reason = "a model needs a part of each file")]

#[path = "../../../redis-keys/src/cache/near/era.rs"]
mod era;
#[path = "../../../redis-keys/src/cache/near/shard.rs"]
mod shard;
mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64};
    pub(super) use loom::sync::{Mutex, MutexGuard};

    pub(super) use crate::notify::Notify;
}
#[path = "../../../redis-keys/src/cache/near/table.rs"]
mod table;
#[path = "../../../redis-keys/src/cache/near/waiters.rs"]
mod waiters;

use std::any::Any;
use std::sync::Arc;

use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::Ordering::SeqCst;
use loom::thread;

use self::era::Eras;
use self::shard::NearCopy;
use self::table::Table;
use self::waiters::Waiters;
use crate::{SCHEMA, all_end, block_on, model};

type SharedValue = Arc<dyn Any + Send + Sync>;

const KEY: &[u8] = b"model:value:string";

/// A moment of the models, in which no time passes.
const NOW: u64 = 1;

/// A server with one key, whose first value is 1, and a process with a table.
struct Process {
    server: AtomicU64,
    eras: Eras,
    table: Table,
    waiters: Waiters,
}

impl Process {
    fn new() -> Arc<Self> {
        // One shard.
        let table = Table::new(1 << 20, 1);
        Arc::new(Self { server: AtomicU64::new(1), eras: Eras::new(NOW), table, waiters: Waiters::default() })
    }

    /// Reads the key as a call that finds no copy, in the order of `read_tracked`.
    fn read(&self) {
        let ticket = self.table.begin(KEY, SCHEMA);
        let era = self.eras.current();
        let value = self.server.load(SeqCst);
        era.answered(NOW);
        if let Some(ticket) = ticket {
            let copy = NearCopy { value: Some(Arc::new(value)), era, until: u64::MAX, renew_at: u64::MAX, bytes: 8 };
            ticket.finish(copy);
        }
    }

    /// A write whose reply, or push, has arrived.
    fn write(&self) {
        self.server.store(2, SeqCst);
        self.table.forget(KEY, NOW);
        self.waiters.wake(KEY);
    }

    /// A write of the whole database, of which a push has arrived.
    fn flush(&self) {
        self.server.store(2, SeqCst);
        self.eras.flush();
        self.waiters.wake_all();
    }

    /// A call that waits until another program has changed the key, without a time limit.
    fn wait(&self) {
        let waiter = self.waiters.wait_for(KEY);
        while self.server.load(SeqCst) == 1 {
            block_on(waiter.changed());
        }
    }

    /// The value of a copy that would be served.
    fn hit(&self) -> Option<u64> {
        self.table.read(KEY, NOW, |value| value.and_then(|value| value.downcast_ref::<u64>().copied()))?
    }
}

fn spawn(process: &Arc<Process>, run: fn(&Process)) -> thread::JoinHandle<()> {
    let process = Arc::clone(process);
    thread::spawn(move || run(&process))
}

#[test]
fn once_a_write_has_returned_no_copy_of_the_old_value_is_served() {
    model(3, || {
        let process = Process::new();
        let reads = [spawn(&process, Process::read), spawn(&process, Process::read)];
        process.write();
        assert_ne!(process.hit(), Some(1));
        all_end(reads);
        assert_ne!(process.hit(), Some(1));
    });
}

#[test]
fn a_copy_that_is_renewed_during_a_write_is_not_of_the_old_value() {
    model(3, || {
        let process = Process::new();
        process.read();
        assert_eq!(process.hit(), Some(1));
        let renewal = spawn(&process, Process::read);
        process.write();
        assert_ne!(process.hit(), Some(1));
        all_end([renewal]);
        assert_ne!(process.hit(), Some(1));
    });
}

#[test]
fn once_a_flush_is_known_no_copy_of_before_is_served() {
    model(3, || {
        let process = Process::new();
        process.read();
        let reads = [spawn(&process, Process::read), spawn(&process, Process::read)];
        process.flush();
        assert_ne!(process.hit(), Some(1));
        all_end(reads);
        assert_ne!(process.hit(), Some(1));
    });
}

#[test]
fn no_answer_and_no_flush_brings_a_lost_connection_back() {
    model(3, || {
        let process = Process::new();
        process.read();
        let others = [spawn(&process, Process::read), spawn(&process, Process::flush)];
        process.eras.lose();
        assert_eq!(process.hit(), None);
        all_end(others);
        assert_eq!(process.hit(), None);
    });
}

#[test]
fn a_read_that_is_dropped_leaves_nothing_behind() {
    model(3, || {
        let process = Process::new();
        let dropped = spawn(&process, |process| drop(process.table.begin(KEY, SCHEMA)));
        process.read();
        all_end([dropped]);
        let (keys, _) = process.table.size();
        assert_eq!(keys, usize::from(process.hit().is_some()));
        process.read();
        assert_eq!(process.hit(), Some(1));
    });
}

#[test]
fn a_call_that_waits_for_a_change_is_woken_by_its_push() {
    model(3, || {
        let process = Process::new();
        let waits = [spawn(&process, Process::wait), spawn(&process, Process::wait)];
        process.write();
        all_end(waits);
    });
}

#[test]
fn a_call_that_waits_for_a_change_is_woken_by_a_flush() {
    model(3, || {
        let process = Process::new();
        let waits = [spawn(&process, Process::wait)];
        process.flush();
        all_end(waits);
    });
}
