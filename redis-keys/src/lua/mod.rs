//! All scripts. Each is one atom on the server: it sees the key's expiry and writes in the same step.
//!
//! A script can fail half way, where a user may run one command and not the other. So a new key is made with its expiry by
//! one SET, and the value of a key that is there already is after an error what it was before. That does not hold for a user
//! who may add, but not trim: to ask first would cost each write more than such a user is worth.
//!
//! They stand by the type of their keys: first what strings need, then what all writes of collections have in common, then each
//! type, and last the reads. *As all* in what `ARGV` holds is the expiry in milliseconds, with a minus before it where each write
//! starts it anew, or nothing where it is `never`.
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

// Strings.

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
/// `ARGV`: the bytes, the most bytes, the expiry as all.
pub(crate) const APPEND: Script = Script {
    counts: false,
    sha1: "580fdedfc77132f55d2c5f09b40fcb464f20d826",
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
local expiry = string.match(ARGV[3], '%d+')
if left == -2 and expiry then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', expiry)
  return made.err and made or after
end
if expiry and (left == -1 or expiry ~= ARGV[3]) then
  for _, first in ipairs({{'APPEND', KEYS[1], ''}, {'PEXPIRE', KEYS[1], expiry}}) do
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
/// `ARGV`: the step, the step back, the lowest and the highest number, the expiry as all.
pub(crate) const COUNT: Script = Script {
    counts: true,
    sha1: "f9b4098695d2e377476a9837633fbf7c22e8646b",
    text: "\
local function outside(number)
  return number < tonumber(ARGV[3]) or number > tonumber(ARGV[4])
end
local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[5], '%d+')
if left == -2 and outside(tonumber(ARGV[1])) then
  return false
end
if left == -2 and expiry then
  local made = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', expiry)
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
if not wrong and expiry and (left == -1 or expiry ~= ARGV[5]) then
  local started = redis.pcall('PEXPIRE', KEYS[1], expiry)
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
/// INCRBYFLOAT prints numbers in its own way, so that a new key begins as 0. What is no number it refuses in its own words,
/// and not always what Lua takes for none: so the expiry of a key that is there waits for it.
///
/// Redis 6.2, the one that does not tell scripts its version, breaks its memory here: INCRBYFLOAT makes the list of arguments
/// that all scripts share shorter, and the next long command writes behind its end. A SET with an expiry makes it get a new
/// list, which the key that is there is written once more for.
///
/// `ARGV`: the step, the highest number, the expiry as all.
pub(crate) const COUNT_FLOAT: Script = Script {
    counts: true,
    sha1: "3527dceead739596e8fc7e951e5cbba6bab91624",
    text: "\
local before = redis.pcall('GET', KEYS[1])
if type(before) == 'table' then
  return before
end
local from = tonumber(before or 0)
if from and math.abs(from + tonumber(ARGV[1])) > tonumber(ARGV[2]) then
  return false
end
local left = redis.call('PTTL', KEYS[1])
local expiry = string.match(ARGV[3], '%d+')
local made = not before and expiry and redis.pcall('SET', KEYS[1], '0', 'PX', expiry)
if made and made.err then
  return made
end
local number = redis.pcall('INCRBYFLOAT', KEYS[1], ARGV[1])
if type(number) == 'table' then
  if not before then
    redis.pcall('UNLINK', KEYS[1])
  end
  return number
end
if before and expiry and (left == -1 or expiry ~= ARGV[3]) then
  local started = redis.pcall('PEXPIRE', KEYS[1], expiry)
  if type(started) == 'table' then
    redis.pcall('SET', KEYS[1], before, 'KEEPTTL')
    return started
  end
  left = expiry
end
if not made and not redis.REDIS_VERSION_NUM then
  local never = tonumber(left) < 0
  redis.pcall('PSETEX', KEYS[1], never and 1000000000000 or math.max(left, 1), number)
  if never then
    redis.pcall('SET', KEYS[1], number)
  end
end
return number
",
};

/// SET where the value is still what it was when it was read. Answers whether it was.
///
/// `ARGV`: `1` and the value that was read, or `0` and nothing; the new value; the expiry in milliseconds or nothing.
pub(crate) const UPDATE: Script = Script {
    counts: false,
    sha1: "2105a19f95656658a490137ddcca4cad0ba5372e",
    text: "\
local now = redis.pcall('GET', KEYS[1])
if type(now) == 'table' then
  return now
end
if now ~= (ARGV[1] == '1' and ARGV[2]) then
  return 0
end
local set = {'SET', KEYS[1], ARGV[3]}
if ARGV[4] ~= '' then
  set[4] = 'PX'
  set[5] = ARGV[4]
end
local done = redis.pcall(unpack(set))
return done.err and done or 1
",
};

// What all writes of collections have in common.

/// How a write of a collection begins: with what is left of the key's life.
macro_rules! begin {
    () => {
        "local left = redis.call('PTTL', KEYS[1])\n"
    };
}

/// Part of how a write of a collection ends: an error of its command is handed on.
macro_rules! failed {
    () => {
        "\
if type(done) == 'table' and done.err then
  return done
end
"
    };
}

/// Part of how a write of a collection ends: with the expiry of a key that is new or has none, or where each write starts it
/// anew. A new key that cannot get one is taken back.
///
/// `ARGV` of all of these begins with the expiry, whose sign costs less than a word of its own would.
macro_rules! expire {
    ($first:expr) => {
        concat!(
            "if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then\n",
            $first,
            "\
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
end
"
        )
    };
}

/// How a write of a collection ends, after `done`: with the expiry, and with the answer, which is `done` if nothing else is said.
macro_rules! end {
    () => {
        // Most writes start no expiry, and hand on an error without asking whether it is one.
        concat!(expire!(failed!()), "return done\n")
    };
    ($then:expr) => {
        concat!(failed!(), expire!(""), $then)
    };
}

/// A write of elements that is refused where there would be more of them than `ARGV[2]` allows; those that are there already
/// count once. Answers then how many there would be, negative.
macro_rules! capped {
    ($size:literal, first $first:literal, width $width:literal, at $at:literal, new $new:literal, $write:expr) => {
        concat!(
            begin!(),
            "local size = redis.pcall('",
            $size,
            "', KEYS[1])\n",
            "\
if type(size) == 'table' then
  return size
end
local first = ",
            $first,
            "
if (#ARGV - first + 1) / ",
            $width,
            " > ARGV[2] - size then
  local seen, before = {}, size
  for i = first + ",
            $at,
            ", #ARGV, ",
            $width,
            " do
    local member = ARGV[i]
    if not seen[member] and ",
            $new,
            " then
      size = size + 1
    end
    seen[member] = true
  end
  if size > before and size > tonumber(ARGV[2]) then
    return -size
  end
end
",
            "local done = ",
            $write,
            "\n",
            end!()
        )
    };
}

/// A command on one key that needs no cap.
///
/// `ARGV`: as all, then the command and what follows its key.
pub(crate) const WRITE: Script = Script {
    counts: false,
    sha1: "73aa7c030cf505647dd9587bcd4caef11df4c205",
    text: concat!(begin!(), "local done = redis.pcall(ARGV[2], KEYS[1], unpack(ARGV, 3))\n", end!()),
};

// Lists.

/// A push up to a length.
macro_rules! push_capped {
    ($push:literal) => {
        concat!(
            begin!(),
            "\
local size = redis.pcall('LLEN', KEYS[1])
if type(size) == 'table' then
  return size
end
local more = #ARGV - 2
if more > ARGV[2] - size then
  return -(size + more)
end
local done = redis.pcall('",
            $push,
            "', KEYS[1], unpack(ARGV, 3))\n",
            end!()
        )
    };
}

/// A push, and then what is too old goes.
macro_rules! push_keeping {
    ($push:literal, $positions:literal) => {
        concat!(
            begin!(),
            "local done = redis.pcall('",
            $push,
            "', KEYS[1], unpack(ARGV, 3))\n",
            end!(concat!(
                "local trimmed = redis.pcall('LTRIM', KEYS[1], ",
                $positions,
                ")\nreturn trimmed.err and trimmed or done\n"
            ))
        )
    };
}

/// LPUSH up to a length. Answers the new length, or the one that would have been too large, negative.
///
/// `ARGV`: as all, then the most items, the items.
pub(crate) const LPUSH_CAPPED: Script =
    Script { counts: false, sha1: "a0c4fa82203742721b94032e98337bd80e5d507e", text: push_capped!("LPUSH") };

/// RPUSH up to a length. Answers the new length, or the one that would have been too large, negative.
///
/// `ARGV`: as all, then the most items, the items.
pub(crate) const RPUSH_CAPPED: Script =
    Script { counts: false, sha1: "f155cfbef5bb9c6f0ab461c63bbbac271649c899", text: push_capped!("RPUSH") };

/// LPUSH, and then what is too old goes. Answers the length before that.
///
/// `ARGV`: as all, then the position of the oldest item that stays, the items.
pub(crate) const LPUSH_KEEPING: Script = Script {
    counts: false,
    sha1: "48c16bf3b1c04e69b9cc70fb96b33d682b9b245b",
    text: push_keeping!("LPUSH", "'0', ARGV[2]"),
};

/// RPUSH, and then what is too old goes. Answers the length before that.
///
/// `ARGV`: as all, then the position of the oldest item that stays, the items.
pub(crate) const RPUSH_KEEPING: Script = Script {
    counts: false,
    sha1: "fbc322d26a3b735a2e2e763aaa100d89ddf9c8fc",
    text: push_keeping!("RPUSH", "ARGV[2], '-1'"),
};

/// LSET. Answers 1, or 0 where there is no such position.
///
/// `ARGV`: as all, then the position, the item.
pub(crate) const LSET: Script = Script {
    counts: false,
    sha1: "7b2edb64cf99027485466767093a107253b41bc7",
    text: concat!(
        begin!(),
        "\
local done = redis.pcall('LSET', KEYS[1], ARGV[2], ARGV[3])
if done.err and (string.find(done.err, 'no such key') or string.find(done.err, 'index out of range')) then
  return 0
end
",
        end!("return 1\n")
    ),
};

/// LMOVE from the second key to the first, up to a length. Answers the item, nothing where there is none, or the length that
/// would have been too large, as a number.
///
/// It tries before there is a key whether one may get an expiry: what has been moved could not be put back without one either.
///
/// `ARGV`: as all, then the most items or nothing, the first and the last position that stay or nothing, the ends from and
/// to.
pub(crate) const MOVE: Script = Script {
    counts: false,
    sha1: "de6947b2c97d3435a3d5e8fb82ddc3011b136b2c",
    text: concat!(
        begin!(),
        "\
if ARGV[2] ~= '' and KEYS[1] ~= KEYS[2] then
  local size = redis.pcall('LLEN', KEYS[1])
  if type(size) == 'table' then
    return size
  end
  if size >= tonumber(ARGV[2]) then
    local from = redis.pcall('LLEN', KEYS[2])
    if type(from) == 'table' then
      return from
    end
    return from > 0 and size + 1
  end
end
if ARGV[1] ~= '' and left == -2 then
  local may = redis.pcall('PEXPIRE', KEYS[1], '1')
  if type(may) == 'table' then
    return may
  end
end
local done = redis.pcall('LMOVE', KEYS[2], KEYS[1], ARGV[5], ARGV[6])
if not done then
  return false
end
",
        end!(
            "\
if ARGV[3] ~= '' then
  local trimmed = redis.pcall('LTRIM', KEYS[1], ARGV[3], ARGV[4])
  return trimmed.err and trimmed or done
end
return done
"
        )
    ),
};

// Sets.

/// SADD up to a size.
///
/// `ARGV`: as all, then the most members, the members.
pub(crate) const SADD: Script = Script {
    counts: false,
    sha1: "47a8fa88de571cf216063d7d6536cad0e77b016f",
    text: capped!("SCARD", first "3", width "1", at "0",
        new "redis.call('SISMEMBER', KEYS[1], member) == 0",
        "redis.pcall('SADD', KEYS[1], unpack(ARGV, 3))"),
};

// Hashes with open fields.

/// A write of fields, up to a number of them.
macro_rules! hset {
    ($set:literal) => {
        capped!("HLEN", first "3", width "2", at "0",
            new "redis.call('HEXISTS', KEYS[1], member) == 0",
            concat!("redis.pcall('", $set, "', KEYS[1], unpack(ARGV, 3))"))
    };
}

/// HSET up to a number of fields.
///
/// `ARGV`: as all, then the most fields, the fields and values in turn.
pub(crate) const HSET: Script =
    Script { counts: false, sha1: "d085d138a3281bca49521a5e3f4054a19f293292", text: hset!("HSET") };

/// HSETNX up to a number of fields.
///
/// `ARGV`: as all, then the most fields, the field, the value.
pub(crate) const HSETNX: Script =
    Script { counts: false, sha1: "b5859a7d3562019dc372b0fe17a00f0f9f8ddda5", text: hset!("HSETNX") };

/// HINCRBY inside a range and up to a number of fields. Answers the new number; nil when it would have left the range; or, in
/// a list, how many fields there would have been. In the last two cases nothing has changed.
///
/// As in `COUNT`, the answer is a text where Lua's numbers are not exact.
///
/// `ARGV`: as all, then the most fields, the field, the step, the step back, the lowest and the highest number.
pub(crate) const HINCRBY: Script = Script {
    counts: true,
    sha1: "5bec85d18f62e5d6ddb282e25403c41da6275b7f",
    text: concat!(
        begin!(),
        "\
local function outside(number)
  return number < tonumber(ARGV[6]) or number > tonumber(ARGV[7])
end
local before = redis.pcall('HGET', KEYS[1], ARGV[3])
if type(before) == 'table' then
  return before
end
if not before then
  local size = redis.call('HLEN', KEYS[1]) + 1
  if size > tonumber(ARGV[2]) then
    return {size}
  end
  if outside(tonumber(ARGV[4])) then
    return false
  end
end
local done = redis.pcall('HINCRBY', KEYS[1], ARGV[3], ARGV[4])
if type(done) == 'table' then
  if string.find(done.err, 'would overflow') then
    return false
  end
  if string.find(done.err, 'not an integer') and string.find(before, '^[1-9]%d+$') then
    return false
  end
  return done
end
if outside(done) then
  redis.call('HINCRBY', KEYS[1], ARGV[3], ARGV[5])
  return false
end
if done <= -9007199254740992 or done >= 9007199254740992 then
  done = redis.pcall('HGET', KEYS[1], ARGV[3])
end
",
        end!()
    ),
};

/// HINCRBYFLOAT inside a range and up to a number of fields. Answers the new number as text; nil when it would have left the
/// range; or, in a list, how many fields there would have been. In the last two cases nothing has changed.
///
/// `ARGV`: as all, then the most fields, the field, the step, the highest number.
pub(crate) const HINCRBYFLOAT: Script = Script {
    counts: true,
    sha1: "4abdd2ab3b7c0ec8294719f1d8432cbd167533e9",
    text: concat!(
        begin!(),
        "\
local before = redis.pcall('HGET', KEYS[1], ARGV[3])
if type(before) == 'table' then
  return before
end
if not before then
  local size = redis.call('HLEN', KEYS[1]) + 1
  if size > tonumber(ARGV[2]) then
    return {size}
  end
end
local from = tonumber(before or 0)
if from and math.abs(from + tonumber(ARGV[4])) > tonumber(ARGV[5]) then
  return false
end
local done = redis.pcall('HINCRBYFLOAT', KEYS[1], ARGV[3], ARGV[4])
",
        end!()
    ),
};

// Sorted sets and places.

/// ZADD up to a size.
///
/// `ARGV`: as all, then the most members, how many options there are, the options, the scores and members in turn.
pub(crate) const ZADD_CAPPED: Script = Script {
    counts: false,
    sha1: "e327651becb8444aef34136eabfa4d0ee65fcba6",
    text: capped!("ZCARD", first "4 + ARGV[3]", width "2", at "1",
        new "not redis.call('ZSCORE', KEYS[1], member)",
        "redis.pcall('ZADD', KEYS[1], unpack(ARGV, 4))"),
};

/// ZADD, and then the members of the lowest scores go.
///
/// `ARGV`: as all, then the last rank that goes (negative), the options, the scores and members in turn.
pub(crate) const ZADD_KEEPING: Script = Script {
    counts: false,
    sha1: "7e0920faa1f36a36d9f20da5e771264abf6efbbb",
    text: concat!(
        begin!(),
        "local done = redis.pcall('ZADD', KEYS[1], unpack(ARGV, 3))\n",
        end!(
            "\
local trimmed = redis.pcall('ZREMRANGEBYRANK', KEYS[1], '0', ARGV[2])
return type(trimmed) == 'table' and trimmed or done
"
        )
    ),
};

/// GEOADD up to a size.
///
/// `ARGV`: as all, then the most members, how many options there are, the options, longitudes, latitudes and members in turn.
pub(crate) const GEOADD: Script = Script {
    counts: false,
    sha1: "3dc216bcbd1f023ca56aa7f425461db4cd6d3e91",
    text: capped!("ZCARD", first "4 + ARGV[3]", width "3", at "2",
        new "not redis.call('ZSCORE', KEYS[1], member)",
        "redis.pcall('GEOADD', KEYS[1], unpack(ARGV, 4))"),
};

// Records.

/// Part of a script that writes fields which expire by themselves: whether the server knows of that, and lets this user. No
/// field has the name of the key, so that nothing is changed.
macro_rules! may_expire {
    ($ttl:literal) => {
        concat!(
            "local may = redis.pcall('HPEXPIRE', KEYS[1], ",
            $ttl,
            ", 'FIELDS', 1, KEYS[1])\n",
            "\
if type(may) == 'table' and may.err then
  if string.find(may.err, '[Uu]nknown') then
    return redis.error_reply('ERR no expiry of fields')
  end
  return may
end
"
        )
    };
}

/// A record: HSET of the fields that are there, HDEL of those that are not, and the expiry of those that have their own.
///
/// Before it changes a record it tries whether it may. HSETNX of a field that is there does nothing, but is what a server
/// whose memory is full refuses; and no field has the name of the key, which HDEL gets.
///
/// `ARGV`: as all, then the names and values that are there in turn, the names that are not, the names and milliseconds of
/// what expires in turn; and the numbers of the last of the first and of the second of these.
pub(crate) const STORE: Script = Script {
    counts: false,
    sha1: "07465fbfe4be0e88d900a9ac4884dce189eda99c",
    text: concat!(
        begin!(),
        "\
local last, absent = tonumber(ARGV[#ARGV - 1]), tonumber(ARGV[#ARGV])
if absent < #ARGV - 2 then
",
        may_expire!("1"),
        "\
end
if absent > last and left ~= -2 then
  for _, first in ipairs({{'HSETNX', KEYS[1], ARGV[2], ARGV[3]}, {'HDEL', KEYS[1], KEYS[1]}}) do
    local may = redis.pcall(unpack(first))
    if type(may) == 'table' then
      return may
    end
  end
end
local done = redis.pcall('HSET', KEYS[1], unpack(ARGV, 2, last))
if type(done) ~= 'table' then
  if absent > last and left ~= -2 then
    redis.pcall('HDEL', KEYS[1], unpack(ARGV, last + 1, absent))
  end
  for i = absent + 1, #ARGV - 2, 2 do
    redis.pcall('HPEXPIRE', KEYS[1], ARGV[i + 1], 'FIELDS', 1, ARGV[i])
  end
end
",
        end!()
    ),
};

/// HSET of one field of a record that is there. Answers whether it is.
///
/// `ARGV`: as all, then the milliseconds after which the field expires or nothing, its name, its value.
pub(crate) const STORE_FIELD: Script = Script {
    counts: false,
    sha1: "1931bb7bec587d5639af801716160de1d513d8f9",
    text: concat!(
        begin!(),
        "\
if left == -2 then
  return 0
end
if ARGV[2] ~= '' then
",
        may_expire!("ARGV[2]"),
        "\
end
local done = redis.pcall('HSET', KEYS[1], ARGV[3], ARGV[4])
if ARGV[2] ~= '' and type(done) ~= 'table' then
  redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, ARGV[3])
end
",
        end!("return 1\n")
    ),
};

/// HINCRBY inside a range, of one field of a record that is there. Answers the new number; nil when it would have left the
/// range; an empty list when there is no record; or a list with something in it when the field holds no number. Only in the
/// first case something has changed. The step is a number of the field's own type, so that a field that is new is in the range.
///
/// `ARGV`: as all, then the milliseconds after which the field expires or nothing, the step, the step back, the lowest and
/// the highest number, the field.
pub(crate) const COUNT_FIELD: Script = Script {
    counts: true,
    sha1: "348725d5c109220e11f0b1cd2e2ac17aa974f470",
    text: concat!(
        begin!(),
        "\
if left == -2 then
  return {}
end
local function outside(number)
  return number < tonumber(ARGV[5]) or number > tonumber(ARGV[6])
end
local before = redis.pcall('HGET', KEYS[1], ARGV[7])
if type(before) == 'table' then
  return before
end
if not before and ARGV[2] ~= '' then
",
        may_expire!("ARGV[2]"),
        "\
end
local done = redis.pcall('HINCRBY', KEYS[1], ARGV[7], ARGV[3])
if type(done) == 'table' then
  if string.find(done.err, 'would overflow') then
    return false
  end
  if string.find(done.err, 'not an integer') then
    return not string.find(before, '^[1-9]%d+$') and {0}
  end
  return done
end
if outside(done) then
  redis.call('HINCRBY', KEYS[1], ARGV[7], ARGV[4])
  return false
end
if not before and ARGV[2] ~= '' then
  redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, ARGV[7])
end
if done <= -9007199254740992 or done >= 9007199254740992 then
  done = redis.pcall('HGET', KEYS[1], ARGV[7])
end
",
        end!()
    ),
};

// HyperLogLogs.

/// PFMERGE of the other keys into the first.
pub(crate) const PFMERGE: Script = Script {
    counts: false,
    sha1: "5fd4978af0abc76cc71de236f0cd251b5a337f5f",
    text: concat!(begin!(), "local done = redis.pcall('PFMERGE', unpack(KEYS))\n", end!()),
};

// Streams.

/// XADD up to a number of entries. Answers the new entry's id, or how many entries there would have been, as a number.
///
/// `ARGV`: as all, then the most entries, the id, the fields and values in turn.
pub(crate) const XADD_CAPPED: Script = Script {
    counts: false,
    sha1: "25c9c57ef72f02593f4499d6430862cb2365d6fa",
    text: concat!(
        begin!(),
        "\
local size = redis.pcall('XLEN', KEYS[1])
if type(size) == 'table' then
  return size
end
if size >= tonumber(ARGV[2]) then
  return size + 1
end
local done = redis.pcall('XADD', KEYS[1], unpack(ARGV, 3))
",
        end!()
    ),
};

/// XGROUP CREATE with a stream to it. Answers 1, or 0 when there is such a group already.
///
/// `ARGV`: as all, then the group, the id after which it begins.
pub(crate) const XGROUP: Script = Script {
    counts: false,
    sha1: "04e2044dd297e29522a92a0815271f3a1b5d56ff",
    text: concat!(
        begin!(),
        "\
local done = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[2], ARGV[3], 'MKSTREAM')
local new = 1
if done.err and string.find(done.err, 'BUSYGROUP') then
  done, new = 0, 0
end
",
        end!("return new\n")
    ),
};

/// XGROUP DESTROY or DELCONSUMER. Answers 0 where there is no key.
///
/// `ARGV`: the command's second word, and what follows its key.
pub(crate) const XGROUP_DROP: Script = Script {
    counts: false,
    sha1: "9bc89db3d96ad23123bf1b23a770adc455d0fe30",
    text: "\
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
return redis.pcall('XGROUP', ARGV[1], KEYS[1], unpack(ARGV, 2))
",
};

// Reads.

/// A read that starts the expiry anew. A server that refuses that takes nothing from what was read.
///
/// `ARGV`: the expiry in milliseconds, the command and what follows its key.
pub(crate) const READ: Script = Script {
    counts: false,
    sha1: "6d4ef9bd7ad49d8865ec62ff68d3c2b9aff9bc85",
    text: "\
local found = redis.pcall(ARGV[2], KEYS[1], unpack(ARGV, 3))
if type(found) ~= 'table' or not found.err then
  redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
end
return found
",
};

/// XREAD or XREADGROUP that starts the expiry anew, as `READ`.
///
/// `ARGV`: the expiry in milliseconds, the id that follows the key, the command and what stands before the key.
pub(crate) const READ_STREAM: Script = Script {
    counts: false,
    sha1: "3d05d5080313fa227162e07b07bb16a764024a49",
    text: "\
local words = {unpack(ARGV, 3)}
words[#words + 1] = KEYS[1]
words[#words + 1] = ARGV[2]
local found = redis.pcall(unpack(words))
if type(found) ~= 'table' or not found.err then
  redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
end
return found
",
};

/// Every script.
#[cfg(test)]
pub(crate) const ALL: &[(&str, Script)] = &[
    ("SET_KEEPING_TTL", SET_KEEPING_TTL),
    ("APPEND", APPEND),
    ("COUNT", COUNT),
    ("COUNT_FLOAT", COUNT_FLOAT),
    ("UPDATE", UPDATE),
    ("WRITE", WRITE),
    ("LPUSH_CAPPED", LPUSH_CAPPED),
    ("RPUSH_CAPPED", RPUSH_CAPPED),
    ("LPUSH_KEEPING", LPUSH_KEEPING),
    ("RPUSH_KEEPING", RPUSH_KEEPING),
    ("LSET", LSET),
    ("MOVE", MOVE),
    ("SADD", SADD),
    ("HSET", HSET),
    ("HSETNX", HSETNX),
    ("HINCRBY", HINCRBY),
    ("HINCRBYFLOAT", HINCRBYFLOAT),
    ("ZADD_CAPPED", ZADD_CAPPED),
    ("ZADD_KEEPING", ZADD_KEEPING),
    ("GEOADD", GEOADD),
    ("STORE", STORE),
    ("STORE_FIELD", STORE_FIELD),
    ("COUNT_FIELD", COUNT_FIELD),
    ("PFMERGE", PFMERGE),
    ("XADD_CAPPED", XADD_CAPPED),
    ("XGROUP", XGROUP),
    ("XGROUP_DROP", XGROUP_DROP),
    ("READ", READ),
    ("READ_STREAM", READ_STREAM),
];

#[cfg(test)]
mod tests {
    use sha1_smol::Sha1;

    use super::ALL;

    #[test]
    fn each_script_has_its_own_sha1() {
        let wrong = ALL.iter().filter_map(|(name, script)| {
            let sha1 = Sha1::from(script.text).digest().to_string();
            (sha1 != script.sha1).then(|| format!("{name} {sha1}"))
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
