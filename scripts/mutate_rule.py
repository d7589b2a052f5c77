#!/usr/bin/env python3
"""Changes the rule of crates/solution, one place at a time, and checks that its tests refuse each change.

    scripts/mutate_rule.py [--every N] [--keep FILE]

A change is another number, comparison, head, tail, type or mark, an index in place of another, or an
arm that is left out. Each is compiled, without optimisation, with the tests that read words by the
rule and by the classes side by side and compare the rule with its table. A change that does not
compile is not counted. Prints the changes that no test refuses, and fails if there is one that is not
in EQUIVALENT. Needs rustc; takes about two seconds for each change.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

CRATE = pathlib.Path(__file__).resolve().parent.parent / "crates" / "solution"
# The whole crate that is compiled. Its own name is that which the tests use.
ROOT = """
extern crate self as phutbase_solution;
pub mod classes;
pub mod half;
pub mod rule;
pub use half::HalfState;
#[path = "../tests/classes.rs"]
mod classes_test;
#[path = "../tests/half.rs"]
mod half_test;
#[path = "../tests/witness.rs"]
mod witness;
"""
TESTS = ["rule_and_classes_agree_on_every_word", "the_comparisons_agree", "the_table_is_the_rule"]
SECONDS = 60
# From the first line with the one text to the next with the other: the code that is changed.
PARTS = [
    ("pub fn step(self", "const fn tail(self"),
    ("const fn named(", "/// The value of a word"),
    ("const CORRECTIONS", "/// Returns the letter"),
    ("pub fn wins(", None),
]
TAILS = ["Bare", "S", "SS", "SSD", "SSS", "SSSS", "SD", "SDS", "SDSS", "SDSSD"]
HEADS = ["L", "LStar", "I", "T", "A", "G", "U", "E", "Z", "O", "Q", "Y"]
OPERATORS = {" < ": " <= ", " >= ": " > ", " > ": " >= ", " == ": " != ", " && ": " || ", "| G": "| E", "A | ": ""}

# Changes to another text of the same rule, by the line and what becomes of it.
EQUIVALENT = {
    (
        "(G, S) if i >= 1 && j >= 0 && k < i + 2 => (3, self.head(Z).indices(j, 0).carrying(0)),",
        "(G, S) if i >= 2 && j >= 0 && k < i + 2 => (3, self.head(Z).indices(j, 0).carrying(0)),",
    ): "Where i = 1, rule 4 gives a name of the same class: all words with K <= 20 keep their values.",
    (
        "(T, SS) if k < 1 => (8, Name::EMPTY),",
        "(T, SS) if k < 2 => (8, Name::EMPTY),",
    ): "The arm before takes k = 1.",
    (
        "(O, S) if i == -1 && k < 2 => (8, named(A, k).tail(SS)),",
        "(O, S) if i == -1 && k < 2 => (8, named(G, k).tail(SS)),",
    ): "Rule 1 makes A_0 of G_{0,0}.",
}


def rotated(words, word):
    return words[(words.index(word) + 1) % len(words)]


def changes_of(line):
    """Yields what may stand in place of a line of code."""
    if line.strip().startswith("//"):
        return
    for found in re.finditer(r"(?<![\w.])\d+(?!\w)", line):
        # The number of a rule: a test in explain.rs compares it.
        if re.match(r"\d+, (named|self|Name|name)\b", line[found.start() :]):
            continue
        for change in (1, -1):
            yield line[: found.start()] + str(int(found[0]) + change) + line[found.end() :]
    for old, new in OPERATORS.items():
        for found in re.finditer(re.escape(old), line):
            yield line[: found.start()] + new + line[found.end() :]
    for words in (HEADS, TAILS):
        for found in re.finditer(r"(?<![\w:])(?:%s)\b(?!\()" % "|".join(words), line):
            yield line[: found.start()] + rotated(words, found[0]) + line[found.end() :]
    for found in re.finditer(r"Kind::([A-Z])\b", line):
        yield line[: found.start(1)] + rotated("ZYABFHJCDEGIKL", found[1]) + line[found.end(1) :]
    for old, new in [("true", "false"), ("false", "true"), ("(i", "(j"), ("(j", "(i"), (".mark(marked)", ""), (".mark(true)", ""), (".mark(self.marked)", "")]:
        for found in re.finditer(re.escape(old) + r"(?!\w)", line):
            yield line[: found.start()] + new + line[found.end() :]
    if "=>" in line and line.endswith(",\n"):
        yield "\n"


def changes(text):
    """Yields the number of a line, the line, and what stands in its place."""
    lines = text.splitlines(keepends=True)
    for first, last in PARTS:
        start = next(at for at, line in enumerate(lines) if first in line)
        end = next(at for at in range(start, len(lines)) if last is not None and last in lines[at]) if last else len(lines)
        for at in range(start, end):
            for changed in dict.fromkeys(changes_of(lines[at])):
                if changed != lines[at]:
                    yield at, lines[at], changed


class Copy:
    """A copy of the rule, the classes and their tests, that rustc compiles by itself."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("src", "tests"):
            (folder / name).mkdir()
        self.copy("solution.txt")
        self.copy("src/classes.rs")
        # The standard library's table does as well, and needs no other crate.
        half = (CRATE / "src/half.rs").read_text()
        (folder / "src/half.rs").write_text(half.replace("hashbrown::HashMap", "std::collections::HashMap"))
        for name in ("classes.rs", "half.rs", "witness.rs"):
            (folder / "tests" / name).write_text((CRATE / "tests/solution" / name).read_text())
        (folder / "src/lib.rs").write_text(ROOT)

    def copy(self, name):
        (self.folder / name).write_text((CRATE / name).read_text())

    def outcome(self, rule):
        """Returns 'refused', 'kept' or 'does not compile'."""
        (self.folder / "src/rule.rs").write_text(rule)
        program = self.folder / "program"
        options = ["--edition", "2024", "--test", "-C", "debuginfo=0", "-C", "overflow-checks=on", "-A", "warnings"]
        compiled = subprocess.run(["rustc", *options, "src/lib.rs", "-o", program], cwd=self.folder, capture_output=True)
        if compiled.returncode:
            return "does not compile"
        # One after the other: most changes fail the first test, and let the last one run on.
        for test in TESTS:
            try:
                tested = subprocess.run([program, test], cwd=self.folder, capture_output=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return "refused"
            if tested.returncode:
                return "refused"
            assert b"test result: ok. 1 passed" in tested.stdout, tested.stdout
        return "kept"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try one change in N [1]")
    arguments = parser.parse_args()
    text = (CRATE / "src/rule.rs").read_text()
    lines = text.splitlines(keepends=True)
    counts = {"refused": 0, "kept": 0, "does not compile": 0}
    unexplained = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(pathlib.Path(folder))
        assert copy.outcome(text) == "kept", "the tests accept the rule as it is"
        for at, line, changed in list(changes(text))[:: arguments.every]:
            outcome = copy.outcome("".join([*lines[:at], changed, *lines[at + 1 :]]))
            counts[outcome] += 1
            if outcome == "kept":
                why = EQUIVALENT.get((line.strip(), changed.strip()))
                unexplained += why is None
                print(f"rule.rs:{at + 1}: {line.strip()}\n    {changed.strip() or 'left out'}\n    {why or 'NOT REFUSED'}", flush=True)
    print(f"{counts['refused']} refused, {counts['kept']} equivalent or not refused, {counts['does not compile']} that do not compile")
    return unexplained > 0


if __name__ == "__main__":
    sys.exit(main())
