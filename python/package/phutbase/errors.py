"""The exceptions of this package. Each is a `PhutbaseError`."""


class PhutbaseError(Exception):
    """Base class of the exceptions."""


class NotationError(PhutbaseError, ValueError):
    """The argument is not a position, or not boards that this function supports."""


class TableError(PhutbaseError, OSError):
    """A table cannot be read or is damaged."""


class MissingTableError(PhutbaseError, LookupError):
    """No table (with depths) contains the position. The message says how to get one."""


class LimitError(PhutbaseError, MemoryError):
    """The answer needs too much memory or time."""
