#!/usr/bin/env python3
"""Keeps proofs/theorems.txt: the theorems of RuleSolved.v, and those that README.md, docs/ and the paper name.

    scripts/proof_theorems.py write             write the list
    scripts/proof_theorems.py check [FILE]      check that the list is complete; write a Coq file that
                                                prints what each of its theorems assumes

A page names a theorem in backquotes, the paper in typewriter type. Names of one letter count in the
paper's tables only.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "proofs/theorems.txt"
HEAD = "# The main theorems, and those that pages name. Each is proved without axioms (scripts/check_proofs.sh).\n"


def declared():
    """Returns the modules that state a theorem of a name, by names."""
    modules = {}
    for path in sorted((ROOT / "proofs").glob("*.v")):
        for name in re.findall(r"^(?:Theorem|Lemma|Corollary) ([\w']+)", path.read_text(), re.M):
            modules.setdefault(name, []).append(path.stem)
    return modules


def named():
    """Returns the words in code type of all pages."""
    words = set()
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        words.update(re.findall(r"`([A-Za-z][\w']+)`", path.read_text()))
    paper = (ROOT / "docs/paper/paper.tex").read_text().replace(r"\_", "_")
    words.update(re.findall(r"\\texttt\{([A-Za-z][\w']+)\}", paper))
    for label in ("closures", "coqnames"):
        table = paper[paper.index(r"\label{%s}" % label) :]
        for row in table[: table.index(r"\end{tabular}")].splitlines():
            if row.count("&") in (2, 3):
                words.update(re.findall(r"[A-Za-z][\w']*", row.split("&")[1]))
    return words


def theorems():
    modules = declared()
    main_file = {name for name, places in modules.items() if "RuleSolved" in places}
    names = (named() & modules.keys()) | main_file
    return sorted(f"{module}.{name}" for name in names for module in modules[name])


def main():
    if sys.argv[1:] == ["write"]:
        LIST.write_text(HEAD + "".join(f"{name}\n" for name in theorems()))
        return
    if len(sys.argv) not in (2, 3) or sys.argv[1] != "check":
        sys.exit(__doc__)
    kept = [line for line in LIST.read_text().splitlines() if not line.startswith("#")]
    if kept != theorems():
        different = ", ".join(sorted(set(kept) ^ set(theorems())))
        sys.exit(f"proofs/theorems.txt: differs from the pages in {different}; run 'scripts/proof_theorems.py write'")
    if len(sys.argv) == 3:
        modules = " ".join(sorted({name.split(".")[0] for name in kept}))
        printed = "".join(f"Print Assumptions {name}.\n" for name in kept)
        Path(sys.argv[2]).write_text(f"From Phutball Require {modules}.\n{printed}")


main()
