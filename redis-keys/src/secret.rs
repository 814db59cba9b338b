//! Encrypted values: the stored form [`Secret`], and the keys that it uses.
//!
//! ```standalone_crate
//! use redis_keys::{prelude::*, secret::{self, Keyring}};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, Debug, PartialEq)]
//! struct Login { user_id: u64, refresh_token: String }
//!
//! /// The login of a session.
//! #[derive(RedisKey)]
//! #[redis_key(session:login:{session_id}:string, value = Secret<Json<Login>>, ttl = 1d)]
//! struct Session { #[redis_key(digest)] session_id: String }
//!
//! // Once, at program start. The text comes from a secret store: `openssl rand -hex 32` makes a key.
//! let keys = "k001:9d1b0c5a1f7e4be9a8d0c6537a29e1f4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8";
//! secret::install(Keyring::parse(keys)?)?;
//!
//! let session = Session { session_id: "q+Z-9".to_owned() };
//! let set = session.set(&Login { user_id: 42, refresh_token: "hunter2".to_owned() });
//! assert!(!set.packed()?.windows(7).any(|bytes| bytes == b"hunter2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is protected
//!
//! Anyone who reads the memory of the server, its files, its replies or a backup learns how long a value is, and in
//! which key it is. The names of keys stay readable: a session id or a token that is a parameter needs `#[redis_key(digest)]`.
//!
//! A value is authenticated together with its place: the name of its key under the template, and the name of its
//! field. So a value that is copied to another key, or to another field, does not decrypt; nor does one that was
//! changed or cut. An older value of the same place does. A namespace, the number of a copy and a text of today
//! (`legacy`) are not part of the name: a value stays readable when its key is moved with
//! [`take_over`](crate::LegacyKey::take_over). So what changes the name under the template, such as a new word in it or
//! `base32` at a parameter, makes all values unreadable.
//!
//! # Keys
//!
//! The first key of the [`Keyring`] encrypts, and all of them decrypt. To rotate, add the new key behind the first one,
//! deploy that everywhere, move it to the front, deploy again, and remove the old one when all values have expired or
//! were rewritten. One key can encrypt any number of values.
//!
//! # Format
//!
//! | bytes | |
//! |---|---|
//! | 1 | `F5`, which begins no UTF-8 text, no Protobuf message and no compressed value |
//! | 4 | the id of the key |
//! | 24 | the nonce, at random |
//! | n | the stored form inside, encrypted with `XChaCha20` |
//! | 16 | the tag of Poly1305 |
//!
//! The authenticated data are the first five bytes, the name of the key under its template, a zero byte and the name of
//! the field, which is empty but for hashes and streams. This is `crypto_aead_xchacha20poly1305_ietf` of libsodium,
//! which exists for every language. `max_bytes` counts all of these bytes, 45 more than those of the form inside.

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::{error, fmt, io};

use chacha20poly1305::aead::AeadInOut as _;
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use crate::stored::memory::LimitedBuffer;
use crate::stored::{Binding, Stored, StoredError};

/// The first byte of every encrypted value. It never changes.
const MARKER: u8 = 0xf5;

const KEY_BYTES: usize = 32;
const ID_BYTES: usize = 4;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
const HEADER_BYTES: usize = 1 + ID_BYTES;

/// The bytes that a value has more than its form inside.
const OVERHEAD: usize = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

static INSTALLED: OnceLock<Keyring> = OnceLock::new();

/// The keys of a program: the first one encrypts, and all of them decrypt.
///
/// Its keys are wiped from memory when it is dropped, and `Debug` shows their ids only.
///
/// ```
/// use redis_keys::secret::Keyring;
///
/// let keys = Keyring::new([(*b"k002", [7; 32]), (*b"k001", [3; 32])]);
/// assert_eq!(format!("{keys:?}"), r#"Keyring(["k002", "k001"])"#);
/// ```
pub struct Keyring {
    keys: Vec<([u8; ID_BYTES], Zeroizing<[u8; KEY_BYTES]>)>,
}

impl Keyring {
    /// Creates a keyring of keys with their ids.
    ///
    /// A key is 32 random bytes, and no password. An id is any 4 bytes, such as `k001`; it is stored with each value.
    pub fn new(keys: impl IntoIterator<Item = ([u8; 4], [u8; 32])>) -> Self {
        Self { keys: keys.into_iter().map(|(id, key)| (id, Zeroizing::new(key))).collect() }
    }

    /// Reads keys from text: each is its id, `:` and 64 hexadecimal digits, and commas are between them.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not of this form. It contains nothing of the text.
    pub fn parse(keys: &str) -> Result<Self, KeyringError> {
        let keys = keys.split(',').map(|key| parse_key(key.trim()).ok_or(KeyringError::Text));
        Ok(Self { keys: keys.collect::<Result<_, _>>()? })
    }

    fn check(&self) -> Result<(), KeyringError> {
        if self.keys.is_empty() {
            return Err(KeyringError::Empty);
        }
        for (index, (id, key)) in self.keys.iter().enumerate() {
            if self.keys.iter().take(index).any(|(earlier, _)| earlier == id) {
                return Err(KeyringError::DuplicateId);
            }
            if key.iter().all(|byte| *byte == 0) {
                return Err(KeyringError::ZeroKey);
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.keys.iter().map(|(id, _)| id.escape_ascii().to_string()).collect();
        f.debug_tuple("Keyring").field(&ids).finish()
    }
}

fn parse_key(text: &str) -> Option<([u8; ID_BYTES], Zeroizing<[u8; KEY_BYTES]>)> {
    let (id, digits) = text.as_bytes().split_first_chunk::<ID_BYTES>()?;
    let (digits, rest) = digits.strip_prefix(b":")?.as_chunks::<2>();
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    if digits.len() != key.len() || !rest.is_empty() {
        return None;
    }
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    for (byte, [high, low]) in key.iter_mut().zip(digits) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some((*id, key))
}

/// Installs the keys of this process, at program start.
///
/// Without them, writes of encrypted values are rejected before they are sent, and reads are errors.
///
/// # Errors
///
/// Returns an error if there is no key, if two keys have the same id, if a key has only zeros, or if keys are installed
/// already.
pub fn install(keys: Keyring) -> Result<(), KeyringError> {
    keys.check()?;
    INSTALLED.set(keys).map_err(|_| KeyringError::Installed)
}

/// The reason why keys cannot be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyringError {
    /// The keyring has no keys.
    Empty,
    /// Two keys have the same id.
    DuplicateId,
    /// A key has only zeros.
    ZeroKey,
    /// The text of a key is not its id, `:` and 64 hexadecimal digits.
    Text,
    /// Keys are installed already.
    Installed,
}

impl fmt::Display for KeyringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "a keyring needs a key",
            Self::DuplicateId => "two keys of a keyring have the same id",
            Self::ZeroKey => "a key has only zeros: make one with `openssl rand -hex 32`",
            Self::Text => "expected a key such as `k001:…`: an id of 4 bytes, `:` and 64 hexadecimal digits",
            Self::Installed => "a keyring is installed already: install it once, at program start",
        })
    }
}

impl error::Error for KeyringError {}

/// A stored form that encrypts another one. [The module](self) says what that protects, and how keys are rotated.
///
/// It is the outermost form: a value is compressed first, as in `Secret<Zstd<Json<Login>>>`. Members of sets, sorted
/// sets, hyperloglogs and geo indexes cannot be encrypted, nor can the names of fields: the same value is other bytes
/// each time.
///
/// ```
/// use redis_keys::prelude::*;
///
/// /// An account of a user at another service.
/// #[derive(RedisHash)]
/// struct Account {
///     name: String,
///     #[redis_hash(value = Secret<String>)]
///     refresh_token: String,
/// }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:account:{user_id}:hash, value = Account, ttl = 30d)]
/// struct UserAccount { user_id: u64 }
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "secret")))]
#[derive(Debug)]
pub struct Secret<F> {
    form: PhantomData<fn() -> F>,
}

/// A form of a user's own that contains a `Secret` cannot tell it the key.
const NO_PLACE: StoredError = StoredError::new("`Secret` is not the outermost form of the value");

impl<F: Stored> Stored for Secret<F> {
    type Input = F::Input;
    type Output = F::Output;

    const IS_SECRET: bool = true;

    fn encode(_value: &F::Input, _out: &mut impl io::Write) -> Result<(), StoredError> {
        Err(NO_PLACE)
    }

    fn decode(_bytes: Vec<u8>) -> Result<F::Output, StoredError> {
        Err(NO_PLACE)
    }

    fn encode_bound(value: &F::Input, place: &Binding, out: &mut impl io::Write) -> Result<(), StoredError> {
        let mut plain = LimitedBuffer::with_capacity(F::size_hint(value).saturating_add(TAG_BYTES));
        F::encode(value, &mut plain)?;
        if plain.is_exceeded {
            return Err(StoredError::new("exceeds 16MB before encryption"));
        }
        encrypt(plain.bytes, place, out)
    }

    fn decode_bound(bytes: Vec<u8>, place: &Binding) -> Result<F::Output, StoredError> {
        F::decode(decrypt(bytes, place)?)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(OVERHEAD)
    }
}

fn installed() -> Result<&'static Keyring, StoredError> {
    INSTALLED
        .get()
        .ok_or_else(|| StoredError::new("no keys are installed: call `redis_keys::secret::install` at program start"))
}

fn encrypt(mut bytes: Vec<u8>, place: &Binding, out: &mut impl io::Write) -> Result<(), StoredError> {
    let (id, key) = installed()?.keys.first().ok_or_else(|| StoredError::new("no keys are installed"))?;
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(|_| StoredError::new("the system has no random numbers"))?;
    let cipher = XChaCha20Poly1305::new((&**key).into());
    let data = authenticated(*id, place);
    cipher
        .encrypt_in_place(&XNonce::from(nonce), &data, &mut bytes)
        .map_err(|_| StoredError::new("is too large to be encrypted"))?;
    let header = data.get(..HEADER_BYTES).unwrap_or_default();
    [header, &nonce, &bytes].into_iter().try_for_each(|part| out.write_all(part)).map_err(StoredError::from_io)
}

fn decrypt(mut bytes: Vec<u8>, place: &Binding) -> Result<Vec<u8>, StoredError> {
    let keys = installed()?;
    let Some(rest) = bytes.strip_prefix(&[MARKER]) else { return Err(StoredError::new("is not encrypted")) };
    let cut = || StoredError::new("the encrypted value is cut off");
    let (id, rest) = rest.split_first_chunk::<ID_BYTES>().ok_or_else(cut)?;
    let (nonce, _) = rest.split_first_chunk::<NONCE_BYTES>().ok_or_else(cut)?;
    let key = keys.keys.iter().find(|(known, _)| known == id);
    let (_, key) = key.ok_or_else(|| StoredError::new("encrypted with a key that is not in the keyring"))?;
    let (data, nonce) = (authenticated(*id, place), XNonce::from(*nonce));
    bytes.drain(..HEADER_BYTES + NONCE_BYTES);
    let cipher = XChaCha20Poly1305::new((&**key).into());
    cipher
        .decrypt_in_place(&nonce, &data, &mut bytes)
        .map_err(|_| StoredError::new("does not decrypt: it was changed, or written to another key or field"))?;
    Ok(bytes)
}

/// The bytes that are authenticated with a value: the header and the place.
fn authenticated(id: [u8; ID_BYTES], place: &Binding) -> Vec<u8> {
    [&[MARKER], id.as_slice(), place.bytes()].concat()
}
