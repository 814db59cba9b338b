//! All scripts. Each is one atom on the server: it sees the key's expiry and writes in the same step.
//!
//! The key comes through `KEYS` alone. What can fail, because of the key's type or because the server takes no writes, is a
//! `pcall` whose error is handed on as it is: Redis 6.2 wraps the errors of `call` into other words.

/// A script and its SHA-1, by which the server knows it.
pub(crate) struct Script {
    pub(crate) sha1: &'static str,
    pub(crate) text: &'static str,
}

/// SET that keeps the expiry of a key that has one, and gives the declared one to a key that has none or is not there.
///
/// `ARGV`: the value, the expiry in milliseconds, and further words for SET (XX, GET).
pub(crate) const SET_KEEPING_TTL: Script = Script {
    sha1: "7136120595045cbc0a5cf3638aac2ace0cb4c393",
    text: "\
local set = {'SET', KEYS[1], ARGV[1]}
if redis.call('PTTL', KEYS[1]) >= 0 then
  set[4] = 'KEEPTTL'
else
  set[4] = 'PX'
  set[5] = ARGV[2]
end
for i = 3, #ARGV do
  set[#set + 1] = ARGV[i]
end
return redis.pcall(unpack(set))
",
};

/// APPEND up to a size. Answers the new size, or the size that would have been too large, negative.
///
/// `ARGV`: the bytes, the most bytes, the expiry in milliseconds or nothing, `1` when each write restarts the expiry.
pub(crate) const APPEND: Script = Script {
    sha1: "2aa862937fb091c9154f8a195063bf0aabf2ae46",
    text: "\
local before = redis.pcall('STRLEN', KEYS[1])
if type(before) == 'table' then
  return before
end
if before + #ARGV[1] > tonumber(ARGV[2]) then
  return -(before + #ARGV[1])
end
local left = redis.call('PTTL', KEYS[1])
local after = redis.pcall('APPEND', KEYS[1], ARGV[1])
if type(after) == 'table' then
  return after
end
if ARGV[3] ~= '' and (left < 0 or ARGV[4] == '1') then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return after
",
};

/// INCRBY inside a range. Answers the new number, or nil when it would have left the range, and then nothing has changed.
///
/// Lua's numbers are exact up to 2^53 only. Beyond that the answer is the text that Redis keeps. The comparisons with the
/// ends of the range are right anyhow: those are below 2^53, or they are the ends of the 64 bits, where INCRBY itself fails.
///
/// `ARGV`: the step, the step back, the lowest and the highest number, the expiry in milliseconds or nothing, `1` when each
/// write restarts the expiry.
pub(crate) const COUNT: Script = Script {
    sha1: "f3471b36530a8237d624f4e49e44df18f5d10149",
    text: "\
local left = redis.call('PTTL', KEYS[1])
local number = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(number) == 'table' then
  return number
end
if number < tonumber(ARGV[3]) or number > tonumber(ARGV[4]) then
  if left == -2 then
    redis.call('UNLINK', KEYS[1])
  else
    redis.call('INCRBY', KEYS[1], ARGV[2])
  end
  return false
end
if ARGV[5] ~= '' and (left < 0 or ARGV[6] == '1') then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
if number > -9007199254740992 and number < 9007199254740992 then
  return number
end
return redis.call('GET', KEYS[1])
",
};

/// INCRBYFLOAT. Answers the new number as text.
///
/// `ARGV`: the step, the expiry in milliseconds, `1` when each write restarts the expiry.
pub(crate) const COUNT_FLOAT: Script = Script {
    sha1: "8adf08f16cc74f9cdaa5491e2828e30a7ff9629f",
    text: "\
local left = redis.call('PTTL', KEYS[1])
local number = redis.pcall('INCRBYFLOAT', KEYS[1], ARGV[1])
if type(number) == 'table' then
  return number
end
if left < 0 or ARGV[3] == '1' then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return number
",
};

#[cfg(test)]
mod tests {
    use sha1_smol::Sha1;

    use super::{APPEND, COUNT, COUNT_FLOAT, SET_KEEPING_TTL};

    #[test]
    fn each_script_has_its_own_sha1() {
        for script in [SET_KEEPING_TTL, APPEND, COUNT, COUNT_FLOAT] {
            assert_eq!(Sha1::from(script.text).digest().to_string(), script.sha1, "of the script\n{}", script.text);
        }
    }
}
