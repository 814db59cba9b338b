//! GEOADD.

use std::{borrow::Borrow, fmt, marker::PhantomData};

use redis::Cmd;

use super::GeoPoint;
use crate::{
    Command, GeoKey,
    command::{
        old_builder::{Amount, each, expected},
        replies, runnable, value,
    },
    lua,
    types::{
        geo::Input,
        zset::{
            addition::{Addition, Flags},
            flags::{Free, Marker, Settled},
        },
    },
};

/// A GEOADD that is being put together: [`GeoKey::geoadd`], [`GeoKey::geoadd_many`].
///
/// Run it with [`query`](Self::query) or `query_async`, or make it a [`Command`] by `into`. Its last
/// parameter says which [flags](crate::types::zset::flags) it can still be given.
///
/// ```no_run
/// use redis_keys::{geo::GeoPoint, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(taxi:seen.at:{city}:geo, value = u64, ttl = 10m)]
/// struct SeenAt { city: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let here = GeoPoint { longitude: 13.3614, latitude: 38.1156 };
/// let moved: bool = SeenAt { city: 1 }.geoadd(&42, here).xx().ch().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a GEOADD does nothing until `query` or `query_async` runs it"]
pub struct GeoAdd<R, F = Free> {
    addition: Addition<R>,
    flags: Marker<F>,
}

pub(crate) fn one<K: GeoKey>(key: &K, member: &Input<K>, point: GeoPoint) -> GeoAdd<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        point.push(cmd)?;
        value::push::<K::Value>(cmd, member, schema).map(|()| Amount::Some)
    };
    let room = 40 + value::room::<K::Value>(member, schema);
    GeoAdd { addition: Addition::new(key, &lua::GEOADD, (3, room), push, replies::added), flags: PhantomData }
}

pub(crate) fn many<K, I, B>(key: &K, members: I) -> GeoAdd<u64>
where
    K: GeoKey,
    I: IntoIterator<Item = (B, GeoPoint)>,
    B: Borrow<Input<K>>,
{
    let schema = K::SCHEMA;
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| {
        each(members, |(member, point)| {
            point.push(cmd)?;
            value::push::<K::Value>(cmd, member.borrow(), schema)
        })
    };
    let addition = Addition::new(key, &lua::GEOADD, (3 * room, 48 * room), push, replies::size);
    GeoAdd { addition, flags: PhantomData }
}

impl<R: Default, F> GeoAdd<R, F> {
    fn with<G>(self, set: impl FnOnce(&mut Flags)) -> GeoAdd<R, G> {
        GeoAdd { addition: self.addition.with(set), flags: PhantomData }
    }

    /// CH: what is told is not only what is new, but also what is at another place now.
    pub fn ch(self) -> Self {
        self.with(|flags| flags.changed = true)
    }
}

impl<R: Default> GeoAdd<R> {
    /// NX: adds new members only, and moves none.
    pub fn nx(self) -> GeoAdd<R, Settled> {
        self.with(|flags| flags.condition = Some("NX"))
    }

    /// XX: moves members only, and adds none.
    pub fn xx(self) -> GeoAdd<R, Settled> {
        self.with(|flags| flags.condition = Some("XX"))
    }
}

runnable!([R: Default, F] GeoAdd<R, F> => R);

impl<R: Default, F> From<GeoAdd<R, F>> for Command<R> {
    fn from(add: GeoAdd<R, F>) -> Self {
        add.addition.into_command()
    }
}

/// Tells the key, and no member.
impl<R: Default, F> fmt::Debug for GeoAdd<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeoAdd").field("key", &self.addition.key()).finish_non_exhaustive()
    }
}
