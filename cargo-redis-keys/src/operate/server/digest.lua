-- The digest of a string of up to 4096 bytes, and the last id of a stream. Empty for other values.
local function digest(key, kind)
  if kind == 'string' then
    local size = redis.pcall('STRLEN', key)
    local value = type(size) == 'number' and size <= 4096 and redis.pcall('GET', key)
    return type(value) == 'string' and string.sub(redis.sha1hex(value), 1, 16) or ''
  end
  local info = kind == 'stream' and redis.pcall('XINFO', 'STREAM', key) or {}
  for i = 1, #info - 1, 2 do
    if info[i] == 'last-generated-id' then
      return info[i + 1]
    end
  end
  return ''
end
