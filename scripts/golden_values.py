"""Values of the strips of golden_positions.py: one byte for the outcome, one for the plies."""

from golden_positions import FAMILIES, digest, positions
from golden_programs import ProgramError

OUTCOMES = ("loss", "win", "draw", None)  # for the player to move; None: undecided
UNDECIDED = OUTCOMES.index(None)
UNKNOWN = 0  # plies
SIDES = {"L": ("left", "right"), "R": ("right", "left")}
ASKED_AT_ONCE = 20_000


class Values:
    """The values of a family: outcomes and plies, as bytes in the order of its positions."""

    def __init__(self, outcomes, plies):
        self.outcomes, self.plies = outcomes, plies


def all_positions():
    """Returns the positions of every family."""
    return [positions(family) for family in FAMILIES]


def asked(programs, texts):
    """Returns the values that a program gives to the positions of every family."""
    found = []
    for family, of_family in zip(FAMILIES, texts):
        values = Values(bytearray(), bytearray())
        for begin in range(0, len(of_family), ASKED_AT_ONCE):
            part = of_family[begin : begin + ASKED_AT_ONCE]
            for text, answer in zip(part, programs.batch(part, family.rules)):
                outcome, plies = _value(text, answer)
                values.outcomes.append(outcome)
                values.plies.append(plies)
        found.append(values)
    return found


def _value(text, answer):
    """Returns outcome and plies of an answer; its side and winner must match its position."""
    board, letter = text.split()
    mover, other = SIDES[letter]
    value, plies = answer.get("value"), answer.get("depth")
    winner = {"win": mover, "loss": other}.get(value)
    is_same = answer.get("position") == (board if letter == "L" else text) and answer.get("side") == mover
    if "error" in answer or not is_same or answer.get("winner") != winner or not 0 <= (plies or 0) < 256:
        raise ProgramError("'%s' has the answer %s" % (text, answer))
    return OUTCOMES.index(value), plies or UNKNOWN


def differences(texts, recorded, found):
    """Yields a line for each position whose value differs. Undecided positions always differ."""
    pairs = zip(texts, zip(recorded.outcomes, recorded.plies), zip(found.outcomes, found.plies))
    for text, before, now in pairs:
        if before == now and UNDECIDED != now[0] and now[1] == UNKNOWN:
            continue
        outcome, plies = now
        if outcome == UNDECIDED:
            yield "'%s' is undecided" % text
        elif before[0] == UNDECIDED:
            if OUTCOMES[outcome] == "draw":
                yield "'%s' is a draw, recorded undecided" % text
        elif before[0] != outcome or before[1] not in (UNKNOWN, plies):
            yield "'%s': %s, recorded %s" % (text, _words(*now), _words(*before))
        elif plies != UNKNOWN and plies % 2 != outcome:
            yield "'%s': a %s" % (text, _words(*now))


def _words(outcome, plies):
    return (OUTCOMES[outcome] or "undecided") + (" in %d" % plies if plies else "")


def packed(texts, values):
    """Returns the record as a JSON head and bytes."""
    head = [
        {"family": family.name, "rules": family.rules, "positions": len(of_family), "digest": digest(of_family)}
        for family, of_family in zip(FAMILIES, texts)
    ]
    return head, b"".join(bytes(of.outcomes) for of in values) + b"".join(bytes(of.plies) for of in values)


def unpacked(texts, head, data):
    """Returns the recorded values; raises ValueError if they are of other positions."""
    if head != packed(texts, [])[0]:
        raise ValueError("the positions differ from the recorded ones; record again")
    count = sum(map(len, texts))
    if len(data) != 2 * count:
        raise ValueError("%d bytes instead of %d" % (len(data), 2 * count))
    values, begin = [], 0
    for of_family in texts:
        end = begin + len(of_family)
        values.append(Values(bytearray(data[begin:end]), bytearray(data[count + begin : count + end])))
        begin = end
    return values


def mutants(texts, recorded, found, step):
    """Yields if a changed record is refused: the outcome, the plies, and an undecided answer."""
    for number, text in enumerate(texts):
        if number % step:
            continue
        before = [column[number] for column in (recorded.outcomes, recorded.plies)]
        now = [column[number] for column in (found.outcomes, found.plies)]
        changes = [("outcome", [before[0] ^ 1, before[1]], now)]
        if before[1] != UNKNOWN:
            changes.append(("plies", [before[0], before[1] + 2], now))
        changes.append(("undecided answer", before, [UNDECIDED, UNKNOWN]))
        for what, record, answer in changes:
            pair = [Values([outcome], [plies]) for outcome, plies in (record, answer)]
            yield "%s of '%s'" % (what, text), any(differences([text], *pair))
