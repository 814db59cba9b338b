-- Adds the bits of a Bloom filter that was begun, and marks it as built.
--
-- KEYS[1]  the filter
-- ARGV[1]  the expiry in milliseconds, negated if each write restarts it; empty if the key never expires
-- ARGV[2]  the first 16 bytes of the value, if the filter is still the one that was begun
-- ARGV[3]  the bits
-- Reply    1, or 0 if it is another filter

local found = redis.pcall('GETRANGE', KEYS[1], 0, -1)
if type(found) == 'table' then
  return found
end
if string.sub(found, 1, 16) ~= ARGV[2] then
  return 0
end
local parts = { string.sub(found, 1, 8), string.rep('\255', 8) }
-- What was added meanwhile is few bits in most cases, so empty pieces are not read byte by byte.
local size = 64
local empty = string.rep('\0', size)
for at = 1, #ARGV[3], size do
  local bits = string.sub(ARGV[3], at, at + size - 1)
  local added = string.sub(found, at + 16, at + 15 + size)
  if added ~= '' and added ~= string.sub(empty, 1, #added) then
    local bytes = { string.byte(bits, 1, -1) }
    for index = 1, #added do
      bytes[index] = bit.bor(bytes[index], string.byte(added, index))
    end
    bits = string.char(unpack(bytes))
  end
  parts[#parts + 1] = bits
end
local set = { 'SET', KEYS[1], table.concat(parts) }
local expiry = string.match(ARGV[1], '%d+')
if expiry then
  set[4] = 'PX'
  set[5] = expiry
end
local done = redis.pcall(unpack(set))
return done.err and done or 1
