#!/usr/bin/env python3
"""Writes the numbers of the paper, computed with phutbase, to docs/paper/numbers.tex. Takes 30 s.

    paper_numbers.py [--check]         PHUTBASE: the program [default: target/release/phutbase]

--check writes nothing and exits with 1 if the file is out of date. Numbers that take long to
compute are copied from PROOF, THEORY, BENCHMARKS and the atlas, and compared with the tables.
"""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from math import log
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
FILE = ROOT / "docs/paper/numbers.tex"
STRIPS = (4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128)
LEVELS = (21, 22, 43, 44, 65, 66, 80, 96, 112, 128)
CHECKED = (24, 32, 40, 48, 64, 80, 96, 112, 128)


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
    """Returns the groups of the first match; exits if there is none."""
    match = re.search(pattern, text, re.S)
    if match is None:
        sys.exit("paper_numbers.py: no match for %r" % pattern)
    return match.groups()


def grouped(number):
    return "{:,}".format(int(number)).replace(",", "\\,")


def short(number):
    """Formats a large number with four digits."""
    number = int(number)
    if number < 10**9:
        return grouped(number)
    exponent = len(str(number)) - 1
    return "$%.3f\\cdot10^{%d}$" % (number / 10**exponent, exponent)


def length(line):
    """The number of squares of the boards that a line is about."""
    return int(line["boards"].removeprefix("oddish:"))


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
    out["solvedTo"] = found(r"No position is a draw. \| (\d+) squares", page("docs/THEORY.md"))[0]
    out["firstDraw"] = int(out["solvedTo"]) + 1
    out["candidates"], out["candidatesAt"] = found(r"satisfy this, ([\d.]+) of 100,000 at (\d+)\s+squares", page("docs/THEORY.md"))
    out["decidedFar"] = found(r"\| 1,000 \| ([\d.]+) % \|", page("docs/THEORY.md"))[0]
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
        ("One", r"One\s+is\s+first\s+needed\s+at\s+(\d+)\s+squares\s+\(by\s+(\w+)\s+boards\)"),
        ("Two", r"two\s+at\s+(\d+)\s+\(by\s+(\w+)\)"),
        ("Three", r"three\s+at\s+(\d+)\s+\(by\s+(\w+)\)"),
        ("Four", r"four\s+at\s+(\d+)\s+\(by\s+(\w+)\)"),
        ("Five", r"five\s+at\s+(\d+)\s+\(by\s+(\w+)\)"),
    )}
    for name, (length, boards) in first.items():
        out["first" + name], out["boards" + name] = length, boards
    # Compare with the shipped tables.
    for k, name in ((1, "One"), (2, "Two"), (3, "Three")):
        n = int(first[name][0])
        assert len(lines[n]["left_to_move"]) == k + 1 and len(lines[n - 1]["left_to_move"]) == k, n
    assert [len(lines[n]["left_to_move"]) for n in (80, 96, 112, 128)] == [4, 5, 5, 6]
    out["forwardEnough"] = int(first["One"][0]) - 1
    examples = lines[22]["examples"]
    out["rowsBackward"] = "\\\\\n".join(strip(example["position"]) for example in examples)
    (replayed,) = found(r"each player's strategy played out against every reply: ([\d, ]+) positions", page("docs/atlas/atlas.md"))
    out["replayed"] = grouped(sum(int(number.replace(",", "")) for number in replayed.split(", ")))


def of_potentials(out):
    generalized = phutbase("theory", "generalized", "3..30")
    wrong = [line for line in generalized if line["mismatches"]]
    out["generalizedFirst"], out["generalizedExact"] = length(wrong[0]), length(wrong[0]) - 1
    out["generalizedFirstCount"], out["generalizedFirstOf"] = wrong[0]["mismatches"], grouped(wrong[0]["positions"])
    out["generalizedBoard"] = strip(wrong[0]["predicted_loss_examples"][0])
    out["plotMismatches"] = plot(
        (length(line), "%.6f" % (100 * Fraction(line["mismatches"], line["positions"]))) for line in wrong
    )
    out["generalizedLast"] = length(generalized[-1])
    out["generalizedLastShare"] = "%.2f" % (100 * Fraction(generalized[-1]["mismatches"], generalized[-1]["positions"]))
    monotonicity = phutbase("theory", "monotonicity", "3..12")
    line = next(line for line in monotonicity if line["stone_hurts"]["examples"])
    other = next(line for line in monotonicity if line["deletion_hurts"]["examples"])
    assert length(line) == length(other)
    out["hurtsFirst"] = length(line)
    (out["hurtsA"], out["hurtsB"]), (_, out["hurtsC"]) = (
        map(strip, line["stone_hurts"]["examples"][0]), map(strip, other["deletion_hurts"]["examples"][0]))
    potential = phutbase("theory", "potential", "3..32")
    largest = {length(line): line["largest"] for line in potential if line["kind"] == "length"}
    lengths = (4, 8, 12, 16, 20, 24, 28, 32)
    out["rowsKappa"] = "$N$ & %s \\\\\n\\midrule\nlargest & %s \\\\" % (
        " & ".join(map(str, lengths)), " & ".join(str(largest[n]) for n in lengths))
    summary = potential[-1]
    out["firstCycle"] = summary["first_cycle"]
    out["oneNumberEnough"] = summary["first_cycle"] - 1
    (out["kappaTo"],) = found(r"One exact potential[^|]+\| (\d+) squares", page("docs/THEORY.md"))
    (held,) = found(r"The chain property, for every pair of lengths of halves\. \| (\d+) squares", page("docs/THEORY.md"))
    (broken,) = found(r"The chain property; and with it[^|]+\| every n ≥ (\d+)", page("docs/THEORY.md"))
    out["chainHolds"], out["chainBreaks"] = held, broken
    assert all(line["holds"] for line in phutbase("theory", "chain", "3..%s" % held))
    (line,) = phutbase("theory", "chain", broken, code=1)  # reports that the chain breaks
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
    out["oddishSolved"], out["oddishTo"], out["oddishNodes"] = length(small[-1]), length(large), grouped(large["nodes"])
    pitches = [line.split("\t") for line in page("src/report/pitches.tsv").splitlines() if not line.startswith("#")]
    drawn = [line for line in pitches if int(line[4])]
    out["pitches"] = len(pitches)
    out["pitchPoints"] = max(int(line[0]) * int(line[1]) for line in pitches)
    smallest = min(drawn, key=lambda line: int(line[0]) * int(line[1]))
    out["smallestDrawn"], out["smallestDraws"] = "$%s\\times%s$" % (smallest[0], smallest[1]), smallest[4]
    (line,) = phutbase("stats", "%sx%s" % (smallest[0], smallest[1]))
    assert str(line["draws"]) == smallest[4]
    out["smallestPositions"] = grouped(line["positions"])


def size_of_proof(n):
    """Returns the numbers of levels and nodes of the proof of a length."""
    text = lines_of("export", str(n), "--proof")
    levels = int(text[1].split()[1])
    return levels, int(text[2].split()[1])


def of_proofs(out):
    sources = {path.name: path.read_text() for path in sorted((ROOT / "proofs").glob("*.v"))}
    out["coqLines"] = grouped(sum(text.count("\n") for text in sources.values()))
    out["coqRules"] = sources["Rules.v"].count("\n")
    out["coqTheorems"] = sum(len(re.findall(r"^(?:Theorem|Lemma|Corollary) ", text, re.M)) for text in sources.values())
    out["driverLines"] = sum(page("proofs/" + name).count("\n") for name in ("arrays.ml", "driver.ml"))
    table = page("docs/PROOF.md")
    out["kernelTo"] = found(r'"no draw on 3 to (\d+) squares" is a theorem', table)[0]
    out["extractedLast"] = CHECKED[-1]
    (seconds,) = found(r"\| extracted +\|([^\n]+)\|\n", table)
    (kernel,) = found(r"\| in Coq +\|([^\n]+)\|\n", table)
    lines = []
    for n, checked, evaluated in zip(CHECKED, seconds.split("|"), kernel.split("|")):
        levels, nodes = size_of_proof(n)
        lines.append([n, levels, grouped(nodes), evaluated.strip() or "--", checked.strip()])
    out["rowsChecker"] = rows(lines)


def of_directional(out):
    *_, facts = phutbase("theory", "directional", "3..9")
    out["factStates"], out["factPairs"] = grouped(facts["states"]), grouped(facts["pairs"])
    out["limitDirectional"] = "%.9f" % facts["limit"]
    (out["limitOrdinary"],) = found(r"estimates the limit of wins / 2\^\(n−1\) per square as ([\d.]+)", page("docs/THEORY.md"))
    source = page("src/games/directional/automaton.rs")
    turns = re.findall(r"\((\w+), (true|false)\)(?: if (.+?))? => \((\w+), (-?\d), (.+?)\),", source)
    values = re.findall(r"^ +([\w |]+?)(?: if (.+?))? => (-?\d),", source, re.M)
    lines = []
    for control in dict.fromkeys(turn[0] for turn in turns):
        cells = [[(value, condition) for names, condition, value in values if control in names.split(" | ")]]
        for stone in ("false", "true"):
            cells.append([
                (control_of(to) + "^{%s%s}" % (more.replace("0", ""), {"0": "", "i": "*", "i + 1": "+"}[i]), condition)
                for before, symbol, condition, to, more, i in turns if (before, symbol) == (control, stone)])
        lines.append(["$%s$" % control_of(control)] + [alternatives(cell) for cell in cells])
    half = (len(lines) - 1) // 2
    out["rowsAutomaton"], out["rowsAutomatonMore"] = rows(lines[:half]), rows(lines[half:])


def alternatives(cell):
    """Formats entries with their conditions; drops those equal to the last one."""
    cell = [(what, condition) for place, (what, condition) in enumerate(cell) if not condition or what != cell[-1][0] or place == len(cell) - 1]
    signs = {" == ": "{=}", " != ": "{\\ne}", " > ": "{>}", " - ": "{-}", " && ": ","}
    for sign, sign_in_tex in signs.items():
        cell = [(what, condition.replace(sign, sign_in_tex)) for what, condition in cell]
    return "; ".join("\\mbox{$%s$}" % (what + ("\\,[%s]" % condition if condition else "")) for what, condition in cell)


def control_of(name):
    """Formats a control: its word, and the number of empty squares modulo 4."""
    word = name[:-1].replace("S", "o").replace("D", ".")
    return "\\ctl{%s}{%s}" % ("$\\varepsilon$" if word == "E" else word, name[-1])


def of_runs(out):
    theory, benchmarks = page("docs/THEORY.md"), page("docs/BENCHMARKS.md")
    (table,) = found(r"accepted by \|\n\|[-:|]+\n(.*?)\n<!--", theory)
    names = {"`verify --by-enumeration`": "enumeration", "Coq's kernel": "Coq",
             "the checker extracted from Coq": "extracted", "`verify`": "verify"}
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    out["rowsCovered"] = rows(
        [squares, tex(positions), longest or "--", levels, ", ".join(names[name] for name in by.split(", "))]
        for squares, positions, longest, levels, by in lines
    )
    out["enumerated"] = found(r"\| 3 to (\d+) \|", theory)[0]
    section = found(r"## Who wins on strips\n(.*?)\n## ", benchmarks)[0]
    cell = r" ([^|]+) \|"
    out["rowsCost"] = table_of(r"^\| (\d+) \| [^|]+ \|" + 5 * cell, section)
    out["ablationSquares"] = found(r"levels of (\d+) squares without one\s+idea", section)[0]
    out["rowsAblation"] = table_of(r"^\| ([a-z][^|]+) \| ([\d,]+) \| ([\d,]+) \|", section)
    out["mainMinutes"], out["mainMemory"] = found(r"128 in\s+(\d+)\s+minutes\s+and\s+([\d.]+\s+GB)", section)
    out["verifyMinutes"], out["verifyMemory"] = found(r"`verify 128` took (\d+) minutes and ([\d.]+ GB)", section)
    out["cuddSquares"] = found(r"check_with_cudd.py`\s+needs\s+\d+\s+s\s+for\s+(\d+)\s+squares", section)[0]
    out["depthSeconds"], out["depthMemory"] = found(r"\| 36 \| [^|]+ \| ([\d.]+) s \| (\d+ MiB) \|", benchmarks)
    level = found(r"\| (40) \| [^|]+ \| ([\d.]+) s \| (\d+ MiB) \|", section)
    out["levelSquares"], out["levelSeconds"], out["levelMemory"] = level
    far = out["longestShipped"]
    (_, short_nodes), (_, far_nodes) = size_of_proof(64), size_of_proof(far)
    out["nodesShort"], out["nodesLong"] = grouped(short_nodes), grouped(far_nodes)
    out["nodesExponent"] = "%.1f" % (log(far_nodes / short_nodes) / log(far / 64))
    out["positionsGrowth"] = far - 63
    sums = (line.split() for line in page("tables/SHA256SUMS").splitlines())
    out["rowsSums"] = rows(["\\file{%s}" % name, "\\texttt{%s}" % digest] for digest, name in sums if name.startswith("strip"))


def table_of(pattern, text):
    """Formats the rows of a Markdown table that match."""
    return rows([tex(cell) for cell in line] for line in re.findall(pattern, text, re.M))


def tex(cell):
    """Formats a cell of a Markdown table."""
    cell = re.sub("·10([⁰¹²³⁴-⁹]+)", lambda power: "$\\cdot10^{%s}$" % power[1].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")), cell.strip())
    return re.sub(r"(?<=\d),(?=\d)", r"\\,", cell)


def main():
    out = {}
    for part in (of_strips, of_levels, of_potentials, of_directional, of_others, of_proofs, of_runs):
        part(out)
    text = "% Written by scripts/paper_numbers.py from what phutbase prints.\n"
    text += "".join("\\newcommand{\\%s}{%s}\n" % (name, value) for name, value in out.items())
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or FILE.read_text() != text:
            sys.exit("paper_numbers.py: %s is out of date: run scripts/paper_numbers.py" % FILE.relative_to(ROOT))
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main()
