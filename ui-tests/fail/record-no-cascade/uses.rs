// A wrong record causes no errors where it is used.
use redis_keys::record::Field;
use redis_keys::{RedisHash as _, prelude::*};

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(renam = "mail")]
    email: String,
    #[redis_hash(value = Json)]
    address: Option<Address>,
    #[redis_hash(default)]
    page: Option<u8>,
}

struct Address;

fn names<R: redis_keys::RedisHash, V>(field: Field<R, V>) -> &'static str {
    field.name()
}

#[derive(RedisKey)]
#[redis_key(user:case:{id}:hash, value = Case, ttl = 1h)]
struct Key {
    id: u64,
}

fn main() {
    let key = Key { id: 42 };
    println!("{:?} {:?}", key.load(), key.hget(Case::ID));
    println!("{:?} {:?}", key.hset(Case::EMAIL, "x"), key.hdel(Case::ADDRESS));
    println!("{:?}", key.hincr(Case::PAGE, 1));
    println!("{} {:?}", names(Case::ID), Case::FIELDS);
    println!("{:?} {:?} {:?}", Case::EMAIL, Case::ADDRESS.name(), Case::PAGE);
}
