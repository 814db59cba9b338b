//! The builder of `GEOADD`.

use std::marker::PhantomData;

use crate::accessor::Accessor;
use crate::command::Decode;
use crate::command::arguments::Arguments;
use crate::run::{debug_key, runnable};
use crate::types::zset::add::zadd_state::{FreeState, SettledState, State};
use crate::types::zset::add::{AddOptions, Addition};
use crate::{Command, RedisKey, lua};

/// A builder of `GEOADD`: [`GeoKey::geoadd`](crate::GeoKey::geoadd),
/// [`GeoKey::geoadd_many`](crate::GeoKey::geoadd_many).
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`]. The last type
/// parameter is the state, which determines the remaining options.
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
/// let moved: bool = SeenAt { city: 1 }.geoadd(&42, position).xx().ch().query(&mut con)?;
/// # Ok(()) }
/// ```
#[must_use = "a GEOADD does nothing until `run` or `query` runs it"]
pub struct GeoAdd<R, S = FreeState> {
    addition: Addition<R>,
    state: State<S>,
}

impl<R: Default> GeoAdd<R> {
    /// Creates an addition of `members`, each a longitude, a latitude and a member.
    pub(super) fn new<K: RedisKey, A: Arguments>(key: &K, accessor: Accessor, members: A, decode: Decode<R>) -> Self {
        Self { addition: Addition::new(key, accessor, &lua::GEOADD, members, decode), state: PhantomData }
    }

    /// Adds new members only and moves none (`NX`).
    pub fn nx(self) -> GeoAdd<R, SettledState> {
        self.with_options(|options| options.condition = Some("NX"))
    }

    /// Moves members only and adds none (`XX`).
    pub fn xx(self) -> GeoAdd<R, SettledState> {
        self.with_options(|options| options.condition = Some("XX"))
    }
}

impl<R: Default, S> GeoAdd<R, S> {
    /// Includes moved members in the result, not only new ones (`CH`).
    pub fn ch(self) -> Self {
        self.with_options(|options| options.changed = true)
    }

    fn with_options<T>(self, set: impl FnOnce(&mut AddOptions)) -> GeoAdd<R, T> {
        GeoAdd { addition: self.addition.with_options(set), state: PhantomData }
    }
}

runnable!([R: Default, S] GeoAdd<R, S> => R);

impl<R: Default, S> From<GeoAdd<R, S>> for Command<R> {
    fn from(add: GeoAdd<R, S>) -> Self {
        add.addition.into_command()
    }
}

debug_key!([R: Default, S] GeoAdd<R, S>, "GeoAdd", |add| add.addition.key());
