-- Deletes a world, unless another has taken its name meanwhile. What it has met is kept.
-- KEYS: world, journals, log, directory, channel, latest epochs of worlds that are gone, held worlds
-- ARGV: world, incarnation
-- Returns {1 or 0, time}.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if redis.call('HGET', KEYS[1], 'incarnation') ~= ARGV[2] then return { 0, now } end
redis.call('HSET', KEYS[6], ARGV[1], redis.call('HGET', KEYS[1], 's:epoch') or 0)
-- Any of them: 100,000 in all shards together.
if redis.call('HLEN', KEYS[6]) > 400 then redis.call('HDEL', KEYS[6], redis.call('HRANDFIELD', KEYS[6])) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HDEL', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[7], 'runner ' .. ARGV[1], 'advancer ' .. ARGV[1])
redis.call('PUBLISH', KEYS[5], '0 gone ' .. ARGV[1])
return { 1, now }
