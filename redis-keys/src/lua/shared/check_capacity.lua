-- Rejects an addition that would make a collection larger than ARGV[2]: returns the size that it would have, negated.
-- Elements that exist, and repeated ones, do not count.
--
-- SIZE      command that returns the current size
-- FIRST     position in ARGV of the first element
-- WIDTH     number of arguments of each element
-- MEMBER    position of the member or field among these, from 0
-- IS_NEW    whether `member` does not exist yet
local size = redis.pcall(SIZE, KEYS[1])
if type(size) == 'table' then
  return size
end
local first = FIRST
if (#ARGV - first + 1) / WIDTH > ARGV[2] - size then
  local seen, before = {}, size
  for i = first + MEMBER, #ARGV, WIDTH do
    local member = ARGV[i]
    if not seen[member] and IS_NEW then
      size = size + 1
    end
    seen[member] = true
  end
  if size > before and size > tonumber(ARGV[2]) then
    return -size
  end
end
