"""The exceptions of this package: all of them are a `PhutbaseError`."""


class PhutbaseError(Exception):
    """The base of this package's exceptions."""


class NotationError(PhutbaseError, ValueError):
    """A text, or a number, that stands for no position or no boards that can be asked for."""


class TableError(PhutbaseError, OSError):
    """A table that cannot be read, or is damaged."""


class MissingTableError(PhutbaseError, LookupError):
    """No table, or none with depths, in the places that the message names; `phutbase generate` makes tables."""


class LimitError(PhutbaseError, MemoryError):
    """An answer that is too large, or takes too much."""
