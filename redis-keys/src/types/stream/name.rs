//! The names of groups and consumers.

use redis_keys_core::{alphabet::is_word_byte, limits::MAX_KEY_BYTES};

use crate::error::Cause;

/// A consumer in a group, both of whose names are good.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) group: &'a str,
    pub(super) consumer: &'a str,
}

/// A group's name is made as those of keys are.
pub(super) fn check_group(name: &str) -> Result<(), Cause> {
    let word = |word: &str| !word.is_empty() && word.bytes().all(is_word_byte);
    if name.len() > MAX_KEY_BYTES || !name.split('.').all(word) {
        return Err(Cause::Argument(
            "a group name consists of lower-case words separated by dots, of at most 128 bytes",
        ));
    }
    check_routing(name)
}

/// A consumer is often called as the machine that it runs on.
pub(super) fn check_consumer(name: &str) -> Result<(), Cause> {
    if name.is_empty() || name.len() > MAX_KEY_BYTES || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Cause::Argument("a consumer name consists of 1 to 128 visible ASCII characters"));
    }
    check_routing(name)
}

/// Behind this word clients of clusters look for the key.
fn check_routing(name: &str) -> Result<(), Cause> {
    if name.eq_ignore_ascii_case("streams") {
        return Err(Cause::Argument("`streams` is a keyword of the command"));
    }
    Ok(())
}
