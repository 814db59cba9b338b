//! redis-keys is called `rk` here and has no other name, and nothing is in scope.
#![no_implicit_prelude]
#![forbid(unsafe_code)]

use ::rk::StringKey;

#[derive(::rk::RedisKey)]
#[redis_key(
    user:basic.info:{name}:v.{page}:string,
    value = Json<::std::vec::Vec<u8>>,
    ttl = 1h,
    jitter = 10%,
    renew = below(10m),
    max_bytes = 8KB,
    owner = "web",
    crate = ::rk
)]
struct BasicInfo<'n> {
    name: &'n str,
    page: u32,
}

/// By a path that is no absolute one, to a re-export.
mod facade {
    pub(crate) use ::rk as keys;
}

#[derive(::rk::RedisKey)]
#[redis_key("user:any:v.{id}:string", value = "Json<T>", ttl = "1h", crate = "facade::keys")]
struct Any<T, I> {
    id: I,
    of: ::std::marker::PhantomData<T>,
}

macro_rules! keys {
    ($krate:path, $name:ident, $value:ty) => {
        #[derive(::rk::RedisKey)]
        #[redis_key(user:by.macro:all:string, value = $value, ttl = 1h, crate = $krate)]
        struct $name;
    };
}

keys!(::rk, ByMacro, Json<u8>);

#[derive(::rk::RedisHash)]
#[redis_hash(crate = ::rk)]
struct Profile {
    name: ::std::string::String,
    #[redis_hash(value = Json<u8>, ttl = 10m)]
    code: ::std::option::Option<u8>,
}

#[derive(::rk::RedisHash)]
#[redis_hash(crate = "facade::keys")]
struct AnyField<T> {
    #[redis_hash(default)]
    any: T,
    of: u8,
}

fn main() {
    let profile = Profile { name: ::std::string::String::new(), code: ::std::option::Option::None };
    let (_, _) = (profile.name, profile.code);
    let _: (&str, &str) = (Profile::CODE.name(), AnyField::<u8>::ANY.name());
    let any = AnyField { any: 1_u8, of: 2 };
    let _ = (any.any, any.of);
    let any = Any::<u8, _> { id: 7_u8, of: ::std::marker::PhantomData };
    let info = BasicInfo { name: "ada", page: ::std::convert::Into::into(any.id) };
    let _: (::rk::Command<_>, ::rk::Command<_>) = (info.get(), any.get());
    let _: ::rk::Command<::std::option::Option<u8>> = ByMacro.get();
}
