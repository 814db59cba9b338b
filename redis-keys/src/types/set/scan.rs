//! SSCAN.

use crate::{
    Scan, SetKey,
    command::{Fault, Replies, Sent, Step, replies, value},
    scan,
    scan::Page,
    stored::Stored,
    types::set::Output,
};

pub(crate) fn sscan<K: SetKey>(key: &K) -> Scan<Output<K>> {
    scan::by_cursor(key, "SSCAN", page::<K::Value>)
}

fn page<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<V::Output>>, Fault> {
    scan::page(replies, sent, replies::list, value::read_one::<V>)
}
