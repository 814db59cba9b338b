//! Channels, which carry messages and store nothing.

use crate::accessor::accessor;
use crate::command::arguments::value;
use crate::command::builder::Build as _;
use crate::command::{count, text_of};
use crate::key::{KeyText, KeyWriter};
use crate::schema::{KeyLiterals, OptionLiterals, Schema};
use crate::stored::Stored;
use crate::{Command, Error, Key};

/// The type of received messages: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as ChannelKey>::Value as Stored>::Output;

/// The type that [`publish`](ChannelKey::publish) borrows: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as ChannelKey>::Value as Stored>::Input;

/// A channel: `…:channel`. A message goes to the current subscribers, and is not stored.
///
/// A channel is not a key, so it has no `ttl`, and lacks the methods of [`RedisKey`](crate::RedisKey). To receive
/// messages, use a `subscriber::Subscriber`, with the feature `aio`. [Channels](crate::guide::channels) explains when a
/// stream or a queue of jobs is the better choice.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// /// The changes of the orders of a shop.
/// #[derive(RedisKey)]
/// #[redis_key(order:changes:{shop}:channel, value = u64)]
/// struct Changes { shop: u32 }
///
/// let changes = Changes { shop: 7 };
/// assert_eq!(changes.channel()?, "order:changes:7:channel");
/// assert_eq!(testing::text(changes.publish(&42))?, ["PUBLISH order:changes:7:channel 42"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a channel",
    label = "not a channel",
    note = "the template of a channel ends with `:channel`"
)]
pub trait ChannelKey: Sized {
    /// The declaration of the channel.
    const SCHEMA: &'static Schema = &Schema::from_literals(
        Self::DECLARATION,
        Self::RARE_OPTIONS,
        Schema::NO_ROLE,
        "",
        Self::ALLOWED,
        Schema::NO_LEGACY,
    );

    #[doc(hidden)]
    const DECLARATION: KeyLiterals;

    #[doc(hidden)]
    const RARE_OPTIONS: OptionLiterals = Schema::NO_OPTIONS;

    /// A line `lint: reason` for each allowed lint.
    #[doc(hidden)]
    const ALLOWED: &'static str = "";

    /// The stored form of the messages.
    type Value: Stored;

    /// Writes the name up to the last parameter and returns the literal text after it.
    #[doc(hidden)]
    fn write_channel(&self, key: &mut KeyWriter) -> &'static str;

    /// Returns the channel's name.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter breaks a rule or the name exceeds 128 bytes.
    fn channel(&self) -> Result<Key, Error> {
        text_of(&Channel(self))
    }

    /// Sends a message to the current subscribers, and returns how many subscribers of one node received it.
    ///
    /// It is `PUBLISH`, and `SPUBLISH` on a cluster. The number does not include subscribers that are connected to
    /// other nodes or to replicas. In an [`atomic`](crate::atomic) group it is `PUBLISH` on a cluster too, which
    /// reaches all nodes.
    fn publish(&self, message: &Input<Self>) -> Command<u64> {
        Channel(self).native("PUBLISH", value::<Self::Value>(message)).reply_one(count).named(accessor!("publish"))
    }
}

/// The name of a channel.
struct Channel<'k, K>(&'k K);

impl<K: ChannelKey> KeyText for Channel<'_, K> {
    const SCHEMA: &'static Schema = K::SCHEMA;

    fn write_text(&self, key: &mut KeyWriter) {
        let end = self.0.write_channel(key);
        key.literal(end);
    }

    fn bucket_end(&self) -> Option<i64> {
        None
    }
}
