//! SETBIT.

use redis::{Cmd, RedisWrite as _};

use super::{check_bit, digit};
use crate::{
    BitmapKey, Command,
    command::{flag, old_builder::write_native},
};

pub(crate) fn setbit<K: BitmapKey>(key: &K, offset: u32, bit: bool) -> Command<bool> {
    let push = |cmd: &mut Cmd| {
        check_bit(offset.into(), K::SCHEMA)?;
        cmd.arg(offset);
        cmd.write_arg(digit(bit));
        Ok(())
    };
    write_native(key, "SETBIT", (2, 11), push, flag)
}
