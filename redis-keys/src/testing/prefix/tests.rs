//! What has the prefix, and what has not.

use std::{
    collections::HashSet,
    pin::pin,
    task::{Context, Poll, Waker},
    thread,
};

use super::{Prefix, own_keys};
use crate::{
    RedisKey,
    testing::{
        keys::{Name, Views},
        text,
    },
};

fn key() -> String {
    Views { page: 7 }.key().unwrap().into()
}

#[test]
fn it_stands_in_front_of_every_key_as_long_as_the_guard_lives() {
    assert_eq!(key(), "page:views:7:string");
    let outer = own_keys();
    assert_eq!(key(), format!("{}page:views:7:string", outer.prefix()));
    {
        let inner = own_keys();
        assert_eq!(
            text(Views { page: 7 }.exists()).unwrap(),
            [format!("EXISTS {}page:views:7:string", inner.prefix())]
        );
        assert_ne!(inner.prefix(), outer.prefix());
    }
    assert_eq!(key(), format!("{}page:views:7:string", outer.prefix()));
    drop(outer);
    assert_eq!(key(), "page:views:7:string");
}

#[test]
fn it_is_a_segment() {
    let prefixes: HashSet<String> = (0..10_000).map(|_| Prefix::new().to_string()).collect();
    assert_eq!(prefixes.len(), 10_000);
    for prefix in prefixes {
        let segment = prefix.strip_suffix(':').unwrap();
        assert!(segment.starts_with('t') && segment.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9')));
    }
}

#[test]
fn a_key_has_its_128_bytes_beside_it() {
    let keys = own_keys();
    let user = "a".repeat(128 - "user:name::string".len());
    let key = Name { user: &user }.key().unwrap();
    assert_eq!(key.strip_prefix(keys.prefix().as_str()).map(str::len), Some(128));
    let error = Name { user: &format!("{user}a") }.key().unwrap_err().to_string();
    assert!(error.contains("has 112 bytes, which makes the key 129 bytes long:"), "{error}");
    drop(keys);
    assert_eq!(Name { user: &user }.key().unwrap().len(), 128);
    let error = Name { user: &format!("{user}a") }.key().unwrap_err().to_string();
    assert!(error.contains("has 112 bytes, which makes the key 129 bytes long:"), "{error}");
}

#[test]
fn places_in_a_parameter_count_without_it() {
    let _keys = own_keys();
    let error = Name { user: "adA" }.key().unwrap_err().to_string();
    assert!(error.contains("upper-case letter at byte 3"), "{error}");
}

#[test]
fn other_threads_have_none_unless_they_enter() {
    let keys = own_keys();
    let prefix = keys.prefix();
    let there = thread::spawn(move || (key(), [prefix.enter()].map(|_| key()), key())).join().unwrap();
    assert_eq!(
        there,
        ("page:views:7:string".to_owned(), [format!("{prefix}page:views:7:string")], "page:views:7:string".to_owned())
    );
}

fn is_send<T: Send>(future: T) -> T {
    future
}

#[test]
fn a_future_takes_it_along() {
    let prefix = own_keys().prefix();
    let mut polls = 0;
    let future = prefix.scope(std::future::poll_fn(move |_| {
        polls += 1;
        if polls == 1 { Poll::Pending } else { Poll::Ready(key()) }
    }));
    let mut future = pin!(is_send(future));
    let mut task = Context::from_waker(Waker::noop());
    assert_eq!(future.as_mut().poll(&mut task), Poll::Pending);
    assert_eq!(key(), "page:views:7:string", "only while it runs");
    assert_eq!(future.as_mut().poll(&mut task), Poll::Ready(format!("{prefix}page:views:7:string")));
    assert_eq!(key(), "page:views:7:string");
}
