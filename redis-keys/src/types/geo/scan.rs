//! ZSCAN.

use redis::Value;

use super::{GeoPoint, cell};
use crate::{
    GeoKey, Scan,
    command::{Fault, Replies, Sent, Step, replies, value},
    scan,
    scan::Page,
    stored::Stored,
    types::geo::Output,
};

/// A member and where it is.
type Placed<V> = (<V as Stored>::Output, GeoPoint);

pub(crate) fn zscan<K: GeoKey>(key: &K) -> Scan<(Output<K>, GeoPoint)> {
    scan::by_cursor(key, "ZSCAN", page::<K::Value>)
}

fn page<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<Placed<V>>>, Fault> {
    scan::page(replies, sent, replies::pairs, placed::<V>)
}

fn placed<V: Stored>((member, score): (Value, Value)) -> Result<Placed<V>, Fault> {
    let point = cell::point(replies::score(&score)?).ok_or_else(Fault::unexpected)?;
    Ok((value::read_one::<V>(member)?, point))
}
