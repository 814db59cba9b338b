-- Takes a key over, then runs other calls, unless that fails. These can take other keys over, each before its calls.
--
-- The first line is sent with the scripts of the calls, each as a function. The first call is that of `take_over.lua`.
--
-- KEYS     the keys of all calls
-- ARGV     for each call: the index of its script, or 0 for a command; the number of calls behind it that are left out if it
--          fails; the number of its keys; the number of its words, which are those behind the keys of a script, and all of a
--          command; and these words
-- Reply    for each call a list with its reply, or with false and its error, or with false twice if it was left out; the error
--          of the first call alone

local scripts = {}

local replies, key, at, left_out = {}, 0, 0, 0
while ARGV[at + 1] do
  local script, behind = scripts[tonumber(ARGV[at + 1])], tonumber(ARGV[at + 2])
  local keys, words = {}, {}
  for index = 1, tonumber(ARGV[at + 3]) do
    keys[index] = KEYS[key + index]
  end
  for index = 1, tonumber(ARGV[at + 4]) do
    words[index] = ARGV[at + 4 + index]
  end
  key, at = key + #keys, at + 4 + #words
  if left_out > 0 then
    left_out = left_out - 1
    replies[#replies + 1] = { false, false }
  else
    local reply
    if script then
      local returned
      returned, reply = pcall(script, keys, words)
      if not returned and type(reply) ~= 'table' then
        reply = { err = 'ERR ' .. tostring(reply) }
      end
    else
      reply = redis.pcall(unpack(words))
    end
    local failed = type(reply) == 'table' and reply.err
    if failed and #replies == 0 then
      return reply
    end
    left_out = failed and behind or 0
    replies[#replies + 1] = failed and { false, failed } or { reply or false }
  end
end
return replies
