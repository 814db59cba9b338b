-- Writes a record: HSET of its fields, HDEL of the absent ones, and the expiry of fields that have their own.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2…] name and value of each present field; the names of the absent ones; name and milliseconds of those that
--          expire; then the positions in ARGV of the last value and of the last absent name
-- Reply    that of HSET

local left = redis.call('PTTL', KEYS[1])
local last, absent = tonumber(ARGV[#ARGV - 1]), tonumber(ARGV[#ARGV])
if absent < #ARGV - 2 then
  -- begin shared/check_field_expiry.lua
  -- TTL = 1
  local may = redis.pcall('HPEXPIRE', KEYS[1], 1, 'FIELDS', 1, KEYS[1])
  if type(may) == 'table' and may.err then
    if string.find(may.err, '[Uu]nknown') then
      return redis.error_reply('ERR no expiry of fields')
    end
    return may
  end
  -- end shared/check_field_expiry.lua
end

-- Checks before a record is changed whether that is possible. HSETNX of an existing field does nothing, but a server
-- that is out of memory refuses it; HDEL removes nothing, since no field is named like the key.
if absent > last and left ~= -2 then
  for _, first in ipairs({ { 'HSETNX', KEYS[1], ARGV[2], ARGV[3] }, { 'HDEL', KEYS[1], KEYS[1] } }) do
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

-- begin shared/finish.lua
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
  if type(done) == 'table' and done.err then
    return done
  end
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
end
return done
-- end shared/finish.lua
