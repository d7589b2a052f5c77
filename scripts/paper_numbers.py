#!/usr/bin/env python3
"""Every number of docs/paper/paper.tex, from what phutbase prints: writes docs/paper/numbers.tex.

    paper_numbers.py [--check]         PHUTBASE=path/to/phutbase takes another program than target/release/phutbase

--check writes nothing and exits with 1 if the file is not what would be written. It takes some twenty seconds. Few numbers are not printed by
a quick run; these are read off the pages that hold them, docs/PROOF.md, docs/THEORY.md and the atlas, and held against the tables where these are shipped.
"""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
FILE = ROOT / "docs/paper/numbers.tex"
STRIPS = (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 40, 48, 56, 64, 72, 80, 88, 96, 112, 128)
LEVELS = (21, 22, 28, 32, 40, 43, 44, 48, 56, 64, 65, 66, 72, 80, 88, 96, 112, 128)
CHECKED = (24, 32, 40, 48, 64, 72)


def lines_of(*arguments, code=0):
    environment = {**os.environ, "PHUTBASE_TABLES": str(ROOT / "tables")}
    run = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if run.returncode != code:
        sys.exit("paper_numbers.py: phutbase %s: %s" % (" ".join(arguments), run.stderr))
    return run.stdout.splitlines()


def phutbase(*arguments, code=0):
    return [json.loads(line) for line in lines_of(*arguments, "--json", code=code)]


def page(name):
    return (ROOT / name).read_text()


def found(pattern, text):
    """The groups of the one match that there must be."""
    match = re.search(pattern, text, re.S)
    if match is None:
        sys.exit("paper_numbers.py: nothing fits %r" % pattern)
    return match.groups()


def grouped(number):
    return "{:,}".format(int(number)).replace(",", "\\,")


def short(number):
    """A large number by its first four digits."""
    number = int(number)
    if number < 10**12:
        return grouped(number)
    exponent = len(str(number)) - 1
    return "$%.3f\\cdot10^{%d}$" % (number / 10**exponent, exponent)


def strip(position):
    return "\\strip{%s}" % position.split()[0]


def rows(lines):
    return "\n".join(" & ".join(map(str, line)) + " \\\\" for line in lines)


def plot(points):
    return " ".join("(%s,%s)" % point for point in points)


def of_strips(out):
    best = {int(line["boards"]): line for line in phutbase("stats") if line["game"] == "strip"}
    assert all(int(line["draws"]) == 0 for line in best.values())
    out["rowsCounts"] = rows(
        [n, short(best[n]["positions"]), short(best[n]["wins"]), short(best[n]["losses"]), best[n]["longest"] or "--"]
        for n in STRIPS
    )
    shipped = sorted(best)
    assert shipped == list(range(3, shipped[-1] + 1))
    out["longestShipped"] = shipped[-1]
    out["positionsLongest"] = short(best[shipped[-1]]["positions"])
    out["bytesLongest"] = grouped(best[shipped[-1]]["bytes"])
    out["depthsTo"] = max(n for n in best if best[n]["longest"])
    (deepest,) = phutbase("stats", str(out["depthsTo"]))
    out["longestGame"], out["longestGameBoard"] = deepest["longest"], strip(deepest["longest_win_example"])
    out["depthBytes"] = grouped(deepest["bytes"])
    out["plotRatio"] = plot(
        (n, "%.5f" % Fraction(int(best[n]["wins"]), int(best[n]["losses"]))) for n in shipped if n >= 5
    )
    out["ratioLast"] = "%.4f" % Fraction(int(best[shipped[-1]]["wins"]), int(best[shipped[-1]]["losses"]))
    out["plotLongest"] = plot((n, best[n]["longest"]) for n in shipped if best[n]["longest"])
    depths = phutbase("stats", "24")[0]["depths"]
    out["plotDepthsWins"] = plot((d, c) for d, c in depths.items() if int(d) % 2)
    out["plotDepthsLosses"] = plot((d, c) for d, c in depths.items() if int(d) % 2 == 0)
    out["solvedTo"] = found(r"No position is a draw. \| (\d+) squares", page("docs/THEORY.md"))[0]
    assert all(line["holds"] for line in phutbase("theory", "tempo", "64"))


def of_levels(out):
    lines = {}
    for n in LEVELS:
        (lines[n],) = phutbase("theory", "forward", str(n), "--replay-length", "0")
    more = max(len(line["left_to_move"]) for line in lines.values())
    out["rowsLevels"] = rows(
        [n] + [short(c) for c in lines[n]["left_to_move"]] + ["0"] * (more - len(lines[n]["left_to_move"])) for n in LEVELS
    )
    first = {k: found(pattern, page("docs/PROOF.md")) for k, pattern in (
        ("One", r"One is first needed at (\d+) squares \(by (\w+) boards\)"),
        ("Two", r"two at (\d+)\s+\(by (\w+)\)"),
        ("Three", r"three at (\d+) \(by (\w+)\)"),
        ("Four", r"four at (\d+) \(by (\w+)\)"),
    )}
    for name, (length, boards) in first.items():
        out["first" + name], out["boards" + name] = length, boards
    # The first lengths are held against the program where their tables are shipped.
    for k, name in ((1, "One"), (2, "Two"), (3, "Three")):
        n = int(first[name][0])
        assert len(lines[n]["left_to_move"]) == k + 1 and len(lines[n - 1]["left_to_move"]) == k, n
    assert len(lines[96]["left_to_move"]) == 5 and len(lines[88]["left_to_move"]) == 4
    out["forwardEnough"] = int(first["One"][0]) - 1
    examples = lines[22]["examples"]
    out["rowsBackward"] = "\\\\\n".join(strip(example["position"]) for example in examples)
    (replayed,) = found(r"each player's strategy played out against every reply: ([\d, ]+) positions", page("docs/atlas/atlas.md"))
    out["replayed"] = grouped(sum(int(number.replace(",", "")) for number in replayed.split(", ")))


def of_potentials(out):
    generalized = phutbase("theory", "generalized", "3..30")
    wrong = [line for line in generalized if line["mismatches"]]
    out["generalizedFirst"], out["generalizedExact"] = wrong[0]["length"], wrong[0]["length"] - 1
    out["generalizedFirstCount"], out["generalizedFirstOf"] = wrong[0]["mismatches"], grouped(wrong[0]["positions"])
    out["generalizedBoard"] = strip(wrong[0]["predicted_loss_examples"][0])
    out["plotMismatches"] = plot(
        (line["length"], "%.6f" % (100 * Fraction(line["mismatches"], line["positions"]))) for line in wrong
    )
    out["generalizedLast"] = generalized[-1]["length"]
    out["generalizedLastShare"] = "%.2f" % (100 * Fraction(generalized[-1]["mismatches"], generalized[-1]["positions"]))
    out["causesAt"] = 16
    causes = next(line for line in generalized if line["length"] == out["causesAt"])["causes"]
    out["rowsCauses"] = rows(
        ["predicted %s" % ("win" if "win:" in c["cause"] else "loss"), strip(c["own_begins"]),
         "%d : %d" % tuple(c["potentials"]), c["count"]]
        for c in causes if c["own_begins"]
    )
    out["inherited"] = grouped(sum(c["count"] for c in causes if not c["own_begins"]))
    monotonicity = phutbase("theory", "monotonicity", "3..12")
    line = next(line for line in monotonicity if line["stone_hurts"]["examples"])
    other = next(line for line in monotonicity if line["deletion_hurts"]["examples"])
    out["hurtsFirst"], out["deletionFirst"] = line["length"], other["length"]
    (out["hurtsA"], out["hurtsB"]), (_, out["hurtsC"]) = (
        map(strip, line["stone_hurts"]["examples"][0]), map(strip, other["deletion_hurts"]["examples"][0]))
    potential = phutbase("theory", "potential", "3..32")
    largest = {line["length"]: line["largest"] for line in potential if line["kind"] == "length"}
    lengths = (4, 8, 12, 16, 20, 24, 28, 32)
    out["rowsKappa"] = "$N$ & %s \\\\\n\\midrule\nlargest & %s \\\\" % (
        " & ".join(map(str, lengths)), " & ".join(str(largest[n]) for n in lengths))
    summary = potential[-1]
    out["firstCycle"] = summary["first_cycle"]
    out["oneNumberEnough"] = summary["first_cycle"] - 1
    states = [line for line in potential if line["kind"] == "half"][-1]
    out["automatonFor"] = summary["max_length"]
    out["automatonHalf"], out["automatonStates"] = states["half_length"], ", ".join(map(str, states["states"][:16]))
    (out["kappaTo"],) = found(r"strips of all lengths 3 to (\d+), such that", page("docs/THEORY.md"))
    held, broken = found(r"The chain property, for every pair of lengths of halves\. \| (\d+) squares; \*refuted\* at (\d+)", page("docs/THEORY.md"))
    out["chainHolds"], out["chainBreaks"] = held, broken
    assert all(line["holds"] for line in phutbase("theory", "chain", "3..%s" % held))
    (line,) = phutbase("theory", "chain", broken, code=1)  # it says that the chain breaks
    assert not line["holds"]
    boards = re.findall(r"^([.o@]{%s}) +(Left|Right) wins" % broken, page("docs/THEORY.md"), re.M)
    assert [winner for _, winner in boards] == ["Left", "Left", "Right", "Right"]
    for name, (board, winner) in zip("ABCD", boards):
        assert phutbase("probe", board)[0]["value"] == ("win" if winner == "Left" else "loss"), board
        out["chain" + name] = strip(board)


def of_others(out):
    small = phutbase("theory", "oddish", "oddish:2..14", "--solved-squares", "14")
    (large,) = phutbase("theory", "oddish", "oddish:120", "--solved-squares", "0")
    assert all(line["mismatches"] == 0 and line["draws"] == 0 for line in small + [large])
    out["oddishSolved"], out["oddishTo"], out["oddishNodes"] = small[-1]["squares"], large["squares"], grouped(large["nodes"])
    pitches = [line.split("\t") for line in page("src/report/pitches.tsv").splitlines() if not line.startswith("#")]
    drawn = [line for line in pitches if int(line[4])]
    out["pitches"] = len(pitches)
    out["pitchPoints"] = max(int(line[0]) * int(line[1]) for line in pitches)
    out["rowsPitches"] = rows(
        ["$%s\\times%s$" % (line[0], line[1]), *map(short, line[2:5]), line[5]]
        for line in sorted(drawn, key=lambda line: (int(line[0]) * int(line[1]), int(line[1])))[:8]
    )
    smallest = min(drawn, key=lambda line: int(line[0]) * int(line[1]))
    out["smallestDrawn"], out["smallestDraws"] = "$%s\\times%s$" % (smallest[0], smallest[1]), smallest[4]
    (line,) = phutbase("stats", "%sx%s" % (smallest[0], smallest[1]))
    assert str(line["draws"]) == smallest[4]
    out["smallestPositions"], out["smallestLongest"] = grouped(line["positions"]), line["longest"]


def of_proofs(out):
    sources = {path.name: path.read_text() for path in sorted((ROOT / "proofs").glob("*.v"))}
    out["coqLines"] = grouped(sum(text.count("\n") for text in sources.values()))
    out["coqRules"] = sources["Rules.v"].count("\n")
    out["coqTheorems"] = sum(len(re.findall(r"^(?:Theorem|Lemma|Corollary) ", text, re.M)) for text in sources.values())
    out["driverLines"] = page("proofs/driver.ml").count("\n")
    table = page("docs/PROOF.md")
    script = page("scripts/check_proofs.sh")
    out["kernelTo"] = found(r"'no draw on 3 to (\d+) squares' is a theorem", script)[0]
    out["extractedLast"] = CHECKED[-1]
    (seconds,) = found(r"\| extracted +\|([^\n]+)\|\n", table)
    (kernel,) = found(r"\| in Coq +\|([^\n]+)\|\n", table)
    lines = []
    for n, checked, evaluated in zip(CHECKED, seconds.split("|"), kernel.split("|")):
        text = lines_of("export", str(n), "--proof")
        levels = int(text[1].split()[1])
        lines.append([n, levels, grouped(len(text) - 2 - levels), evaluated.strip() or "--", checked.strip()])
    out["rowsChecker"] = rows(lines)


def main():
    out = {}
    for part in (of_strips, of_levels, of_potentials, of_others, of_proofs):
        part(out)
    text = "% Written by scripts/paper_numbers.py from what phutbase prints.\n"
    text += "".join("\\newcommand{\\%s}{%s}\n" % (name, value) for name, value in out.items())
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or FILE.read_text() != text:
            sys.exit("paper_numbers.py: %s is not what the program says: run scripts/paper_numbers.py" % FILE.relative_to(ROOT))
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main()
