#!/usr/bin/env python3
"""Writes the puzzles of the page, crates/server/src/page/puzzles.json: boards with one winning turn.

    puzzles.py         PHUTBASE: the program [default: target/release/phutbase]

Boards are drawn with `phutbase find` and a fixed seed, from short strips to longer ones: for each
depth three, or as many as a sample of 400 has. Then come all three boards of 22 squares that only a
backward jump wins, and a board of each of some greater lengths that only a backward jump wins. Those are
drawn with the length as the seed, judged by the solution as scripts/solution.py reads it, until one fits,
and checked with `phutbase probe`.
"""

import json
import os
import random
import subprocess
from functools import lru_cache
from pathlib import Path

from solution import START, Solution

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "crates/server/src/page/puzzles.json"
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
PER_DEPTH = 3
BACKWARD = ("........oo.o@.oooo....", "........o.oo@.oooo....", "........oooo@.oooo....")
LENGTHS = (40, 44, 52, 64, 84, 100)
SOLUTION = Solution()
step, value = lru_cache(None)(SOLUTION.step), lru_cache(None)(SOLUTION.value)


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


def worth(word, state=START):
    """Returns the value of a half strip, read from its goal line to the ball."""
    for letter in word:
        state = step(state, letter)
    return value(state)


def jumps(word, other):
    """Returns the halves after each jump towards the goal line of `word`, which is empty if the jump reaches it."""
    rest = word
    while rest.endswith("o"):
        rest = rest.rstrip("o")[:-1]
        yield rest, other + "." * (len(word) - len(rest))


def with_stone(word):
    """Returns the half with one more stone, for each empty square, the one next to the ball first."""
    for square in reversed(range(len(word))):
        if word[square] == ".":
            yield word[:square] + "o" + word[square + 1 :]


def only_backward(left, right):
    """True if Left to move wins with a single turn, a jump to the left. Both halves are read to the ball."""
    g, h = worth(left), worth(right)
    if not SOLUTION.wins(g, h):
        return False
    lost = SOLUTION.wins  # by Right to move, whose own half comes first
    backward = [halves for halves in jumps(left, right) if halves[0] and not lost(worth(halves[1]), worth(halves[0]))]
    if len(backward) != 1 or any(not ahead or not lost(worth(ahead), worth(behind)) for ahead, behind in jumps(right, left)):
        return False
    return all(lost(worth(word), g) for word in with_stone(right)) and all(lost(h, worth(word)) for word in with_stone(left))


def runs(numbers, length, more):
    """Returns runs of empty squares and stones; each goes on with a probability."""
    word = ""
    while len(word) < length:
        letter = numbers.choice(".o")
        word += letter
        while numbers.random() < more:
            word += letter
    return word[:length]


def long_board(length):
    """Returns a board of this length that only a backward jump wins."""
    numbers = random.Random(length)
    while True:
        ball, more = numbers.randrange(5, length - 5), numbers.choice((0.3, 0.5, 0.7, 0.8))
        left, right = runs(numbers, ball - 1, more) + "o", runs(numbers, length - 1 - ball, more)
        if only_backward(left, right):
            return left + "@" + right[::-1]


def main():
    # Puzzles already listed stay, because browsers keep marks of their positions.
    listed = [puzzle(one["position"]) for one in json.loads(FILE.read_text())]
    puzzles = []
    for depth in range(3, 27, 2):
        several = {one["position"]: one for one in listed if one["depth"] == depth}
        found = drawn(depth)
        while len(several) < PER_DEPTH and (one := next(found, None)):
            several[one["position"]] = one
        puzzles += several.values()
    puzzles += sorted(map(puzzle, BACKWARD), key=lambda one: one["depth"])
    long = {len(one["position"]): one for one in listed if one["depth"] is None}
    puzzles += (long.get(length) or puzzle(long_board(length)) for length in LENGTHS)
    lines = ",\n".join("  " + json.dumps(one) for one in puzzles)
    FILE.write_text("[\n%s\n]\n" % lines)


if __name__ == "__main__":
    main()
