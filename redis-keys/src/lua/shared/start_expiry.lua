-- Starts the expiry. A new key that cannot get one is removed again: with `DEL`, if the user may not run `UNLINK`.
local started = redis.pcall('PEXPIRE', KEYS[1], string.match(ARGV[1], '%d+'))
if left == -2 and type(started) == 'table' then
  local gone = redis.pcall('UNLINK', KEYS[1])
  if type(gone) == 'table' then
    redis.pcall('DEL', KEYS[1])
  end
  return started
end
