//! ZSCAN.

use super::range::Scored;
use crate::{
    Scan, ZSetKey,
    command::{Fault, Replies, Sent, Step, replies, value},
    scan,
    scan::Page,
    stored::Stored,
    types::zset::Output,
};

pub(crate) fn zscan<K: ZSetKey>(key: &K) -> Scan<(Output<K>, f64)> {
    scan::by_cursor(key, "ZSCAN", page::<K::Value>)
}

fn page<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<Scored<V>>>, Fault> {
    let decode = |(member, score)| Ok((value::read_one::<V>(member)?, replies::score(&score)?));
    scan::page(replies, sent, replies::pairs, decode)
}
