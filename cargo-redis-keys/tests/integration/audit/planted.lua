-- Plants keys with known faults, in the place of numbers.
--
-- ARGV[1]  the first number
-- ARGV[2]  the last number

local function letter(index)
  return string.char(97 + index)
end

local function elements(count)
  local list = {}
  for index = 1, count do
    list[index] = index
  end
  return list
end

local function pairs_of(count)
  local list = {}
  for index = 1, count do
    list[2 * index - 1] = 'f' .. index
    list[2 * index] = index
  end
  return list
end

for number = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local case = number % 50
  local round = math.floor(number / 50)
  -- Keys that take much memory are planted in one of twenty rounds.
  if case >= 20 and case < 38 and round % 20 ~= 0 then
    case = 0
  end
  local key, ms = nil, 3600000
  local profile, cart, recent = 'user:profile:' .. number .. ':string', 'cart:items:' .. number .. ':hash', 'shop:recent:' .. number .. ':list'
  if case < 20 then
    key = profile
    redis.call('SET', key, string.rep('x', 40))
  elseif case == 20 then
    key = profile
    redis.call('SET', key, string.rep('x', 2049))
  elseif case == 21 then
    key = profile
    redis.call('SET', key, string.rep('x', 2048))
  elseif case == 22 then
    key = cart
    redis.call('HSET', key, unpack(pairs_of(101)))
  elseif case == 23 then
    key = cart
    redis.call('HSET', key, unpack(pairs_of(100)))
  elseif case == 24 then
    key = cart
    redis.call('HSET', key, 'field', string.rep('x', 1001))
  elseif case == 25 then
    key = cart
    redis.call('HSET', key, 'field', string.rep('x', 1000))
  elseif case == 26 then
    key = recent
    redis.call('RPUSH', key, unpack(elements(101)))
  elseif case == 27 then
    key = recent
    redis.call('RPUSH', key, unpack(elements(100)))
  elseif case == 28 then
    key = 'shop:tags:' .. number .. ':set'
    redis.call('SADD', key, unpack(elements(51)))
  elseif case == 29 then
    key = 'shop:tags:' .. number .. ':set'
    redis.call('SADD', key, unpack(elements(50)))
  elseif case == 30 then
    key = 'old:large:' .. number .. ':string'
    redis.call('SET', key, string.rep('x', 10241))
  elseif case == 31 then
    key = 'old:large:' .. number .. ':string'
    redis.call('SET', key, string.rep('x', 10240))
  elseif case == 32 then
    key = 'shop:events:' .. number .. ':stream'
    for entry = 1, 11 do
      redis.call('XADD', key, entry .. '-0', 'a', entry)
    end
  elseif case < 38 then
    key = 'page:visitors:' .. number .. ':hyperloglog'
    redis.call('PFADD', key, number)
  elseif case == 38 then
    key = 'page:visitors:' .. number .. ':hyperloglog'
    redis.call('SET', key, 'x')
  elseif case == 39 then
    key, ms = profile, 0
    redis.call('SET', key, 'x')
  elseif case == 40 then
    key, ms = profile, 864000000
    redis.call('SET', key, 'x')
  elseif case == 41 then
    key = profile
    redis.call('RPUSH', key, 'x')
  elseif case == 42 then
    key, ms = 'app:kept:' .. number .. ':string', 0
    redis.call('SET', key, 'x')
  elseif case == 43 then
    key, ms = 'old:thing:' .. number .. ':string', 0
    redis.call('SET', key, 'x')
  elseif case == 44 then
    key = 'old:typed:' .. number .. ':hash'
    redis.call('SET', key, 'x')
  elseif case == 45 then
    key = cart
    redis.call('HSET', key, 'a', 1, 'b', 2)
  elseif case == 46 then
    key = recent
    redis.call('RPUSH', key, 1, 2, 3)
  else
    -- Forty programs, each with a prefix of its own.
    local program = round % 40
    key = letter(math.floor(program / 26)) .. letter(program % 26) .. ':cache:' .. number
    redis.call('SET', key, 'x')
  end
  if ms > 0 then
    redis.call('PEXPIRE', key, ms)
  end
end
