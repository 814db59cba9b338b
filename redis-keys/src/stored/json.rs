//! Values as JSON.

use std::{io, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::error::Category;

use super::{Stored, StoredError};

/// The stored form of a value that serde can write and read: JSON. Accessors take `&P` and give `P`.
///
/// It is a name for a form, not a wrapper: there are no values of this type.
///
/// Two things can be written and not be read back. A float that is no number or infinite becomes `null`. And a value that is
/// nested more than about a hundred deep is more than serde's reader follows.
///
/// ```
/// use redis_keys::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Profile { name: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h)]
/// struct BasicInfo { user_id: u64 }
///
/// let set = BasicInfo { user_id: 42 }.set(&Profile { name: "Ada".to_owned() });
/// let get: Command<Option<Profile>> = BasicInfo { user_id: 42 }.get();
/// ```
#[derive(Debug)]
pub struct Json<P> {
    form: PhantomData<fn() -> P>,
}

/// What [`Json`] can hold: all that serde can write and read. Nothing has to be implemented for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON and read back",
    label = "not both `Serialize` and `Deserialize`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own what it holds"
)]
pub trait JsonValue: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<P: Serialize + DeserializeOwned> JsonValue for P {}

impl<P: JsonValue> Stored for Json<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        serde_json::to_writer(out, value).map_err(|_| StoredError::new("it has no form in JSON"))
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        serde_json::from_slice(&bytes).map_err(|error| explain(&error))
    }

    fn size_hint(_value: &P) -> usize {
        128
    }
}

/// Where and how the JSON is wrong. The text of serde's own error can quote the value.
fn explain(error: &serde_json::Error) -> StoredError {
    let why = match error.classify() {
        Category::Syntax if error.to_string().starts_with("recursion limit exceeded") => {
            "it is JSON that is nested too deeply to be read"
        }
        Category::Eof => "it is JSON that ends too early",
        Category::Data => "it is JSON of another shape",
        Category::Syntax | Category::Io => "it is not JSON",
    };
    StoredError::new(why).at(error.line(), error.column())
}
