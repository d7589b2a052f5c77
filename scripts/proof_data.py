#!/usr/bin/env python3
"""Writes the generated files of proofs/, or checks that they are up to date.

    scripts/proof_data.py write|check [DIRECTORY]      [default: proofs]

Automaton.v    from crates/solution/solution.txt: a decision tree for each family of states, whose leaves
               are cells; the moves, constant and type of each cell; and the two tables of winners.
Certificate.v  from proofs/stones.txt: the claims about words with one more stone, with all bounds that
               follow from those of the text.
Symbols.v      from proofs/Rule.v: the same definitions over expressions in place of integers.

Exit code 0 on success, 1 if a file differs.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNBOUNDED = 1 << 60


class Solution:
    """The automaton of solution.txt; the first lines of that file have the format."""

    def __init__(self, text):
        self.least, self.constants, self.types, self.steps = {}, {}, {}, {}
        self.winners = {0: [], -1: []}
        for line in text.splitlines():
            fields = line.split()
            if fields[0] == "F":
                constant, kind = " ".join(fields[3:])[2:].split(" type ")
                self.least[fields[1]] = int(fields[2])
                self.constants[fields[1]], self.types[fields[1]] = cases(constant), cases(kind)
            elif fields[0] == "S":
                at = fields.index(":")
                guards = [] if fields[3] == "-" else [guard(text) for text in fields[3:at]]
                step = (guards, fields[at + 1], int(fields[at + 2]), [block(text) for text in fields[at + 3 :]])
                self.steps.setdefault((fields[1], fields[2]), []).append(step)
            elif fields[0] == "M":
                self.winners[int(fields[1])].append(fields[3])
        self.numbers = {family: number for number, family in enumerate(self.least, 1)}


def guard(text):
    """Returns a counter and its bounds."""
    counter, relation, low, high = re.fullmatch(r"(s|b\d)(=|>=|<=)(\d+)(?:\.\.(\d+))?", text).groups()
    low, high = int(low), int(high or low)
    return {">=": (counter, low, UNBOUNDED), "<=": (counter, 0, high), "=": (counter, low, high)}[relation]


def cases(text):
    """Returns guards and values; the guard of a single value is None."""
    if ":" not in text:
        return [(None, int(text))]
    return [(guard(case.split(":")[0]), int(case.split(":")[1])) for case in text.split()]


def block(text):
    """Returns the counters that a new one adds, and a constant."""
    rest = re.sub(r"b\d(\+b\d)?", "", text)
    return re.findall(r"b\d", text), int(rest or 0)


class Cells:
    """The decision trees and cells. The proofs count with K, the last block X, and the sum of the blocks Y."""

    def __init__(self, solution):
        self.solution = solution
        self.cells = []
        self.trees = [self.tree(family) for family in solution.least]

    def tree(self, family):
        counters = ["s", "b0", "b1"][: family.count("#") + 1]
        cuts = {"s": {0}, "b0": {1, 2}, "b1": {1, 2}}
        for counter, low, high in self.guards(family):
            if low > 0:
                cuts[counter].add(low)
            if high < UNBOUNDED:
                cuts[counter].add(high + 1)
        ranges = []
        for counter in counters:
            lows = sorted(cuts[counter])
            ranges.append(list(zip(lows, [low - 1 for low in lows[1:]] + [UNBOUNDED])))
        return self.subtree(family, counters, ranges, {})

    def guards(self, family):
        steps = [step for letter in ".o" for step in self.solution.steps.get((family, letter), [])]
        yield from (guard for guards, *_ in steps for guard in guards)
        tables = self.solution.constants[family] + self.solution.types[family]
        yield from (guard for guard, _ in tables if guard)

    def subtree(self, family, counters, ranges, box):
        if len(box) == len(counters):
            self.cells.append(self.cell(family, box))
            return f"(Leaf {len(self.cells)})"
        counter = counters[len(box)]
        *cuts, last = [
            (self.subtree(family, counters, ranges, {**box, counter: bounds}), bounds[1])
            for bounds in ranges[len(box)]
        ]
        tree = last[0]
        for inner, high in reversed(cuts):
            if counter == "s":
                test = f"1 3 {high + self.solution.least[family]}"
            elif counter == counters[-1]:
                test = f"2 0 {high}"
            else:
                test = f"3 2 {high}"
            tree = f"(Cut {test} {inner} {tree})"
        return tree

    def cell(self, family, box):
        def holds(guards):
            return all(low <= box[counter][0] and box[counter][1] <= high for counter, low, high in guards)

        def value(table):
            return next(value for guard, value in table if guard is None or holds([guard]))

        def move(letter):
            steps = self.solution.steps.get((family, letter), [])
            step = next((step for step in steps if holds(step[0])), None)
            if step is None:
                return "None"
            _, to, more, blocks = step
            first_is_one = box.get("b0") == (1, 1)
            added = [(names.count("b0"), names.count("b1"), constant) for names, constant in blocks] or [(0, 0, 0)]
            last = linear(*added[-1], len(box) - 1, first_is_one)
            total = linear(*map(sum, zip(*added)), len(box) - 1, first_is_one)
            if last is None or total is None:
                return "None"
            return "go {} ({}) {} ({}) {} ({})".format(self.solution.numbers[to], more, *last, *total)

        constant = value(self.solution.constants[family])
        if family == "0:" and box["s"] == (0, 0):
            constant = 0
        return f"Cell ({move('.')}) ({move('o')}) ({constant}) {value(self.solution.types[family])}"


def linear(of_first, of_second, constant, blocks, first_is_one):
    """Returns b0 * of_first + b1 * of_second + constant as 0, X (2) or Y (3) and a constant, or None."""
    # With one block b0 = Y, with two b0 = Y - X and b1 = X.
    of_y, of_x = of_first, (of_second - of_first if blocks == 2 else 0)
    if blocks == 0 or (of_y, of_x) == (0, 0):
        return 0, constant
    if (of_y, of_x) in ((1, 0), (0, 1)):
        return (3 if of_y else 2), constant
    if first_is_one and blocks == 1:
        return 0, of_y + constant
    # Y = X + 1.
    if first_is_one and of_y + of_x in (0, 1):
        return 2 * (of_y + of_x), constant + of_y
    return None


def head(source, imports):
    return (
        f"(* Written by scripts/proof_data.py from {source}. *)\n"
        f"From Coq Require Import ZArith List.\nFrom Phutball Require Import {imports}.\nOpen Scope Z_scope.\n\n"
    )


def definition(name, kind, rows):
    return f"Definition {name} : list {kind} := [\n" + ";\n".join(rows) + "].\n"


def automaton(solution):
    cells = Cells(solution)
    text = head("crates/solution/solution.txt", "Rules Zones Cells")
    text += "Notation go f dk sx cx sy cy := (Some (Move f%positive dk (sx%nat, cx) (sy%nat, cy))).\n"
    text += "Notation Cut i j c y n := (Test i%nat j%nat c y n).\n\n"
    text += "(** One tree for each family: 1 is K, 2 is X, 3 is Y. *)\n"
    text += definition("tree_list", "tree", cells.trees) + "\n"
    text += "(** The moves at an empty square and at a stone, what K lacks to the potential, and the type. *)\n"
    text += definition("cell_list", "cell", cells.cells)
    for lead, name in ((0, "matrix_0"), (-1, "matrix_1")):
        rows = ["[" + ";".join("true" if bit == "1" else "false" for bit in row) + "]" for row in solution.winners[lead]]
        text += f"\n(** Who wins at lead {lead}: rows are the types of the player to move. *)\n"
        text += definition(name, "(list bool)", rows)
    return text


def certificate(solution, claims):
    """Each claim: a family and the families of words with one more stone, and bounds of their counters."""

    def bounds(line):
        own, constraints = (line.rstrip(":") + ": ").split(" : ", 1) if " : " in line else (line.rstrip(" :"), "")
        family, count, *rest = own.split()
        results = [(rest[2 * i], int(rest[2 * i + 1])) for i in range(int(count))]
        # Variables: 0, K, and for each family its blocks; the matrix has X and Y of all.
        size, places = 2, [0, 1]
        for name, _ in [(family, 0), *results]:
            blocks = name.count("#")
            places += {0: [0, 0], 1: [size, size], 2: [size, size + 1]}[blocks]
            size += blocks
        far = 10**6
        least = [[0 if i == j else far for j in range(size)] for i in range(size)]
        for constraint in constraints.strip(": ").split():
            i, j, bound = map(int, constraint.split(","))
            least[i][j] = min(least[i][j], bound)
        for k in range(size):
            for i in range(size):
                for j in range(size):
                    least[i][j] = min(least[i][j], least[i][k] + least[k][j])
        # Numbers from 1000 on bound nothing.
        matrix = [[least[i][j] if least[i][j] < 900 else 1000 for j in places] for i in places]
        return "Claim {} [{}] [{}]".format(
            solution.numbers[family],
            ";".join(f"({solution.numbers[name]}%positive,{more})" for name, more in results),
            ";".join("[" + ";".join(map(str, row)) + "]" for row in matrix),
        )

    text = head("proofs/stones.txt", "Rules Zones Cells")
    text += "(** A family, the families of words with one more stone and what they have more of K, and bounds of\n"
    text += "    the counters. *)\n"
    text += "Record claim := Claim { own : positive; results : list (positive * Z); bounds : zone }.\n\n"
    return text + definition("claims", "claim", [bounds(line) for line in claims.splitlines()])


# The definitions of Rule.v that the proofs need over expressions, and the names of their copies.
NAMES = ["tailed", "pure", "nothing", "index", "full", "chain", "after_stone", "after_empty", "after"]
NAMES += ["near_chain", "near", "chain_value", "value_of"]
COPIES = {name: name + "_s" for name in NAMES} | {"Name": "Symbol", "value_of": "value_s"}
TOKEN = re.compile(r"\s*(-?\d+%nat|-?\d+|[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*|:=|=>|::|\|\||&&|<\?|=\?|<=\?|.)")


def tokens(text):
    return TOKEN.findall(re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL).strip())


def closing(text, start, ends):
    """Returns the place of the first of some tokens outside brackets and inner matches."""
    depth = 0
    for place in range(start, len(text)):
        token = text[place]
        if depth == 0 and token in ends:
            return place
        depth += (token in ("(", "[", "match", "if")) - (token in (")", "]", "end", "else"))
    return len(text)


def copy(text):
    """Translates tokens: integers become constants, names those of the copies."""
    result = []
    compared = ("<?", "<=?", "=?")
    for place, token in enumerate(text):
        before = text[place - 1] if place else ""
        after = text[place + 1] if place + 1 < len(text) else ""
        if re.fullmatch(r"-?\d+", token) and before not in ("+", "-", "hY"):
            token = f"Const {token}" if token[0] != "-" else f"Const ({token})"
            if before not in compared and after not in compared and (before, after) != ("(", ")"):
                token = f"({token})"
        elif token == "mark" and before == "&&":
            token = "Known mark"
        result.append(COPIES.get(token, token))
    joined = re.sub(r"([(\[]) ", r"\1", " ".join(result))
    return re.sub(r" ([)\],;])", r"\1", joined)


def alternatives(text):
    """Returns the conditions and results of a term; the last condition is None."""
    if "or" in text:
        place = text.index("or")
        text = text[:place] + ["if", "i", "=?", "0", "then", text[place + 1], "else"] + text[place + 2 :]
    if "if" not in text:
        return [(None, text)]
    start = text.index("if")
    then = closing(text, start + 1, ["then"])
    otherwise = closing(text, then + 1, ["else"])
    end = closing(text, otherwise + 1, [",", ")"])
    condition = text[start + 1 : then]
    yes, no = ((text[:start] + branch + text[end:]) for branch in (text[then + 1 : otherwise], text[otherwise + 1 : end]))
    both = [(condition if inner is None else ["("] + condition + [")", "&&", "("] + inner + [")"], term)
            for inner, term in alternatives(yes)]
    return both + alternatives(no)


def listed(text):
    """Translates a result: calls of other definitions have lists already."""
    if text[0] in ("chain", "chain_value"):
        return copy(text)
    rows = alternatives(text)
    if len(rows) == 1:
        term = copy(rows[0][1])
        return f"always {term}" if term[0] == "(" or " " not in term else f"always ({term})"
    rows = [f"({copy(condition) if condition else 'Known true'}, {copy(term)})" for condition, term in rows]
    return "[" + ";\n      ".join(rows) + "]"


def symbols(rule):
    text = head("proofs/Rule.v", "Rules Rule Expressions")[:-1] + "Local Open Scope symbols_scope.\n\n"
    texts = []
    for name in NAMES[4:]:
        body = tokens(re.search(rf"^Definition {name} .*?\.$", rule, re.DOTALL | re.MULTILINE)[0])[:-1]
        at = body.index(":=")
        signature, body = body[:at], body[at + 1 :]
        lists = name not in ("full", "near", "near_chain")
        colon = max(place for place, token in enumerate(signature) if token == ":")
        kind = "".join(signature[colon + 1 :])
        kinds = {"bool": "formula", "name": "list (formula * symbol)", "list(bool*name)": "list (formula * symbol)",
                 "Z*type": "list (formula * (expr * type))"}
        parameters = " ".join("expr" if token == "Z" else "symbol" if token == "name" else token
                              for token in signature[2:colon]).replace("( ", "(").replace(" )", ")")
        result = f"Definition {COPIES[name]} {parameters} : {kinds[kind]} :=\n"
        while body[0] == "let":
            end = closing(body, 1, ["in"])
            # `or` is expanded where it is used.
            if body[1] != "or":
                result += f"  {copy(body[: end + 1])}\n"
            body = body[end + 1 :]
        if name == "after":
            result += "  match a with stone => after_stone_s | empty => after_empty_s end H i j n mark t K.\n"
            texts.append(result)
            continue
        start = closing(body, 1, ["with"])
        result += f"  {copy(body[: start + 1])}\n"
        place = start + 1 + (body[start + 1] == "|")
        while True:
            # A clause may be an alternative of patterns.
            arrow = closing(body, place, ["=>"])
            end = closing(body, arrow + 1, ["|", "end"])
            pattern, value = copy(body[place:arrow]), body[arrow + 1 : end]
            if value == ["false"]:
                value = ["Known", "false"]
            result += f"  | {pattern} => {listed(value) if lists else wrapped(copy(value))}\n"
            place = end + 1
            if body[end] == "end":
                break
        texts.append(result + "  end.\n")
    return text + "\n".join(texts)


def wrapped(text):
    """Breaks a list of alternatives, and a match, into lines."""
    depth, result = 0, ""
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        result += letter
        if letter == ";" or text.startswith(" ::", place - 2) or re.match(r" \| | end", text[place + 1 :]):
            if depth <= 1:
                result += "\n      "
    return re.sub(r" *\n +", "\n      ", result)


def generated(solution, stones, rule):
    """Returns the generated files by their names, from the texts of the three sources."""
    solution = Solution(solution)
    return {
        "Automaton.v": automaton(solution),
        "Certificate.v": certificate(solution, stones),
        "Symbols.v": symbols(rule),
    }


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("write", "check"):
        sys.exit(__doc__)
    directory = Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "proofs"
    texts = [ROOT / "crates/solution/solution.txt", directory / "stones.txt", directory / "Rule.v"]
    files = generated(*(path.read_text() for path in texts))
    old = [name for name, text in files.items() if not same(directory / name, text)]
    if sys.argv[1] == "write":
        for name in old:
            (directory / name).write_text(files[name])
    elif old:
        sys.exit(f"{', '.join(old)}: differs from its source; run 'scripts/proof_data.py write'")


def same(path, text):
    return path.exists() and path.read_text() == text


if __name__ == "__main__":
    main()
