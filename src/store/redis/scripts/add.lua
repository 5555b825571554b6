-- Creates a world with its fields, unless the name is taken.
-- KEYS: world, journals, log, directory, coverage, covered worlds, channel
-- ARGV: world, incarnation, facts, id of the commit, how many fields, fields with values, how many facts, with counts.
-- Returns {1 or 0, time}; 1 also if this very call has created it, and its reply was lost.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local incarnation = redis.call('HGET', KEYS[1], 'incarnation')
if incarnation then return { incarnation == ARGV[2] and 1 or 0, now } end
redis.call('DEL', KEYS[2], KEYS[3])
local at = 5
for index = at + 1, at + 2 * tonumber(ARGV[at]), 2 do
  local key = KEYS[1]
  if string.sub(ARGV[index], 1, 2) == 'j:' then key = KEYS[2] end
  redis.call('HSET', key, ARGV[index], ARGV[index + 1])
end
at = at + 2 * tonumber(ARGV[at]) + 1
for index = at + 1, at + 2 * tonumber(ARGV[at]), 2 do
  redis.call('HINCRBY', KEYS[5], ARGV[index], ARGV[index + 1])
  redis.call('SADD', KEYS[6], ARGV[1])
end
redis.call('HSET', KEYS[1], 'incarnation', ARGV[2], 'version', 1, 'tip', ARGV[4])
redis.call('LPUSH', KEYS[3], cjson.encode({ ARGV[4] }))
redis.call('HSET', KEYS[4], ARGV[1], ARGV[3])
redis.call('PUBLISH', KEYS[7], '1 ' .. ARGV[2] .. ' ' .. ARGV[1])
return { 1, now }
