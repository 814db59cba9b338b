//! By hand, as it is usually written.

use redis::aio;

use crate::{TTL_MS, Way};

/// redis-rs and `format!`.
pub struct Hand;

pub(crate) fn key(id: u64) -> String {
    format!("user:basic.info:{id}:string")
}

impl Way for Hand {
    const NAME: &'static str = "hand";

    fn key(id: u64) -> impl Sized {
        key(id)
    }

    fn command(id: u64) -> impl Sized {
        let mut command = redis::cmd("GET");
        command.arg(key(id));
        command
    }

    fn get(id: u64, con: &mut impl redis::ConnectionLike) -> Option<String> {
        redis::cmd("GET").arg(key(id)).query(con).expect("the server answers")
    }

    fn set(id: u64, value: &str, con: &mut impl redis::ConnectionLike) {
        redis::cmd("SET").arg(key(id)).arg(value).arg("PX").arg(TTL_MS).exec(con).expect("the server answers");
    }
}

impl Hand {
    /// [`Way::get`] on a shared connection.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn get_async(id: u64, con: &mut impl aio::ConnectionLike) -> Option<String> {
        redis::cmd("GET").arg(key(id)).query_async(con).await.expect("the server answers")
    }

    /// [`Way::set`] on a shared connection.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn set_async(id: u64, value: &str, con: &mut impl aio::ConnectionLike) {
        redis::cmd("SET")
            .arg(key(id))
            .arg(value)
            .arg("PX")
            .arg(TTL_MS)
            .exec_async(con)
            .await
            .expect("the server answers");
    }
}
