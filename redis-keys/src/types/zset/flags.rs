//! Which flags an addition to a sorted set can still be given: the last parameter of [`ZAdd`](crate::types::zset::ZAdd) and
//! [`GeoAdd`](crate::types::geo::GeoAdd).
//!
//! Redis takes only some of them together. The others do not compile.
//!
//! ```compile_fail,E0599
//! use redis_keys::prelude::*;
//!
//! #[derive(RedisKey)]
//! #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d)]
//! struct Scores { game: u32 }
//!
//! let add = Scores { game: 1 }.zadd(&42, 1.0).nx().gt();
//! ```

use std::marker::PhantomData;

/// All of them.
#[derive(Clone, Copy, Debug)]
pub enum Free {}

/// After `xx`: `gt`, `lt` and `ch`.
#[derive(Clone, Copy, Debug)]
pub enum Existing {}

/// After `gt` or `lt`: `xx` and `ch`.
#[derive(Clone, Copy, Debug)]
pub enum Compared {}

/// `ch` alone.
#[derive(Clone, Copy, Debug)]
pub enum Settled {}

/// What stands for one of these where it is no value.
pub(crate) type Marker<F> = PhantomData<fn() -> F>;
