//! The texts of locks, which no later version may change: programs of two versions share locks during an update.

use redis_keys::ErrorKind;
use redis_keys::lock::Acquisition;
use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::keys::{ORDER, content, mine, theirs, write};

/// A free lock whose fence, of the year 2096, is ahead of the server's clock, so that the next fences are known.
const FREE: &str = " 4000000000000000";
const HELD: &str = "11111111111111111111111111111111 4000000000000001";
const RELEASED: &str = " 4000000000000001 11111111111111111111111111111111";
const HELD_AGAIN: &str = "22222222222222222222222222222222 4000000000000002 11111111111111111111111111111111";

#[test]
fn locks_are_stored_as_before() {
    everywhere(|con| {
        write(con, &ORDER, FREE);
        assert_eq!(con.ok(ORDER.acquire(&mine())), Acquisition::Held { fence: 4_000_000_000_000_001 });
        assert_eq!(content(con, &ORDER).as_deref(), Some(HELD));
        assert!(con.ok(ORDER.release(&mine())));
        assert_eq!(content(con, &ORDER).as_deref(), Some(RELEASED));
        assert_eq!(con.ok(ORDER.acquire(&theirs())), Acquisition::Held { fence: 4_000_000_000_000_002 });
        assert_eq!(content(con, &ORDER).as_deref(), Some(HELD_AGAIN));
    });
}

#[test]
fn locks_of_earlier_versions_are_read() {
    everywhere(|con| {
        write(con, &ORDER, HELD);
        assert!(con.ok(ORDER.is_held()) && con.ok(ORDER.renew(&mine())) && !con.ok(ORDER.renew(&theirs())));
        assert!(matches!(con.ok(ORDER.acquire(&theirs())), Acquisition::Busy(_)));
        write(con, &ORDER, RELEASED);
        assert!(!con.ok(ORDER.is_held()));
        assert_eq!(con.error(ORDER.acquire(&mine())).kind(), ErrorKind::Argument);
        write(con, &ORDER, HELD_AGAIN);
        assert_eq!(con.ok(ORDER.acquire(&theirs())), Acquisition::Held { fence: 4_000_000_000_000_002 });
        assert!(con.ok(ORDER.release(&theirs())));
    });
}
