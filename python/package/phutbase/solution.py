"""The solution of the strip, to play with.

The ball cuts a strip into two *words*. Each is read from its goal line to the ball, with ``.`` for an
empty square and ``o`` for a stone: ``"o@o.o.o...."`` has the words ``"o"`` on the left and
``"....o.o.o"`` on the right. ``docs/RULES.md``, section 9, has the rule.

>>> from phutbase import solution
>>> solution.winner("o", "....o.o.o")
'left'
"""

from __future__ import annotations

from typing import Literal

from . import _phutbase
from ._arguments import notation, within
from .errors import NotationError

__all__ = ["canonical", "classes", "kind", "name", "potential", "winner"]


def canonical(word: str) -> str:
    """Returns the shortest word that wins alike with every half on the other side of the ball and with
    either player to move.

    >>> canonical("..o.o...oo."), canonical("........oo..oo..o"), canonical("o..o.oo")
    ('.', '........o..o', '')
    """
    with notation():
        return _phutbase.canonical(word)


def name(word: str) -> str:
    """Returns the name of a word in the rule: a head, a tail and a number.

    >>> [name("......oo.."[:end]) for end in range(4, 11, 2)]
    ['L [1]', 'T [1]', 'A_0 oo [1]', 'L [1]']
    """
    with notation():
        return _phutbase.half(word)[0]


def potential(word: str) -> int:
    """Returns the potential P of a word.

    >>> [potential("." * squares) for squares in (0, 1, 4, 8, 300)]
    [0, 1, 2, 3, 76]
    """
    with notation():
        return _phutbase.half(word)[1]


def kind(word: str) -> str:
    """Returns the type of a word: a letter, which corrects its potential by less than 1.

    >>> kind("." * 300), kind("....o")
    ('b', 'a')
    """
    with notation():
        return _phutbase.half(word)[2]


def winner(left: str, right: str, mover: Literal["left", "right"] = "left") -> Literal["left", "right"]:
    """Returns the winner of a board, given by the words left and right of the ball. Canonical words,
    also the empty one, have the same winners as the words that they stand for.

    >>> winner("....", "...."), winner("....", "....", mover="right")
    ('left', 'right')
    """
    with notation():
        if mover == "left":
            return "left" if _phutbase.mover_wins(left, right) else "right"
        if mover == "right":
            return "right" if _phutbase.mover_wins(right, left) else "left"
    raise NotationError(f"'{mover}' is not one of left, right")


def classes(length: int) -> dict[str, int]:
    """Returns the canonical words of all words of some squares, shortest first, each with the number
    of words that it stands for. Raises `LimitError` for more than 253 squares, which no strip has.

    >>> classes(3)
    {'': 3, '.': 2, '..': 1, '...': 1, '..o': 1}
    """
    with notation():
        found = _phutbase.classes(within("the length", length, 2**32 - 1))
    return {word: int(count) for word, count in sorted(found, key=lambda item: (len(item[0]), item[0]))}
