//! Receiving the messages of channels: [`Subscriber`].

// Messages are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

mod inbox;
mod link;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::stream::Stream;
use redis::{AsyncConnectionConfig, Client};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use self::inbox::{Inbox, Item};
use self::link::{Closing, Link, SubscribeError};
#[cfg(feature = "cluster")]
use crate::cluster;
use crate::command::context::{NoReply, keyless_error};
use crate::counters::Table as _;
use crate::counters::channel::Counter;
use crate::error::Cause;
use crate::run::pushes::PushSource;
use crate::stored::{Binding, Stored, memory};
use crate::types::channel::{ChannelKey, Output};
use crate::{Connection, Error, SendStatus};

/// The server or the cluster whose channels a [`Subscriber`] receives.
///
/// It can be a `Client`, the [`Connection`] to a server or the [`cluster::Connection`].
#[derive(Clone)]
pub struct Source(PushSource);

/// Shows no address.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

impl From<Client> for Source {
    fn from(client: Client) -> Self {
        Self(PushSource::Server(Box::new((client, AsyncConnectionConfig::new()))))
    }
}

impl From<&Client> for Source {
    fn from(client: &Client) -> Self {
        client.clone().into()
    }
}

impl From<&Connection> for Source {
    fn from(con: &Connection) -> Self {
        Self(con.into())
    }
}

#[cfg(feature = "cluster")]
impl From<&cluster::Connection> for Source {
    fn from(con: &cluster::Connection) -> Self {
        Self(PushSource::Cluster(con.clone()))
    }
}

/// An item of a [`Subscriber`] of the channels `K`, whose messages are `T`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ChannelEvent<K, T> {
    /// A message.
    Message(K, T),
    /// A message that cannot be decoded, for example from a newer program. The error contains none of the message.
    Undecodable(K, Error),
    /// Messages of these channels may be missing here. Their connection was lost, the cluster has moved them, or their
    /// server has become a replica. The subscriber is subscribed to them again.
    Gap(Vec<K>),
    /// This many messages were dropped here, because more were waiting than the subscriber keeps.
    Dropped(u64),
}

/// Receives the messages of channels, as a `Stream` that ends only with its runtime.
///
/// A subscriber opens its own connections, with at most 50 channels each. A task opens lost connections again, until
/// you drop the subscriber. At most 1,000 messages of 16MB in all wait until you read them; further messages are
/// dropped and counted.
///
/// ```no_run
/// use redis_keys::{prelude::*, subscriber::{ChannelEvent, Subscriber}};
///
/// /// The changes of the orders of a shop.
/// #[derive(RedisKey, Clone)]
/// #[redis_key(order:changes:{shop}:channel, value = u64)]
/// struct Changes { shop: u32 }
///
/// # async fn listen() -> Result<(), Box<dyn std::error::Error>> {
/// let con = redis_keys::connect("redis://127.0.0.1/")?;
/// let mut changes = Subscriber::connect(&con, [Changes { shop: 7 }, Changes { shop: 8 }]).await?;
/// Changes { shop: 7 }.publish(&42).run(&con).await?;
///
/// while let Some(received) = changes.next().await {
///     match received {
///         ChannelEvent::Message(Changes { shop }, order) => println!("order {order} of shop {shop} has changed"),
///         // What was known of these shops may be out of date.
///         ChannelEvent::Gap(shops) => println!("{} shops are read again", shops.len()),
///         ChannelEvent::Undecodable(_, error) => println!("{error}"),
///         _ => {}
///     }
/// }
/// # Ok(()) }
/// ```
///
/// Use a subscriber for each declaration. To read several subscribers as one stream, use `StreamExt::map` and
/// `stream::select` of the crate `futures`.
pub struct Subscriber<K: ChannelKey> {
    keys: Vec<K>,
    names: Arc<[Box<str>]>,
    inbox: Arc<Inbox>,
    task: AbortHandle,
}

/// The channels of a subscriber: an array, a `Vec` or another iterator of keys.
#[diagnostic::on_unimplemented(
    message = "expected several channels, found `{Self}`: write `[channel]` for a single one",
    label = "not an array, a `Vec` or an iterator of channels",
    note = "a subscriber of this channel is `Subscriber::connect(url, [{Self} {{ … }}])`"
)]
pub trait Channels<K>: IntoIterator<Item = K> {}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator> Channels<I::Item> for I {}

impl<K: ChannelKey + Clone> Subscriber<K> {
    /// Subscribes to channels.
    ///
    /// You receive every message that is published after this has returned, unless the stream says that messages may be
    /// missing.
    ///
    /// A channel that you pass twice is subscribed to once. Without channels nothing is ever received, and no server is
    /// asked. The server needs Redis 6.2 or later, and a cluster 7.0 or later. The connection's user needs the right to
    /// the channels, such as `&order:*` in its ACL rules, and to SUBSCRIBE, on a cluster also to SSUBSCRIBE.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is invalid, if there is no runtime of tokio, if the server cannot be reached or
    /// rejects the subscription, or if it is a node of a cluster: a message to a cluster reaches the subscribers of a
    /// [`cluster::Connection`].
    pub async fn connect(source: impl Into<Source>, keys: impl Channels<K>) -> Result<Self, Error> {
        let (mut unique, mut names) = (Vec::new(), Vec::new());
        let mut numbers = HashMap::new();
        for key in keys {
            let name: Box<str> = key.channel()?.as_str().into();
            if let Entry::Vacant(vacant) = numbers.entry(name.as_bytes().into()) {
                vacant.insert(names.len());
                names.push(name);
                unique.push(key);
            }
        }
        let runtime = Handle::try_current()
            .map_err(|_| Error::refused(K::SCHEMA, None, Cause::Argument("a subscriber needs a runtime of tokio")))?;
        let inbox = Arc::new(Inbox::default());
        let names = Arc::<[Box<str>]>::from(names);
        let closing = Closing(Arc::clone(&inbox));
        let link = Link::new(source.into().0, Arc::clone(&names), numbers, Arc::clone(&inbox));
        let opened = match link.open_all().await {
            Ok(opened) => opened,
            Err(SubscribeError::PartOfCluster) => return Err(Error::refused(K::SCHEMA, None, Cause::PartOfCluster)),
            Err(SubscribeError::Failed(error)) => {
                // It does not matter whether it was sent: the connection is closed.
                let no_reply = NoReply { error, never_sent: true };
                return Err(keyless_error(K::SCHEMA, &redis::cmd("SUBSCRIBE"), no_reply));
            }
        };
        let task = runtime.spawn(link.keep(opened, closing)).abort_handle();
        Ok(Self { keys: unique, names, inbox, task })
    }

    /// Waits for the next event. `None` means that the runtime has ended.
    ///
    /// If you drop the future, no event is lost.
    pub async fn next(&mut self) -> Option<ChannelEvent<K, Output<K>>> {
        poll_fn(|context| self.poll_received(context)).await
    }

    fn poll_received(&mut self, context: &mut Context<'_>) -> Poll<Option<ChannelEvent<K, Output<K>>>> {
        while let Some(item) = ready!(self.inbox.poll(context)) {
            let received = match item {
                Item::Message(channel, bytes) => self.decode(channel, bytes),
                Item::Gap(channels) => {
                    Counter::Gap.report(K::SCHEMA);
                    let keys = channels.into_iter().filter_map(|channel| self.keys.get(channel).cloned());
                    Some(ChannelEvent::Gap(keys.collect()))
                }
                Item::Dropped(count) => {
                    Counter::Dropped.count(count, K::SCHEMA);
                    Some(ChannelEvent::Dropped(count))
                }
            };
            if received.is_some() {
                return Poll::Ready(received);
            }
        }
        Poll::Ready(None)
    }

    fn decode(&self, channel: usize, bytes: Vec<u8>) -> Option<ChannelEvent<K, Output<K>>> {
        let (key, name) = (self.keys.get(channel)?.clone(), self.names.get(channel)?);
        let size = bytes.len();
        let decoded = memory::share(|| {
            if K::Value::IS_SECRET {
                K::Value::decode_bound(bytes, &Binding::new(K::SCHEMA, name.as_bytes(), b"")?)
            } else {
                K::Value::decode(bytes)
            }
        });
        Some(match decoded {
            Ok(message) => {
                Counter::Received.report(K::SCHEMA);
                ChannelEvent::Message(key, message)
            }
            Err(stored) => {
                Counter::Undecodable.report(K::SCHEMA);
                let cause = Cause::Decode { stored, bytes: Some(size) };
                ChannelEvent::Undecodable(key, Error::new(K::SCHEMA, Some(name.clone()), SendStatus::Yes, cause))
            }
        })
    }
}

/// Nothing in it is pinned.
impl<K: ChannelKey> Unpin for Subscriber<K> {}

impl<K: ChannelKey + Clone> Stream for Subscriber<K> {
    type Item = ChannelEvent<K, Output<K>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_received(context)
    }
}

impl<K: ChannelKey> Drop for Subscriber<K> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Shows no message.
impl<K: ChannelKey> fmt::Debug for Subscriber<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscriber").field("channels", &self.names).finish_non_exhaustive()
    }
}
