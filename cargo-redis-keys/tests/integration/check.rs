//! `check`.

mod formats;
mod overlaps;
mod policy;
mod raw;

use snapbox::{assert_data_eq, file, str};

use crate::workspace::Workspace;

/// A library with a key for each kind of finding.
const WRONG: &str = r##"//! Keys.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{user_id}:string, value = String, ttl = 1h)]
pub struct BasicInfo {
    pub user_id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:nam\u{65}s:{user_idd}:string", value = "String", ttl = 3600)]
pub struct Names {
    pub user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(r#"cache:Page:{page}:string"#, value = String, ttl = 1h)]
pub struct Page {
    pub page: u32,
}

#[derive(RedisKey)]
#[redis_key(cache:page.é:{page}:string, value = String, ttl = 30d)]
pub struct Other {
    pub page: u32,
}

mod silenced {
    #![allow(deprecated)]

    #[derive(redis_keys::RedisKey)]
    #[redis_key(cache:quiet:{page}:string, value = String, ttl = 1h)]
    pub struct Quiet {
        pub page: u32,
    }
}

#[derive(RedisHash)]
pub struct Profile {
    name: Option<String>,
}

#[derive(KeySegment)]
pub enum Section {
    BasicInfo,
    #[redis_key(rename = "basic.info")]
    Basic,
}
"##;

#[test]
fn findings_are_shown_as_rustc_shows_them() {
    let workspace = Workspace::new("check", &[("shop", &[("src/lib.rs", WRONG)])]);
    assert_data_eq!(workspace.run(&["check"]).findings(), file!["check/wrong.txt"]);
}

#[test]
fn valid_declarations_have_no_findings() {
    let lib =
        "#[derive(RedisKey)]\n#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]\nstruct Name { id: u64 }";
    let workspace = Workspace::new("check-valid", &[("shop", &[("src/lib.rs", lib)])]);
    assert_data_eq!(
        workspace.run(&["check"]).fine(),
        str![[r#"
checked what the sources say of 1 declaration; cargo check proves the rest

"#]]
    );
    let nothing = Workspace::new("check-nothing", &[]);
    assert_eq!(
        nothing.run(&["check"]).fine(),
        "checked what the sources say of 0 declarations; cargo check proves the rest\n"
    );
}

#[test]
fn warnings_are_errors_if_they_are_denied() {
    let lib =
        "#[derive(RedisKey)]\n#[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]\nstruct Page { id: u64 }";
    let workspace = Workspace::new("check-warnings", &[("shop", &[("src/lib.rs", lib)])]);
    let warned = workspace.run(&["check"]).fine();
    assert!(warned.starts_with("warning: ") && warned.contains("\n0 errors, 1 warning\n"), "{warned}");
    let denied = workspace.run(&["check", "--deny-warnings"]).findings();
    assert!(denied.starts_with("error: ") && denied.contains("\n1 error, 0 warnings\n"), "{denied}");
}

#[test]
fn what_was_not_read_is_an_error_if_that_is_asked_for() {
    let lib = "
macro_rules! keys {
    ($name:ident) => {
        #[derive(RedisKey)]
        #[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
        struct $name { id: u64 }
    };
}
mod missing;
  keys!(Name);
";
    let workspace = Workspace::new("check-strict", &[("shop", &[("src/lib.rs", lib)])]);
    assert_data_eq!(
        workspace.run(&["check"]).fine(),
        str![[r#"
3 places make keys that the sources do not show (--built reads them)
checked what the sources say of 0 declarations; cargo check proves the rest

"#]]
    );
    assert_data_eq!(
        workspace.run(&["check", "--strict"]).findings(),
        str![[r#"
error: keys that the sources do not show: `macro_rules! keys` declares keys
 --> packages/shop/src/lib.rs:2:1
  |
2 | macro_rules! keys {
  | ^^^^^^^^^^^^^^^^^^^
  |
  = help: read what the compiler makes of it with `--built`, or run without `--strict`

error: keys that the sources do not show: cannot read `packages/shop/src/missing.rs`: No such file or directory (os error 2)
 --> packages/shop/src/lib.rs:9:1
  |
9 | mod missing;
  | ^^^^^^^^^^^^
  |
  = help: read what the compiler makes of it with `--built`, or run without `--strict`

error: keys that the sources do not show: `keys!` declares keys
  --> packages/shop/src/lib.rs:10:3
   |
10 |   keys!(Name);
   |   ^^^^^^^^^^^^
   |
   = help: read what the compiler makes of it with `--built`, or run without `--strict`

3 errors, 0 warnings
checked what the sources say of 0 declarations; cargo check proves the rest

"#]]
    );
}
