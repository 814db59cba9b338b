-- Removes a key that is as planned: at once, or some of its elements.
--
-- KEYS[1]  the key
-- ARGV[1]  its type; `other` if a server module defines it
-- ARGV[2]  when it expires, in milliseconds since 1970; 0 if it never does
-- ARGV[3]  when it was used last, in Unix seconds; empty if that does not matter
-- ARGV[4]  its memory; empty if that does not matter
-- ARGV[5]  how many elements to remove of a large collection; empty to remove any key at once
-- ARGV[6]  the cursor from which to list the fields of a hash
-- ARGV[7]  how many elements an earlier step has left; empty in the first step
-- ARGV[8]  the first bytes of its value; empty if any are right
-- ARGV[9]  the digest of its value; empty if that does not matter
-- ARGV[10] the number of child processes that the server has had; empty if the last use does not matter
-- ARGV[11] how long the last one took to start, in microseconds
-- ARGV[12] how many commands the server has processed at least
-- Reply    `done`; `gone` if there is no key; `rest`, the next cursor and the number of elements if some are left; or what is not
--          as planned: `type`, `expiry`, `use`, `memory`, `value`, or `forks` or `reset` if a use may not have
--          been noted

local sizes = { string = '', hash = 'HLEN', list = 'LLEN', set = 'SCARD', zset = 'ZCARD', stream = 'XLEN' }

local found = redis.pcall('TYPE', KEYS[1])
if found.err then
  return found
end
local kind = found.ok
if kind == 'none' then
  return { 'gone' }
end
if (sizes[kind] and kind or 'other') ~= ARGV[1] then
  return { 'type' }
end

local now = redis.pcall('TIME')
if now.err then
  return now
end
local left = redis.pcall('PTTL', KEYS[1])
if type(left) == 'table' then
  return left
end
if left < 0 or ARGV[2] == '0' then
  if left >= 0 or ARGV[2] ~= '0' then
    return { 'expiry' }
  end
elseif math.abs(now[1] * 1000 + math.floor(now[2] / 1000) + left - ARGV[2]) > 2000 then
  -- The time and the rest of the expiry were not asked for at the same moment.
  return { 'expiry' }
end

if ARGV[10] ~= '' then
  local info = redis.pcall('INFO', 'stats')
  if type(info) ~= 'string' then
    return info
  end
  local count = function(name)
    return tonumber(string.match(info, name .. ':(%d+)') or -1)
  end
  if count('total_commands_processed') < tonumber(ARGV[12]) then
    return { 'reset' }
  end
  if count('total_forks') ~= tonumber(ARGV[10]) or count('latest_fork_usec') ~= tonumber(ARGV[11]) then
    return { 'forks' }
  end
end
if ARGV[3] ~= '' then
  local idle = redis.pcall('OBJECT', 'IDLETIME', KEYS[1])
  if type(idle) == 'table' then
    return idle
  end
  -- Idle times are whole seconds of a clock that can be a second late, both now and when they were planned. A use that seems to be
  -- before the planned one is a later one too: the clock was set back.
  if math.abs(now[1] - idle - ARGV[3]) > 2 then
    return { 'use' }
  end
end

if ARGV[4] ~= '' then
  local memory = redis.pcall('MEMORY', 'USAGE', KEYS[1])
  if type(memory) == 'table' then
    return memory
  end
  if memory ~= tonumber(ARGV[4]) then
    return { 'memory' }
  end
end

-- Only here, since to read the value may be a use.
if ARGV[8] ~= '' and redis.pcall('GETRANGE', KEYS[1], 0, #ARGV[8] - 1) ~= ARGV[8] then
  return { 'type' }
end
if ARGV[9] ~= '' and digest(KEYS[1], kind) ~= ARGV[9] then
  return { 'value' }
end

local step = tonumber(ARGV[5])
local size = 0
if step and sizes[kind] and sizes[kind] ~= '' then
  size = redis.pcall(sizes[kind], KEYS[1])
  if type(size) == 'table' then
    return size
  end
end
if ARGV[7] ~= '' and size > tonumber(ARGV[7]) then
  return { 'use' }
end
if not step or size <= step then
  local gone = redis.pcall('UNLINK', KEYS[1])
  return type(gone) == 'table' and gone or { 'done' }
end

local removed
local cursor = '0'
if kind == 'hash' then
  local page = redis.pcall('HSCAN', KEYS[1], ARGV[6], 'COUNT', step)
  if page.err then
    return page
  end
  local names = {}
  for i = 1, math.min(#page[2], 2 * step), 2 do
    names[#names + 1] = page[2][i]
  end
  -- A page can be larger than asked for. The rest of it is listed again.
  cursor = #page[2] > 2 * step and ARGV[6] or page[1]
  removed = #names > 0 and redis.pcall('HDEL', KEYS[1], unpack(names))
elseif kind == 'list' then
  removed = redis.pcall('LTRIM', KEYS[1], 0, -step - 1)
elseif kind == 'set' then
  removed = redis.pcall('SPOP', KEYS[1], step)
elseif kind == 'zset' then
  removed = redis.pcall('ZREMRANGEBYRANK', KEYS[1], 0, step - 1)
else
  removed = redis.pcall('XTRIM', KEYS[1], 'MAXLEN', size - step)
end
if type(removed) == 'table' and removed.err then
  return removed
end
local left = redis.pcall(sizes[kind], KEYS[1])
if type(left) == 'table' then
  return left
end
return { 'rest', cursor, tostring(left) }
