//! What holds for every form.

mod golden;
mod properties;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// A value with a bit of everything.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Profile {
    name: String,
    age: u8,
    balance: i64,
    rate: f64,
    email: Option<String>,
    tags: Vec<String>,
    seen: BTreeMap<u16, bool>,
    role: Role,
    badge: Role,
    place: Role,
    unit: (),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Role {
    Guest,
    Member(u32),
    Owner { since: u64, key: [u8; 4] },
}

/// The same for prost.
#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(sint64, tag = "2")]
    balance: i64,
    #[prost(double, tag = "3")]
    rate: f64,
    #[prost(string, optional, tag = "4")]
    email: Option<String>,
    #[prost(string, repeated, tag = "5")]
    tags: Vec<String>,
    #[prost(uint32, repeated, tag = "16")]
    numbers: Vec<u32>,
    #[prost(message, repeated, tag = "2000")]
    friends: Vec<Message>,
    #[prost(bytes = "vec", tag = "7")]
    key: Vec<u8>,
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        Just(Role::Guest),
        any::<u32>().prop_map(Role::Member),
        any::<(u64, [u8; 4])>().prop_map(|(since, key)| Role::Owner { since, key }),
    ]
}

prop_compose! {
    fn profile()(
        (name, age, balance) in any::<(String, u8, i64)>(),
        rate in -1e300..1e300,
        email in any::<Option<String>>(),
        tags in prop::collection::vec("[a-z]{0,40}", 0..60),
        seen in any::<BTreeMap<u16, bool>>(),
        (role, badge, place) in (role(), role(), role()),
    ) -> Profile {
        Profile { name, age, balance, rate, email, tags, seen, role, badge, place, unit: () }
    }
}

prop_compose! {
    fn message()(
        (name, balance, email) in any::<(String, i64, Option<String>)>(),
        rate in -1e300..1e300,
        tags in prop::collection::vec("[a-z]{0,40}", 0..60),
        numbers in any::<Vec<u32>>(),
        key in any::<Vec<u8>>(),
    ) -> Message {
        let friend = Message { name: name.clone(), ..Message::default() };
        Message { name, balance, rate, email, tags, numbers, friends: vec![friend], key }
    }
}
