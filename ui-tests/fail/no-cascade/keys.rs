// A wrong declaration causes no errors where the key is used.
use redis_keys::prelude::*;
use redis_keys::redis;

#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
struct NoAttribute {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key()]
struct Nothing {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{idd}:string, value = Json<Profile>, ttl = 1h)]
struct NoSuchField {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = 5, ttl = 1h)]
struct NoType {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h)]
struct NoValue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = json<Profile>, ttl = 1h)]
struct WrongForm {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, codec = json, value = Profile, ttl = 1h)]
struct Codec {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
struct NoExpiry {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
struct WrongName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, ttl = 1h)]
struct WrongType {
    id: u64,
}

// A parameter of a type that is none.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct WrongParameter {
    id: f64,
}

macro_rules! of_an_object {
    ($con:ident, $Key:ident) => {
        let key = $Key { id: 42 };
        println!("{} {:?}", key.key().unwrap(), $Key::SCHEMA.template);
        key.set(&Profile { name: "Ada".to_owned() }).keep_ttl().query(&mut $con).unwrap();
        let found = key.get().query(&mut $con).unwrap().unwrap();
        println!("{} {}", found.name, found.name.len());
        let Profile { name } = key.get_del().query(&mut $con).unwrap().unwrap();
        println!("{name} {:?}", key.unlink().query(&mut $con));
    };
}

macro_rules! of_a_number {
    ($con:ident, $Key:ident, $id:expr) => {
        let key = $Key { id: $id };
        println!("{} {:?}", key.key().unwrap(), $Key::SCHEMA.template);
        key.set(&5).expire_in(std::time::Duration::from_secs(5)).query(&mut $con).unwrap();
        let sum: u64 = key.get().query(&mut $con).unwrap().unwrap_or_default() + key.incr().query(&mut $con).unwrap();
        let many = $Key::get_many([&key]).query(&mut $con).unwrap();
        println!("{sum} {} {:?}", many.len(), key.ttl().query(&mut $con));
    };
}

fn main() {
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    of_an_object!(con, NoAttribute);
    of_an_object!(con, Nothing);
    of_an_object!(con, NoSuchField);
    of_an_object!(con, NoType);
    of_an_object!(con, NoValue);
    of_an_object!(con, WrongForm);
    of_an_object!(con, Codec);
    of_a_number!(con, NoExpiry, 42);
    of_a_number!(con, WrongName, 42);
    of_a_number!(con, WrongType, 42);
    of_a_number!(con, WrongParameter, 0.5);
}
