"""Compares recorded outputs with those of another program, field by field.

A field of the record must have the same value in the other output, unless IGNORED names it. Fields
that only the other output has are not compared. Three kinds of fields are compared in part:

* A field of PERHAPS_UNKNOWN that was unknown may be known. A value that was undecided must be known.
* Another turn of the same value may be chosen: by an engine, as a hint, as the turn that keeps a
  win, and as the first turn of a line. So the later turns of a line are not compared; its plies and
  values are, if its depth is known.
* The order of turns of the same value may change.
"""

import re

from golden_parsing import Choice

# Fields that have no value of a position in them, and why each may change.
IGNORED = {
    "reason": "names the rule or table that gave a value, not the value",
    "forward_values": "a reason of ordinary strips that the rule replaces",
    "ordinary_potentials": "the same; the potentials of directional strips decide them and are compared",
    "undecided": "says why a value is missing; no strip lacks its value now",
    "metric": "says what a table holds",
    "name": "names the file of a table",
    "bytes": "the size of that file",
    "size": "words on the board; the position has its length",
    "error": "the words of an error; that there is one is compared",
    "random": "a position drawn by its rank in a table without plies; its length and value are compared",
    "estimate": "a guess of the search, where no value is known",
}

# Lines of text that have no value in them, by pattern, and why each may change.
IGNORED_LINES = {
    r"": "separates parts",
    r"reason: .*": IGNORED["reason"],
    r"undecided.*": IGNORED["undecided"],
    r"only the winner is known: .*": "names a missing table",
    r"no line: .*": "names a missing table",
    r"turn +board +value for \w+": "the head of a table",
    r"(best|winning) line:": "a heading",
    r" *boards +positions +wins +losses +draws +longest +size": "the head of a table",
    r" *plies +positions": "the head of a table",
    r"(all of them|counts are of positions) with Left to move.*": "words; the counts are compared",
    r"Type a turn .*|  (moves|hint|board) .*": "help of a session",
    r"  [0-9]+": "the numbers of squares under a board",
    r"the game is over; .*|nothing to take back|'.*|.*not a (legal )?turn.*": "the words of an error",
    r"id .*|option .*|ugiok|readyok|info .*": "settings and remarks of the engine, not values",
}

# Fields that the recorded program did not know for every board. In a draw they must stay empty.
PERHAPS_UNKNOWN = (
    "depth",
    "depths",
    "mate",
    "backward_turns",
    "longest",
    "longest_win",
    "longest_loss",
    "longest_win_example",
)


def _is_ignored_line(line):
    return any(re.fullmatch(pattern, line) for pattern in IGNORED_LINES)


def unread_lines(found):
    """Yields the lines of a tree that neither a parser nor IGNORED_LINES knows."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name == "lines":
                yield from (line for line in value if not _is_ignored_line(line))
            else:
                yield from unread_lines(value)
    elif isinstance(found, list):
        for item in found:
            yield from unread_lines(item)


def is_compared(name):
    """Tells if a field is compared; lines that no parser read are not."""
    return name not in IGNORED and name != "lines"


class Comparison:
    """Compares trees. `best` has the best turns of each position in which a program chose one."""

    def __init__(self, best):
        self.best = best

    def differences(self, recorded, found, path=""):
        """Yields a line for each difference."""
        if isinstance(recorded, Choice):
            yield from self._choice(recorded, found, path)
        elif isinstance(recorded, dict):
            if not isinstance(found, dict):
                yield "%s: %s instead of fields" % (path, _short(found))
                return
            yield from self._fields(recorded, found, path)
        elif isinstance(recorded, list):
            if not isinstance(found, list) or len(found) != len(recorded):
                yield "%s: %s instead of a list of %d" % (path, _short(found), len(recorded))
                return
            for place, (before, now) in enumerate(zip(recorded, found)):
                if not _was_unknown_place(recorded, place, now):
                    yield from self.differences(before, now, "%s[%d]" % (path, place))
        elif recorded != found or isinstance(recorded, bool) != isinstance(found, bool):
            yield "%s: %s, recorded %s" % (path, _short(found), _short(recorded))

    def _choice(self, recorded, found, path):
        turns = self.best.get(recorded.at, [recorded.turn])
        turn = found.turn if isinstance(found, Choice) else found
        if turn not in turns or found.at != recorded.at:
            yield "%s: turn %s, recorded %s" % (path, _short(turn), " ".join(turns[:5]))

    def _fields(self, recorded, found, path):
        if ("error" in recorded) != ("error" in found):
            yield "%s: %s an error" % (path, "no longer" if "error" in recorded else "now")
        for name, before in recorded.items():
            where = "%s.%s" % (path, name)
            if not is_compared(name):
                continue
            if name not in found:
                if before is not None:
                    yield where + ": missing"
                continue
            now = found[name]
            if before is None and recorded.get("value") != "draw":
                if name in PERHAPS_UNKNOWN:
                    continue
                if name in ("value", "winner", "outcome") and "boards" not in recorded:
                    if now in (None, "draw", 0):
                        yield where + ": still undecided"
                    continue
            yield from self.differences(before, now, where)


def _was_unknown_place(recorded, place, now):
    """Tells if this is the unknown depth of a pair of value and depth."""
    if len(recorded) != 2 or recorded[place] is not None:
        return False
    if place == 0:
        return now in ("win", "loss")
    return recorded[0] in ("win", "loss", None)


def _short(found):
    if isinstance(found, Choice):
        found = found.turn
    text = repr(found)
    return text if len(text) <= 60 else text[:57] + "..."
