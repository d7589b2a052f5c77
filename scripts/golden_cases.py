"""The questions whose outputs golden.py records, and how they are asked.

A case is (kind, name, question). Kinds select the parser of golden_comparison.py:

    json      objects, one per line; the question is (arguments, standard input)
    text      text for readers; the same
    play      a session of `phutbase play`: (arguments, commands)
    ugi       a session of `phutbase ugi`: (arguments, lines)
    http      (path, query, body)
    python    (function, arguments, options)

Sessions show the position before they ask for a turn, so that the turn can be judged.
"""

import json

import golden_positions
from golden_positions import FAMILIES


def _chosen(name, count, longest=golden_positions.LONGEST):
    """Returns the first positions of a family that have at most `longest` squares."""
    family = next(family for family in FAMILIES if family.name == name)
    found = []
    for text in family.make(golden_positions.Dice("golden cases " + name)):
        if len(text) - 2 <= longest and text not in found:
            found.append(text)
        if len(found) == count:
            return found


PAPERS = ["o@o.o.o.... L", "o@o.ooo.... L", "o@o.oo.... L", ".@. L", ".@.o..o.. R", "...o@..o.... L"]
LONG_EXAMPLES = [
    "." * 50 + "@" + "o." * 21 + ". L",
    "." * 71 + "@" + "." * 72 + " R",
    "o" * 71 + "@" + "o" * 71 + ". L",
]
SHORT = PAPERS + _chosen("balanced with plies", 12) + _chosen("periodic with plies", 5)
MIDDLE = _chosen("mirrored", 4, 64) + _chosen("balanced", 4, 64)
FAR = LONG_EXAMPLES + _chosen("balanced", 3) + _chosen("mirrored", 2) + _chosen("periodic", 1)
DIRECTIONAL = PAPERS[:3] + _chosen("balanced, directional", 3) + _chosen("mirrored, directional", 3, 60)
OTHERS = ["3/3/2o/1o1/3/@2/3 A", "3/1o1/1@1/3/3 B", "obstruction:5x5", "oddish:..o^o."]
BATCH = SHORT + MIDDLE + FAR + OTHERS + ["o@x", "@..", "3/3/@3"]


def _command(kind, arguments, last=None, text=""):
    words = arguments.split() + ([] if last is None else [last])
    return kind, " ".join(words), (words, text)


def _probes():
    for text in SHORT + MIDDLE + FAR:
        yield _command("json", "probe --json", text)
    for text in SHORT + MIDDLE + FAR[:3]:
        yield _command("json", "probe --line --json", text)
    for text in SHORT[::2] + MIDDLE[::2] + FAR[3:5]:
        yield _command("text", "probe --line", text)
    for text in SHORT[1::4] + MIDDLE[1::4] + FAR[:2]:
        yield _command("text", "probe", text)
    for text in DIRECTIONAL:
        yield _command("json", "probe --rules directional --line --json", text)
        yield _command("text", "probe --rules directional", text)
    for text in OTHERS:
        yield _command("json", "probe --json", text)
    yield _command("json", "probe --batch -", text="\n".join(BATCH))
    yield _command("json", "probe --rules directional --batch -", text="\n".join(DIRECTIONAL))


def _counts():
    for boards in ("", "3..24", "9", "16", "24", "36", "37", "64", "65", "100", "144", "7x3"):
        yield _command("json", "stats --json " + boards)
    for ball in (1, 5, 14):
        yield _command("json", "stats 16 --json --ball %d" % ball)
    for boards in ("3..40", "16", "30", "20 --ball 7"):
        yield _command("text", "stats " + boards)


def _lists():
    for query in (
        "12",
        "10 --side right --limit 30",
        "16 --depth 20",
        "16 --value win --depth 21..25",
        "24 --value loss --depth 20",
        "30 --value loss --ball 11 --stones 0..3",
        "36 --value win --depth 57..59 --limit 20",
        "20 --value win --pattern *o@?oo* --sample 5",
        "24 --value loss --side right --sample 8 --seed 3",
        "33 --value draw",
        "64 --value win --pattern *o@?oo*",
        "64 --value loss --ball 31 --stones 1..4 --limit 20",
        "50 --side right --value win --limit 15",
        "100 --value loss --ball 50 --stones 2 --limit 12",
        "144 --value loss --limit 5",
        "144 --value win --limit 3",
        "144 --value draw",
        "5x3 --value win --limit 3",
    ):
        yield _command("json", "find --json " + query)
        if "144" not in query:
            yield _command("text", "find " + query)
    yield _command("json", "find 4..10 --suite --sample 2 --json")
    yield _command("json", "find 24 --suite --sample 1 --seed 5 --json")
    yield _command("json", "find 36 --suite --depth 50.. --sample 1 --json")
    yield _command("json", "find 37..41 --suite --sample 3 --json")
    yield _command("text", "find 4..10 --suite --sample 1")
    yield _command("text", "find 20 --suite --sample 1")
    yield _command("text", "export 6 --format csv")
    yield _command("text", "export 8 --format csv")


def _sessions():
    for text in SHORT + MIDDLE + FAR[:4]:
        commands = ["value", "moves", "board", "hint", "quit"]
        yield "play", "play " + text, (["play", text, "--as", "both"], commands)
    game = ["value", "hint", "@5", "value", "o4", "value", "o7", "value", "undo", "value", "moves", "x", "quit"]
    yield "play", "play a game", (["play", PAPERS[0], "--as", "both"], game)
    over = ["o2", "@R", "value", "o0", "undo", "value", "hint", "quit"]
    yield "play", "play to the end", (["play", ".@. L", "--as", "both"], over)
    for boards in ("21", "65"):
        lines = ["position startpos", "query fen", "go movetime 500", "query result"]
        yield "ugi", "ugi " + boards, (["ugi", boards], ["ugi", "isready", *lines, "quit"])
    lines = ["ugi"]
    for text in SHORT + MIDDLE + FAR:
        lines += ["uginewgame", "position fen " + text, "query fen", "go movetime 500"]
    yield "ugi", "ugi, every position", (["ugi"], lines + ["quit"])
    lines = ["position fen %s moves @5 o4 o7 @3" % PAPERS[0]]
    lines += ["query " + word for word in ("fen", "p1turn", "gameover", "result")]
    lines += ["go depth 3", "position fen .@. L moves o2 @R"]
    lines += ["query " + word for word in ("fen", "p1turn", "gameover", "result")]
    lines += ["go movetime 500", "position fen .@. L moves o2 o0 @L", "query result", "quit"]
    yield "ugi", "ugi, a game", (["ugi"], lines)


def _requests():
    for text in SHORT[:9] + MIDDLE[:4] + FAR[:4] + OTHERS:
        yield "http", "GET /api/probe " + text, ("/api/probe", {"position": text}, None)
    for text in SHORT[9:14] + MIDDLE[4:6]:
        yield "http", "GET /api/probe line " + text, ("/api/probe", {"position": text, "line": "true"}, None)
    for text in DIRECTIONAL[:4]:
        query = {"position": text, "rules": "directional", "line": "true"}
        yield "http", "GET /api/probe directional " + text, ("/api/probe", query, None)
    yield "http", "GET /api/probe side", ("/api/probe", {"position": "o@o.oo....", "side": "right"}, None)
    yield "http", "GET /api/probe bad", ("/api/probe", {"position": "@.."}, None)
    yield "http", "POST /api/batch text", ("/api/batch", {}, "\n".join(BATCH))
    body = json.dumps({"positions": BATCH[::3]})
    yield "http", "POST /api/batch json", ("/api/batch", {}, body)
    query = {"rules": "directional"}
    yield "http", "POST /api/batch directional", ("/api/batch", query, "\n".join(DIRECTIONAL))
    yield "http", "GET /api/stats", ("/api/stats", {}, None)
    for boards in ("8", "16", "36", "64", "144", "7x3"):
        yield "http", "GET /api/stats " + boards, ("/api/stats", {"boards": boards}, None)
    for boards, depth in (("9", 15), ("16", 25), ("16", 26), ("30", 50), ("36", 60), ("12", 99), ("7x3", 5)):
        query = {"boards": boards, "depth": depth}
        yield "http", "GET /api/example %s %d" % (boards, depth), ("/api/example", query, None)


def python_calls():
    """Yields the cases of the Python module."""
    for text in SHORT + MIDDLE[::2] + FAR[:2] + OTHERS:
        yield "python", "probe " + text, ("probe", [text], {})
    for text in SHORT[::2] + MIDDLE[1::2]:
        yield "python", "line " + text, ("line", [text], {})
    yield "python", "probe_many", ("probe_many", [SHORT + MIDDLE + FAR], {})
    for boards in (3, 16, 36, 37, 64, 100, 144, "7x3"):
        yield "python", "counts %s" % boards, ("counts", [boards], {})
    for boards, options in (
        (11, {"value": "win", "depth": [13, 19], "pattern": "o@*"}),
        (24, {"value": "loss", "depth": 20, "limit": 4}),
        (30, {"value": "win", "seed": 7, "limit": 5}),
        (64, {"value": "loss", "ball": 31, "stones": [1, 4]}),
        (144, {"value": "draw"}),
        ("5x3", {"value": "win", "limit": 2}),
    ):
        yield "python", "find %s %s" % (boards, json.dumps(options)), ("find", [boards], options)
    for boards in (6, 12, 18):
        yield "python", "values %d" % boards, ("values", [boards], {})
    for text in SHORT[:4]:
        yield "python", "moves " + text, ("moves", [text], {})
        yield "python", "index " + text, ("index", [text], {})
    yield "python", "position", ("position", [12, 4321], {})
    yield "python", "probe o@x", ("probe", ["o@x"], {})


def cases():
    """Returns all cases without those of the Python module."""
    return [case for part in (_probes, _counts, _lists, _sessions, _requests) for case in part()]


def answers(programs, wanted):
    """Returns the outputs of cases in order."""
    calls = [question for kind, _, question in wanted if kind == "python"]
    called = iter(programs.call(calls) if calls else [])
    found = []
    with programs.server() as ask:
        for kind, _, question in wanted:
            if kind == "http":
                found.append(ask(*question))
            elif kind == "python":
                found.append({"status": 0, "output": next(called)})
            elif kind == "ugi":
                found.append(programs.session(*question))
            elif kind == "play":
                arguments, lines = question
                found.append(programs.run(arguments, "\n".join(lines) + "\n"))
            else:
                found.append(programs.run(*question))
    return found

