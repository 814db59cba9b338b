//! JSON.

use std::{io, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::error::Category;

use super::{Stored, StoredError};

/// A stored form for serde types: JSON.
///
/// It is a marker type without values: accessors take `&P` and return `P`.
///
/// Two kinds of values can be written but not read back: NaN and infinite floats become `null`, and values nested more than
/// about 100 levels deep exceed the recursion limit of serde_json.
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

/// A type that [`Json`] can store: any serde type that owns its data. It is implemented automatically.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored as JSON",
    label = "not both `Serialize` and `Deserialize`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to `{Self}`; it must own its data"
)]
pub trait JsonValue: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<P: Serialize + DeserializeOwned> JsonValue for P {}

impl<P: JsonValue> Stored for Json<P> {
    type Input = P;
    type Output = P;

    fn encode(value: &P, out: &mut impl io::Write) -> Result<(), StoredError> {
        serde_json::to_writer(out, value).map_err(|_| StoredError::new("not representable as JSON"))
    }

    fn decode(bytes: Vec<u8>) -> Result<P, StoredError> {
        serde_json::from_slice(&bytes).map_err(|error| explain(&error))
    }

    fn size_hint(_value: &P) -> usize {
        128
    }
}

/// Replaces serde's message, which can quote the value.
fn explain(error: &serde_json::Error) -> StoredError {
    let why = match error.classify() {
        Category::Syntax if error.to_string().starts_with("recursion limit exceeded") => "JSON is nested too deeply",
        Category::Eof => "JSON is incomplete",
        Category::Data => "JSON does not match the type",
        Category::Syntax | Category::Io => "not JSON",
    };
    StoredError::new(why).at(error.line(), error.column())
}
