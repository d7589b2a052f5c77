"""Checks of arguments, before the part written in Rust sees them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import NotationError


@contextmanager
def notation() -> Iterator[None]:
    """Raises `NotationError` for text that is not valid Unicode, and for arguments of another type."""
    try:
        yield
    except TypeError as error:
        raise NotationError(" ".join([str(error), *getattr(error, "__notes__", ())])) from error
    except UnicodeEncodeError as error:
        raise NotationError(f"the text has no valid character at place {error.start}") from None


def within(what: str, number: int, most: int) -> int:
    """Returns a number from 0 to `most`; raises `NotationError` for others."""
    try:
        if 0 <= number <= most:
            return number
    except TypeError:
        pass
    raise NotationError(f"{what} {number} is out of range: 0 to {most}")
