"""The strips of golden.py: about 90,000 positions of 3 to 144 squares, the same in every run.

FAMILIES names the families in the order of values.xz, and `positions` returns the texts of one.

Random.random() returns the same numbers for a seed in every version of Python; the other methods
of Random do not promise this and are not used.
"""

import hashlib
import itertools
import random

SHORTEST, DEEPEST, LONGEST = 3, 36, 144  # squares; up to DEEPEST the recorded program knew plies
ALL_WITH_LEFT, ALL_WITH_RIGHT, ALL_DIRECTIONAL = 10, 8, 9  # squares of the complete lengths


class Family:
    """A family of positions under one rule."""

    def __init__(self, name, rules, count, make):
        self.name, self.rules, self.count, self.make = name, rules, count, make


class Dice:
    """Random numbers of one family."""

    def __init__(self, seed):
        self._random = random.Random(seed).random

    def below(self, count):
        return int(self._random() * count)

    def between(self, least, most):
        return least + self.below(most - least + 1)

    def side(self):
        return "LR"[self.below(2)]

    def word(self, length, density):
        return "".join("o" if self._random() < density else "." for _ in range(length))

    def density(self):
        """Returns a share of stones: mostly sparse and dense ones, where depths are large."""
        return (0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 0.95)[self.below(10)]


def strip(left, right, side):
    """Returns a position. Both words are read from the ball to the goal line."""
    return "%s@%s %s" % (left[::-1], right, side)


def generalized_potential(word):
    """Returns the potential of a half, read from the ball to the goal line (RULES.md, section 3)."""
    squares = list(word[0] + word)
    for empty, group in itertools.groupby(range(len(squares)), lambda at: squares[at] == "."):
        group = list(group)
        if empty and len(group) % 2:
            squares[group[-1]] = "o"
    without, total = 0, 0
    for square in reversed(squares):
        without, total = total, total + 1 if square == "." else max(total - 1, 0)
    return total // 4 + (total != without)


# --- The families ---------------------------------------------------------------------------------


def complete(longest, side):
    """All boards of SHORTEST to `longest` squares."""

    def make(dice):
        for length in range(SHORTEST, longest + 1):
            for ball in range(1, length - 1):
                for word in itertools.product(".o", repeat=length - 1):
                    yield "%s@%s %s" % ("".join(word[:ball]), "".join(word[ball:]), side)

    return make


def scattered(least, most):
    """Random words, each half of its own density."""

    def make(dice):
        while True:
            length = dice.between(least, most)
            ball = dice.between(1, length - 2)
            left, right = dice.word(ball, dice.density()), dice.word(length - 1 - ball, dice.density())
            yield strip(left, right, dice.side())

    return make


def mirrored(least, most):
    """The halves are mirror images but for one to three squares."""

    def make(dice):
        while True:
            size = dice.between(max(least // 2, 2), (most - 1) // 2)
            left = dice.word(size, dice.density())
            right = list(left)
            for _ in range(dice.between(1, 3)):
                at = dice.below(len(right))
                change = dice.below(4)
                if change < 2:
                    right[at] = "." if right[at] == "o" else "o"
                elif change == 2 and len(right) > 2:
                    del right[at]
                elif len(left) + 1 + len(right) < most:
                    right.insert(at, ".o"[dice.below(2)])
            halves = [left, "".join(right)]
            first = dice.below(2)
            yield strip(halves[first], halves[1 - first], dice.side())

    return make


def balanced(least, most):
    """Independent halves whose generalized potentials differ by at most one."""

    def make(dice):
        waiting = {}
        while True:
            size = dice.between(1, most - 1)
            word = dice.word(size, dice.density())
            potential = generalized_potential(word)
            near = potential + dice.between(-1, 1)
            other = waiting.pop(near, None)
            if other and least <= len(word) + 1 + len(other) <= most:
                yield strip(word, other, dice.side())
            else:
                waiting[potential] = word

    return make


def periodic(least, most):
    """Both halves repeat a short word, from one of its letters on; sometimes one square differs."""

    def make(dice):
        while True:
            length = dice.between(least, most)
            ball = dice.between(1, length - 2)
            # Mostly near the middle, where neither player is close to a goal.
            if dice.below(3):
                ball = min(max(length // 2 + dice.between(-3, 3), 1), length - 2)
            halves = []
            for size in (ball, length - 1 - ball):
                period = dice.word(dice.between(1, 6), 0.5)
                begin = dice.below(len(period))
                half = list((period * (size // len(period) + 2))[begin : begin + size])
                if dice.below(2):
                    at = dice.below(size)
                    half[at] = "." if half[at] == "o" else "o"
                halves.append("".join(half))
            yield strip(halves[0], halves[1], dice.side())

    return make


def _all(longest):
    return sum((length - 2) << (length - 1) for length in range(SHORTEST, longest + 1))


FAMILIES = (
    Family("all, Left to move", "ordinary", _all(ALL_WITH_LEFT), complete(ALL_WITH_LEFT, "L")),
    Family("all, Right to move", "ordinary", _all(ALL_WITH_RIGHT), complete(ALL_WITH_RIGHT, "R")),
    Family("random with plies", "ordinary", 12000, scattered(SHORTEST, DEEPEST)),
    Family("mirrored with plies", "ordinary", 8000, mirrored(6, DEEPEST)),
    Family("balanced with plies", "ordinary", 6000, balanced(SHORTEST, DEEPEST)),
    Family("periodic with plies", "ordinary", 3000, periodic(SHORTEST, DEEPEST)),
    Family("random", "ordinary", 8000, scattered(DEEPEST + 1, LONGEST)),
    Family("mirrored", "ordinary", 16000, mirrored(DEEPEST + 2, LONGEST)),
    Family("balanced", "ordinary", 10000, balanced(DEEPEST + 1, LONGEST)),
    Family("periodic", "ordinary", 8000, periodic(DEEPEST + 1, LONGEST)),
    Family("all, directional", "directional", _all(ALL_DIRECTIONAL), complete(ALL_DIRECTIONAL, "L")),
    Family("random, directional", "directional", 3000, scattered(SHORTEST, LONGEST)),
    Family("mirrored, directional", "directional", 4000, mirrored(6, LONGEST)),
    Family("balanced, directional", "directional", 2000, balanced(SHORTEST, LONGEST)),
)


def positions(family):
    """Returns the positions of a family as texts, each once."""
    found = {}  # a dict, because it keeps the order
    for text in family.make(Dice("golden " + family.name)):
        found[text] = None
        if len(found) == family.count:
            return list(found)


def digest(texts):
    """Returns a checksum of positions, which tells if the generator has changed."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
