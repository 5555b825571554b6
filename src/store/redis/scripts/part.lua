-- Writes a part of what a commit is to name. Until then it goes by itself, so that nothing stays of what was never committed.
-- KEYS: what it is a part of
-- ARGV: for how many seconds it stays, field, value, ...
-- Returns {1, time}.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
-- What a command takes at once.
local PART = 1000
for from = 2, #ARGV, PART do
  redis.call('HSET', KEYS[1], unpack(ARGV, from, math.min(from + PART - 1, #ARGV)))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return { 1, now }
