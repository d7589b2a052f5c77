#!/usr/bin/env python3
"""Writes the puzzles of the page, crates/server/src/page/puzzles.json: boards with one winning turn.

    puzzles.py         PHUTBASE: the program [default: target/release/phutbase]

Boards are drawn with `phutbase find` and a fixed seed, from short strips to longer ones: for each
depth three, or as many as a sample of 400 has. The last three are all boards of 22 squares that only a backward jump wins.
"""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
PER_DEPTH = 3
BACKWARD = ("........oo.o@.oooo....", "........o.oo@.oooo....", "........oooo@.oooo....")


def phutbase(*arguments):
    environment = {**os.environ, "PHUTBASE_TABLES": str(ROOT / "tables")}
    run = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True, check=True, env=environment)
    return [json.loads(line) for line in run.stdout.splitlines()]


def puzzle(position):
    """Returns the puzzle of a position with Left to move, or None if it has more than one winning turn."""
    (answer,) = phutbase("probe", position)
    winning = [turn["move"] for turn in answer["turns"] if turn["value"] == "win"]
    if len(winning) != 1:
        return None
    return {"position": position, "depth": answer["depth"], "move": winning[0]}


def drawn(depth):
    length = min(6 + depth // 2, 20)
    listed = phutbase("find", str(length), "--value", "win", "--depth", str(depth), "--sample", "400", "--seed", str(depth))
    for line in listed:
        found = "position" in line and puzzle(line["position"])
        # In a jump there is more to find than in a stone beside the ball.
        if found and (found["move"].startswith("@") or depth % 4 == 1):
            yield found


def main():
    puzzles = []
    for depth in range(3, 27, 2):
        found = drawn(depth)
        several = {}
        while len(several) < PER_DEPTH:
            one = next(found, None)
            if one is None:
                break
            several[one["position"]] = one
        puzzles += several.values()
    puzzles += sorted(map(puzzle, BACKWARD), key=lambda one: one["depth"])
    lines = ",\n".join("  " + json.dumps(one) for one in puzzles)
    (ROOT / "crates/server/src/page/puzzles.json").write_text("[\n%s\n]\n" % lines)


main()
