//! GEOSEARCH.

use std::{fmt, marker::PhantomData};

use redis::{Cmd, RedisWrite as _, Value};

use super::{GeoArea, GeoPoint, place::point_of};
use crate::{
    Command, Error, GeoKey,
    command::{
        Decode, Fault, Replies, Sent, Step, key_of,
        old_builder::{checked_count, read_by},
        on_key, replies,
        replies::score,
        runnable, value,
    },
    error::Cause,
    schema::Schema,
    stored::Stored,
    types::geo::Input,
};

/// A GEOSEARCH that is being put together: [`GeoKey::geosearch`], [`GeoKey::geosearch_by_member`].
///
/// Run it with [`query`](Self::query) or `query_async`, or make it a [`Command`] by `into`. It gives the
/// nearest members first, unless told otherwise.
///
/// ```no_run
/// use redis_keys::{geo::{GeoArea, GeoPoint, GeoUnit}, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m)]
/// struct SeenAt { city: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let here = GeoPoint { longitude: 13.3614, latitude: 38.1156 };
/// let nearby = GeoArea::radius(2.0, GeoUnit::Kilometers);
/// let taxis: Vec<u64> = SeenAt { city: 1 }.geosearch(here, nearby, 5).query(&mut con)?;
/// let with_kilometers: Vec<(u64, f64)> = SeenAt { city: 1 }.geosearch(here, nearby, 5).with_dist().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a GEOSEARCH does nothing until `query` or `query_async` runs it"]
pub struct GeoSearch<V: Stored, T = <V as Stored>::Output> {
    form: PhantomData<fn() -> V>,
    schema: &'static Schema,
    /// The command up to the area; nothing where nothing is asked for.
    cmd: Result<Option<Cmd>, Error>,
    order: Order,
    count: u32,
    /// WITHDIST, WITHCOORD.
    with: &'static [&'static str],
    decode: Decode<Vec<T>>,
}

#[derive(Clone, Copy)]
enum Order {
    Nearest,
    Farthest,
    Any,
}

pub(crate) fn from_point<K: GeoKey>(key: &K, point: GeoPoint, area: GeoArea, count: u32) -> GeoSearch<K::Value> {
    let push = |cmd: &mut Cmd| {
        cmd.write_arg(b"FROMLONLAT");
        point.push(cmd)
    };
    search(key, push, area, count)
}

pub(crate) fn from_member<K: GeoKey>(key: &K, member: &Input<K>, area: GeoArea, count: u32) -> GeoSearch<K::Value> {
    let push = |cmd: &mut Cmd| {
        cmd.write_arg(b"FROMMEMBER");
        value::push::<K::Value>(cmd, member, K::SCHEMA)
    };
    search(key, push, area, count)
}

fn search<K: GeoKey>(
    key: &K,
    push_middle: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
    area: GeoArea,
    count: u32,
) -> GeoSearch<K::Value> {
    let schema = K::SCHEMA;
    let whole = on_key(key, "GEOSEARCH", 12, 128).and_then(|mut cmd| {
        let pushed = push_middle(&mut cmd).and_then(|()| area.push(&mut cmd)).and_then(|()| checked_count(count));
        match pushed {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(cmd)),
            Err(cause) => Err(Error::refused(schema, key_of(&cmd, 0), cause)),
        }
    });
    GeoSearch {
        form: PhantomData,
        schema,
        cmd: whole,
        order: Order::Nearest,
        count,
        with: &[],
        decode: replies::elements::<K::Value>,
    }
}

impl<V: Stored, T> GeoSearch<V, T> {
    /// ASC: the nearest members, from near to far, as if nothing were said.
    pub fn asc(self) -> Self {
        Self { order: Order::Nearest, ..self }
    }

    /// DESC: the farthest members, from far to near.
    pub fn desc(self) -> Self {
        Self { order: Order::Farthest, ..self }
    }

    /// ANY: whichever members are found first, in no order, which costs the server less.
    pub fn any(self) -> Self {
        Self { order: Order::Any, ..self }
    }

    fn with<U>(self, with: &'static [&'static str], decode: Decode<Vec<U>>) -> GeoSearch<V, U> {
        let Self { form, schema, cmd, order, count, .. } = self;
        GeoSearch { form, schema, cmd, order, count, with, decode }
    }
}

impl<V: Stored> GeoSearch<V> {
    /// WITHDIST: gives with each member how far it is from the middle, in the unit of the area.
    pub fn with_dist(self) -> GeoSearch<V, (V::Output, f64)> {
        self.with(&["WITHDIST"], with_dist::<V>)
    }

    /// WITHCOORD: gives with each member where it is.
    pub fn with_coord(self) -> GeoSearch<V, (V::Output, GeoPoint)> {
        self.with(&["WITHCOORD"], with_coord::<V>)
    }

    /// WITHDIST WITHCOORD: gives with each member how far it is from the middle, and where it is.
    pub fn with_dist_and_coord(self) -> GeoSearch<V, (V::Output, f64, GeoPoint)> {
        self.with(&["WITHDIST", "WITHCOORD"], with_both::<V>)
    }
}

type Found<T> = Result<Step<Vec<T>>, Fault>;

fn with_dist<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Found<(V::Output, f64)> {
    each(replies, |[member, dist]| Ok((value::read_one::<V>(member)?, score(&dist)?)))
}

fn with_coord<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Found<(V::Output, GeoPoint)> {
    each(replies, |[member, point]| Ok((value::read_one::<V>(member)?, point_of(point)?)))
}

fn with_both<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Found<(V::Output, f64, GeoPoint)> {
    each(replies, |[member, dist, point]| Ok((value::read_one::<V>(member)?, score(&dist)?, point_of(point)?)))
}

/// A list for each member.
fn each<T, const N: usize>(replies: Replies, read: impl Fn([Value; N]) -> Result<T, Fault>) -> Found<T> {
    let of_member = |reply| read(replies::list(reply)?.try_into().map_err(|_| Fault::unexpected())?);
    replies::list(replies.one())?.into_iter().map(of_member).collect::<Result<_, _>>().map(Step::Done)
}

runnable!([V: Stored, T] GeoSearch<V, T> => Vec<T>);

impl<V: Stored, T> From<GeoSearch<V, T>> for Command<Vec<T>> {
    fn from(search: GeoSearch<V, T>) -> Self {
        let GeoSearch { schema, cmd, order, count, with, decode, .. } = search;
        let mut cmd = match cmd {
            Ok(Some(cmd)) => cmd,
            Ok(None) => return Self::ready(Vec::new()),
            Err(error) => return Self::refused(error),
        };
        match order {
            Order::Nearest => cmd.write_arg(b"ASC"),
            Order::Farthest => cmd.write_arg(b"DESC"),
            Order::Any => {}
        }
        cmd.write_arg(b"COUNT");
        cmd.arg(count);
        if matches!(order, Order::Any) {
            cmd.write_arg(b"ANY");
        }
        for word in with {
            cmd.write_arg(word.as_bytes());
        }
        read_by(schema, cmd, decode)
    }
}

/// Tells the key, and not from where.
impl<V: Stored, T> fmt::Debug for GeoSearch<V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.cmd.as_ref().map(|cmd| cmd.as_ref().and_then(|cmd| key_of(cmd, 0)).unwrap_or_default());
        f.debug_struct("GeoSearch").field("key", &key).finish_non_exhaustive()
    }
}
