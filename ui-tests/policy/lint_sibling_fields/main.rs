//! String keys that are the fields of one object.
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
#[redis_key(team:{id}:name:string, value = String, ttl = 1d)]
struct AnotherModule {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{user_id}:alias:string, value = String, ttl = 1d)]
struct CalledOtherwise {
    user_id: u32,
}

#[derive(RedisKey)]
#[redis_key(user:{nick}:phone:string, value = String, ttl = 1d)]
struct AnotherParameter<'n> {
    nick: &'n str,
}

#[derive(RedisKey)]
#[redis_key(shop:{order_id}:state:string, value = String, ttl = 1d)]
struct Order {
    order_id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:{seller_id}:rank:string, value = String, ttl = 1d)]
struct AnotherThing {
    seller_id: u64,
}

#[derive(RedisKey)]
#[redis_key(app:theme:string, value = String, ttl = 1d)]
struct WithoutAnObject;

#[derive(RedisKey)]
#[redis_key(app:language:string, value = String, ttl = 1d)]
struct WithoutAnObjectToo;

fn main() {
    let _ = (Name { id: 1 }.get(), other::Town { id: 1 }.get(), Age { id: 1 }.get(), Email { id: 1 }.get());
    let _ = (AnotherType { id: 1 }.scard(), AnotherModule { id: 1 }.get());
    let _ = (CalledOtherwise { user_id: 1 }.get(), AnotherParameter { nick: "ada" }.get());
    let _ = (Order { order_id: 1 }.get(), AnotherThing { seller_id: 1 }.get());
    let _ = (WithoutAnObject.get(), WithoutAnObjectToo.get());
}
