"""Sets of boards of one length, for conjectures.

>>> wins = Boards.won(14)
>>> wins == Boards.won(14, mover="right").some_turn()
True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Literal

from . import _phutbase
from ._arguments import notation, within
from ._phutbase import BoardSet
from .errors import LimitError, NotationError

if TYPE_CHECKING:
    from . import Tablebase

__all__ = ["Boards"]

Player = Literal["left", "right"]

# Most states of the halves with the same number of squares: those of 20 squares, word by word.
_MOST_STATES = 1 << 20


def _longer(word: str, square: str) -> str:
    return word + square


class Boards:
    """A set of boards of one length: where the ball and the stones are, without a player to move.

    ``|``, ``&`` and ``-`` are union, intersection and difference, ``~`` has the other boards of the
    length, and ``<=`` is true of a subset. Strips of 3 to 255 squares.

    >>> lost = ~Boards.won(12)
    >>> lost, lost & Boards.matching(12, "*@oo*")
    (<6128 boards of 12 squares>, <120 boards of 12 squares>)
    """

    def __init__(self, boards: BoardSet) -> None:
        """Use the class methods."""
        self._boards = boards

    @classmethod
    def won(cls, length: int, mover: Player = "left", *, tables: Tablebase | None = None) -> Boards:
        """Returns the boards that Left wins, with either player to move: by the solution, or by a table.
        Right wins the others.

        >>> Boards.won(12).count
        14352
        >>> from phutbase import Tablebase
        >>> Boards.won(12, tables=Tablebase()) == Boards.won(12)
        True
        """
        with notation():
            length = within("the length", length, 2**16 - 1)
            return cls(BoardSet.won(length, mover) if tables is None else tables._core.won(length, mover))

    @classmethod
    def by_halves(
        cls,
        length: int,
        holds: Callable[[Any, Any], bool],
        *,
        start: Hashable = "",
        step: Callable[[Any, str], Hashable] = _longer,
    ) -> Boards:
        """Returns the boards for which a function of the left and the right half holds.

        A half is read from its goal line to the ball: from `start`, by a `step` for every ``"."`` and
        ``"o"``. The function gets what is reached on either side, by default the words themselves. A
        step that reaches few values makes sets of long boards.

        >>> def left_wins(left, right):
        ...     return solution.winner(left, right) == "left"
        >>> from phutbase import solution
        >>> Boards.by_halves(12, left_wins) == Boards.won(12)
        True
        >>> def read(word, square):
        ...     return solution.canonical(word + square)
        >>> Boards.by_halves(24, left_wins, step=read) == Boards.won(24)
        True

        Raises `LimitError` if there are more than 2²⁰ values with the same number of squares.
        """
        if not 3 <= within("the length", length, 2**16 - 1) <= 255:
            raise NotationError(f"{length} squares: a set has boards of 3 to 255 squares")
        layers: list[list[Hashable]] = [[start]]
        steps: list[list[tuple[int, int]]] = []
        for squares in range(1, length - 1):
            numbers: dict[Hashable, int] = {}
            after = [[numbers.setdefault(step(state, square), len(numbers)) for square in ".o"] for state in layers[-1]]
            if len(numbers) > _MOST_STATES:
                raise LimitError(f"more than {_MOST_STATES} values of halves of {squares} squares: a step must reach fewer")
            steps.append([(empty, stone) for empty, stone in after])
            layers.append(list(numbers))
        wanted = []
        for ball in range(1, length - 1):
            rights = layers[length - 1 - ball]
            digits = ("".join("01"[bool(holds(left, right))] for right in reversed(rights)) for left in layers[ball])
            wanted.append([int(text, 2).to_bytes(len(rights) // 8 + 1, "little") for text in digits])
        steps.append([(0, 0)] * len(layers[-1]))
        with notation():
            return cls(_phutbase.by_halves(length, steps, wanted))

    @classmethod
    def matching(cls, length: int, pattern: str = "*") -> Boards:
        """Returns the boards that fit a pattern, in the notation of `Tablebase.find`; without one, all.

        >>> Boards.matching(5, "*@o*").count
        24
        """
        with notation():
            return cls(BoardSet.matching(within("the length", length, 2**16 - 1), pattern))

    @property
    def length(self) -> int:
        """The number of squares."""
        return self._boards.length

    @property
    def count(self) -> int:
        """The number of boards."""
        return int(self._boards.count())

    def examples(self, limit: int = 10, *, seed: int | None = None, mover: Player = "left") -> list[str]:
        """Returns the first `limit` boards in the order of notation, or with a seed distinct random ones.

        >>> Boards.matching(6, "o@*").examples(2)
        ['o@....', 'o@...o']
        """
        total = self.count
        listed = min(within("limit", limit, 2**32 - 1), total)
        if seed is None:
            indices = list(range(listed))
        else:
            indices = _sample(total, listed, seed)
        with notation():
            return self._boards.members([str(index) for index in indices], mover)

    def mirror(self) -> Boards:
        """Returns the mirror images.

        >>> Boards.won(14, mover="right") == ~Boards.won(14).mirror()
        True
        """
        return Boards(self._boards.mirror())

    def some_turn(self, winner: Player = "left", *, forward: bool = False) -> Boards:
        """Returns the boards from which some turn leads into this set or wins at once for a player. Both
        players have the same turns. With `forward` only the turns count that touch no square but those
        between the ball and the end where that player wins.

        >>> Boards.matching(6, "..@...").some_turn().examples(3)
        ['....@o', '...o@.', '...o@o']
        """
        return self._before(False, forward, winner)

    def every_turn(self, winner: Player = "left", *, forward: bool = False) -> Boards:
        """Returns the boards from which every turn leads into this set or wins at once for a player. With
        `forward` as in `some_turn`.

        >>> Boards.won(14).every_turn() == Boards.won(14, mover="right")
        True
        """
        return self._before(True, forward, winner)

    def _before(self, every: bool, forward: bool, winner: Player) -> Boards:
        if winner == "left":
            return Boards(self._boards.turns_into(every, forward))
        if winner == "right":
            return Boards(self._boards.mirror().turns_into(every, forward).mirror())
        raise NotationError(f"'{winner}' is not one of left, right")

    def __contains__(self, position: str) -> bool:
        with notation():
            return self._boards.contains(position)

    def __bool__(self) -> bool:
        return self.count > 0

    def __or__(self, other: Boards) -> Boards:
        return self._join(other, "or")

    def __and__(self, other: Boards) -> Boards:
        return self._join(other, "and")

    def __sub__(self, other: Boards) -> Boards:
        return self._join(other, "minus")

    def __invert__(self) -> Boards:
        return Boards.matching(self.length) - self

    def _join(self, other: Boards, how: str) -> Boards:
        if not isinstance(other, Boards):
            return NotImplemented
        return Boards(self._boards.join(other._boards, how))

    def __le__(self, other: Boards) -> bool:
        return not self - other

    def __ge__(self, other: Boards) -> bool:
        return not other - self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Boards):
            return NotImplemented
        return self._boards.equals(other._boards)

    def __hash__(self) -> int:
        return hash((self.length, self.count))

    def __repr__(self) -> str:
        boards = "board" if self.count == 1 else "boards"
        return f"<{self.count} {boards} of {self.length} squares>"


def _sample(total: int, listed: int, seed: int) -> list[int]:
    """Returns distinct random numbers below `total`, of which every set is equally likely (Bentley and
    Floyd 1987)."""
    numbers = random.Random(within("seed", seed, 2**64 - 1))
    chosen: dict[int, None] = {}
    for last in range(total - listed, total):
        number = numbers.randrange(last + 1)
        chosen[last if number in chosen else number] = None
    return list(chosen)
