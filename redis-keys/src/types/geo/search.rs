//! The builder of `GEOSEARCH`.

use std::marker::PhantomData;

use redis::{Cmd, RedisWrite as _, Value};

use super::{GeoArea, GeoPoint, read_point};
use crate::accessor::Accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, checked_count, with};
use crate::command::builder::Build as _;
use crate::command::rewrite::read_by;
use crate::command::{Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, key_of_built, reply, value};
use crate::run::{debug_key, runnable};
use crate::schema::Schema;
use crate::stored::Stored;
use crate::{Command, Error, GeoKey};

/// A builder of `GEOSEARCH`: [`GeoKey::geosearch`], [`GeoKey::geosearch_by_member`].
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. By default it returns
/// the nearest members first.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m)]
/// struct SeenAt { city: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let position = GeoPoint { longitude: 13.3614, latitude: 38.1156 };
/// let nearby = GeoArea::radius(2.0, GeoUnit::Kilometers);
/// let taxis: Vec<u64> = SeenAt { city: 1 }.geosearch(position, nearby, 5).query(&mut con)?;
/// let with_kilometers: Vec<(u64, f64)> = SeenAt { city: 1 }.geosearch(position, nearby, 5).with_dist().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a GEOSEARCH does nothing until `run` or `query` runs it"]
pub struct GeoSearch<V: Stored, T = <V as Stored>::Output> {
    form: PhantomData<fn() -> V>,
    accessor: Accessor,
    schema: &'static Schema,
    /// The command up to the area, unless no members are asked for.
    cmd: Result<Option<Cmd>, Error>,
    order: Order,
    count: u32,
    /// WITHDIST, WITHCOORD.
    details: &'static [&'static str],
    decode: Decode<Vec<T>>,
}

#[derive(Clone, Copy)]
enum Order {
    NearestFirst,
    FarthestFirst,
    Any,
}

impl<V: Stored> GeoSearch<V> {
    pub(super) fn new<K, A>(key: &K, accessor: Accessor, center: A, area: GeoArea, count: u32) -> Self
    where
        K: GeoKey<Value = V>,
        A: Arguments,
    {
        // The options follow later. An error in the count takes precedence.
        let options = with(Capacity::new(6, 48), |_cmd, _schema| match checked_count(count)? {
            0 => Ok(Amount::Nothing),
            _ => Ok(Amount::Some),
        });
        let cmd = key.native("GEOSEARCH", (center, area, options)).cmd;
        let decode = reply::elements::<V>;
        Self {
            form: PhantomData,
            accessor,
            schema: K::SCHEMA,
            cmd,
            order: Order::NearestFirst,
            count,
            details: &[],
            decode,
        }
    }

    /// Also returns each member's distance from the center, in the area's unit (`WITHDIST`).
    pub fn with_dist(self) -> GeoSearch<V, (V::Output, f64)> {
        self.with_details(&["WITHDIST"], members_with_dist::<V>)
    }

    /// Also returns each member's position (`WITHCOORD`).
    pub fn with_coord(self) -> GeoSearch<V, (V::Output, GeoPoint)> {
        self.with_details(&["WITHCOORD"], members_with_coord::<V>)
    }

    /// Also returns each member's distance from the center and its position (`WITHDIST WITHCOORD`).
    pub fn with_dist_and_coord(self) -> GeoSearch<V, (V::Output, f64, GeoPoint)> {
        self.with_details(&["WITHDIST", "WITHCOORD"], members_with_dist_and_coord::<V>)
    }

    fn with_details<T>(self, details: &'static [&'static str], decode: Decode<Vec<T>>) -> GeoSearch<V, T> {
        let Self { form, accessor, schema, cmd, order, count, .. } = self;
        GeoSearch { form, accessor, schema, cmd, order, count, details, decode }
    }
}

impl<V: Stored, T> GeoSearch<V, T> {
    /// Returns the nearest members, nearest first (`ASC`). This is the default.
    pub fn asc(self) -> Self {
        Self { order: Order::NearestFirst, ..self }
    }

    /// Returns the farthest members, farthest first (`DESC`).
    pub fn desc(self) -> Self {
        Self { order: Order::FarthestFirst, ..self }
    }

    /// Returns the first members that the server finds, in no order, at a lower cost (`ANY`).
    pub fn any(self) -> Self {
        Self { order: Order::Any, ..self }
    }
}

runnable!([V: Stored, T] GeoSearch<V, T> => Vec<T>);

impl<V: Stored, T> From<GeoSearch<V, T>> for Command<Vec<T>> {
    fn from(search: GeoSearch<V, T>) -> Self {
        let GeoSearch { accessor, schema, cmd, order, count, details, decode, .. } = search;
        let mut cmd = match cmd {
            Ok(Some(cmd)) => cmd,
            Ok(None) => return Self::ready(Vec::new()),
            Err(error) => return Self::refused(error).named_read(accessor),
        };
        match order {
            Order::NearestFirst => cmd.write_arg(b"ASC"),
            Order::FarthestFirst => cmd.write_arg(b"DESC"),
            Order::Any => {}
        }
        cmd.write_arg(b"COUNT");
        cmd.arg(count);
        if matches!(order, Order::Any) {
            cmd.write_arg(b"ANY");
        }
        for word in details {
            cmd.write_arg(word.as_bytes());
        }
        read_by(schema, cmd, decode).named_read(accessor)
    }
}

debug_key!([V: Stored, T] GeoSearch<V, T>, "GeoSearch", |search| key_of_built(&search.cmd));

type Rows<T> = DecodeResult<Vec<T>>;

fn members_with_dist<V: Stored>(replies: Replies, _sent: &ReplyContext<'_>) -> Rows<(V::Output, f64)> {
    rows(replies, |[member, dist]| Ok((value::read_one::<V>(member)?, reply::score(&dist)?)))
}

fn members_with_coord<V: Stored>(replies: Replies, _sent: &ReplyContext<'_>) -> Rows<(V::Output, GeoPoint)> {
    rows(replies, |[member, point]| Ok((value::read_one::<V>(member)?, read_point(point)?)))
}

fn members_with_dist_and_coord<V: Stored>(
    replies: Replies,
    _sent: &ReplyContext<'_>,
) -> Rows<(V::Output, f64, GeoPoint)> {
    rows(replies, |[member, dist, point]| Ok((value::read_one::<V>(member)?, reply::score(&dist)?, read_point(point)?)))
}

/// Reads a list of `N` values for each member.
fn rows<T, const N: usize>(replies: Replies, read: impl Fn([Value; N]) -> Result<T, ReplyError>) -> Rows<T> {
    let read_row = |row| read(reply::list(row)?.try_into().map_err(|_| ReplyError::unexpected())?);
    reply::list(replies.one())?.into_iter().map(read_row).collect::<Result<_, _>>().map(Step::Done)
}
