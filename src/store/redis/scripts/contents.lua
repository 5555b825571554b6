-- Entries of a copy that is up to date, with their contents.
-- KEYS: world, journals
-- ARGV: incarnation, version of the copy, id of the commit that made it, about how many bytes at most, fields
-- Returns {'ok', time, value or nil, ...} for as many of the fields as that is, at least one, or {'behind', time} if the copy
-- is not up to date.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'incarnation', 'version', 'tip')
if here[1] ~= ARGV[1] or here[2] ~= ARGV[2] or here[3] ~= ARGV[3] then return { 'behind', now } end
local reply = { 'ok', now }
local bytes = 0
for index = 5, #ARGV do
  local value = redis.call('HGET', KEYS[2], ARGV[index])
  reply[#reply + 1] = value
  if value then bytes = bytes + #value end
  if bytes >= tonumber(ARGV[4]) then break end
end
return reply
