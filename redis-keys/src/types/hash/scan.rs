//! HSCAN.

use super::name;
use crate::{
    HashKey, Scan,
    command::{Fault, Replies, Sent, Step, replies, value},
    scan,
    scan::Page,
    types::hash::{FieldOutput, Output},
};

/// A field and its value.
type Pair<K> = (FieldOutput<K>, Output<K>);

pub(crate) fn hscan<K: HashKey>(key: &K) -> Scan<Pair<K>> {
    scan::by_cursor(key, "HSCAN", page::<K>)
}

fn page<K: HashKey>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<Pair<K>>>, Fault> {
    scan::page(replies, sent, replies::pairs, |(field, value)| {
        Ok((name::read_one::<K::Field>(field)?, value::read_one::<K::Value>(value)?))
    })
}
