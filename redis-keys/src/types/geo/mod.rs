//! What can be done with keys of type `geo`.

pub(crate) mod add;
pub(crate) mod area;
pub(crate) mod cell;
pub(crate) mod place;
pub(crate) mod scan;
pub(crate) mod search;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::GeoAdd;
pub use area::{GeoArea, GeoPoint, GeoUnit};
pub use search::GeoSearch;

use std::borrow::Borrow;

use crate::{
    Command, RedisKey, Scan,
    command::{count, old_builder::read},
    stored::Stored,
    types::zset::remove,
};

/// What reads of a key give.
pub(crate) type Output<K> = <<K as GeoKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as GeoKey>::Value as Stored>::Input;

/// A key whose value is members that are somewhere on the globe: `…:geo`.
///
/// Redis keeps it as a sorted set, which is why some of its commands begin with a Z. An addition that would make it larger
/// than `max_len` is refused and changes nothing; members that are there already do not count. The key's expiry starts when
/// it is created, and anew as `renew` says; what only removes moves none.
///
/// ```
/// use redis_keys::{geo::{GeoArea, GeoPoint, GeoUnit}, prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m)]
/// struct SeenAt { city: u32 }
///
/// let seen = SeenAt { city: 1 };
/// let here = GeoPoint { longitude: 13.5, latitude: 38.25 };
/// let new: Command<bool> = seen.geoadd(&42, here).into();
/// assert_eq!(testing::text(seen.geopos(&42))?, ["GEOPOS taxi:seen.at:1:geo 42"]);
/// assert_eq!(
///     testing::text(seen.geosearch(here, GeoArea::radius(2.0, GeoUnit::Kilometers), 5))?,
///     ["GEOSEARCH taxi:seen.at:1:geo FROMLONLAT 13.5 38.25 BYRADIUS 2 km ASC COUNT 5"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `geo`",
    label = "no `geo` key",
    note = "its template has to end with `:geo`"
)]
pub trait GeoKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// GEOADD: adds a member, or moves it. Tells whether it is new.
    fn geoadd(&self, member: &Input<Self>, point: GeoPoint) -> GeoAdd<bool> {
        add::one(self, member, point)
    }

    /// GEOADD: adds up to 500 members, each with its place. Tells how many are new.
    fn geoadd_many<I, B>(&self, members: I) -> GeoAdd<u64>
    where
        I: IntoIterator<Item = (B, GeoPoint)>,
        B: Borrow<Input<Self>>,
    {
        add::many(self, members)
    }

    /// GEOPOS: where a member is, `None` where it is no member.
    fn geopos(&self, member: &Input<Self>) -> Command<Option<GeoPoint>> {
        place::one(self, "GEOPOS", member, place::point)
    }

    /// GEOPOS: where up to 500 members are.
    fn geopos_many<I>(&self, members: I) -> Command<Vec<Option<GeoPoint>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        place::many(self, "GEOPOS", members, place::points)
    }

    /// GEODIST: how far it is from one member to another, `None` where one of them is no member.
    fn geodist(&self, from: &Input<Self>, to: &Input<Self>, unit: GeoUnit) -> Command<Option<f64>> {
        place::geodist(self, from, to, unit)
    }

    /// GEOHASH: where a member is, as the 11 letters and digits that other programs know, too.
    fn geohash(&self, member: &Input<Self>) -> Command<Option<String>> {
        place::one(self, "GEOHASH", member, place::hash)
    }

    /// GEOHASH: as [`geohash`](Self::geohash), for up to 500 members.
    fn geohash_many<I>(&self, members: I) -> Command<Vec<Option<String>>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        place::many(self, "GEOHASH", members, place::hashes)
    }

    /// GEOSEARCH FROMLONLAT: members in an area around a point, up to so many (500 at most).
    fn geosearch(&self, middle: GeoPoint, area: GeoArea, count: u32) -> GeoSearch<Self::Value> {
        search::from_point(self, middle, area, count)
    }

    /// GEOSEARCH FROMMEMBER: members in an area around one of them, itself included, up to so many (500 at most).
    ///
    /// Where there is such a key and it is no member, that is an error; where there is no such key, nothing is found.
    fn geosearch_by_member(&self, middle: &Input<Self>, area: GeoArea, count: u32) -> GeoSearch<Self::Value> {
        search::from_member(self, middle, area, count)
    }

    /// ZCARD: how many members there are.
    fn zcard(&self) -> Command<u64> {
        read(self, "ZCARD", (0, 0), |_| Ok(()), count)
    }

    /// ZREM: removes a member. Tells whether it was there.
    fn zrem(&self, member: &Input<Self>) -> Command<bool> {
        remove::one::<Self, Self::Value>(self, member)
    }

    /// ZREM: removes up to 500 members. Tells how many were there.
    fn zrem_many<I>(&self, members: I) -> Command<u64>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        remove::many::<Self, Self::Value, I>(self, members)
    }

    /// ZSCAN: all members and where they are, about 100 at a time, in no order. One may be given twice.
    fn zscan(&self) -> Scan<(Output<Self>, GeoPoint)> {
        scan::zscan(self)
    }
}
