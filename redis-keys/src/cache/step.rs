//! The steps of a load, each with a time limit and with the breaker.

use std::pin::pin;

use redis::Value;

use super::{
    Cache, CachedKey, Claim, Output, Token,
    content::Content,
    key::{self, lease},
    report,
    stats::Event,
};
use crate::{
    Command, Error, ErrorKind, SharedConnection, TimeLeft,
    command::{ReplyError, Step, builder::Build as _, flag, on_key, value},
    lua,
    run::time_limit::within,
};

/// Why a step has no result.
pub(super) enum Unusable {
    /// The key is invalid, or too old to be written, and nothing was sent.
    Refused(Error),
    /// The stored bytes do not decode.
    Undecodable,
    /// No reply, or nothing was sent because of earlier ones.
    Unanswered,
    /// The server replied with an error, or with something else than the command expects.
    Failed,
    /// A node of a cluster replied that the key is moving to another one.
    Moving,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Runs a command, unless the breaker is open.
    #[inline]
    pub(super) async fn step<K: CachedKey, T>(&self, command: Command<T>) -> Result<T, Unusable> {
        if !self.shared.breaker.allows() {
            return Err(Unusable::Unanswered);
        }
        let mut con = self.con.clone();
        let result = within(self.time_limit, pin!(command.query_async(&mut con))).await;
        self.answer::<K, T>(result)
    }

    /// Notes how a step has ended: `None` if its time was over.
    #[inline]
    pub(super) fn answer<K: CachedKey, T>(&self, result: Option<Result<T, Error>>) -> Result<T, Unusable> {
        match result {
            Some(Ok(result)) => {
                self.answered();
                Ok(result)
            }
            other => Err(self.unusable::<K>(other.and_then(Result::err))),
        }
    }

    #[cold]
    pub(super) fn unusable<K: CachedKey>(&self, error: Option<Error>) -> Unusable {
        let unusable = match error {
            None => Unusable::Unanswered,
            Some(error) if error.is_refused_key() => return Unusable::Refused(error),
            Some(error) => match error.kind() {
                ErrorKind::Connection => Unusable::Unanswered,
                ErrorKind::Decode => Unusable::Undecodable,
                kind => {
                    report::server_error(kind, K::SCHEMA);
                    if error.is_of_moving_key() { Unusable::Moving } else { Unusable::Failed }
                }
            },
        };
        match &unusable {
            Unusable::Unanswered => {
                if self.shared.breaker.failed() {
                    report::breaker_opened();
                }
                self.count::<K>(Event::Unanswered);
            }
            Unusable::Undecodable => {
                self.answered();
                self.count::<K>(Event::Undecodable);
            }
            Unusable::Failed | Unusable::Moving => {
                self.answered();
                self.count::<K>(Event::ServerError);
            }
            Unusable::Refused(_) => {}
        }
        unusable
    }

    #[inline]
    pub(super) fn answered(&self) {
        if self.shared.breaker.answered() {
            report::breaker_closed();
        }
    }

    /// Runs a command whose result nobody waits for, in a task of its own. Without a runtime it is not run.
    pub(super) fn run_in_background(&self, command: Command<bool>) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (limit, mut con) = (self.time_limit, self.con.clone());
            runtime.spawn(async move { within(limit, pin!(command.query_async(&mut con))).await });
        }
    }
}

/// The content of a key, or `None` if it does not exist (`GET`).
#[inline]
pub(super) fn content<K: CachedKey>(key: &K) -> Command<Option<Content<Output<K>>>> {
    key.native("GET", ()).reply(|replies, _| key::content::<K::Value>(replies.one()).map(Step::Done))
}

/// The content of a key, and how long it lives (`GET`, `PTTL`).
pub(super) fn content_and_time_left<K: CachedKey>(key: &K) -> Command<(Option<Content<Output<K>>>, TimeLeft)> {
    let cmds = on_key(key, "GET", 0, 0).and_then(|get| Ok(vec![get, on_key(key, "PTTL", 0, 0)?]));
    match cmds {
        Ok(cmds) => Command::many(K::SCHEMA, cmds, |replies, _| {
            let mut replies = replies.all();
            let content = key::content::<K::Value>(replies.next().unwrap_or_default())?;
            let Some(Value::Int(left)) = replies.next() else { return Err(ReplyError::unexpected().of(1, 0)) };
            Ok(Step::Done((content, TimeLeft::from_pttl(left))))
        }),
        Err(error) => Command::refused(error),
    }
}

/// The bytes of a key, or `None` if it does not exist (`GET`).
pub(super) fn bytes<K: CachedKey>(key: &K) -> Command<Option<Vec<u8>>> {
    key.native("GET", ()).reply(|replies, _| value::read::<Vec<u8>>(replies.one()).map(Step::Done))
}

/// [`CachedKey::claim`] that also replaces a content which does not decode, if it is still there.
pub(super) fn claim_replacing<K: CachedKey>(key: &K, token: &Token, undecodable: &[u8]) -> Command<Claim<Output<K>>> {
    match lease(key) {
        Ok(lease) => {
            key.script(&lua::CLAIM, (token.as_bytes(), lease, undecodable)).reply_one(key::read_claim::<K::Value>)
        }
        Err(error) => Command::refused(error),
    }
}

/// [`CachedKey::fill`] with a content and its expiry in milliseconds.
pub(super) fn fill_with<K: CachedKey>(
    key: &K,
    token: &Token,
    content: &[u8],
    (ms, refresh_in): (u64, Option<u64>),
) -> Command<bool> {
    key.script(&lua::FILL, (token.as_bytes(), content, ms, refresh_in)).reply(flag)
}
