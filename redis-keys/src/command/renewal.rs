//! Expiries that start anew when a read finds that too little is left.

use std::time::Duration;

use redis::{Cmd, Value};

use super::{Fault, Sent, begin, key_of};
use crate::schema::Renew;

/// The PEXPIRE for the key of the command of that number, when the time that it has left is too short.
pub(crate) fn renewal(left: &Value, sent: &Sent<'_>, command: usize) -> Result<Option<Cmd>, Fault> {
    let Value::Int(left) = *left else {
        return Err(Fault::unexpected().of(command, 0));
    };
    // -1 is a key without an expiry, which somebody else must have taken away; -2 is no key.
    let renews = match sent.schema.renew {
        Some(Renew::Below(least)) => {
            left == -1 || u64::try_from(left).is_ok_and(|left| Duration::from_millis(left) < least)
        }
        // A read that no script can do.
        Some(Renew::Read) => left >= -1,
        _ => false,
    };
    Ok(if renews { pexpire(sent, command) } else { None })
}

fn pexpire(sent: &Sent<'_>, command: usize) -> Option<Cmd> {
    let (key, ms) = (key_of(sent.command(command)?, 0)?, sent.schema.expiry.draw()?);
    let mut cmd = begin("PEXPIRE", key.as_bytes(), 1, 20);
    cmd.arg(ms);
    Some(cmd)
}
