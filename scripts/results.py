#!/usr/bin/env python3
"""Copies the table of results, docs/atlas/results.md, to README.md and docs/THEORY.md.

    results.py [--check]

--check writes nothing and exits with 1 if a page is out of date.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/THEORY.md")
BEGIN, END = "<!-- results.py: begin -->\n", "<!-- results.py: end -->\n"


def main():
    table = (ROOT / "docs/atlas/results.md").read_text()
    wrong = []
    for name in PAGES:
        page = ROOT / name
        before, rest = page.read_text().split(BEGIN)
        old, after = rest.split(END)
        if old != table:
            wrong.append(name)
            if "--check" not in sys.argv:
                page.write_text(before + BEGIN + table + END + after)
    if "--check" in sys.argv and wrong:
        sys.exit("results.py: out of date, run scripts/results.py: " + ", ".join(wrong))


main()
