//! Lifetimes, type parameters, constant parameters, bounds and defaults.

use std::borrow::Cow;
use std::fmt::Debug;
use std::marker::PhantomData;

use redis_keys::KeySegment;
use redis_keys::prelude::*;
use redis_keys::stored::Stored;

/// A lifetime.
#[derive(Clone, Copy, RedisKey)]
#[redis_key(generics:name:{name}:string, value = String, ttl = 1h)]
pub struct BorrowedName<'n> {
    /// Borrowed text.
    pub name: &'n str,
}

/// Several lifetimes, and a bound between them.
#[derive(RedisKey)]
#[redis_key(generics:name:{name}:{mail}:string, value = u64, ttl = 1h)]
pub struct TwoLifetimes<'n, 'm: 'n> {
    /// Text that may be borrowed.
    pub name: Cow<'n, str>,
    /// Text behind several references.
    pub mail: &'m &'n str,
}

/// A type parameter, of the key itself.
#[derive(RedisKey)]
#[redis_key(generics:by.any:{id}:string, value = u64, ttl = 1h)]
pub struct AnyId<I> {
    /// Whatever can be a parameter.
    pub id: I,
}

/// Parameters with bounds and a default, one of them not in the key.
#[derive(RedisKey)]
#[redis_key(generics:bounded:{id}:string, value = u64, ttl = 1h)]
pub struct BoundedKey<'a, I: Debug + ?Sized = str, M = ()>
where
    M: Copy + 'a,
{
    /// Borrowed.
    pub id: &'a I,
    /// Its subject.
    pub about: PhantomData<fn() -> M>,
}

/// A constant parameter.
#[derive(RedisKey)]
#[redis_key(grid:cell:{row}:string, value = u64, ttl = 1h)]
pub struct Cell<const COLUMNS: usize, const WRAP: bool = false> {
    /// The row.
    pub row: u32,
}

/// A type parameter that is the value.
#[derive(RedisKey)]
#[redis_key(shop:any:{id}:string, value = V, ttl = 1h)]
pub struct AnyValue<V> {
    /// Its id.
    pub id: u64,
    /// Its value.
    pub holds: PhantomData<V>,
}

/// A type parameter that is inside of the value.
#[derive(RedisKey)]
#[redis_key(shop:any.json:{id}:string, value = Json<Vec<V>>, ttl = 1h)]
pub struct AnyJson<V> {
    /// Its id.
    pub id: u64,
    /// Its value.
    pub holds: PhantomData<V>,
}

/// Accepts keys of type parameters, as of all types.
pub fn length<I: KeySegment>(key: &AnyId<I>) -> Command<u64> {
    key.strlen()
}

/// The same for values.
pub fn read<V: Stored>(key: &AnyValue<V>) -> Command<Option<V::Output>> {
    key.get()
}

#[test]
fn every_kind_of_parameter_works() {
    crate::assert_key(&BorrowedName { name: "ada" }, "generics:name:ada:string");
    crate::assert_key(&TwoLifetimes { name: "ada".into(), mail: &"a.b" }, "generics:name:ada:a.b:string");
    crate::assert_key(&AnyId { id: 42_u8 }, "generics:by.any:42:string");
    crate::assert_key(&AnyId { id: "ada" }, "generics:by.any:ada:string");
    crate::assert_key(&BoundedKey::<str> { id: "ada", about: PhantomData }, "generics:bounded:ada:string");
    crate::assert_key(&Cell::<80> { row: 7 }, "grid:cell:7:string");
    let key = AnyValue::<String> { id: 42, holds: PhantomData };
    crate::assert_key(&key, "shop:any:42:string");
    let (set, get): (_, Command<Option<String>>) = (key.set("text"), read(&key));
    let key = AnyJson::<u8> { id: 42, holds: PhantomData };
    let found: Command<Option<Vec<u8>>> = key.get();
    drop((set, get, found, length(&AnyId { id: true })));
}
