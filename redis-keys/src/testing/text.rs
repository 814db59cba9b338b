//! Commands as text.

use redis::{Arg, Cmd};

use crate::{Command, Error};

/// What a command would send first, one line for each redis command, with spaces between the words: for comparing in tests.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// assert_eq!(testing::text(Name { user_id: 42 }.set("Ada"))?, ["SET user:name:42:string Ada PX 3600000"]);
/// assert_eq!(testing::text(Name { user_id: 42 }.get())?, ["GET user:name:42:string"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// # Errors
///
/// When the command was refused while it was built.
pub fn text<T>(command: impl Into<Command<T>>) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    command.into().each_cmd(|cmd| lines.push(line(cmd)))?;
    Ok(lines)
}

pub(super) fn line(cmd: &Cmd) -> String {
    let words = cmd.args_iter().map(|arg| match arg {
        Arg::Simple(bytes) => String::from_utf8_lossy(bytes),
        _ => "0".into(),
    });
    words.collect::<Vec<_>>().join(" ")
}
