-- A part of a world, for a replica that makes a copy of it. All parts make it whole, with the commits since the first one,
-- if the server is still the same after that: another may have lost commits that are in the parts.
-- KEYS: world, journals
-- ARGV: where to go on in each of them ('0' at first, 'end' if there is no more), about how many fields a part has at most,
--       about how many bytes it has at most, 'contents' or 'outlines' (of the entries)
-- Returns {where to go on in the world, time, where to go on in the journals, facts, incarnation, version, id of the commit
-- that made it, server, field, value, ...}. A field may come twice.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'facts', 'incarnation', 'version', 'tip')
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
local reply = { 'end', now, 'end', here[1], here[2], here[3], here[4], server }
-- How many fields are read at once: each may have tens of thousands of bytes.
local STEP = 20
local fields = 0
local bytes = 0
for index = 1, 2 do
  local from = ARGV[index]
  -- At most so often: a server may answer with no field and a place to go on.
  for _ = 1, tonumber(ARGV[3]) do
    if from == 'end' or fields >= tonumber(ARGV[3]) or bytes >= tonumber(ARGV[4]) then break end
    local page = redis.call('HSCAN', KEYS[index], from, 'COUNT', STEP)
    from = page[1]
    if from == '0' then from = 'end' end
    for place, value in ipairs(page[2]) do
      -- Of an entry that is not open, its first line.
      if index == 2 and place % 2 == 0 and ARGV[5] == 'outlines' and string.sub(value, 1, 1) == 'c' then
        value = string.sub(value, 1, string.find(value, '\n', 1, true) - 1)
      end
      reply[#reply + 1] = value
      bytes = bytes + #value
      fields = fields + 1
    end
  end
  reply[2 * index - 1] = from
end
return reply
