#!/usr/bin/env python3
"""Queries a running `phutbase serve` over HTTP with the standard library.

    phutbase serve --port 8080 &
    python3 examples/query_http.py http://127.0.0.1:8080
"""

import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def get(server, path, **question):
    """Returns the answer to a GET request."""
    with urlopen(f"{server}{path}?{urlencode(question)}", timeout=30) as response:
        return json.load(response)


def values(server, positions):
    """Returns the values of up to 100,000 positions in order."""
    body = json.dumps({"positions": positions}).encode()
    request = Request(f"{server}/api/batch", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as response:
        return json.load(response)


def in_words(answer):
    """Returns 'left wins in 13 plies', or 'left wins' without a depth."""
    if answer["winner"] is None:
        return "a draw"
    depth = answer["depth"]
    return f"{answer['winner']} wins" + ("" if depth is None else f" in {depth} plies")


def main(server):
    answer = get(server, "/api/probe", position="o@o.o.o....", side="left", line="true")
    print(f"{answer['position']}: {in_words(answer)}, best move {answer['turns'][0]['move']}")
    print("  best line:", " ".join(turn["move"] for turn in answer["line"]))

    for answer in values(server, ["o@o.ooo....", "o@o.oo....", ".@.o..o..", ".@.o..o.. R"]):
        print(f"{answer['position']}: {in_words(answer)}")

    try:
        get(server, "/api/probe", position="9/9/9/9/4@4/9/9/9/9")
    except HTTPError as refusal:
        print(f"refused with {refusal.code}: {json.load(refusal)['error']}")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8080")
