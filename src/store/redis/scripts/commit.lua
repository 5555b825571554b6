-- Commits what transactions changed in a copy of a world, if the copy was up to date; else tells what it has missed.
-- KEYS: world, journals, log, coverage, covered worlds, channel, held worlds
-- ARGV: world, incarnation, version of the copy, id of the commit that made it, id of this commit, 'all' (it replaces the
--       world) or 'part', 'contents' or 'outlines' (of the entries that it has missed), the server for which it raises
--       ordinals ('' for none), how many commits the log keeps, then six lists, each after its length: fields of the world
--       with values, entries with values, fields that are gone, entries that are gone, those of the fields that name a
--       replica, with their values, facts with how often they were met.
--       A commit without an id only looks: it takes the first three keys, and the arguments up to those entries.
-- Returns {'ok', time, version}, {'behind', time, version, id of the commit that made it, field, value or nil, ...},
-- {'moved', time, server} if another server has the world now, {'reload', time} or {'gone', time}. A copy of commits that a
-- failover has lost is told by their ids.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = redis.call('HMGET', KEYS[1], 'incarnation', 'version', 'tip', 'server')
if not here[1] then return { 'gone', now } end
if here[1] ~= ARGV[2] then return { 'reload', now } end
-- What a command takes at once.
local PART = 1000

local function missed(reply, key, fields)
  for from = 1, #fields, PART do
    local to = math.min(from + PART - 1, #fields)
    local values = redis.call('HMGET', key, unpack(fields, from, to))
    for index = from, to do
      local value = values[index - from + 1]
      -- Of an entry that is not open, its first line.
      if value and key == KEYS[2] and ARGV[7] == 'outlines' and string.sub(value, 1, 1) == 'c' then
        value = string.sub(value, 1, string.find(value, '\n', 1, true) - 1)
      end
      reply[#reply + 1] = fields[index]
      reply[#reply + 1] = value
    end
  end
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
  local reply = { 'behind', now, version, here[3] }
  missed(reply, KEYS[1], fields)
  missed(reply, KEYS[2], entries)
  return reply
end
if here[3] ~= ARGV[4] then return { 'reload', now } end
if ARGV[5] == '' then return { 'ok', now, version } end
-- A server that was started again, or has taken over, may not have the latest commits: what they gave out stays given out.
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if here[4] ~= server and ARGV[8] ~= server then return { 'moved', now, server } end

local touched = { ARGV[5] }
local hasChanged = false
local at = 10
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
if ARGV[6] == 'all' then redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3]) end
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
