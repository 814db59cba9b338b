-- XGROUP DESTROY or XGROUP DELCONSUMER.
--
-- KEYS[1]  the stream
-- ARGV[1]  the subcommand
-- ARGV[2…] its arguments after the key
-- Reply    that of the command, or 0 if there is no stream

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
return redis.pcall('XGROUP', ARGV[1], KEYS[1], unpack(ARGV, 2))
