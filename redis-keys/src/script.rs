//! All scripts. Each is one atom on the server: it sees the key's expiry and writes in the same step.
//!
//! A script can fail half way, where a user may run one command and not the other. So a new key is made with its expiry by
//! one SET, and the value of a key that is there already is after an error what it was before.
//!
//! The key comes through `KEYS` alone. What can fail, because of the key's type or because the server takes no writes, is a
//! `pcall` whose error is handed on as it is: Redis 6.2 wraps the errors of `call` into other words.

/// A script and its SHA-1, by which the server knows it.
pub(crate) struct Script {
    /// Whether it wants a number to be there.
    pub(crate) counts: bool,
    pub(crate) sha1: &'static str,
    pub(crate) text: &'static str,
}

/// SET that keeps the expiry of a key that has one, and gives the declared one to a key that has none or is not there.
///
/// `ARGV`: the value, the expiry in milliseconds, and further words for SET (XX, GET).
pub(crate) const SET_KEEPING_TTL: Script = Script {
    counts: false,
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
/// Before it starts an expiry it appends nothing, to see whether it may: a script's first write is the one that a server whose
/// memory is full refuses.
///
/// `ARGV`: the bytes, the most bytes, the expiry in milliseconds or nothing, `1` when each write restarts the expiry.
pub(crate) const APPEND: Script = Script {
    counts: false,
    sha1: "ebd7dbf9eb4166d565fd4ae70609e27499e74a59",
    text: "\
local before = redis.pcall('STRLEN', KEYS[1])
if type(before) == 'table' then
  return before
end
local after = before + #ARGV[1]
if after > tonumber(ARGV[2]) then
  return -after
end
local left = redis.call('PTTL', KEYS[1])
if left == -2 and ARGV[3] ~= '' then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
  return made.err and made or after
end
if ARGV[3] ~= '' and (left == -1 or ARGV[4] == '1') then
  for _, first in ipairs({{'APPEND', KEYS[1], ''}, {'PEXPIRE', KEYS[1], ARGV[3]}}) do
    local done = redis.pcall(unpack(first))
    if type(done) == 'table' then
      return done
    end
  end
end
return redis.pcall('APPEND', KEYS[1], ARGV[1])
",
};

/// INCRBY inside a range. Answers the new number, or nil when it would have left the range, and then nothing has changed.
///
/// Only after INCRBY it is known that there is a number to be counted, and no list of somebody else's that would get an
/// expiry. So what fails after it takes the count back.
///
/// Lua's numbers are exact up to 2^53 only. Beyond that the answer is the text that Redis keeps. The comparisons with the
/// ends of the range are right anyhow: those are below 2^53, or they are the ends of the 64 bits, where INCRBY itself fails.
///
/// `ARGV`: the step, the step back, the lowest and the highest number, the expiry in milliseconds or nothing, `1` when each
/// write restarts the expiry.
pub(crate) const COUNT: Script = Script {
    counts: true,
    sha1: "3856de7b06ba3e19ece727c4c6af275d97d58c81",
    text: "\
local function outside(number)
  return number < tonumber(ARGV[3]) or number > tonumber(ARGV[4])
end
local left = redis.call('PTTL', KEYS[1])
if left == -2 and outside(tonumber(ARGV[1])) then
  return false
end
if left == -2 and ARGV[5] ~= '' then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[5])
  return made.err and made or ARGV[1]
end
local number = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(number) == 'table' then
  if string.find(number.err, 'would overflow') then
    return false
  end
  if string.find(number.err, 'not an integer') and string.find(redis.call('GET', KEYS[1]), '^[1-9]%d+$') then
    return false
  end
  return number
end
local answer = number
if number <= -9007199254740992 or number >= 9007199254740992 then
  answer = redis.pcall('GET', KEYS[1])
end
local wrong = outside(number) and {} or type(answer) == 'table' and answer
if not wrong and ARGV[5] ~= '' and (left == -1 or ARGV[6] == '1') then
  local started = redis.pcall('PEXPIRE', KEYS[1], ARGV[5])
  wrong = type(started) == 'table' and started
end
if wrong then
  redis.call('INCRBY', KEYS[1], ARGV[2])
  return wrong.err and wrong
end
return answer
",
};

/// INCRBYFLOAT inside a range. Answers the new number as text, or nil when it would have left the range, and then nothing has
/// changed.
///
/// INCRBYFLOAT prints numbers in its own way, so that a new key begins as 0. What is no number it refuses in its own words.
///
/// `ARGV`: the step, the highest number, the expiry in milliseconds or nothing, `1` when each write restarts the expiry.
pub(crate) const COUNT_FLOAT: Script = Script {
    counts: true,
    sha1: "760c24a32c7be8a4590ab7afe3ad69a50e1d7453",
    text: "\
local before = redis.pcall('GET', KEYS[1])
if type(before) == 'table' then
  return before
end
local from = tonumber(before or 0)
if not from then
  return redis.pcall('INCRBYFLOAT', KEYS[1], ARGV[1])
end
if math.abs(from + tonumber(ARGV[1])) > tonumber(ARGV[2]) then
  return false
end
local ready = true
if not before and ARGV[3] ~= '' then
  ready = redis.pcall('SET', KEYS[1], '0', 'PX', ARGV[3])
elseif ARGV[3] ~= '' and (ARGV[4] == '1' or redis.call('PTTL', KEYS[1]) == -1) then
  ready = redis.pcall('PEXPIRE', KEYS[1], ARGV[3])
end
if type(ready) == 'table' and ready.err then
  return ready
end
local number = redis.pcall('INCRBYFLOAT', KEYS[1], ARGV[1])
if type(number) == 'table' and not before then
  redis.pcall('UNLINK', KEYS[1])
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
