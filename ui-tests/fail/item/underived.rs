// An attribute without its derive is one error.
use redis_keys::prelude::*;

#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    #[redis_key(digest)]
    id: String,
}

// The derive of another trait does not read it.
#[derive(Debug)]
#[redis_key(user:age:{id}:string, value = u8, ttl = 1h)]
struct Age {
    id: u64,
}

// An enum is a parameter.
#[redis_key(crate = redis_keys)]
enum Section {
    #[redis_key(rename = "basic")]
    BasicInfo,
}

// Nothing else can have it.
#[redis_key(user:nick:all:string, value = String, ttl = 1h)]
fn nick() {}

fn main() {
    let _ = Name { id: "Ada".to_owned() }.get();
    let _ = Age { id: 42 }.set(&7);
    let _ = Section::BasicInfo;
    nick();
}
