//! A held lock: whichever of renewal, release, loss and drop come together, a guard reports a loss once, releases a lock
//! that it holds once, and does not renew it afterwards.
//!
//! The server is a mutex, so each command is one step. Each task is a thread. Time passes only when a model says so.
//!
//! A reply never comes in the poll that sends the command. If it did, because the system interrupts a thread inside that
//! poll, a renewal could find the lock released, and report a loss.

#![allow(dead_code, unreachable_pub, clippy::must_use_candidate, reason = "a model needs a part of each file")]

#[path = "../../../redis-keys/src/lock/guard.rs"]
mod guard;
#[path = "../../../redis-keys/src/lock/hold.rs"]
mod hold;
#[path = "lock/holder.rs"]
mod holder;
#[path = "lock/runtime.rs"]
mod runtime;

use std::sync::Arc;

use loom::thread;

use self::guard::Guard;
pub(crate) use self::holder::{Counter, Reporter, SharedConnection};
use self::holder::{Holder, Server};
use self::runtime::{Handle, Instant};
use crate::{all_end, block_on, model};

/// A process whose lock is due for a renewal, and a server.
struct Process {
    server: Arc<Server>,
    runtime: Handle,
    guard: Guard,
}

fn acquire() -> Process {
    acquire_on(Server::new(true))
}

/// Acquires a lock for three seconds. One has passed, so its renewal is due.
fn acquire_on(server: Server) -> Process {
    let (server, runtime) = (Arc::new(server), Handle::default());
    let sent = Instant::now();
    runtime::pass(1);
    let guard = Guard::new(Arc::new(Holder::new(Arc::clone(&server))), 1, sent, runtime.clone());
    Process { server, runtime, guard }
}

#[test]
fn a_released_lock_is_released_once_and_not_lost() {
    model(3, || {
        let Process { server, runtime, guard } = acquire();
        assert!(block_on(guard.release()).unwrap());
        runtime.all_end();
        assert_eq!((server.releases(), server.losses()), (1, 0));
    });
}

#[test]
fn a_dropped_guard_releases_its_lock_once() {
    model(3, || {
        let Process { server, runtime, guard } = acquire();
        drop(guard);
        runtime.all_end();
        assert_eq!((server.releases(), server.losses()), (1, 0));
    });
}

#[test]
fn a_lock_that_is_removed_during_its_release_was_held_or_is_lost_once() {
    model(3, || {
        let Process { server, runtime, guard } = acquire();
        let removed = Arc::clone(&server);
        let removal = thread::spawn(move || removed.remove());
        let was_held = block_on(guard.release()).unwrap();
        all_end([removal]);
        runtime.all_end();
        assert!(server.releases() <= 1);
        assert_eq!(server.losses(), u32::from(!was_held));
    });
}

#[test]
fn a_caller_that_waits_for_a_loss_is_woken_by_the_renewal_that_finds_it() {
    model(3, || {
        let Process { server, runtime, guard } = acquire_on(Server::new(false));
        block_on(guard.lost());
        assert!(!guard.is_held());
        assert!(!block_on(guard.release()).unwrap());
        runtime.all_end();
        assert_eq!((server.releases(), server.losses()), (0, 1));
    });
}

#[test]
fn a_lock_whose_time_is_over_stays_lost_though_a_renewal_is_late() {
    model(2, || {
        let Process { server, runtime, guard } = acquire();
        let time = thread::spawn(|| runtime::pass(9));
        block_on(guard.lost());
        assert!(!guard.is_held());
        all_end([time]);
        assert!(!guard.is_held());
        drop(guard);
        runtime.all_end();
        assert_eq!((server.releases(), server.losses()), (0, 1));
    });
}
