-- Deletes the owner of a unique value, unless another world, or a later commit of this one, has claimed it meanwhile.
-- KEYS: unique values
-- ARGV: field, incarnation of the world that released it, version of the commit that did
-- Returns {1 or 0, time}.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local found = redis.call('HGET', KEYS[1], ARGV[1])
if not found then return { 0, now } end
local owner = cjson.decode(found)
if owner.incarnation ~= ARGV[2] or owner.version > tonumber(ARGV[3]) then return { 0, now } end
redis.call('HDEL', KEYS[1], ARGV[1])
return { 1, now }
