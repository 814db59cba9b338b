//! Near copies: whatever comes between, no copy of what was there before is served.

#![allow(dead_code, clippy::expect_used, clippy::option_option, reason = "a model needs a part of each file")]

#[path = "../../../redis-keys/src/cache/near/era.rs"]
mod era;
#[path = "../../../redis-keys/src/cache/near/shard.rs"]
mod shard;
mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64};
    pub(super) use loom::sync::{Mutex, MutexGuard};
}
#[path = "../../../redis-keys/src/cache/near/table.rs"]
mod table;

use std::any::Any;
use std::sync::Arc;

use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::Ordering::SeqCst;
use loom::thread;

use self::era::Eras;
use self::shard::NearCopy;
use self::table::Table;
use crate::schema::Schema;

type SharedValue = Arc<dyn Any + Send + Sync>;

static SCHEMA: &Schema = <Model as redis_keys::RedisKey>::SCHEMA;

#[derive(redis_keys::RedisKey)]
#[redis_key(model:value:string, value = u64, ttl = 1h)]
struct Model;

const KEY: &[u8] = b"model:value:string";

/// A moment of the models, in which no time passes.
const NOW: u64 = 1;

/// A server with one key, whose first value is 1, and a process with a table.
struct Process {
    server: AtomicU64,
    eras: Eras,
    table: Table,
}

impl Process {
    fn new() -> Arc<Self> {
        // One shard.
        Arc::new(Self { server: AtomicU64::new(1), eras: Eras::new(NOW), table: Table::new(1 << 20, 1) })
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
    }

    /// A write of the whole database, of which a push has arrived.
    fn flush(&self) {
        self.server.store(2, SeqCst);
        self.eras.flush();
    }

    /// The value of a copy that would be served.
    fn hit(&self) -> Option<u64> {
        self.table.read(KEY, NOW, |value| value.and_then(|value| value.downcast_ref::<u64>().copied()))?
    }
}

/// Runs every interleaving in which at most three threads are interrupted: few faults need more.
fn model(run: fn()) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

fn spawn(process: &Arc<Process>, run: fn(&Process)) -> thread::JoinHandle<()> {
    let process = Arc::clone(process);
    thread::spawn(move || run(&process))
}

fn all_end<const N: usize>(threads: [thread::JoinHandle<()>; N]) {
    for thread in threads {
        thread.join().expect("it does not panic");
    }
}

#[test]
fn once_a_write_has_returned_no_copy_of_the_old_value_is_served() {
    model(|| {
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
    model(|| {
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
    model(|| {
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
    model(|| {
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
    model(|| {
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
