-- HSET of one field of an existing record.
--
-- KEYS[1]  the hash
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the expiry of the field in milliseconds, or empty
-- ARGV[3]  its name
-- ARGV[4]  its value
-- Reply    1, or 0 if there is no record

local left = redis.call('PTTL', KEYS[1])
if left == -2 then
  return 0
end
if ARGV[2] ~= '' then
  -- begin shared/check_field_expiry.lua
  -- TTL = ARGV[2]
  local may = redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, KEYS[1])
  if type(may) == 'table' and may.err then
    if string.find(may.err, '[Uu]nknown') then
      return redis.error_reply('ERR no expiry of fields')
    end
    return may
  end
  -- end shared/check_field_expiry.lua
end
local done = redis.pcall('HSET', KEYS[1], ARGV[3], ARGV[4])
if ARGV[2] ~= '' and type(done) ~= 'table' then
  redis.pcall('HPEXPIRE', KEYS[1], ARGV[2], 'FIELDS', 1, ARGV[3])
end

-- begin shared/check_and_expire.lua
if type(done) == 'table' and done.err then
  return done
end
if (left < 0 and ARGV[1] ~= '') or string.byte(ARGV[1]) == 45 then
  local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
  if left == -2 and type(started) == 'table' then
    local gone = redis.pcall('UNLINK', KEYS[1])
    if type(gone) == 'table' then
      redis.pcall('DEL', KEYS[1])
    end
    return started
  end
end
-- end shared/check_and_expire.lua

return 1
