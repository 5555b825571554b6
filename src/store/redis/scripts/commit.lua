-- Commits what transactions changed in a copy of a world, if the copy was up to date; else tells what it has missed.
-- KEYS: world, journals, log, coverage, covered worlds, channel, held worlds, contents that are apart
-- ARGV: world, incarnation, version of the copy, id of the commit that made it, id of this commit, 'all' (it replaces the
--       world) or 'part', 'contents' or 'outlines' (of the entries that it has missed), the server for which it raises
--       ordinals ('' for none), how many commits the log keeps, what begins the keys of parts, what names the fields and
--       the entries that were written in parts before ('' for none), then seven lists, each after its length: fields of the
--       world with values, entries with values, fields that are gone, entries that are gone, those of the fields that name
--       a replica, with their values, facts with how often they were met, fields whose contents are or were apart, with
--       what names these ('' for none).
--       A commit without an id only looks: it takes the first three keys, and the arguments up to those entries.
-- Returns {'ok', time, version}, {'behind', time, version, id of the commit that made it, field, value or nil, ...}, the
-- same as 'far behind' without the values where these are many,
-- {'moved', time, server} if another server has the world now, {'lacking', time} if something that was written in parts is
-- not there (any more), {'reload', time} or {'gone', time}. A copy of commits that a
-- failover has lost is told by their ids.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'incarnation', 'version', 'tip', 'server')
if not here[1] then return { 'gone', now } end
if here[1] ~= ARGV[2] then return { 'reload', now } end
-- What a command takes at once.
local PART = 1000

-- Of what a copy has missed, so many fields and about so many bytes are told at once.
local MOST = 2000
local MOST_BYTES = 262144
-- How many are read at once.
local STEP = 20

-- Adds fields and their values to a reply; returns how many bytes these have, or less where it is more than may be told.
local function missed(reply, key, fields, bytes)
  for from = 1, #fields, STEP do
    if bytes > MOST_BYTES then break end
    local to = math.min(from + STEP - 1, #fields)
    local values = redis.call('HMGET', key, unpack(fields, from, to))
    for index = from, to do
      local value = values[index - from + 1]
      -- Of an entry that is not open, its first line.
      if value and key == KEYS[2] and ARGV[7] == 'outlines' and string.sub(value, 1, 1) == 'c' then
        value = string.sub(value, 1, string.find(value, '\n', 1, true) - 1)
      end
      if value then bytes = bytes + #value end
      reply[#reply + 1] = fields[index]
      reply[#reply + 1] = value
    end
  end
  return bytes
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
  local seen, fields, entries = {}, {}, {}
  for at = 1, version - expected do
    for index = 2, #commits[at] do
      local field = commits[at][index]
      if not seen[field] then
        seen[field] = true
        local list = fields
        if string.sub(field, 1, 2) == 'j:' then list = entries end
        list[#list + 1] = field
      end
    end
  end
  if #fields + #entries <= MOST then
    local reply = { 'behind', now, version, here[3] }
    local bytes = missed(reply, KEYS[2], entries, missed(reply, KEYS[1], fields, 0))
    if bytes <= MOST_BYTES then return reply end
  end
  local reply = { 'far behind', now, version, here[3] }
  for _, list in ipairs({ fields, entries }) do
    for _, field in ipairs(list) do reply[#reply + 1] = field end
  end
  return reply
end
if here[3] ~= ARGV[4] then return { 'reload', now } end
if ARGV[5] == '' then return { 'ok', now, version } end
-- A server that was started again, or has taken over, may not have the latest commits: what they gave out stays given out.
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if here[4] ~= server and ARGV[8] ~= server then return { 'moved', now, server } end

-- Of these keys the last field was written last.
local function isWhole(name) return name == '' or redis.call('HEXISTS', ARGV[10] .. name, 'n') == 1 end
if not (isWhole(ARGV[11]) and isWhole(ARGV[12])) then return { 'lacking', now } end
local apart = {}
local at = 13
for list = 1, 6 do at = at + 1 + tonumber(ARGV[at]) end
for index = at + 1, at + tonumber(ARGV[at]), 2 do
  if not isWhole(ARGV[index + 1]) then return { 'lacking', now } end
  apart[ARGV[index]] = ARGV[index + 1]
end

local touched = { ARGV[5] }
local hasChanged = false
at = 13
-- Has a command take the next list, of which every so many are names.
local function take(command, key, step)
  local first = at + 1
  local last = at + tonumber(ARGV[at])
  at = last + 1
  if last < first then return end
  hasChanged = true
  for from = first, last, PART do
    redis.call(command, key, unpack(ARGV, from, math.min(from + PART - 1, last)))
  end
  for index = first, last, step do touched[#touched + 1] = ARGV[index] end
end
-- As where a world is deleted, a server without memory lets this go on.
if ARGV[6] == 'all' then
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
  local kept = {}
  for _, name in pairs(apart) do kept[name] = true end
  for _, name in ipairs(redis.call('HVALS', KEYS[8])) do
    if not kept[name] then redis.call('UNLINK', ARGV[10] .. name) end
  end
  redis.call('UNLINK', KEYS[8])
end
for field, name in pairs(apart) do
  local before = redis.call('HGET', KEYS[8], field)
  if before and before ~= name then redis.call('UNLINK', ARGV[10] .. before) end
  if name == '' then redis.call('HDEL', KEYS[8], field)
  else
    redis.call('PERSIST', ARGV[10] .. name)
    redis.call('HSET', KEYS[8], field, name)
  end
end
for place = 1, 2 do
  if ARGV[10 + place] ~= '' then
    redis.call('RENAME', ARGV[10] .. ARGV[10 + place], KEYS[place])
    redis.call('PERSIST', KEYS[place])
    redis.call('HDEL', KEYS[place], 'n')
    hasChanged = true
  end
end
take('HSET', KEYS[1], 2)
take('HSET', KEYS[2], 2)
take('HDEL', KEYS[1], 1)
take('HDEL', KEYS[2], 1)
local names = tonumber(ARGV[at])
for index = at + 1, at + names, 2 do
  local held = ARGV[index] .. ' ' .. ARGV[1]
  if ARGV[index + 1] == '' then redis.call('HDEL', KEYS[7], held)
  else redis.call('HSET', KEYS[7], held, ARGV[index + 1]) end
end
at = at + names + 1
local facts = tonumber(ARGV[at])
for index = at + 1, at + facts, 2 do redis.call('HINCRBY', KEYS[4], ARGV[index], ARGV[index + 1]) end
if facts > 0 then redis.call('SADD', KEYS[5], ARGV[1]) end
if facts == 0 and not hasChanged then return { 'ok', now, version } end

version = version + 1
redis.call('HSET', KEYS[1], 'incarnation', ARGV[2], 'version', version, 'tip', ARGV[5], 'server', server)
-- The log of a world that was replaced begins here, so that every other copy is loaded again.
if ARGV[6] == 'all' then touched = { ARGV[5] } end
redis.call('LPUSH', KEYS[3], cjson.encode(touched))
redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[9]) - 1)
redis.call('PUBLISH', KEYS[6], version .. ' ' .. ARGV[2] .. ' ' .. ARGV[1])
return { 'ok', now, version }
