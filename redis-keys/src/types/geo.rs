//! Keys of type `geo`.

mod add;
mod area;
mod search;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

pub use add::GeoAdd;
pub use area::{GeoArea, GeoPoint, GeoUnit};
use redis::Value;
pub use search::GeoSearch;

use crate::accessor::accessor;
use crate::command::arguments::{Arguments as _, each, value, values};
use crate::command::builder::Build as _;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, count, flag, reply, value};
use crate::scan::{self, Page, Scan};
use crate::stored::Stored;
use crate::{Command, RedisKey};

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as GeoKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as GeoKey>::Value as Stored>::Input;

/// A key that holds members with their positions on the globe: `…:geo`.
///
/// Redis stores it as a sorted set, so the names of some commands start with a Z. An addition that would exceed
/// `max_len` is rejected and changes nothing; members that already have a position do not count. The expiry starts when
/// the key is created and restarts as `renew` says; removals do not change it.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m)]
/// struct SeenAt { city: u32 }
///
/// let taxis = SeenAt { city: 1 };
/// let position = GeoPoint { longitude: 13.5, latitude: 38.25 };
/// let added: Command<bool> = taxis.geoadd(&42, position).into();
/// assert_eq!(testing::text(taxis.geopos(&42))?, ["GEOPOS taxi:seen.at:1:geo 42"]);
/// assert_eq!(
///     testing::text(taxis.geosearch(position, GeoArea::radius(2.0, GeoUnit::Kilometers), 5))?,
///     ["GEOSEARCH taxi:seen.at:1:geo FROMLONLAT 13.5 38.25 BYRADIUS 2 km ASC COUNT 5"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `geo`",
    label = "not a `geo` key",
    note = "the template of a `geo` key ends with `:geo`; the type arguments of a generic key must be parameter types"
)]
pub trait GeoKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// Adds a member or moves it with `GEOADD`, and returns whether it is new.
    #[doc(alias("geo_add"))]
    fn geoadd(&self, member: &Input<Self>, point: GeoPoint) -> GeoAdd<bool> {
        GeoAdd::new(self, accessor!("geoadd"), (point, value::<Self::Value>(member)), reply::added)
    }

    /// Adds up to 500 members with their positions with `GEOADD` and returns how many are new.
    fn geoadd_many<I, B>(&self, members: I) -> GeoAdd<u64>
    where
        I: IntoIterator<Item = (B, GeoPoint)>,
        B: Borrow<Input<Self>>,
    {
        let members = each(3, members, |cmd, schema, (member, point)| {
            point.push(cmd, schema)?;
            value::push::<Self::Value>(cmd, member.borrow(), schema)
        });
        GeoAdd::new(self, accessor!("geoadd_many"), members, reply::size)
    }

    /// Returns the position of a member, `None` if it has none (`GEOPOS`).
    #[doc(alias("geo_pos"))]
    fn geopos(&self, member: &Input<Self>) -> Command<Option<GeoPoint>> {
        self.read("GEOPOS", value::<Self::Value>(member)).reply(point).named_read(accessor!("geopos"))
    }

    /// Returns the positions of up to 500 members (`GEOPOS`).
    fn geopos_many<I>(&self, members: I) -> Command<Vec<Option<GeoPoint>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.read("GEOPOS", values::<Self::Value, _>(members)).reply(points).named_read(accessor!("geopos_many"))
    }

    /// Returns the distance between two members, `None` if a member has no position (`GEODIST`).
    #[doc(alias("geo_dist"))]
    fn geodist(&self, from: &Input<Self>, to: &Input<Self>, unit: GeoUnit) -> Command<Option<f64>> {
        self.read("GEODIST", (value::<Self::Value>(from), value::<Self::Value>(to), unit.name()))
            .reply(reply::optional_score)
            .named_read(accessor!("geodist"))
    }

    /// Returns the position of a member as a geohash of 11 characters, a standard text form (`GEOHASH`).
    #[doc(alias("geo_hash"))]
    fn geohash(&self, member: &Input<Self>) -> Command<Option<String>> {
        self.read("GEOHASH", value::<Self::Value>(member)).reply(hash).named_read(accessor!("geohash"))
    }

    /// Returns the positions of up to 500 members as geohashes (`GEOHASH`).
    fn geohash_many<I>(&self, members: I) -> Command<Vec<Option<String>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.read("GEOHASH", values::<Self::Value, _>(members)).reply(hashes).named_read(accessor!("geohash_many"))
    }

    /// Returns up to `count` members in an area around a point, 500 at most (`GEOSEARCH FROMLONLAT`).
    #[doc(alias("georadius", "geo_radius"))]
    fn geosearch(&self, center: GeoPoint, area: GeoArea, count: u32) -> GeoSearch<Self::Value> {
        GeoSearch::new(self, accessor!("geosearch"), ("FROMLONLAT", center), area, count)
    }

    /// Returns up to `count` members in an area around another member, 500 at most (`GEOSEARCH FROMMEMBER`).
    ///
    /// The result includes the member at the center. If the key exists but the member does not, the result is an error;
    /// if the key does not exist, the result is empty.
    #[doc(alias("georadiusbymember", "geo_radius_by_member"))]
    fn geosearch_by_member(&self, center: &Input<Self>, area: GeoArea, count: u32) -> GeoSearch<Self::Value> {
        GeoSearch::new(
            self,
            accessor!("geosearch_by_member"),
            ("FROMMEMBER", value::<Self::Value>(center)),
            area,
            count,
        )
    }

    /// Returns the number of members (`ZCARD`).
    fn zcard(&self) -> Command<u64> {
        self.read("ZCARD", ()).reply(count).named(accessor!("zcard"))
    }

    /// Removes a member with `ZREM` and returns whether it was there.
    fn zrem(&self, member: &Input<Self>) -> Command<bool> {
        self.native("ZREM", value::<Self::Value>(member)).reply(flag).named(accessor!("zrem"))
    }

    /// Removes up to 500 members with `ZREM` and returns how many were there.
    fn zrem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.native("ZREM", values::<Self::Value, _>(members)).reply(count).named(accessor!("zrem_many"))
    }

    /// Iterates over all members and their positions with `ZSCAN`, about 100 at a time, in no order.
    ///
    /// A member may be returned twice. `collect` and [`query`](Scan::query) return all members in a `Vec`, each once.
    fn zscan(&self) -> Scan<(Output<Self>, GeoPoint)> {
        scan::by_cursor(self, "ZSCAN", page::<Self::Value>).named(accessor!("zscan"))
    }
}

fn point(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<GeoPoint>> {
    single_reply(replies, optional_point)
}

fn points(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<GeoPoint>>> {
    reply_per_member(replies, sent, optional_point)
}

fn hash(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<String>> {
    single_reply(replies, value::read::<String>)
}

fn hashes(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<Option<String>>> {
    reply_per_member(replies, sent, value::read::<String>)
}

/// Reads a list with a single element.
fn single_reply<T>(replies: Replies, read: fn(Value) -> Result<T, ReplyError>) -> DecodeResult<T> {
    let [reply] = reply::list(replies.one())?.try_into().map_err(|_| ReplyError::unexpected())?;
    read(reply).map(Step::Done)
}

/// Reads a list with an element for each member that the command names.
fn reply_per_member<T>(
    replies: Replies,
    sent: &ReplyContext<'_>,
    read: fn(Value) -> Result<T, ReplyError>,
) -> DecodeResult<Vec<T>> {
    reply::all_asked(replies.one(), sent, 0)?.into_iter().map(read).collect::<Result<_, _>>().map(Step::Done)
}

fn optional_point(reply: Value) -> Result<Option<GeoPoint>, ReplyError> {
    if reply == Value::Nil { Ok(None) } else { read_point(reply).map(Some) }
}

/// Reads a longitude and a latitude.
fn read_point(reply: Value) -> Result<GeoPoint, ReplyError> {
    let [longitude, latitude] = reply::list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
    Ok(GeoPoint { longitude: reply::score(&longitude)?, latitude: reply::score(&latitude)? })
}

/// A member and its position.
type MemberPosition<V> = (<V as Stored>::Output, GeoPoint);

fn page<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Page<MemberPosition<V>>> {
    scan::page(replies, sent, reply::pairs, positioned::<V>)
}

fn positioned<V: Stored>((member, score): (Value, Value)) -> Result<MemberPosition<V>, ReplyError> {
    let point = GeoPoint::of_cell(reply::score(&score)?).ok_or_else(ReplyError::unexpected)?;
    Ok((value::read_one::<V>(member)?, point))
}
