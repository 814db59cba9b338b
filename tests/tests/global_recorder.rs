//! The recorder of the whole program, which is one for each process: it is noticed when it is installed, its handles are
//! kept, and recorders of threads come before it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

#[path = "integration/observe/recorder.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod recorder;

use std::sync::{Arc, Barrier};
use std::thread;

use recorder::Recorder;
use redis::{ConnectionLike, RedisResult, Value};
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(report:global:{id}:string, value = String, ttl = 1h)]
struct Global {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:generic:{id}:string, value = u64, ttl = 1h)]
struct Generic<T: KeySegment> {
    id: T,
}

/// A server that has nothing.
struct Empty;

impl ConnectionLike for Empty {
    fn req_packed_command(&mut self, _: &[u8]) -> RedisResult<Value> {
        Ok(Value::Nil)
    }

    fn req_packed_commands(&mut self, _: &[u8], _: usize, count: usize) -> RedisResult<Vec<Value>> {
        Ok(vec![Value::Nil; count])
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

fn read(times: u64) {
    for id in 0..times {
        assert_eq!(Global { id }.get().query(&mut Empty).unwrap(), None);
    }
}

fn counted(recorder: &Recorder) -> u64 {
    let absent = recorder.counters("redis_keys_commands_total template=report:global:{id}:string");
    absent.iter().find(|(series, _)| series.ends_with("outcome=absent")).map_or(0, |(_, count)| *count)
}

#[test]
fn the_recorder_of_the_program_gets_what_happens_from_then_on() {
    // There is no recorder.
    read(10);
    let global = Arc::new(Recorder::default());
    metrics::set_global_recorder(Arc::clone(&global)).map_err(|_| "the first").unwrap();
    read(5);
    assert_eq!(counted(&global), 5);
    assert_eq!(global.undescribed(), [""; 0]);

    // At the same time, in several threads, of which each is the first for some accessor.
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                barrier.wait();
                assert_eq!(
                    Global { id: 1 }.strlen().query(&mut Empty).unwrap_err().kind(),
                    redis_keys::ErrorKind::UnexpectedReply
                );
                read(1_000);
            });
        }
    });
    assert_eq!(counted(&global), 4_005);

    // Two recorders of a thread, one after the other in the same place of memory.
    for _ in 0..2 {
        let local = Recorder::default();
        metrics::with_local_recorder(&local, || read(3));
        assert_eq!(counted(&local), 3);
    }
    read(1);
    assert_eq!(counted(&global), 4_006);

    // A generic declaration has one place for all its types.
    assert_eq!(Generic { id: 1_u64 }.get().query(&mut Empty).unwrap(), None);
    assert_eq!(Generic { id: 1_u8 }.get().query(&mut Empty).unwrap(), None);
    let generic =
        global.counters("redis_keys_commands_total template=report:generic:{id}:string command=get outcome=absent");
    assert_eq!(generic.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2]);
}
