"""The exceptions: bad input, bad files, impossible requests."""

from __future__ import annotations

import re

_KINDS = {1: "run", 2: "usage", 3: "data"}
_PLACE = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+): ")


class EspalierError(Exception):
    """The one exception of the library.

    >>> import espalier
    >>> try:
    ...     espalier.read("1\\tTrees\\n", format="conllu")
    ... except espalier.EspalierError as error:
    ...     print(error.kind, error.file, error.line)
    data text 1
    """

    kind: str
    """``"usage"`` (the request makes no sense), ``"data"`` (the input is wrong) or ``"run"`` (a run failed)."""
    file: str | None
    """Where it is wrong, if the input is and the place is known; ``"text"`` stands for a string."""
    line: int | None

    def __init__(self, message: str, kind: int = 1) -> None:
        super().__init__(message)
        self.kind = _KINDS.get(kind, "run")
        place = _PLACE.match(message) if self.kind == "data" else None
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None

    def __reduce__(self) -> tuple[type[EspalierError], tuple[str, int]]:
        kinds = {name: number for number, name in _KINDS.items()}
        return type(self), (str(self), kinds[self.kind])


class Stopped(EspalierError, TimeoutError):
    """Work was given up because its time was over."""
