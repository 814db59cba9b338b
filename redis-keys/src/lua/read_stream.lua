-- Runs XREAD or XREADGROUP and restarts the expiry, as `read.lua` does.
--
-- KEYS[1]  the stream
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the id, which follows the key
-- ARGV[3…] the command and its arguments before the key
-- Reply    that of the command

local words = { unpack(ARGV, 3) }
words[#words + 1] = KEYS[1]
words[#words + 1] = ARGV[2]
local found = redis.pcall(unpack(words))
if type(found) ~= 'table' or not found.err then
  redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
end
return found
