"""Parses outputs into trees of dicts, lists, numbers and words that golden_comparison.py compares."""

import json
import re

DEEPEST = 36  # squares; longer strips of a suite are drawn from tables without plies
FIRST_PLAYERS = (" L", " A")


class Choice:
    """A turn that a program chose; another one of the same value is as good."""

    def __init__(self, turn, at):
        self.turn, self.at = turn, at  # `at` is a position, followed by " directional" under those rules


def plain(position):
    """Returns a position without the letter of the first player."""
    return position[:-2] if position.endswith(FIRST_PLAYERS) else position


def parse(kind, output, question):
    """Returns the tree of an output."""
    verb = "suite" if "--suite" in question[0] else question[0][0]
    if kind == "text":
        return _text(output, verb)
    if kind == "play":
        return _play(output)
    if kind == "ugi":
        return _ugi(output)
    found = [tree(json.loads(line)) for line in output.splitlines() if line.strip()]
    if kind == "json" and verb == "suite":
        return [_suite_item(item) for item in found]
    return found


# --- JSON -----------------------------------------------------------------------------------------


# Fields that had another name when the answers were recorded.
RENAMED = {"moves": "turns", "winning_moves": "winning_turns"}


def tree(found):
    """Returns JSON with lists of turns as dicts, counts as numbers, and choices marked."""
    if isinstance(found, list):
        return [tree(item) for item in found]
    if isinstance(found, str):
        return int(found) if found.isdigit() else found
    if not isinstance(found, dict):
        return found
    found = {RENAMED.get(name, name): value for name, value in found.items()}
    found = {name: value if name in ("turns", "line") else tree(value) for name, value in found.items()}
    at = _place(found)
    for name in ("turns", "winning_turns"):
        if all(isinstance(turn, dict) for turn in found.get(name, [""])):
            found["order"] = [[turn.get("value"), turn.get("depth")] for turn in found[name]]
            found[name] = {_name(turn): tree(_without_name(turn)) for turn in found[name]}
    if found.get("turn") and at:
        found["turn"] = Choice(found["turn"], at)
    if "line" in found:
        line = found.pop("line")
        if line:
            found["line"] = _line(line, at, found.get("depth") is not None)
    if found.get("rules") == "ordinary" and "potentials" in found:
        found["ordinary_potentials"] = found.pop("potentials")
    if "tables" in found:
        found["tables"] = {str(table["boards"]): table for table in found["tables"]}
    if isinstance(found.get("position"), str):
        found["position"] = plain(found["position"])
    return found


def _name(turn):
    return turn["move"] + (" on board %d" % turn["board"] if turn.get("board") else "")


def _without_name(turn):
    return {name: value for name, value in turn.items() if name not in ("move", "board")}


def _place(found):
    """Returns the position of an answer with its rules, as in Choice."""
    position = found.get("position")
    if not isinstance(position, str):
        return None
    return plain(position) + (" directional" if found.get("rules") == "directional" else "")


def _line(line, at, has_depth):
    """Returns a line's first turn and its plies. Without depths every line that wins is as good."""
    found = {"first": Choice(line[0]["move"], at)}
    if has_depth:
        found["plies"] = len(line)
        if "value" in line[0]:
            found["values"] = [[turn["value"], turn["depth"]] for turn in line]
    return found


def _suite_item(item):
    length = len(item["position"].split()[0])
    if item["game"] == "strip" and length > DEEPEST:
        return {"random": item, "squares": length, "value": item["value"]}
    return dict(item, best=sorted(item["best"]), keep=sorted(item["keep"]))


# --- Text -----------------------------------------------------------------------------------------

_BOARD = r"(?P<position>[.o@]+(?: R)?|[\do@/]+ [AB])"
_VALUE = r"(?P<value>win|loss|draw|undecided)(?: in (?P<depth>\d+))?"
# Lines of each verb: a pattern, and the list that collects its groups, or None for a single line.
_LINES = {
    "probe": (
        (_BOARD + r"   (?P<side>\w+) to move, (?P<size>.+)", None),
        (r"(?P<winner>\w+) wins(?: in (?P<depth>\d+) (?:ply|plies))?", None),
        (r"the winner needs (?P<backward_turns>no|\d+) backward turns?", None),
        (r"potential of the left half (?P<left>\d+), of the right half (?P<right>\d+)", None),
        (r"a turn that keeps the win: (?P<turn>\S+)", None),
        (r"(?P<move>@\w+|o\d+) +" + _BOARD + " +" + _VALUE + r"(?P<reason>   .+)?", "turns"),
        (r" *\d+\. \w+ +(?P<move>\S+) +(?P<position>.+)", "line"),
    ),
    "stats": (
        (
            r" *(?P<boards>\d+|\d+x\d+)  +(?P<positions>[\d,]+)  +(?P<wins>[\d,]+)  +(?P<losses>[\d,]+)"
            r"  +(?P<draws>[\d,]+)  +(?P<longest>\d+|-)(?:  +(?P<bytes>\S.*))?",
            "rows",
        ),
        (
            r"(?P<positions>[\d,]+) positions, Left to move, the ball on square \d+ of \d+: "
            r"(?P<wins>[\d,]+) wins, (?P<losses>[\d,]+) losses, (?P<draws>[\d,]+) draws",
            None,
        ),
        (r".*; (?P<mutual_draws>[\d,]+) mutual draws .*", None),
        (r" *(?P<plies>\d+) +(?P<positions>[\d,]+)  (?P<value>wins|losses|draws)", "plies"),
        (r"a longest win, in (?P<longest_win>\d+) plies: (?P<longest_win_example>\S+)", None),
    ),
    "find": (
        (_BOARD + "  " + _VALUE, "listed"),
        (r"(?P<count>[\d,]+) positions, (?P<side>\w+) to move(?:; listed: the first (?P<shown>[\d,]+))?", None),
        (r"(?P<count>[\d,]+) positions, (?P<side>\w+) to move; listed: (?P<shown>[\d,]+) .*random.*", None),
    ),
    "suite": ((_BOARD + " (?:L )?value (?P<value>\\w+); (?P<operations>.*)", "items"),),
    "export": ((r"(?P<row>.+)", "rows"),),
}


def _read(groups):
    """Returns the groups of a line, numbers as numbers; a dash and a missing depth are None."""
    found = {}
    for name, text in groups.items():
        if text and re.fullmatch(r"[\d,]+", text):
            found[name] = int(text.replace(",", ""))
        elif name == "backward_turns" and text == "no":
            found[name] = 0
        else:
            found[name] = None if text in ("-", "undecided") else text
    return found


def _text(output, verb):
    found = {"lines": []}
    for line in output.splitlines():
        for pattern, collected in _LINES[verb]:
            match = re.fullmatch(pattern, line)
            if match:
                groups = _read(match.groupdict())
                if collected:
                    found.setdefault(collected, []).append(groups)
                else:
                    found.update(groups)
                break
        else:
            found["lines"].append(line)
    if verb == "probe":
        if "(directional rules)" in found.get("size", ""):
            found["rules"] = "directional"
        return tree(found)
    return found


# --- Sessions -------------------------------------------------------------------------------------


def _play(output):
    """Returns the program's answer to each command."""
    found, board, at = [], None, None
    for part in output.split("> "):
        answer = {"lines": []}
        for line in part.splitlines():
            value = re.fullmatch(r"(?P<mover>\w+), to move: " + _VALUE, line)
            mover = re.fullmatch(r"(\w+) to move\.", line)
            if value:
                answer.update(_read(value.groupdict()))
            elif re.fullmatch(r"  [.o@]+", line):
                answer["board"] = board = line.strip()
            elif mover:
                answer["side"] = mover.group(1)
                at = board + (" R" if mover.group(1) == "Right" else "")
            elif re.fullmatch(r"(?:@\w+|o\d+)(?: (?:@\w+|o\d+))+", line):
                answer["legal"] = sorted(line.split())
            elif re.fullmatch(r"@\w+|o\d+", line):
                answer["hint"] = Choice(line, at)
            elif re.fullmatch(r"\w+ wins\.", line):
                answer["winner"] = line.split()[0]
            else:
                answer["lines"].append(line)
        found.append(answer)
    return found


def _ugi(output):
    """Returns the lines that have values, each as a dict."""
    found, at, score = [], None, {}
    others = []
    for line in output.splitlines():
        words = line.split()
        if words[:1] == ["info"] and "score" in words:
            at_score = words.index("score")
            kind, number = words[at_score + 1], int(words[at_score + 2])
            score = {"value": "win" if number > 0 else "loss", "mate": number if kind == "mate" else None}
            if kind == "cp" and abs(number) != 30000:
                score = {"estimate": number}
        elif words[:1] == ["bestmove"]:
            turn = words[1]
            choice = turn if turn == "0000" else Choice(turn, at)
            found.append({"bestmove": choice, **score})
            score = {}
        elif words[:1] == ["response"]:
            answer = line[len("response ") :]
            found.append({"response": answer})
            if "@" in answer:
                at = plain(answer)
        else:
            others.append(line)
    return {"answers": found, "lines": others}
