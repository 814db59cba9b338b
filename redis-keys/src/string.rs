//! How the commands of `string` keys are built and their replies read.

pub(crate) mod append;
pub(crate) mod counting;
pub(crate) mod many;
pub(crate) mod read;
pub(crate) mod set;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod value;

pub use set::{Set, SetNew};

use redis::{Cmd, RedisWrite as _};

use crate::{Renew, Schema};

/// What the scripts take about the expiry: the milliseconds or nothing, and `1` when each write starts it anew.
fn push_expiry(cmd: &mut Cmd, schema: &Schema) {
    match schema.expiry.draw() {
        Some(ms) => _ = cmd.arg(ms),
        None => cmd.write_arg(b""),
    }
    let restart = matches!(schema.renew, Some(Renew::Write | Renew::Read));
    cmd.write_arg(if restart { b"1" } else { b"0" });
}
