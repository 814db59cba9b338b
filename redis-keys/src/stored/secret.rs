//! `Secret`: a stored form that encrypts another one.

use std::io;
use std::marker::PhantomData;

use super::memory::{EXCEEDS_16MB, LimitedBuffer};
use super::{Binding, Stored, StoredError};
use crate::counters::Table as _;
use crate::counters::secret::Counter;
use crate::secret::{self, OVERHEAD};

/// A stored form that encrypts another form.
///
/// [The module](crate::secret) explains the protection, and how you rotate keys.
///
/// It is the outermost form: a value is compressed first, as in `Secret<Zstd<Json<Login>>>`. You cannot encrypt the
/// members of sets, sorted sets, hyperloglogs and geo indexes, or the names of fields, because the same value becomes
/// other bytes each time.
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

/// A user's form that contains a `Secret` cannot pass the key to it.
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
        let mut plain = LimitedBuffer::with_capacity(F::size_hint(value).saturating_add(OVERHEAD));
        let encoded = F::encode(value, &mut plain);
        if plain.is_exceeded || encoded == Err(StoredError::new(EXCEEDS_16MB)) {
            return Err(StoredError::new("exceeds 16MB before encryption"));
        }
        encoded?;
        let header = secret::encrypt(&mut plain.bytes, place.bytes()).map_err(StoredError::new)?;
        Counter::Encrypted.report(place.schema());
        [header, plain.bytes].iter().try_for_each(|part| out.write_all(part)).map_err(StoredError::from_io)
    }

    fn decode_bound(bytes: Vec<u8>, place: &Binding) -> Result<F::Output, StoredError> {
        let decrypted = secret::decrypt(bytes, place.bytes());
        let counter = match &decrypted {
            Ok(decrypted) if decrypted.has_older_key => Counter::OlderKey,
            Ok(_) => Counter::Decrypted,
            Err(_) => Counter::Undecryptable,
        };
        counter.report(place.schema());
        F::decode(decrypted.map_err(StoredError::new)?.value)
    }

    fn size_hint(value: &F::Input) -> usize {
        F::size_hint(value).saturating_add(OVERHEAD)
    }

    #[cfg(feature = "values")]
    fn form(notes: &mut Vec<String>) -> crate::values::forms::Form {
        crate::values::forms::Form::Secret(Box::new(F::form(notes)))
    }
}
