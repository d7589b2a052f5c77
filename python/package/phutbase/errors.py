"""The exceptions of this package: all of them are a `PhutbaseError`."""


class PhutbaseError(Exception):
    """What went wrong; the message says what to do."""


class NotationError(PhutbaseError, ValueError):
    """A text, or a number, that stands for no position or no boards that can be asked for."""


class TableError(PhutbaseError, OSError):
    """A table that cannot be read, or is damaged."""


class MissingTableError(PhutbaseError, LookupError):
    """No table, or none with depths; the message names the command that makes it."""


class LimitError(PhutbaseError, MemoryError):
    """An answer that is too large, or takes too much."""
