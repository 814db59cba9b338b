-- SET that keeps the expiry of a key that has one. A new key, or one without an expiry, gets the declared one.
--
-- KEYS[1]  the string
-- ARGV[1]  the value
-- ARGV[2]  the expiry in milliseconds
-- ARGV[3…] options of SET: XX, GET
-- Reply    that of SET

local set = { 'SET', KEYS[1], ARGV[1] }
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
