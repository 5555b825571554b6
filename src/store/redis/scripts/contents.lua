-- Entries of a copy that is up to date, with their contents.
-- KEYS: world, journals
-- ARGV: incarnation, version of the copy, id of the commit that made it, fields
-- Returns {'ok', time, value or nil, ...}, or {'behind', time} if the copy is not up to date.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'incarnation', 'version', 'tip')
if here[1] ~= ARGV[1] or here[2] ~= ARGV[2] or here[3] ~= ARGV[3] then return { 'behind', now } end
local reply = { 'ok', now }
for index, value in ipairs(redis.call('HMGET', KEYS[2], unpack(ARGV, 4))) do reply[index + 2] = value end
return reply
