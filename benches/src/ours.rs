//! By this library.

use redis::aio;
use redis_keys::prelude::*;

use crate::Way;

/// The card of a user, as small as values usually are.
#[derive(RedisKey)]
#[redis_key(user:basic.info:{user_id}:string, value = String, ttl = 1h)]
pub(crate) struct BasicInfo {
    pub(crate) user_id: u64,
}

/// redis-keys.
pub struct Ours;

impl Way for Ours {
    const NAME: &'static str = "ours";

    fn key(id: u64) -> impl Sized {
        BasicInfo { user_id: id }.key().expect("a number is a good parameter")
    }

    fn command(id: u64) -> impl Sized {
        BasicInfo { user_id: id }.get()
    }

    fn get(id: u64, con: &mut impl redis::ConnectionLike) -> Option<String> {
        BasicInfo { user_id: id }.get().query(con).expect("the server answers")
    }

    fn set(id: u64, value: &str, con: &mut impl redis::ConnectionLike) {
        BasicInfo { user_id: id }.set(value).query(con).expect("the server answers");
    }
}

impl Ours {
    /// [`Way::get`] on a shared connection.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn get_async(id: u64, con: &mut (impl aio::ConnectionLike + Send)) -> Option<String> {
        BasicInfo { user_id: id }.get().query_async(con).await.expect("the server answers")
    }

    /// [`Way::set`] on a shared connection.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn set_async(id: u64, value: &str, con: &mut (impl aio::ConnectionLike + Send)) {
        BasicInfo { user_id: id }.set(value).query_async(con).await.expect("the server answers");
    }
}
