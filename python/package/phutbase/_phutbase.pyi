"""The part of the package written in Rust."""

import os

import numpy as np
import numpy.typing as npt

__version__: str

class Core:
    def __new__(cls, tables: str | os.PathLike[str] | None = None) -> Core: ...
    def __getnewargs__(self) -> tuple[str | None]: ...
    def probe_many(
        self, positions: list[str], rules: str
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint16]]: ...
    def contents(self) -> tuple[list[int], list[int], list[str]]: ...
    def probe(self, position: str, line: bool, rules: str) -> str: ...
    def find(
        self,
        length: int,
        value: str | None,
        depth: tuple[int, int] | None,
        ball: tuple[int, int] | None,
        stones: tuple[int, int] | None,
        pattern: str,
        side: str,
        most: int,
        seed: int | None,
    ) -> tuple[str, list[str]]: ...
    def find_pitch(
        self,
        boards: str,
        value: str | None,
        depth: tuple[int, int] | None,
        stones: tuple[int, int] | None,
        side: str,
        most: int,
        seed: int | None,
        rules: str,
    ) -> tuple[int, list[str]]: ...
    def values(self, boards: str) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]: ...
    def stats(
        self, boards: str, rules: str
    ) -> tuple[str, str, str, str, int | None, int | None]: ...
    def longest_win(self, boards: str, rules: str) -> str | None: ...

def index(position: str) -> int: ...
def turns(position: str, rules: str) -> list[tuple[str, str | None, int | None]]: ...
def position(boards: str, index: int) -> str: ...
def wins(position: str, most: int, rules: str) -> tuple[list[tuple[str, str]], bool]: ...
