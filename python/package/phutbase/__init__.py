"""Exact values for Phutball on a strip, small pitches, and Obstruction.

A position of a strip has ``.`` for an empty square, ``o`` for a stone, ``@`` for the ball, and after
a blank the player to move, ``L`` (the default) or ``R``. ``docs/RULES.md`` has the rules and every
other notation.

>>> tables = Tablebase()
>>> answer = tables.probe("o@o.o.o....")
>>> answer.value, answer.depth
('win', 13)

Depths are plies (turns of either player): odd for a win, even for a loss.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from . import _phutbase, solution
from ._arguments import notation, within
from ._phutbase import __version__
from .boards import Boards
from .errors import LimitError, MissingTableError, NotationError, PhutbaseError, TableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Answer",
    "Boards",
    "Component",
    "Counts",
    "Half",
    "LimitError",
    "MissingTableError",
    "Move",
    "NotationError",
    "PhutbaseError",
    "Reason",
    "TableError",
    "Tablebase",
    "TurnCounts",
    "__version__",
    "index",
    "position",
    "solution",
    "turns",
    "wins",
]

Value = Literal["win", "loss", "draw"]
Rules = Literal["ordinary", "directional"]


@dataclass(frozen=True)
class Half:
    """What a half of a strip comes to.

    >>> Tablebase().probe("..oo@.o..o").reason.right
    Half(word='.', name='I_0 [1]', potential=1, type='a')
    """

    #: The shortest word worth the same in every context, from the goal line to the ball.
    word: str
    #: Its name in the rule: a head, a tail and a number.
    name: str
    #: Its potential P.
    potential: int
    #: Its type, a letter, which corrects P by less than 1.
    type: str


@dataclass(frozen=True)
class Reason:
    """The source of an ordinary strip's value, and what its halves come to.

    >>> reason = Tablebase().probe("." * 300 + "@" + "." * 200).reason
    >>> reason.by, reason.lead, reason.left.potential, reason.right.potential
    ('solution', 25, 76, 51)
    """

    #: ``table`` (a table with depths holds the strip) or ``solution`` (the rule for any length).
    by: Literal["table", "solution"]
    #: The potential of the left half minus that of the right half. Left wins at 2 or more, Right at -2
    #: or less, and the player to move with 1 in his favour; otherwise the types decide.
    lead: int
    left: Half
    right: Half


def _reason(found: dict[str, Any] | None) -> Reason | None:
    if found is None:
        return None
    return Reason(found["by"], found["lead"], Half(**found["left"]), Half(**found["right"]))


@dataclass(frozen=True)
class TurnCounts:
    """Numbers of turns by their value for the player to move."""

    winning: int
    losing: int


@dataclass(frozen=True)
class Component:
    """A part of a board of Obstruction that is played on its own.

    >>> Tablebase().probe("obstruction:1+2x2").components[1]
    Component(shape='2x2', squares=4, nimber=1)
    """

    #: Rows and columns, or the squares.
    shape: str
    squares: int
    nimber: int


@dataclass(frozen=True)
class Move:
    """A turn, the position after it, and its value for the player who makes it.

    >>> Tablebase().probe(".@o.").turns[0]
    Move(move='@3', position='...@ R', value='win', depth=1)
    """

    move: str
    #: None on strips of more than 1,000 squares, in a line of more than 300.
    position: str | None
    #: None in a list of legal turns.
    value: Value | None = None
    depth: int | None = None
    #: The board of the turn, from 1, where several boards of Obstruction are played at once.
    board: int | None = field(default=None, repr=False)
    #: In Obstruction, except misère play, the parts of the boards after the turn.
    components: tuple[Component, ...] | None = field(default=None, repr=False)


def _pair(found: list[int] | None) -> tuple[int, int] | None:
    return None if found is None else (found[0], found[1])


def _components(found: list[dict[str, Any]] | None) -> tuple[Component, ...] | None:
    return None if found is None else tuple(Component(**component) for component in found)


def _turns(found: list[dict[str, Any]]) -> tuple[Move, ...]:
    def of(move: dict[str, Any]) -> Move:
        fields = {name: move[name] for name in move.keys() & Move.__dataclass_fields__}
        return Move(**{"position": None} | fields | {"components": _components(move.get("components"))})

    return tuple(of(move) for move in found)


@dataclass(frozen=True)
class Answer:
    """The answer for a position. Value and depth are for the player to move.

    >>> answer = Tablebase().probe("o@o.o.o.... R")
    >>> answer.side, answer.value, answer.winner
    ('right', 'win', 'right')
    """

    game: str
    #: Strips and pitches.
    rules: Rules | None
    position: str
    #: The player to move: left or right, alfred or betty, in Obstruction first.
    side: str
    value: Value
    #: Plies to the end; None for a draw, or if only the winner is known.
    depth: int | None
    winner: str | None
    #: Ordinary strips.
    reason: Reason | None
    #: Ordinary strips: the least number of backward turns that the winner needs, if known.
    backward_turns: int | None
    #: Directional strips: the potentials of the left and of the right half.
    potentials: tuple[int, int] | None
    #: Obstruction only, except misère play.
    nimber: int | None
    components: tuple[Component, ...] | None
    #: All turns, best first; in Obstruction the winning ones. Empty for a strip of more than 10,000
    #: squares, which has a best turn and the numbers of turns instead.
    turns: tuple[Move, ...]
    #: Directional strips: any turn that keeps a win, if there is one.
    turn: str | None
    turn_counts: TurnCounts | None
    _core: _phutbase.Core = field(repr=False, compare=False)

    def __repr__(self) -> str:
        depth = "" if self.depth is None else f" in {self.depth}"
        return f"<{self.position}: {self.value}{depth} for {self.side}>"

    @property
    def winning_turns(self) -> tuple[Move, ...] | None:
        """The turns of Obstruction: the winning ones, under their name in JSON."""
        return self.turns if self.game == "obstruction" else None

    def line(self) -> list[Move]:
        """Returns best play until the game ends or, in a draw, a position repeats. Without depths the
        winner plays so that the line ends. Empty for strips of more than 1,000 squares.

        >>> [move.move for move in Tablebase().probe(".@.o..").line()]
        ['o2', 'o0', '@4', 'o3', 'o5', '@2', 'o3', 'o1', '@R']
        """
        found = json.loads(self._core.probe(self.position, True, self.rules or "ordinary"))
        if "line" not in found:
            raise NotationError(f"{self.game} has no best line")
        return list(_turns(found["line"]))


@dataclass(frozen=True)
class Counts:
    """Numbers of positions of a board with Left (on a pitch Alfred) to move."""

    positions: int
    wins: int
    losses: int
    draws: int
    #: Plies, or None without depths.
    longest_win: int | None
    longest_loss: int | None
    _core: _phutbase.Core = field(repr=False, compare=False)
    _boards: str = field(repr=False)

    _rules: Rules = field(default="ordinary", repr=False)

    @property
    def longest_win_example(self) -> str | None:
        """A position with the longest win; searches the table. None without depths.

        >>> Tablebase().stats(9).longest_win_example
        '.@.o..o..'
        """
        return None if self.longest_win is None else self._core.longest_win(self._boards, self._rules)


class Tablebase:
    """Tables from the given directory alone, or from those that ``phutbase`` searches and then from
    this package.

    >>> with Tablebase() as tables:
    ...     tables.probe("obstruction:3x3").nimber
    1
    """

    def __init__(self, tables: str | os.PathLike[str] | None = None) -> None:
        self._named = None if tables is None else os.fspath(tables)
        self._open: _phutbase.Core | None = _phutbase.Core(tables)

    @property
    def _core(self) -> _phutbase.Core:
        if self._open is None:
            raise PhutbaseError("this Tablebase is closed")
        return self._open

    def close(self) -> None:
        """Closes the tables; answers that came from them keep theirs open."""
        self._open = None

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        """Names the directory and what its tables hold.

        >>> with Tablebase() as tables:
        ...     tables.close()
        ...     tables
        <Tablebase: closed>
        """
        where = "" if self._named is None else f" {self._named!r}"
        if self._open is None:
            return f"<Tablebase{where}: closed>"
        deep, _, pitches = self._open.contents()
        depths = f"depths of 3 to {max(deep)} squares" if deep else "no depths of strips"
        return f"<Tablebase{where}: {depths}, {len(pitches)} pitches>"

    @property
    def lengths(self) -> list[int]:
        """Lengths with depths.

        >>> set(range(3, 37)) <= set(Tablebase().lengths)
        True
        """
        return self._core.contents()[0]

    @property
    def lengths_without_depths(self) -> list[int]:
        """Longer lengths whose tables have backward turns or winners only.

        >>> 64 in Tablebase().lengths_without_depths
        True
        """
        return self._core.contents()[1]

    @property
    def pitches(self) -> list[str]:
        """The pitches, rows first.

        >>> '7x3' in Tablebase().pitches
        True
        """
        return self._core.contents()[2]

    def probe(self, position: str, *, rules: Rules = "ordinary") -> Answer:
        """Returns the value of a position and of its turns.

        The rows of a pitch are separated by ``/``; boards of Obstruction start with ``obstruction:``.
        Strips may have up to 10,000,000 squares and need no table. Their turns are listed up to 10,000
        squares. Rules apply to strips and pitches: ``ordinary``, or ``directional``, where Left jumps
        only to the right, Right to the left, Alfred up and Betty down.

        >>> Tablebase().probe("o@o.o.o....")
        <o@o.o.o....: win in 13 for left>
        >>> Tablebase().probe("3/3/2o/1o1/3/@2/3 A").value
        'draw'
        >>> Tablebase().probe("." * 300 + "@" + "." * 200).value
        'win'
        >>> Tablebase().probe("o@o.o.o....", rules="directional").potentials
        (0, 0)
        >>> Tablebase().probe("o@x")
        Traceback (most recent call last):
            ...
        phutbase.errors.NotationError: 'x' in column 3 is not a square: write '.' for empty, 'o' for a stone, '@' for the ball
        """
        with notation():
            found = json.loads(self._core.probe(position, False, rules))
        names = ("game", "rules", "position", "side", "value", "depth", "winner", "backward_turns", "nimber", "turn")
        turns = _turns(found.get("winning_turns") or found.get("turns") or [])
        fields: dict[str, Any] = {name: found.get(name) for name in names}
        counts = TurnCounts(**found["turn_counts"]) if "turn_counts" in found else None
        return Answer(
            **fields,
            reason=_reason(found.get("reason")),
            potentials=_pair(found.get("potentials")),
            components=_components(found.get("components")),
            turns=turns,
            turn_counts=counts,
            _core=self._core,
        )

    def values(self, boards: int | str) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
        """Returns outcomes (1 win, 0 draw, -1 loss) and depths of all positions of a length or pitch
        with Left (Alfred) to move.

        Rows are ball squares, from square 1; columns are patterns of stones: bit i is the i-th
        square, not counting the ball's. The `index` of a position is
        ``row * 2 ** (length - 1) + column``. Raises `LimitError` for more than 40 squares and for
        arrays that do not fit in free memory.

        >>> outcome, depth = Tablebase().values(12)
        >>> outcome.shape, int((outcome == 1).sum()), int(depth.max())
        ((10, 2048), 14352, 19)
        """
        with notation():
            return self._core.values(str(boards))

    def probe_many(
        self, positions: Iterable[str], *, rules: Rules = "ordinary"
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint16]]:
        """Returns outcomes (1 win, 0 draw, -1 loss) and depths (0 if unknown or drawn) of
        positions for the player to move. The `NotationError` of a text that is no position names its
        index.

        >>> outcome, depth = Tablebase().probe_many(["o@o.o.o....", "o@o.ooo....", "3/3/2o/1o1/3/@2/3 A"])
        >>> outcome.tolist(), depth.tolist()
        ([1, -1, 0], [13, 14, 0])
        """
        if isinstance(positions, str):
            raise NotationError("probe_many takes a list of positions: use probe for a single one")
        with notation():
            return self._core.probe_many(list(positions), rules)

    def find(
        self,
        boards: int | str,
        *,
        value: Value | None = None,
        depth: int | tuple[int, int] | None = None,
        ball: int | tuple[int, int] | None = None,
        stones: int | tuple[int, int] | None = None,
        pattern: str = "*",
        side: Literal["left", "right", "alfred", "betty"] = "left",
        limit: int = 10,
        seed: int | None = None,
        rules: Rules = "ordinary",
    ) -> tuple[int, list[str]]:
        """Returns the number of matching positions of a length or a pitch, and the first `limit` of
        them; with a seed, distinct random ones. Ball and pattern select strips only. Strips of up to 255
        squares need no table, unless a depth is given. Directional rules apply to pitches only.

        A pair is a range that includes both ends. A pattern has ``.``, ``o``, ``@``, ``?`` for any
        content and ``*`` for any number of squares.

        >>> Tablebase().find(11, value="win", depth=(13, 19), pattern="o@*", limit=2)
        (23, ['o@o.o...o..', 'o@o.o..o...'])
        >>> Tablebase().find("7x3", value="draw", limit=1)
        (32, ['3/3/2o/1o1/3/@2/3 A'])
        """

        def ends(span: int | tuple[int, int] | None) -> tuple[int, int] | None:
            return (span, span) if isinstance(span, int) else span

        spans = [ends(span) for span in (depth, ball, stones)]
        for what, span in zip(("depth", "ball", "stones"), spans, strict=True):
            for end in span or ():
                within(what, end, 2**16 - 1)
        within("limit", limit, 2**32 - 1)
        if seed is not None:
            within("seed", seed, 2**64 - 1)
        depths, balls, counts = spans
        with notation():
            if isinstance(boards, str) and "x" in boards:
                if balls or pattern != "*":
                    raise NotationError("ball and pattern apply to strips only")
                mover = {"alfred": "left", "betty": "right"}.get(side, side)
                return self._core.find_pitch(boards, value, depths, counts, mover, limit, seed, rules)
            length = _length(boards)
            if rules != "ordinary":
                raise NotationError("rules apply to pitches only: use probe for a directional strip")
            count, positions = self._core.find(length, value, depths, balls, counts, pattern, side, limit, seed)
        return int(count), positions

    def stats(self, boards: int | str, *, rules: Rules = "ordinary") -> Counts:
        """Returns the counts of a length or a pitch. Those of tables are stored; without a table the wins
        of a strip are counted by the solution, which takes some seconds for the longest. Directional rules apply to pitches only.

        >>> Tablebase().stats(12).wins
        14352
        """
        with notation():
            positions, wins, losses, draws, win, loss = self._core.stats(str(boards), rules)
        return Counts(int(positions), int(wins), int(losses), int(draws), win, loss, self._core, str(boards), rules)


def _length(boards: int | str) -> int:
    """Returns a number of squares, given as a number or as its digits."""
    try:
        length = int(boards)
    except (TypeError, ValueError):
        raise NotationError(f"'{boards}' is neither a length such as 12 nor a pitch such as '5x3'") from None
    return within("the length", length, 255)


def turns(position: str, *, rules: Rules = "ordinary") -> list[Move]:
    """Returns the legal turns of a position without values. It needs no table. Raises `NotationError`
    for strips of more than 10,000 squares.

    >>> turns(".@.")  # doctest: +NORMALIZE_WHITESPACE
    [Move(move='o0', position='o@. R', value=None, depth=None),
     Move(move='o2', position='.@o R', value=None, depth=None)]
    """
    with notation():
        return [Move(move, after, board=board) for move, after, board in _phutbase.turns(position, rules)]


def wins(position: str, limit: int = 10_000, *, rules: Rules = "ordinary") -> tuple[list[Move], bool]:
    """Returns the turns of a pitch of any size that win at once, fewest jumps first and at most
    `limit`, and whether the list is complete. It needs no table.

    Raises `LimitError` if the search cannot decide whether there is such a turn.

    >>> found, complete = wins("4o/2oo1/@2oo/oooo1/o3o B")
    >>> [move.move for move in found], complete
    (['a3-c1', 'a3-S', 'a3-c1-c3-SE'], True)
    """
    with notation():
        if limit < 1:
            raise NotationError(f"limit {limit} is out of range: at least 1")
        found, complete = _phutbase.wins(position, within("limit", limit, 2**32 - 1), rules)
    return [Move(move, after, value="win", depth=1) for move, after in found], complete


def index(position: str) -> int:
    """Returns the index of a position; with Right (Betty) to move, that of its mirror image.

    >>> index(".@..")
    0
    >>> index("..@o R") == index("o@.. L")
    True
    """
    with notation():
        return _phutbase.index(position)


def position(boards: int | str, index: int) -> str:
    """Returns the position with an index: the inverse of `index`.

    >>> position(4, 8)
    '..@.'
    >>> position("3x1", 1)
    '1/@/o A'
    """
    with notation():
        return _phutbase.position(str(boards), index)
