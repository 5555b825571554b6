-- Commits what transactions changed in a copy of a world, if the copy was up to date; else tells what it has missed.
-- KEYS: world, journals, log, coverage, covered worlds, channel
-- ARGV: world, incarnation, version of the copy, id of the commit that made it, id of this commit, 'all' (it replaces the
--       world) or 'part', how many commits the log keeps, then three lists, each after its length: fields with values,
--       fields that are gone, facts with how often they were met. Fields that begin with 'j:' are in the journals.
-- Returns {'ok', time, version}, {'behind', time, version, id of the commit that made it, field, value or nil, ...},
-- {'reload', time} or {'gone', time}. A copy of commits that a failover has lost is told by their ids.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'incarnation', 'version', 'tip')
if not here[1] then return { 'gone', now } end
if here[1] ~= ARGV[2] then return { 'reload', now } end

local function keyOf(field)
  if string.sub(field, 1, 2) == 'j:' then return KEYS[2] end
  return KEYS[1]
end

local version = tonumber(here[2])
local expected = tonumber(ARGV[3])
if version < expected then return { 'reload', now } end
if version > expected then
  -- The last one is that of the copy.
  local commits = redis.call('LRANGE', KEYS[3], 0, version - expected)
  for at, commit in ipairs(commits) do
    commits[at] = cjson.decode(commit)
    -- The reply to this commit was lost.
    if commits[at][1] == ARGV[5] then return { 'ok', now, version - at + 1 } end
  end
  local own = commits[version - expected + 1]
  if not own or own[1] ~= ARGV[4] then return { 'reload', now } end
  local touched = {}
  for at = 1, version - expected do
    for index = 2, #commits[at] do touched[commits[at][index]] = true end
  end
  local reply = { 'behind', now, version, here[3] }
  for field in pairs(touched) do
    reply[#reply + 1] = field
    reply[#reply + 1] = redis.call('HGET', keyOf(field), field)
  end
  return reply
end
if here[3] ~= ARGV[4] then return { 'reload', now } end

local at = 8
local sets = tonumber(ARGV[at])
local touched = { ARGV[5] }
if ARGV[6] == 'all' then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
for index = at + 1, at + 2 * sets, 2 do
  redis.call('HSET', keyOf(ARGV[index]), ARGV[index], ARGV[index + 1])
  touched[#touched + 1] = ARGV[index]
end
at = at + 2 * sets + 1
local gone = tonumber(ARGV[at])
for index = at + 1, at + gone do
  redis.call('HDEL', keyOf(ARGV[index]), ARGV[index])
  touched[#touched + 1] = ARGV[index]
end
at = at + gone + 1
local facts = tonumber(ARGV[at])
for index = at + 1, at + 2 * facts, 2 do
  redis.call('HINCRBY', KEYS[4], ARGV[index], ARGV[index + 1])
end
if facts > 0 then redis.call('SADD', KEYS[5], ARGV[1]) end
if sets + gone + facts == 0 then return { 'ok', now, version } end

version = version + 1
redis.call('HSET', KEYS[1], 'incarnation', ARGV[2], 'version', version, 'tip', ARGV[5])
-- The log of a world that was replaced begins here, so that every other copy is loaded again.
if ARGV[6] == 'all' then touched = { ARGV[5] } end
redis.call('LPUSH', KEYS[3], cjson.encode(touched))
redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[7]) - 1)
redis.call('PUBLISH', KEYS[6], version .. ' ' .. ARGV[2] .. ' ' .. ARGV[1])
return { 'ok', now, version }
