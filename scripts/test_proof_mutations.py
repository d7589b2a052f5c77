#!/usr/bin/env python3
"""Tests that wrong data break the proofs: each of six mutations makes the file of its condition fail.

    scripts/test_proof_mutations.py DIRECTORY      a copy of proofs/ that is compiled, with its Makefile

Only the files on which a condition depends are compiled again.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import proof_data

ROOT = Path(__file__).resolve().parent.parent


def flip(lead, mover, other):
    """Returns the mutation that flips a bit of the tables of winners."""

    def mutate(text):
        line = re.search(rf"^M {lead} {mover} ([01]+)$", text, re.M)
        at = line.start(1) + other
        return text[:at] + str(1 - int(text[at])) + text[at + 1 :]

    return mutate


def replace(old, new):
    def mutate(text):
        assert text.count(old) == 1, f"{old} occurs {text.count(old)} times"
        return text.replace(old, new)

    return mutate


# The file that must fail, what is changed, the changed text, and the change.
MUTATIONS = [
    ("StonePairs", "a bit of the table at lead 0", "solution.txt", flip(0, 6, 8)),
    ("JumpPairs", "another bit of that table", "solution.txt", flip(0, 0, 0)),
    ("TurnsBack", "a bit of the table at lead -1", "solution.txt", flip(-1, 4, 4)),
    ("TurnsForth", "another bit of that table", "solution.txt", flip(-1, 3, 4)),
    ("Stones", "a rule of the automaton", "solution.txt", replace("S 0:o.o o - : 0:o.oo +0", "S 0:o.o o - : 0:o.oo +1")),
    # A line that does not end. With most other changes of a line Coq searches for a table for minutes.
    ("Simulation", "a line of near in the rule", "Rule.v", replace("(K <? 2, tailed hA 0 oo K)]", "(K <? 2, tailed hT (-1) oo K)]")),
]


def fails(built, target, name, mutate):
    """Compiles the target with the mutated text. Returns the first file that fails, or None."""
    sources = {
        "solution.txt": (ROOT / "crates/solution/solution.txt").read_text(),
        "stones.txt": (built / "stones.txt").read_text(),
        "Rule.v": (built / "Rule.v").read_text(),
    }
    sources[name] = mutate(sources[name])
    files = proof_data.generated(*sources.values()) | {"Rule.v": sources["Rule.v"]}
    with tempfile.TemporaryDirectory() as work:
        # make compares times: copies keep them.
        work = Path(shutil.copytree(built, Path(work) / "proofs", copy_function=shutil.copy2))
        for key, text in files.items():
            if (work / key).read_text() != text:
                (work / key).write_text(text)
        make = ["make", "--no-print-directory", f"-j{os.cpu_count()}", f"{target}.vo"]
        run = subprocess.run(make, cwd=work, capture_output=True, text=True)
        failed = re.search(r'^File "\./(\w+)\.v".*\nError', run.stderr, re.M)
        if run.returncode == 0:
            return None
        return failed[1] if failed else run.stderr


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    built = Path(sys.argv[1])
    for target, what, name, mutate in MUTATIONS:
        failed = fails(built, target, name, mutate)
        if failed != target:
            sys.exit(f"{what} is changed, and {target}.v compiles; the first failure is {failed}")
        print(f"{target}.v fails if {what} is changed")


if __name__ == "__main__":
    main()
