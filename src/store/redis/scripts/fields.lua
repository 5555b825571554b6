-- Fields of a world as they are now, for a copy that is far behind.
-- KEYS: world, journals
-- ARGV: 'contents' or 'outlines' (of the entries), about how many bytes at most, fields
-- Returns {1, time, value or nil, ...} for as many of the fields as that is, at least one.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local reply = { 1, now }
local bytes = 0
for index = 3, #ARGV do
  local isEntry = string.sub(ARGV[index], 1, 2) == 'j:'
  local value = redis.call('HGET', isEntry and KEYS[2] or KEYS[1], ARGV[index])
  -- Of an entry that is not open, its first line.
  if value and isEntry and ARGV[1] == 'outlines' and string.sub(value, 1, 1) == 'c' then
    value = string.sub(value, 1, string.find(value, '\n', 1, true) - 1)
  end
  reply[#reply + 1] = value
  if value then bytes = bytes + #value end
  if bytes >= tonumber(ARGV[2]) then break end
end
return reply
