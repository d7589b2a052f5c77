#!/usr/bin/env python3
"""Writes the results that pages state: the table of results, the numbers of wins and of potentials.

    results.py [--check]         PHUTBASE: the program [default: target/release/phutbase]

The table of results is docs/atlas/results.md, for README.md and docs/THEORY.md. The numbers of wins
in docs/THEORY.md come from `phutbase stats`, the potentials from solution.py. --check writes nothing and exits with 1 if a page is
out of date.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from solution import Solution

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
# 145 and 150 squares are beyond every table.
LENGTHS = (16, 36, 64, 100, 144, 145, 150)
# An exact potential exists for the last of these lengths and not for the next one.
POTENTIALS = (4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 65)


def wins(squares):
    """Returns the line of a length in the table of wins."""
    run = subprocess.run([PROGRAM, "stats", str(squares), "--json"], capture_output=True, text=True)
    if run.returncode:
        sys.exit("results.py: phutbase stats %s: %s" % (squares, run.stderr))
    found = json.loads(run.stdout.splitlines()[0])
    count, positions = int(found["wins"]), (squares - 2) << (squares - 1)
    assert int(found["losses"]) == positions - count and int(found["draws"]) == 0, found
    return "| %d | %s | %.5f |\n" % (squares, format(count, ","), count / positions)


def numbers_of_wins():
    """Returns the table of wins."""
    heading = "| squares | positions that Left wins | share of all |\n|--:|--:|--:|\n"
    return heading + "".join(map(wins, LENGTHS))


def largest_potentials():
    """Returns the table of the largest numbers of the least exact potentials."""
    solved = Solution()
    lengths = solved.least_lengths(POTENTIALS[-1])
    assert solved.potentials(POTENTIALS[-1] + 1, lengths) is None
    largest = [str(solved.potentials(squares, lengths)) for squares in POTENTIALS]
    lines = [["N", *map(str, POTENTIALS)], ["---"] + ["--:"] * len(POTENTIALS), ["largest κ or λ", *largest]]
    return "".join("| %s |\n" % " | ".join(line) for line in lines).replace("| --- |", "|---|").replace(" --: |", "--:|")


def main():
    table = (ROOT / "docs/atlas/results.md").read_text()
    blocks = {
        ("README.md", "results.py"): table,
        ("docs/THEORY.md", "results.py"): table,
        ("docs/THEORY.md", "results.py, wins"): numbers_of_wins(),
        ("docs/THEORY.md", "results.py, potentials"): largest_potentials(),
    }
    wrong = []
    for (name, block), new in blocks.items():
        page = ROOT / name
        before, rest = page.read_text().split("<!-- %s: begin -->\n" % block)
        end = "<!-- %s: end -->\n" % block
        old, after = rest.split(end)
        if old != new:
            wrong.append(name)
            if "--check" not in sys.argv:
                page.write_text(before + "<!-- %s: begin -->\n" % block + new + end + after)
    if "--check" in sys.argv and wrong:
        sys.exit("results.py: out of date, run scripts/results.py: " + ", ".join(wrong))


main()
