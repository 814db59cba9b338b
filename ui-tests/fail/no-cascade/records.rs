// A wrong record causes no errors where it is used.
use redis_keys::types::record::Field;
use redis_keys::{RedisHash as _, prelude::*};

#[derive(RedisHash)]
struct Uses {
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

fn uses() {
    let key = Key { id: 42 };
    println!("{:?} {:?}", key.load(), key.hget(Uses::ID));
    println!("{:?} {:?}", key.hset(Uses::EMAIL, "x"), key.hdel(Uses::ADDRESS));
    println!("{:?}", key.hincr(Uses::PAGE, 1));
    println!("{} {:?}", names(Uses::ID), Uses::FIELDS);
    println!("{:?} {:?} {:?}", Uses::EMAIL, Uses::ADDRESS.name(), Uses::PAGE);
}

// What is no record at all is still one to the rest.
#[derive(RedisHash)]
struct Tuple(u64);

#[derive(RedisHash)]
enum Enum {
    One,
}

#[derive(RedisHash)]
struct Optional<T> {
    name: Option<T>,
}

fn count<R: redis_keys::RedisHash>() -> usize {
    R::FIELDS.len()
}

fn shape() {
    println!("{} {}", count::<Tuple>(), count::<Enum>() + Optional::<u8>::FIELDS.len());
    println!("{:?}", Optional::<u8>::NAME);
}

// A constant that would be there twice is reported once.
#[derive(RedisHash)]
#[allow(non_snake_case)]
struct Duplicates {
    userId: u64,
    user_id: String,
}

fn duplicates() {
    println!("{:?}", Duplicates::USER_ID);
}

// Types that can't be stored are reported together with all else.
#[derive(RedisHash)]
struct Types<T> {
    id: u64,
    address: Address,
    #[redis_hash(skip)]
    other: Address,
    #[redis_hash(value = Json<Address>)]
    third: T,
    fourth: &'static str,
}

fn main() {}
