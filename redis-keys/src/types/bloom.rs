//! Bloom filters: bitmaps that tell whether an item may have been added.
//!
//! A filter answers *no* or *maybe*. Use it if your database is often asked for items that it does not have: after a
//! *no*, you need not ask the database. A filter takes about 10 bits per item for one false *maybe* in 100, and needs
//! no server module.
//!
//! ```no_run
//! use redis_keys::{prelude::*, redis};
//!
//! /// The names of all users.
//! #[derive(RedisKey)]
//! #[redis_key(user:names:bitmap, value = String, ttl = 7d, bloom(expected = 50_000, false_positives = 1%))]
//! struct UserNames;
//!
//! # fn names() -> impl Iterator<Item = String> { ["ada".to_owned()].into_iter() }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
//! // At each sign-up, before and after the user is written to the database.
//! UserNames.add("ada").query(&mut con)?;
//! # let insert = |name: &str| Ok::<(), redis_keys::Error>(());
//! insert("ada")?;
//! UserNames.add("ada").query(&mut con)?;
//!
//! // From time to time, and when the filter has expired: first `begin`, then read the database, then `finish`.
//! let build = UserNames.begin().query(&mut con)?;
//! UserNames.finish(build, names()).query(&mut con)?;
//!
//! if UserNames.might_contain("grace").query(&mut con)? {
//!     // Ask the database.
//! }
//! # Ok(()) }
//! ```
//!
//! # A filter that is not there answers *maybe*
//!
//! A filter says *no* only if it was built. A build begins with [`begin`](BloomKey::begin), which empties the filter,
//! and ends with [`finish`](BloomKey::finish), which adds the database's items. Every answer is *maybe* before that,
//! and after the filter has expired or was evicted or deleted. Every answer is also *maybe* if another declaration
//! built the filter, with another size or another stored form.
//!
//! An item that you add while the filter is built stays in it. Add each item before and after you write it to the database:
//!
//! - The `add` after the write makes a *no* certain, because the filter then has all items: the items written since
//!   `begin` by their `add`, and the earlier items because you read them from the database after `begin`. The `add`
//!   before the write is not enough, because another `begin` or the expiry may empty the filter before the write.
//! - The `add` before the write covers programs that end between the write and the second `add`, and readers that ask
//!   in that moment.
//!
//! So read the items for `finish` after `begin`.
//!
//! # What a server loses
//!
//! If a server loses the whole filter, no answer is wrong. If it loses only its last changes, some answers may be
//! wrong: a replica that becomes the primary, or a server that restarts from an older snapshot, has a built filter
//! without the last items. A replica that is read before it has caught up lacks them too. Build the filter again after
//! such an event, or if a *no* decides more than whether you ask the database.
//!
//! # The bytes
//!
//! The layout, for programs that compute the bytes themselves:
//!
//! | bytes | |
//! |---|---|
//! | 8 | the fingerprint: the first half of the hash of `1 {bits} {hashes} {value}`, big-endian, with the text of `value = …` |
//! | 8 | 0 before it is built, -1 once it is, and in between a random number |
//! | n | the bits; the first bit is the highest bit of its byte |
//!
//! The hash is `MurmurHash3_x64_128` with the seed 0, applied to an item's stored bytes. With its halves `h1` and `h2`,
//! an item sets the bits `(h1 + i × (h2 | 1)) mod 2⁶⁴ mod bits`, for `i` from 0 to `hashes - 1`.
//!
//! The declaration computes `bits = expected × -ln(share) / ln(2)²`, but at least `64 + 6 × √(expected / share)`,
//! rounded up to whole bytes, and `hashes = bits / expected × ln(2)`, rounded, but at least 1, and at most
//! `-log₂(share)`, rounded up. Both are in `SCHEMA`. Small filters need the minimum, because two items would too often
//! set the same bits.

mod murmur3;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

use redis::{Cmd, RedisWrite as _, Value};

use crate::accessor::accessor;
use crate::command::arguments::{Amount, Capacity, with};
use crate::command::builder::Build as _;
use crate::command::expiry;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, done, flag, on_key, reply};
use crate::counters::Table as _;
use crate::counters::filter::Counter;
use crate::error::Cause;
use crate::redis_rs::Words as _;
use crate::schema::{BloomOptions, Role, Schema};
use crate::stored::Stored;
use crate::{Command, Error, RedisKey, clock, lua};

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as BloomKey>::Value as Stored>::Input;

/// The maximum number of items in a command.
const MAX_ITEMS: u64 = 100;

/// The bits of the header.
const HEADER_BITS: u64 = 128;

/// The state of a filter that was built.
const BUILT: u64 = u64::MAX;

/// A Bloom filter: `…:bitmap` with `bloom(…)`. [The module](self) explains its answers.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(order:known:{shop}:bitmap, value = u64, ttl = 7d, bloom(expected = 100, false_positives = 25%))]
/// struct KnownOrders { shop: u32 }
///
/// let might_contain: Command<bool> = KnownOrders { shop: 7 }.might_contain(&42);
/// assert_eq!(
///     testing::text(might_contain)?,
///     ["BITFIELD_RO order:known:7:bitmap GET i64 0 GET i64 64 GET u1 284 GET u1 391"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a Bloom filter",
    label = "not a Bloom filter",
    note = "a Bloom filter is a `bitmap` with `value = u64, bloom(expected = 100_000, false_positives = 1%)`"
)]
pub trait BloomKey: RedisKey {
    /// The stored form of the items.
    type Value: Stored;

    /// Adds an item, so that the filter answers *maybe* for it.
    ///
    /// If this creates the filter, the filter is not built, and answers *maybe* for everything. Add each item before
    /// and after you write it to the database: see [the module](self#a-filter-that-is-not-there-answers-maybe).
    fn add(&self, item: &Input<Self>) -> Command<()> {
        self.add_many([item]).named(accessor!("add"))
    }

    /// Adds up to 100 items, like [`add`](Self::add).
    fn add_many<I>(&self, items: I) -> Command<()>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        let bits = with(Capacity::new(32, 256), |cmd, schema| {
            cmd.write_arg(&fingerprint(schema).to_be_bytes());
            let number = |cmd: &mut Cmd, bit| _ = cmd.arg(bit);
            each_bit::<Self::Value, _>(cmd, options(schema), items, number)
        });
        self.write(&lua::BLOOM_ADD, bits).reply(done).named(accessor!("add_many"))
    }

    /// Returns whether the item may have been added (`BITFIELD_RO`).
    ///
    /// `false` is certain. `true` is right for items that were added, and wrong for the declared share of other items.
    /// A filter that was not built always answers `true`.
    fn might_contain(&self, item: &Input<Self>) -> Command<bool> {
        self.read("BITFIELD_RO", bits_of::<Self, _>([item])).reply_one(one_answer).named(accessor!("might_contain"))
    }

    /// Returns for each of up to 100 items whether it may have been added, like [`might_contain`](Self::might_contain).
    fn might_contain_many<I>(&self, items: I) -> Command<Vec<bool>>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.read("BITFIELD_RO", bits_of::<Self, _>(items)).reply(answers).named(accessor!("might_contain_many"))
    }

    /// Empties the filter, which answers *maybe* for everything until [`finish`](Self::finish) (`SET`).
    ///
    /// Items that you add from now on are in the filter when it is built. So read the items for `finish` after this
    /// call. Another `begin` ends this build.
    fn begin(&self) -> Command<Build> {
        // Not 0, and not `BUILT`.
        let token = clock::up_to(BUILT.saturating_sub(2)).saturating_add(1);
        let cmd = || -> Result<Cmd, Error> {
            let mut cmd = on_key(self, "SET", 3, 48)?;
            cmd.write_arg(&header(Self::SCHEMA, token));
            if let Some(ms) = expiry::draw(self)? {
                cmd.arg("PX").arg(ms);
            }
            Ok(cmd)
        };
        Command::one(Self::SCHEMA, cmd(), begun).named(accessor!("begin"))
    }

    /// Adds any number of items to the filter that was begun, and returns whether it is built now.
    ///
    /// The result is `false` if the filter has expired, was deleted, or was begun again meanwhile. The expiry restarts.
    ///
    /// Your program computes the bits, and a single script call sends them. A filter with many more items than
    /// `expected` is correct, but answers *maybe* too often.
    fn finish<I>(&self, build: Build, items: I) -> Command<bool>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        let options = options(Self::SCHEMA);
        let mut bytes = vec![0_u8; usize::try_from(options.bits / 8).unwrap_or_default()];
        for item in items {
            let set = each_bit_of::<Self::Value>(options, item.borrow(), |bit| {
                let bit = bit.saturating_sub(HEADER_BITS);
                if let Some(byte) = usize::try_from(bit / 8).ok().and_then(|byte| bytes.get_mut(byte)) {
                    *byte |= 0x80 >> (bit % 8);
                }
            });
            if let Err(cause) = set {
                return self.refused(cause).named(accessor!("finish"));
            }
        }
        let header = header(Self::SCHEMA, build.token);
        self.write(&lua::BLOOM_FINISH, (header.as_slice(), bytes.as_slice())).reply(flag).named(accessor!("finish"))
    }
}

/// The filter that [`BloomKey::begin`] has emptied, for [`BloomKey::finish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "until `finish`, the filter answers *maybe* for everything"]
pub struct Build {
    token: u64,
}

/// Returns the size of a filter.
const fn options(schema: &'static Schema) -> BloomOptions {
    match schema.role {
        Some(Role::Bloom(options)) => options,
        // The derive accepts no such key.
        _ => BloomOptions::new(1, 500_000, 8),
    }
}

/// Returns the number by which a filter recognizes its declaration.
fn fingerprint(schema: &'static Schema) -> u64 {
    let options = options(schema);
    let mut text = Vec::with_capacity(64);
    text.extend_from_slice(b"1 ");
    for number in [options.bits, options.hashes().into()] {
        text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        text.push(b' ');
    }
    text.extend_from_slice(schema.value.unwrap_or_default().as_bytes());
    murmur3::hash(&text).0
}

/// Returns the first bytes of the value.
fn header(schema: &'static Schema, state: u64) -> [u8; 16] {
    (u128::from(fingerprint(schema)) << 64 | u128::from(state)).to_be_bytes()
}

/// Calls a function with the position of each bit of an item, counted from the start of the value.
fn each_bit_of<V: Stored>(options: BloomOptions, item: &V::Input, mut visit: impl FnMut(u64)) -> Result<(), Cause> {
    let mut bytes = Vec::with_capacity(V::size_hint(item).min(1024));
    V::encode(item, &mut bytes).map_err(Cause::Encode)?;
    let (mut position, step) = murmur3::hash(&bytes);
    for _ in 0..options.hashes() {
        let bit = position.checked_rem(options.bits).unwrap_or_default();
        visit(HEADER_BITS.saturating_add(bit));
        position = position.wrapping_add(step | 1);
    }
    Ok(())
}

/// Adds the arguments for each bit of up to 100 items.
fn each_bit<V: Stored, I>(
    cmd: &mut Cmd,
    options: BloomOptions,
    items: I,
    push: impl Fn(&mut Cmd, u64),
) -> Result<Amount, Cause>
where
    I: IntoIterator,
    I::Item: Borrow<V::Input>,
{
    let mut amount = Amount::Nothing;
    for (index, item) in (0..).zip(items) {
        if index == MAX_ITEMS {
            return Err(Cause::TooMany { most: MAX_ITEMS });
        }
        each_bit_of::<V>(options, item.borrow(), |bit| push(cmd, bit))?;
        amount = Amount::Some;
    }
    Ok(amount)
}

/// Reads the header, and each bit of the items.
fn bits_of<K: BloomKey, I>(items: I) -> impl crate::command::arguments::Arguments
where
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    with(Capacity::new(32, 160), |cmd, schema| {
        for word in ["GET", "i64", "0", "GET", "i64", "64"] {
            cmd.write_arg(word.as_bytes());
        }
        each_bit::<K::Value, _>(cmd, options(schema), items, |cmd, bit| {
            cmd.write_arg(b"GET");
            cmd.write_arg(b"u1");
            cmd.arg(bit);
        })
    })
}

/// Reads the header, and whether all bits of each item are set, if this declaration built the filter.
fn answers(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<bool>> {
    let numbers = reply::list(replies.one())?;
    let (is_built, bits) = read(&numbers, sent)?;
    let hashes = usize::try_from(options(sent.schema).hashes()).unwrap_or(usize::MAX);
    let answer = |bits| answer(is_built, bits, sent.schema);
    bits.chunks(hashes).map(answer).collect::<Result<_, _>>().map(Step::Done)
}

/// Does the same for a single item.
fn one_answer(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    let numbers = reply::list(replies.one())?;
    let (is_built, bits) = read(&numbers, sent)?;
    answer(is_built, bits, sent.schema).map(Step::Done)
}

/// Returns whether this declaration built the filter, and the requested bits.
fn read<'v>(numbers: &'v [Value], sent: &ReplyContext<'_>) -> Result<(bool, &'v [Value]), ReplyError> {
    let [Value::Int(declared), Value::Int(state), bits @ ..] = numbers else { return Err(ReplyError::unexpected()) };
    // Before them come the command's name and the key; each number takes three words.
    let words = sent.command(0).map_or(0, |cmd| cmd.words().count());
    if words.saturating_sub(2) / 3 != numbers.len() {
        return Err(ReplyError::unexpected());
    }
    let is_built = declared.cast_unsigned() == fingerprint(sent.schema) && state.cast_unsigned() == BUILT;
    Ok((is_built, bits))
}

fn answer(is_built: bool, bits: &[Value], schema: &'static Schema) -> Result<bool, ReplyError> {
    let are_set = bits.iter().try_fold(true, |are_set, bit| match bit {
        Value::Int(bit) => Ok(are_set && *bit == 1),
        _ => Err(ReplyError::unexpected()),
    })?;
    let counter = match (is_built, are_set) {
        (false, _) => Counter::Unbuilt,
        (true, true) => Counter::Maybe,
        (true, false) => Counter::Absent,
    };
    counter.count(1, schema);
    Ok(!is_built || are_set)
}

/// Reads `OK`, and takes the number from the sent header.
fn begun(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Build> {
    done(replies, sent)?;
    let header = sent.command(0).and_then(|cmd| <[u8; 16]>::try_from(cmd.words().nth(2)?).ok());
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    let token = header.map(|header| u128::from_be_bytes(header) as u64);
    token.map(|token| Step::Done(Build { token })).ok_or_else(ReplyError::unexpected)
}
