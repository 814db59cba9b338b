-- Runs a read that restarts the expiry. If the server refuses the expiry, the read succeeds all the same.
--
-- KEYS[1]  the key
-- ARGV[1]  the expiry in milliseconds
-- ARGV[2]  the command
-- ARGV[3…] its arguments after the key
-- Reply    that of the command

local found = redis.pcall(ARGV[2], KEYS[1], unpack(ARGV, 3))
if type(found) ~= 'table' or not found.err then
  redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
end
return found
