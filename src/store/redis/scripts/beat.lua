-- A replica says that it lives, and learns when the others said so.
-- KEYS: the living, by when they last said so
-- ARGV: replica, 1 if it goes on, 0 if it hands over its work
-- Returns {1 if it was not among them, else 0, time, replica, instant, ...}; the instant of one that handed over is 0.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local isNew = redis.call('ZADD', KEYS[1], ARGV[2] == '1' and now or 0, ARGV[1])
local reply = { isNew, now }
for index, value in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')) do reply[index + 2] = value end
return reply
