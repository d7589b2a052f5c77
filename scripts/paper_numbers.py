#!/usr/bin/env python3
"""Writes the numbers of the paper, computed with phutbase and solution.py, to docs/paper/numbers.tex.
Takes a minute.

    paper_numbers.py [--check]         PHUTBASE: the program [default: target/release/phutbase]

--check writes nothing and exits with 1 if the file is out of date. The table of results comes from
docs/atlas/results.md. Numbers that take long to compute are in measured.json, each with the page that
states it: the page must contain the number, in whatever words. Tables of times are read from CHECKS
and BENCHMARKS, a line by its first cell.
"""

import functools
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import solution

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PHUTBASE", str(ROOT / "target/release/phutbase"))
FILE = ROOT / "docs/paper/numbers.tex"
STRIPS = (4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 136, 144)
SHARES = (16, 36, 64, 100, 144, 145, 200, 250)
EXAMPLES = ("o@o.o.o....", ".................o.oo.oo.oo@...o.oo......")
GENERATED = ("Automaton", "Certificate", "Symbols")
LEVELS = (21, 22, 43, 44, 65, 66, 80, 96, 112, 128, 136, 144)
WORDS = {3: "three", 9: "nine", 18: "eighteen"}


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


def measured(out):
    """Adds the numbers of measured.json, and checks that the pages state them."""
    for name, (value, where) in json.loads(page("scripts/measured.json")).items():
        words = r"\s+".join(map(re.escape, value.split()))
        if not re.search(r"(?<![\d.,])%s(?![\d]|[.,]\d)" % words, page(where)):
            sys.exit("paper_numbers.py: %s does not contain %s, which measured.json says of %s" % (where, value, name))
        out[name] = tex(value) if name.startswith("zones") else value


def tables_of(name):
    """Returns the Markdown tables of a page, each as a list of lines of cells without its heading."""
    for block in re.findall(r"(?:^\|.*\n)+", page(name), re.M):
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        yield [line for line in lines[:1] + lines[2:]]


def table_with(name, first):
    """Returns the table of a page that has a line with this first cell; exits if there is none."""
    for table in tables_of(name):
        if any(line[0] == first for line in table):
            return table
    sys.exit("paper_numbers.py: %s has no table with a line '%s'" % (name, first))


def line_of(name, first):
    """Returns the cells after the first one of a line of a table."""
    return next(line for line in table_with(name, first) if line[0] == first)[1:]


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


def results():
    """Returns the lines of the table of results."""
    (table,) = tables_of("docs/atlas/results.md")
    return table[1:]


def of_strips(out):
    counted = {int(line["boards"]): line for line in phutbase("stats", "3..%d" % SHARES[-1])}
    assert all(int(line["draws"]) == 0 for line in counted.values())
    best = {n: line for n, line in counted.items() if n <= LEVELS[-1]}
    out["rowsCounts"] = rows(
        [n, short(best[n]["positions"]), short(best[n]["wins"]), short(best[n]["losses"]), best[n].get("longest") or "--"]
        for n in STRIPS
    )
    lengths = sorted(best)
    assert lengths == list(range(3, LEVELS[-1] + 1))
    out["depthsTo"] = max(n for n in best if best[n].get("longest"))
    (deepest,) = phutbase("stats", str(out["depthsTo"]))
    out["longestGame"], out["longestGameBoard"] = deepest["longest"], strip(deepest["longest_win_example"])
    out["depthBytes"] = grouped(deepest["bytes"])
    out["plotRatio"] = plot(
        (n, "%.5f" % Fraction(int(best[n]["wins"]), int(best[n]["losses"]))) for n in lengths if n >= 5
    )
    out["ratioLast"] = "%.4f" % Fraction(int(best[lengths[-1]]["wins"]), int(best[lengths[-1]]["losses"]))
    out["plotLongest"] = plot((n, best[n]["longest"]) for n in lengths if best[n].get("longest"))
    known = re.fullmatch(r"(\d+) \(to (\d+)\)", results()[1][2])
    out["longestKnown"], out["longestKnownAt"] = known.groups()
    out["checkedTo"] = results()[-1][0].split()[-1]
    assert int(out["checkedTo"]) == lengths[-1]
    wins = {n: int(line["wins"]) for n, line in counted.items()}
    out["rowsShares"] = rows([n, short(wins[n]), "%.6f" % Fraction(wins[n], (n - 2) << (n - 1))] for n in SHARES)
    # The growth for each square falls towards its limit like a geometric sequence.
    far = out["countedTo"] = SHARES[-1]
    a, b, c = (Fraction(wins[n] - 2 * wins[n - 1], 1 << (n - 1)) for n in (far - 2, far - 1, far))
    out["growth"] = "%.9f" % c
    assert out["growth"] == "%.9f" % (c - (c - b) ** 2 / (c - 2 * b + a))
    out["positionsLongest"] = short(best[lengths[-1]]["positions"])
    out["bytesLongest"] = grouped((ROOT / ("tests/data/strip-%d-wdl.phut" % lengths[-1])).stat().st_size)


def of_levels(out):
    # The others are those of `theory forward N --replay-length 0 --json` with a table of levels of 144 squares,
    # which takes an hour to make.
    recorded = json.loads((ROOT / "scripts/levels.json").read_text())
    lines = {n: {"left_to_move": recorded[str(n)]} for n in LEVELS if str(n) in recorded}
    for n in LEVELS:
        if n not in lines:
            lines[n] = phutbase("theory", "forward", str(n), "--replay-length", "0")[0]
    more = max(len(line["left_to_move"]) for line in lines.values())
    out["rowsLevels"] = rows(
        [n] + [short(c) for c in lines[n]["left_to_move"]] + ["0"] * (more - len(lines[n]["left_to_move"])) for n in LEVELS
    )
    for k, name in enumerate(("One", "Two", "Three"), 1):
        first = int(out["first" + name])
        counts, before = lines[first]["left_to_move"], lines[first - 1]["left_to_move"]
        assert len(counts) == k + 1 and len(before) == k, first
        out["boards" + name] = WORDS[int(counts[k])]
    assert [len(lines[n]["left_to_move"]) for n in (80, 96, 112, 128, 136, 144)] == [4, 5, 5, 6, 6, 7]
    out["forwardEnough"] = int(out["firstOne"]) - 1
    examples = lines[int(out["firstOne"])]["examples"]
    out["rowsBackward"] = "\\\\\n".join(strip(example["position"]) for example in examples)
    out["boardsSix"] = tex(out["boardsSix"])
    out["replayed"] = grouped(sum(int(out.pop("replayed" + name).replace(",", "")) for name in "ABC"))


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


def of_two_numbers(out, solved):
    """Adds when two numbers for each half decide all strips, and four boards that refute longer ones."""
    lengths = solved.least_lengths(80)
    first = lambda one: next(n for n in range(4, 80) if solved.potentials(n, lengths, one) is None)
    out["firstCycle"], out["chainBreaks"] = first(True), first(False)
    out["oneNumberEnough"], out["kappaTo"] = out["firstCycle"] - 1, out["chainBreaks"] - 1
    squares = (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64)
    out["rowsKappa"] = "$N$ & %s \\\\\n\\midrule\nlargest & %s \\\\" % (
        " & ".join(map(str, squares)), " & ".join(str(solved.potentials(n, lengths)) for n in squares))
    stated = re.findall(r"^([.o]+)@([.o]+) +(Left|Right) wins$", page("docs/THEORY.md"), re.M)
    boards = [(g, h, winner) for g, h, winner in stated if len(g) + 1 + len(h) == out["chainBreaks"]]
    (a, b, _), (c, d, _) = boards[:2]
    assert boards == [(a, b, "Left"), (c, d, "Left"), (a, d, "Right"), (c, b, "Right")]
    assert len(a) == len(c) and len(b) == len(d)
    for name, (g, h, winner) in zip("ABCD", boards):
        assert phutbase("probe", g + "@" + h)[0]["value"] == ("win" if winner == "Left" else "loss")
        out["chain" + name] = strip(g + "@" + h)


# The tails of patterns; a pattern without its tail ends in an empty square or a block, or is empty.
TAILS = ("", "o", "oo", "oo.", "ooo", "oooo", "oo.o", "oo.oo", "oo.ooo", "oo.oooo")


def of_solution(out):
    """Adds the families of the automaton, and what the probabilities of values say."""
    solved = solution.Solution()
    of_two_numbers(out, solved)
    out["rowsFamilies"], out["rowsFamiliesMore"] = families(solved)
    opposing = list(solved.least_lengths(50))
    for a in range(32):
        state, other, slack = solved.replaced(a)
        assert (state == other) == (a >= 4 and a % 2 == 0) and (a < 28 or slack >= 4), a
        behind = [[solved.value(solved.state(z, word)) for word in (state, other)] for z in ("", "..") if a or z]
        assert state == other or any(solved.wins(g, h) != solved.wins(k, h) for g, k in behind for h in opposing), a
    # The values of the two potentials of a random half strip, read side by side.
    both = solution.stationary((solution.START, ("E0", 0, 0)), lambda state, letter: (
        solved.step(state[0], letter), directional_step(state[1], letter)))
    joint = solution.of_values(both, lambda state: (solved.value(state[0]), directional_value(state[1])))
    share = {(won, ahead): 0.0 for won in (False, True) for ahead in (False, True)}
    leads = dict.fromkeys(((lead, won) for lead in (0, -1) for won in (False, True)), 0.0)
    for (g, p), x in joint.items():
        for (h, q), y in joint.items():
            won = solved.wins(g, h)
            share[won, q <= p] += x * y
            if (g[0] - h[0], won) in leads:
                leads[g[0] - h[0], won] += x * y
    out["shareLimit"] = "%.12f" % (share[True, False] + share[True, True])
    assert out["shareLimit"].startswith(out["growth"][:-1])
    out["limitDirectional"] = "%.12f" % (share[False, True] + share[True, True])
    out["moverBehind"], out["otherBehind"] = ("%.2f" % (1e6 * share[part]) for part in ((True, False), (False, True)))
    out["winsTempoBehind"], out["lossesEqual"] = "%.2f" % (1e6 * leads[-1, True]), "%.2f" % (1e6 * leads[0, False])
    types = solution.of_values(joint, lambda value: value[0][1])
    kinds = sorted(types, key=types.get, reverse=True)
    cells = [("\\ty{%s}" % kind, scientific(types[kind])) for kind in kinds]
    out["rowsTypes"] = rows(first + second for first, second in zip(cells[:7], cells[7:]))
    potentials = solution.of_values(joint, lambda value: value[0][0])
    out["rowsPotentials"] = rows((P, scientific(potentials[P])) for P in range(8))
    out["potentialRatio"] = "%.4f" % (potentials[12] / potentials[11])


def scientific(share):
    """Formats a probability with three digits."""
    if share >= 0.001:
        return "$%#.3g$" % share
    return "$%s\\cdot10^{%d}$" % (("%.2e" % share)[:4], int(("%.2e" % share)[5:]))


def families(solved):
    """Returns two halves of the table of families: rows are patterns without their tails, columns are tails."""
    lines = {}
    for family in solved.least:
        r, pattern = family.split(":")
        tail = max((tail for tail in TAILS if pattern.endswith(tail) and pattern[: len(pattern) - len(tail)][-1:] in ("", ".", "#")), key=len)
        constant, kind = solved.constant[family], solved.kind[family]
        number, kind_number = constant[-1][1], kind[-1][1]
        letter = solution.TYPES[kind_number] + ("^*" if len(kind) > 1 else "")
        value = "$%d\\,\\ty{%s}%s$" % (number + (kind_number in solution.RAISED), letter[0], letter[1:])
        lines.setdefault((pattern[: len(pattern) - len(tail)], r), {})[tail] = value
    ordered = sorted(lines, key=lambda line: (len(line[0].replace("#", "oo..")), line))
    # The macro draws a block for a b.
    text = [[r, "\\halfword{%s}" % stem.replace("#", "b") if stem else "--"] + [lines[stem, r].get(tail, "") for tail in TAILS]
            for stem, r in ordered]
    assert sum(map(len, lines.values())) == len(solved.least)
    half = (len(text) + 1) // 2
    return rows(text[:half]), rows(text[half:])


def of_others(out):
    small = phutbase("theory", "oddish", "oddish:2..16", "--solved-squares", "16")
    (large,) = phutbase("theory", "oddish", "oddish:120", "--solved-squares", "0")
    assert all(line["mismatches"] == 0 and line["draws"] == 0 for line in small + [large])
    out["oddishSolved"], out["oddishTo"], out["oddishNodes"] = length(small[-1]), length(large), grouped(large["nodes"])
    pitches = [line.split("\t") for line in page("crates/atlas/src/pitches.tsv").splitlines() if not line.startswith("#")]
    drawn = [line for line in pitches if int(line[4])]
    out["pitches"] = len(pitches)
    out["pitchPoints"] = max(int(line[0]) * int(line[1]) for line in pitches)
    smallest = min(drawn, key=lambda line: int(line[0]) * int(line[1]))
    out["smallestDrawn"], out["smallestDraws"] = "$%s\\times%s$" % (smallest[0], smallest[1]), smallest[4]
    (line,) = phutbase("stats", "%sx%s" % (smallest[0], smallest[1]))
    assert str(line["draws"]) == smallest[4]
    out["smallestPositions"] = grouped(line["positions"])


def needed(name, found):
    """Adds a file of the proofs, and those that it requires, to a set."""
    if name not in found:
        found.add(name)
        for line in re.findall(r"^From Phutball Require (?:Import |Export )?([^.]+)\.", page("proofs/%s.v" % name), re.M):
            for other in line.split():
                needed(other, found)
    return found


def of_proofs(out):
    """Adds the sizes of the proof of Theorem R: the files that RuleSolved.v requires, with itself."""
    sources = {name: page("proofs/%s.v" % name) for name in sorted(needed("RuleSolved", set()))}
    out["coqFiles"] = len(sources)
    lines = {name: text.count("\n") for name, text in sources.items()}
    out["coqLines"] = grouped(round(sum(lines.values()), -2))
    out["coqData"] = grouped(round(sum(lines[name] for name in GENERATED), -2))
    solution = [line.split()[0] for line in page("crates/solution/solution.txt").splitlines()]
    out["families"], out["steps"] = solution.count("F"), solution.count("S")
    out["stoneObjects"] = page("proofs/stones.txt").count("\n")
    out["coqGame"], out["coqRule"] = lines["Rules"], round(lines["Rule"], -1)


def of_examples(out):
    """Adds two boards that the rule decides, square by square."""
    for name, board in zip(("One", "Two"), EXAMPLES):
        (answer,) = phutbase("probe", board, "--explain")
        assert answer["value"] == "win"
        explanation, halves = answer["explanation"], answer["reason"]
        for side in ("left", "right"):
            out["example" + name + side.capitalize()] = rows(steps(explanation[side]["steps"]))
        behind, ahead = halves["left"], halves["right"]
        corrections = explanation["comparison"]
        out["example%sBoard" % name] = "\\strip{%s}" % board
        out["example%sComparison" % name] = "$8\\cdot%d%+d\\ge8\\cdot%d%+d$" % (
            behind["potential"], corrections["behind"] - 8 * behind["potential"],
            ahead["potential"], corrections["ahead"] - 8 * ahead["potential"])
    (turn,) = (turn for turn in answer["turns"] if turn["value"] == "win")
    out["exampleTwoJump"] = EXAMPLES[1].index("@") - int(turn["move"].removeprefix("@"))


def steps(read):
    """Returns the lines of a half strip: a run of empty squares at the goal line is one line."""
    first = max(next(place for place, step in enumerate(read) if step["square"] == "o"), 1)
    yield ["$\\strip{.}^{%d}$" % first if first > 1 else "\\strip{%s}" % read[0]["square"], *value_of(read[first - 1])]
    for step in read[first:]:
        yield ["\\strip{%s}" % step["square"], *value_of(step)]


def value_of(step):
    """Formats the names of a word with the rules that change them, and its value."""
    names = []
    for name in step["names"]:
        head, *tail, number = name["name"].split()
        head = re.sub(r"^([A-Z])(\*|_\S*?)?('?)$", lambda part: part[1] + (part[2] or "").replace("*", "^*") + part[3], head)
        rule = "\\,(%d)" % name["rule"] if name["rule"] else ""
        names.append("$%s\\,%s%s$%s" % (head, "".join("\\strip{%s}\\," % word for word in tail), number, rule))
    return "${}=$ ".join(names), "$%d$\\,\\ty{%s}" % (step["potential"], step["type"])


def directional_tables():
    """Returns the steps and the values of the directional automaton, with their conditions."""
    source = page("crates/solution/src/directional/automaton.rs")
    turns = re.findall(r"\((\w+), (true|false)\)(?: if (.+?))? => \((\w+), (-?\d), (.+?)\),", source)
    values = re.findall(r"^ +([\w |]+?)(?: if (.+?))? => (-?\d),", source, re.M)
    return turns, values


TURNS, VALUES = directional_tables()


def holds(condition, k, i):
    return not condition or eval(condition.replace("&&", " and "), {"k": k, "i": i})


@functools.cache
def directional_step(state, square):
    control, k, i = state
    symbol = "true" if square == "o" else "false"
    to, more, again = next((to, more, again) for before, stone, condition, to, more, again in TURNS
                           if (before, stone) == (control, symbol) and holds(condition, k, i))
    return to, k + int(more), eval(again, {"i": i})


@functools.cache
def directional_value(state):
    control, k, i = state
    return k + next(int(value) for names, condition, value in VALUES if control in names.split(" | ") and holds(condition, k, i))


def of_directional(out):
    turns, values = TURNS, VALUES
    lines = []
    for control in dict.fromkeys(turn[0] for turn in turns):
        cells = [[(value, condition) for names, condition, value in values if control in names.split(" | ")]]
        for stone in ("false", "true"):
            cells.append([
                (control_of(to) + "^{%s%s}" % (more.replace("0", ""), {"0": "", "i": "*", "i + 1": "+"}[i]), condition)
                for before, symbol, condition, to, more, i in turns if (before, symbol) == (control, stone)])
        lines.append(["$%s$" % control_of(control)] + [alternatives(cell) for cell in cells])
    out["exampleAutomaton"] = traced("....oo.")
    half = (len(lines) - 1) // 2
    out["rowsAutomaton"], out["rowsAutomatonMore"] = rows(lines[:half]), rows(lines[half:])


def traced(half):
    """Describes in a sentence how the automaton reads a half strip from its goal line."""
    state, states = ("E0", 0, 0), []
    for square in half:
        state = directional_step(state, square)
        control, k, i = state
        states.append("$%s$ with $k=%d$" % (control_of(control), k) + (", $i=%d$" % i if i else ""))
    p = directional_value(state)
    (answer,) = phutbase("probe", half + "@.", "--rules", "directional")
    assert answer["potentials"][0] == p, (answer, p)
    return "The states after its squares are %s and %s, so $p=%d%+d=%d$." % (
        "; ".join(states[:-1]), states[-1], k, p - k, p)


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
    names = {"`verify --by-enumeration`": "enumeration", "`verify`": "verify"}
    out["rowsCovered"] = rows(
        [squares, tex(positions), longest or "--", levels, ", ".join(names[name] for name in by.split(", ") if name in names)]
        for squares, positions, longest, levels, by in results()
    )
    out["enumerated"] = results()[0][0].split()[-1]
    costs = table_with("docs/BENCHMARKS.md", "96")[1:]
    out["rowsCost"] = rows([tex(cell) for cell in line[:1] + line[2:]] for line in costs)
    seconds, memory = line_of("docs/BENCHMARKS.md", str(out["depthsTo"]))[1:3]
    out["depthSeconds"], out["depthMemory"] = seconds.removesuffix(" s"), memory
    sums = (line.split() for line in page("tables/SHA256SUMS").splitlines())
    out["rowsSums"] = rows(["\\file{%s}" % name, "\\texttt{%s}" % digest] for digest, name in sums if name.startswith("strip"))


def tex(cell):
    """Formats a cell of a Markdown table."""
    cell = re.sub("·10([⁰¹²³⁴-⁹]+)", lambda power: "$\\cdot10^{%s}$" % power[1].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")), cell.strip())
    return re.sub(r"(?<=\d),(?=\d)", r"\\,", cell)


def main():
    out = {}
    for part in (measured, of_strips, of_levels, of_potentials, of_solution, of_examples, of_directional, of_others, of_proofs, of_runs):
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
