#!/usr/bin/env bash
# Measures the server under load: requests per second, latency and errors, and its memory after many
# requests.
#
#   scripts/load_test.sh [REQUESTS]         REQUESTS: [default: 1000000]
#
# Needs wrk (Debian's package) and target/release/phutbase.
set -euo pipefail
cd "$(dirname "$0")/.."
requests=${1:-1000000}
command -v wrk >/dev/null || { echo "SKIPPED, wrk is missing" >&2; exit 77; }

work=$(mktemp -d)
target/release/phutbase serve --port 0 >"$work/address" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
until [ -s "$work/address" ]; do sleep 0.1; done
address=$(sed 's/^listening on //' "$work/address")
memory() { awk '/^VmRSS|^VmHWM/ { printf "%s %d MiB  ", $1, $2 / 1024 } END { print "" }' "/proc/$server/status"; }

# Every request has another random board of the length, with the ball this near to the middle.
cat >"$work/random.lua" <<'LUA'
local length, path = tonumber(os.getenv("LENGTH")), os.getenv("QUESTION")
local middle, spread = length / 2, tonumber(os.getenv("SPREAD"))
local seed = 0
function setup(thread) seed = seed + 1; thread:set("seed", seed) end
function init() math.randomseed(seed) end
function request()
    local board, ball = {}, math.random(middle - spread, middle + spread)
    for square = 1, length do
        board[square] = square == ball and "@" or (math.random(3) == 1 and "o" or ".")
    end
    return wrk.format("GET", path .. "position=" .. table.concat(board))
end
LUA

echo "memory at the start: $(memory)"
# Of these boards of 1,000 squares the answer is longest.
for question in '/api/probe? 24 10 100' '/api/probe? 64 30 100' '/api/probe?line=true& 24 10 100' \
    "/api/probe? 1000 50 $((2 * $(nproc)))"; do
    read -r path length spread connections <<<"$question"
    echo "== $path, random positions of $length squares, $connections connections"
    QUESTION=$path LENGTH=$length SPREAD=$spread wrk -t1 "-c$connections" -d10s --latency -s "$work/random.lua" "$address" |
        sed -n 's/^ *Latency  *[0-9][^ ]* *[^ ]* *\([^ ]*\).*/     max    \1/p; /50%\|99%\|Requests\/sec\|Non-2xx\|Socket errors/p'
done

echo "== the page's first request, until $requests requests are answered"
answered=0
while [ "$answered" -lt "$requests" ]; do
    more=$(wrk -t1 -c100 -d10s "$address/api/probe?position=o@o.o.o....&side=left" | awk '/requests in/ { print $1 }')
    answered=$((answered + more))
done
echo "memory after $answered requests: $(memory)"

echo "== a batch of 100,000 positions of 24 squares"
python3 - >"$work/batch" <<'PY'
import random
random.seed(1)
for _ in range(100_000):
    board = [random.choice("..o") for _ in range(24)]
    board[random.randrange(1, 23)] = "@"
    print("".join(board))
PY
curl -s -o /dev/null -w "%{time_total} s, %{size_download} bytes\n" -H "Content-Type: text/plain" \
    --data-binary "@$work/batch" "$address/api/batch"
echo "memory at the end: $(memory)"
