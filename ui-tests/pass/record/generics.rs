//! Type parameters, constant parameters, bounds and defaults.

use std::fmt::Debug;
use std::marker::PhantomData;

use redis_keys::prelude::*;
use redis_keys::stored::Stored;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A type parameter that is a field.
#[derive(RedisHash)]
pub struct Any<T> {
    /// Whatever is stored as it is.
    pub value: T,
    /// The same, or nothing.
    pub other: Option<T>,
}

/// Bounds, a default, a parameter that is no field, and a constant one.
#[derive(RedisHash)]
pub struct BoundedRecord<T: Debug = u8, M: ?Sized = str, const N: usize = 4>
where
    T: Default,
{
    /// Its id.
    pub id: u64,
    /// The default if it is missing.
    #[redis_hash(default)]
    pub value: T,
    /// Its subject.
    pub about: PhantomData<fn() -> M>,
}

/// A type parameter inside of a form.
#[derive(RedisHash)]
pub struct AnyJson<T> {
    /// Many of them.
    #[redis_hash(value = Json<Vec<T>>)]
    pub many: Vec<T>,
    /// One, or none.
    #[redis_hash(value = "Json<T>", default)]
    pub one: T,
}

/// A form that is a parameter itself.
#[derive(RedisHash)]
pub struct AnyForm<V: Stored> {
    /// The output of the form.
    #[redis_hash(value = V)]
    pub value: V::Output,
}

/// Accepts these records, as all others.
pub fn count<R: RedisHash>() -> usize {
    R::FIELDS.len()
}

/// The same for one of a type parameter's.
pub fn counts<T: DeserializeOwned + Serialize + Default>() -> usize {
    count::<AnyJson<T>>()
}

#[test]
fn every_kind_of_parameter_works() {
    use redis_keys::types::record::{Field, Optional};

    assert_eq!((count::<Any<String>>(), count::<Any<u8>>(), count::<Any<Vec<u8>>>()), (2, 2, 2));
    assert_eq!((count::<BoundedRecord>(), count::<BoundedRecord<String, [u8], 7>>()), (2, 2));
    assert_eq!((counts::<String>(), count::<AnyForm<u8>>()), (2, 1));
    let (value, other): (Field<_, String>, Field<_, String, Optional>) = (Any::<String>::VALUE, Any::<String>::OTHER);
    assert_eq!((value.name(), other.name()), ("value", "other"));
    assert_eq!(AnyForm::<redis_keys::stored::Json<u8>>::VALUE.name(), "value");
}
