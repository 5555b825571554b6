-- Creates a world with its fields, unless the name is taken.
-- KEYS: world, journals, log, directory, coverage, covered worlds, channel, contents that are apart
-- ARGV: world, incarnation, facts, id of the commit, what begins the keys of parts, then three lists, each after its length:
--       fields with values, entries with values, facts with how often they were met.
-- Returns {1 or 0, time}; 1 also if this very call has created it, and its reply was lost.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local incarnation = redis.call('HGET', KEYS[1], 'incarnation')
if incarnation then return { incarnation == ARGV[2] and 1 or 0, now } end
-- Of one of that name whose key has gone by itself.
redis.call('UNLINK', KEYS[2], KEYS[3])
for _, name in ipairs(redis.call('HVALS', KEYS[8])) do redis.call('UNLINK', ARGV[5] .. name) end
redis.call('UNLINK', KEYS[8])
-- What a command takes at once.
local PART = 1000
local at = 6
for list = 1, 2 do
  local last = at + tonumber(ARGV[at])
  for from = at + 1, last, PART do
    redis.call('HSET', KEYS[list], unpack(ARGV, from, math.min(from + PART - 1, last)))
  end
  at = last + 1
end
for index = at + 1, at + tonumber(ARGV[at]), 2 do
  redis.call('HINCRBY', KEYS[5], ARGV[index], ARGV[index + 1])
  redis.call('SADD', KEYS[6], ARGV[1])
end
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
redis.call('HSET', KEYS[1], 'incarnation', ARGV[2], 'version', 1, 'tip', ARGV[4], 'server', server)
redis.call('LPUSH', KEYS[3], cjson.encode({ ARGV[4] }))
redis.call('HSET', KEYS[4], ARGV[1], ARGV[3])
redis.call('PUBLISH', KEYS[7], '1 ' .. ARGV[2] .. ' ' .. ARGV[1])
return { 1, now }
