-- Deletes a world, unless another has taken its name meanwhile. What it has met is kept, as long as few have gone since.
-- KEYS: world, journals, log, directory, channel, latest epochs of worlds that are gone, held worlds, coverage, covered
--       worlds, those of them that are gone, how many of these have been forgotten, contents that are apart
-- ARGV: world, incarnation, what begins the keys of parts
-- Returns {1 or 0, time}.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local incarnation = redis.call('HGET', KEYS[1], 'incarnation')
-- Not by DEL, with which all would wait until the memory of a large world is free.
local function unlink()
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
  for _, name in ipairs(redis.call('HVALS', KEYS[12])) do redis.call('UNLINK', ARGV[3] .. name) end
  redis.call('UNLINK', KEYS[12])
end
if not incarnation then
  unlink()
  -- Whoever has deleted it otherwise has left it in the lists.
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('HDEL', KEYS[7], 'runner ' .. ARGV[1], 'advancer ' .. ARGV[1])
end
if incarnation ~= ARGV[2] then return { 0, now } end
local epoch = redis.call('HGET', KEYS[1], 's:epoch') or 0
-- First of what it writes: a server without memory lets scripts go on that have begun to free some.
unlink()
redis.call('HSET', KEYS[6], ARGV[1], epoch)
-- Any of them: 100,000 in all shards together.
if redis.call('HLEN', KEYS[6]) > 400 then redis.call('HDEL', KEYS[6], redis.call('HRANDFIELD', KEYS[6])) end
redis.call('HDEL', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[7], 'runner ' .. ARGV[1], 'advancer ' .. ARGV[1])
redis.call('ZADD', KEYS[10], now, ARGV[1])
-- 16,000 in all shards together. The keys of the oldest one are in the same shard.
if redis.call('ZCARD', KEYS[10]) > 64 then
  local oldest = redis.call('ZRANGE', KEYS[10], 0, 0)[1]
  redis.call('ZREM', KEYS[10], oldest)
  if redis.call('HEXISTS', KEYS[4], oldest) == 0 and redis.call('SREM', KEYS[9], oldest) == 1 then
    redis.call('UNLINK', string.sub(KEYS[8], 1, -1 - #ARGV[1]) .. oldest)
    redis.call('INCR', KEYS[11])
  end
end
redis.call('PUBLISH', KEYS[5], '0 gone ' .. ARGV[1])
return { 1, now }
