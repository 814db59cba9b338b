//! The shapes of values, and values that are not known.

use snapbox::{assert_data_eq, str};

use super::run::{fixture, values};
use crate::fixture::Fixture;

#[test]
fn each_declaration_has_a_shape_or_a_reason() {
    let fixture = fixture("shapes");
    let ran = values(&fixture, &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_data_eq!(
        ran.stdout,
        str![[r#"
hostile:aborts:{id}:string (AbortsKey, shop/src/hostile.rs:80)
    not known: its types stop the program: [..]

hostile:generic:{id}:string (Generic, shop/src/hostile.rs:44)
    not known: its value depends on a type parameter

hostile:in.function:string (InFunction, shop/src/hostile.rs:37)
    not known: it is declared in a function, where the compiler finds no tests

hostile:own.form:{id}:string (OwnForm, shop/src/hostile.rs:28)
    value: own form Point
    partly known: `.`: the bytes of the program's own form are not known, so only its name is compared

hostile:panics:{id}:string (PanicsKey, shop/src/hostile.rs:63)
    value: Json<unknown>
    partly known: `.`: the type's `Deserialize` panics

queue:mail:{tenant}:zset (MailQueue, shop/src/lib.rs:75)
    value: Json<{
      to: text
    }>

shop:started:string (Started, shop/src/bin/main.rs:7)
    not known: its target has `harness = false`, so the tests that ask its values do not run

user:account:{user_id}:hash (AccountKey, shop/src/lib.rs:92)
    value: record {
      balance: u64
      limit: u32?
    }

user:card:{user_id}:string (CardKey, shop/src/lib.rs:47)
    value: Json<{
      title: text
    }>

user:note:{name}:string (NoteKey, shop/src/lib.rs:106)
    value: text

user:profile:{user_id}:string (ProfileKey, shop/src/lib.rs:33)
    value: Json<{
      name: text
      email: text
      plan: enum {
        Free
        Pro: u8
      }
    }>

user:session:{token}:string (SessionKey, shop/src/lib.rs:61)
    value: Postcard<1, {
      user_id: u64
    }>

user:visits:{user_id}:hash (VisitsKey, shop/src/lib.rs:99)
    value: u64
    field: u32


"#]]
    );
    assert_data_eq!(
        ran.stderr,
        str![[r#"
read the values of 13 declarations; 2 partly known; 4 not known

"#]]
    );
    // A program is not taken for tests.
    assert!(!fixture.folder().join("shop/started").exists() && !fixture.folder().join("started").exists());
    // A package that has no keys.
    let ran = values(&fixture, &["--package", "plain"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(0), ""), "{}", ran.stderr);
    // With the keys of unit tests.
    let ran = values(&fixture, &["--tests"]);
    assert!(ran.stdout.contains("test:only:{id}:string"), "{ran:?}");
}

#[test]
fn a_package_can_have_redis_keys_from_another_package_of_the_workspace() {
    let fixture = Fixture::new("values_reexported", "package");
    let ran = values(&fixture, &["--package", "shop"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_data_eq!(
        ran.stdout,
        str![[r#"
user:name:{user_id}:string (Name, shop/src/lib.rs:8)
    value: text


"#]]
    );
}
