//! Encrypted values: the stored form [`Secret`](crate::stored::Secret), and the keys that it uses.
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
//! Anyone who reads the server's memory, its files, its replies or a backup learns only the length and the key of a
//! value. Key names stay readable, so declare `#[redis_key(digest)]` for a secret parameter, such as a session id or a
//! token.
//!
//! A value is authenticated together with its place: the key's name under the template, and the field's name. A value
//! that was changed, cut, or copied to another key or field does not decrypt. An older value of the same place does
//! decrypt, and so does another item, job, entry or message of the same key. Therefore someone who writes to the server
//! can repeat them and change their order. They can also make a cached key say that there is no value, so do not let
//! `None` grant anything.
//!
//! The authenticated name has no namespace, no copy number and no text of today (`legacy`), so a value stays readable
//! when you move its key with [`take_over`](crate::RedisKey::take_over). However, a change of the name under the
//! template, for example a new word or `base32` at a parameter, makes all values unreadable.
//!
//! The length of a compressed value depends on its content, so do not compress a secret together with text that an
//! attacker chooses.
//!
//! # Keys
//!
//! The first key of the [`Keyring`] encrypts, and all keys decrypt. To rotate keys, add the new key behind the first
//! and deploy it everywhere. Then move it to the front and deploy again. Remove the old key when all values have
//! expired or were rewritten. One key can encrypt any number of values.
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
//! The authenticated data are the first five bytes, the key's name under its template, a zero byte and the field's
//! name, which is empty except in hashes and streams. This is libsodium's `crypto_aead_xchacha20poly1305_ietf`, which
//! exists for every language. `max_bytes` counts all of these bytes: 45 more than the form inside.

use std::sync::OnceLock;
use std::{error, fmt};

use chacha20poly1305::aead::AeadInOut as _;
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

/// The first byte of every encrypted value. It never changes.
const MARKER: u8 = 0xf5;

const KEY_BYTES: usize = 32;
const ID_BYTES: usize = 4;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
const HEADER_BYTES: usize = 1 + ID_BYTES;

/// The bytes that encryption adds to the form inside.
pub(crate) const OVERHEAD: usize = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

static INSTALLED: OnceLock<Keyring> = OnceLock::new();

/// A key in a separate allocation, so that a growing `Vec` leaves no copy behind.
type SecretKey = Box<Zeroizing<[u8; KEY_BYTES]>>;

/// A program's keys: the first key encrypts, and all keys decrypt.
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
    keys: Vec<([u8; ID_BYTES], SecretKey)>,
}

impl Keyring {
    /// Creates a keyring of keys with their ids.
    ///
    /// A key is 32 random bytes, not a password. An id is any 4 bytes, such as `k001`; it is stored with each value.
    pub fn new(keys: impl IntoIterator<Item = ([u8; 4], [u8; 32])>) -> Self {
        Self { keys: keys.into_iter().map(|(id, key)| (id, Box::new(Zeroizing::new(key)))).collect() }
    }

    /// Reads keys from text: for each key its id, `:` and 64 hexadecimal digits, with commas between the keys.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not have this form. The error contains none of the text.
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

fn parse_key(text: &str) -> Option<([u8; ID_BYTES], SecretKey)> {
    let (id, digits) = text.as_bytes().split_first_chunk::<ID_BYTES>()?;
    let (digits, rest) = digits.strip_prefix(b":")?.as_chunks::<2>();
    let mut key = Box::new(Zeroizing::new([0; KEY_BYTES]));
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
/// Until you install keys, writes of encrypted values, and reads that remove the value, such as `lpop`, are rejected
/// before they are sent. Other reads fail.
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

/// The reason why nothing can be encrypted or decrypted yet.
pub(crate) const NO_KEYS: &str = "no keys are installed: call `redis_keys::secret::install` at program start";

pub(crate) fn installed() -> Result<&'static Keyring, &'static str> {
    INSTALLED.get().ok_or(NO_KEYS)
}

/// Encrypts a value in place, and returns the bytes that are stored before it.
pub(crate) fn encrypt(value: &mut Vec<u8>, place: &[u8]) -> Result<Vec<u8>, &'static str> {
    let (id, key) = installed()?.keys.first().ok_or("no keys are installed")?;
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(|_| "the system has no random numbers")?;
    let cipher = XChaCha20Poly1305::new((&***key).into());
    cipher
        .encrypt_in_place(&XNonce::from(nonce), &authenticated(*id, place), value)
        .map_err(|_| "is too large to be encrypted")?;
    Ok([&[MARKER], id.as_slice(), &nonce].concat())
}

/// A decrypted value.
pub(crate) struct Plaintext {
    pub(crate) value: Vec<u8>,
    /// Whether another key than the first encrypted it.
    pub(crate) has_older_key: bool,
}

/// Decrypts stored bytes.
pub(crate) fn decrypt(mut bytes: Vec<u8>, place: &[u8]) -> Result<Plaintext, &'static str> {
    const CUT: &str = "the encrypted value is cut off";
    let keys = installed()?;
    let rest = bytes.strip_prefix(&[MARKER]).ok_or("is not encrypted")?;
    let (id, rest) = rest.split_first_chunk::<ID_BYTES>().ok_or(CUT)?;
    let (nonce, _) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(CUT)?;
    let position = keys.keys.iter().position(|(known, _)| known == id);
    let key = position.and_then(|position| Some((position, keys.keys.get(position)?)));
    let (position, (_, key)) = key.ok_or("encrypted with a key that is not in the keyring")?;
    let (data, nonce) = (authenticated(*id, place), XNonce::from(*nonce));
    bytes.drain(..HEADER_BYTES + NONCE_BYTES);
    let cipher = XChaCha20Poly1305::new((&***key).into());
    cipher
        .decrypt_in_place(&nonce, &data, &mut bytes)
        .map_err(|_| "does not decrypt: it was changed, or written to another key or field")?;
    Ok(Plaintext { value: bytes, has_older_key: position > 0 })
}

/// The bytes that are authenticated with a value: the first stored bytes, and its place.
fn authenticated(id: [u8; ID_BYTES], place: &[u8]) -> Vec<u8> {
    [&[MARKER], id.as_slice(), place].concat()
}
