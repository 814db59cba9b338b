//! Keys of type `string` that are locks.

use crate::row::rows;
use crate::section::Section;

use redis_keys::lock::Token;
use redis_keys::prelude::*;

/// The right to ship an order.
#[derive(RedisKey)]
#[redis_key(lock:order:{order}:string, lock, ttl = 30s)]
struct OrderLock {
    order: u64,
}

pub(crate) fn section() -> Section {
    let lock = OrderLock { order: 42 };
    let token = Token::from([0xab; 16]);

    Section {
        title: "lock",
        summary: "one process at a time",
        about: "\
A string with the role `lock`, which one caller at a time holds. It holds a token and a fence, `abababababababababababababababab
1767225600000000`; a lock that was released holds a space, the fence and the token until it expires. `acquire` returns the fence, or how long
another caller has left. In asynchronous code `Locks` sends all of these. Of the accessors of every key, `exists` is also true for a
lock that was released, `unlink` takes the lock away from its holder, and `expire` restarts the expiry of any holder.",
        file: include_str!("lock.rs"),
        schemas: vec![OrderLock::SCHEMA],
        types: &["LockKey"],
        rows: rows! {
            lock.acquire(&token);
            lock.renew(&token);
            lock.release(&token);
            lock.is_held();
        },
        more: Vec::new(),
    }
}
