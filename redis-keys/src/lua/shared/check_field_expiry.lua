-- Checks that the server supports the expiry of fields and permits it to this user. Nothing changes, since no field is
-- named like the key. TTL is any valid number of milliseconds.
local may = redis.pcall('HPEXPIRE', KEYS[1], TTL, 'FIELDS', 1, KEYS[1])
if type(may) == 'table' and may.err then
  if string.find(may.err, '[Uu]nknown') then
    return redis.error_reply('ERR no expiry of fields')
  end
  return may
end
