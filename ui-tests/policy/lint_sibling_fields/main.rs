//! Strings that are the fields of one object.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:{id}:name:string, value = String, ttl = 1d)]
struct Name {
    id: u64,
}

mod other {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(user:{id}:home.town:string, value = String, ttl = 1d)]
    pub(crate) struct Town {
        pub(crate) id: u64,
    }
}

#[derive(RedisKey)]
#[redis_key("user:{id}:age:string", value = u8, ttl = 1d)]
struct Age {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{id}:email:string, value = String, ttl = 1d, allow(sibling_fields, reason = "it is read alone"))]
struct Email {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{id}:friends:set, value = u64, ttl = 1d)]
struct AnotherType {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:{id}:name:string, value = String, ttl = 1d)]
struct AnotherModule {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{user}:alias:string, value = String, ttl = 1d)]
struct AnotherParameter {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(app:theme:string, value = String, ttl = 1d)]
struct WithoutAnObject;

#[derive(RedisKey)]
#[redis_key(app:language:string, value = String, ttl = 1d)]
struct WithoutAnObjectToo;

fn main() {
    let _ = (Name { id: 1 }.get(), other::Town { id: 1 }.get(), Age { id: 1 }.get(), Email { id: 1 }.get());
    let _ = (AnotherType { id: 1 }.scard(), AnotherModule { id: 1 }.get(), AnotherParameter { user: 1 }.get());
    let _ = (WithoutAnObject.get(), WithoutAnObjectToo.get());
}
