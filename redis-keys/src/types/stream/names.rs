//! The names of groups and consumers.

use redis::{Cmd, RedisWrite as _};
use redis_keys_core::{alphabet::is_word_byte, limits::MAX_KEY_BYTES};

use crate::{
    command::arguments::{Amount, Arguments, Capacity},
    error::Cause,
    schema::Schema,
};

/// The name of a group, which follows the rules of keys.
#[derive(Clone, Copy)]
pub(super) struct GroupName<'a>(pub(super) &'a str);

impl Arguments for GroupName<'_> {
    #[inline]
    fn capacity(&self, _schema: &Schema) -> Capacity {
        Capacity::new(1, self.0.len())
    }

    fn push(self, cmd: &mut Cmd, _schema: &Schema) -> Result<Amount, Cause> {
        let Self(name) = self;
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_word_byte);
        if name.len() > MAX_KEY_BYTES || !name.split('.').all(is_word) {
            let rule = "a group name consists of lower-case words separated by dots, of at most 128 bytes";
            return Err(Cause::Argument(rule));
        }
        check_keyword(name)?;
        cmd.write_arg(name.as_bytes());
        Ok(Amount::Some)
    }
}

/// The name of a consumer, which is often that of a machine.
#[derive(Clone, Copy)]
pub(super) struct ConsumerName<'a>(pub(super) &'a str);

impl Arguments for ConsumerName<'_> {
    #[inline]
    fn capacity(&self, _schema: &Schema) -> Capacity {
        Capacity::new(1, self.0.len())
    }

    fn push(self, cmd: &mut Cmd, _schema: &Schema) -> Result<Amount, Cause> {
        let Self(name) = self;
        if name.is_empty() || name.len() > MAX_KEY_BYTES || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Cause::Argument("a consumer name consists of 1 to 128 visible ASCII characters"));
        }
        check_keyword(name)?;
        cmd.write_arg(name.as_bytes());
        Ok(Amount::Some)
    }
}

/// Rejects the word after which clients of clusters expect the key.
fn check_keyword(name: &str) -> Result<(), Cause> {
    if name.eq_ignore_ascii_case("streams") {
        return Err(Cause::Argument("`streams` is a keyword of the command"));
    }
    Ok(())
}
