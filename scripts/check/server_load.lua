-- What wrk sends for scripts/check/server_load's trial `wrk`: texts of 1 to 200 words, made anew for every request.
local words = {}
for word in ([[the a this every old young small green quiet brave dog cat bird tree river teacher farmer engine letter
    city garden sees hears finds writes builds carries opens follows remembers likes and but because while in on under
    near with without after before slowly often never quickly she he they we it who what]]):gmatch("%S+") do
  words[#words + 1] = word
end

local threads = 0
function setup(thread)  -- once for each thread, in the main one
  threads = threads + 1
  thread:set("number", threads)
end

function init()
  math.randomseed(number)
end

function request()
  local text, left = {}, math.random(200)
  while left > 0 do
    local size = math.min(left, math.random(3, 25))
    for _ = 1, size do text[#text + 1] = words[math.random(#words)] end
    text[#text] = text[#text] .. "."
    left = left - size
  end
  local body = '{"text": "' .. table.concat(text, " ") .. '"}'
  return wrk.format("POST", "/v1/parse", {["Content-Type"] = "application/json"}, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.1f, "per_second": %.1f, "p50_ms": %.1f, "p99_ms": %.1f, "max_ms": %.1f, ' ..
    '"not_2xx": %d, "connect": %d, "read": %d, "write": %d, "timeout": %d}\n',
    summary.requests, summary.duration / 1e6, summary.requests * 1e6 / summary.duration, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3, errors.status, errors.connect, errors.read, errors.write,
    errors.timeout))
end
