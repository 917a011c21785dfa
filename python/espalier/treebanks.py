"""Functions on treebanks and parsed files: evaluate, compare, check, convert, draw."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from espalier import _core
from espalier.arguments import StrPath, checked
from espalier.doc import Doc
from espalier.errors import EspalierError
from espalier.sent import Sent

Treebank = StrPath | Doc


class Scores(Mapping[str, Any]):
    """The scores of a system: a mapping, printed as a table."""

    def __init__(self, values: dict[str, Any], table: str, messages: list[str]) -> None:
        self._values = values
        self._table = table
        self.messages = messages
        """Sentences that could not be scored as they are."""

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f"Scores({self._values!r})"


class Problem(NamedTuple):
    """A problem at a place of a file; ``token`` 0 means the sentence or line as a whole."""

    file: str
    line: int
    token: int
    message: str


class Check(NamedTuple):
    """What `check` found."""

    sentences: int
    words: int
    problems: list[Problem]


@contextmanager
def as_file(treebank: Treebank) -> Iterator[str]:
    """The treebank's file; a document is written to a temporary file."""
    if not isinstance(treebank, Doc):
        yield os.fspath(treebank)
        return
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        file = Path(folder) / f"document.{treebank.format}"
        treebank.write(file)
        yield str(file)


@checked
def evaluate(
    gold: Treebank, system: Treebank, *, format: str = "", punct: str = "include", strict: bool = False
) -> Scores:
    """Scores of ``system`` against ``gold``, as ``espalier eval`` computes them. Files or documents.

    >>> import espalier
    >>> nlp = espalier.load("en")
    >>> gold = nlp("Trees grow.")
    >>> espalier.evaluate(gold, nlp.parse_tokens([["Trees", "grow", "."]]))["las"]
    100.0
    """
    if isinstance(gold, Doc) and isinstance(system, Doc):
        return _scores(_core.evaluate(gold._core, system._core, format, punct, strict))
    with as_file(gold) as gold_file, as_file(system) as system_file:
        return _scores(_core.evaluate_files(gold_file, system_file, format, punct, strict))


def _scores(report: tuple[str, str, list[str]]) -> Scores:
    values, table, messages = report
    return Scores(json.loads(values), table, messages)


@checked
def compare(
    gold: Treebank,
    a: Treebank,
    b: Treebank,
    *,
    metric: str = "",
    format: str = "",
    punct: str = "include",
    trials: int = 100_000,
    resamples: int = 10_000,
    seed: int = 1,
) -> dict[str, Any]:
    """Whether one of two systems is better than the other: scores, difference, p-value, intervals."""
    with as_file(gold) as gold_file, as_file(a) as a_file, as_file(b) as b_file:
        report = _core.compare_files(gold_file, a_file, b_file, format, punct, metric, trials, resamples, seed)
    result: dict[str, Any] = json.loads(report)
    return result


@checked
def check(file: StrPath, format: str = "") -> Check:
    """Everything that is wrong with a treebank file."""
    sentences, words, readable, problems, messages = _core.check_file(os.fspath(file), format)
    if not readable:
        raise EspalierError(messages[0] if messages else f"{os.fspath(file)}: cannot be read", 1)
    return Check(sentences, words, [Problem(*problem) for problem in problems])


@checked
def convert(
    input: StrPath,
    output: StrPath,
    *,
    from_format: str = "",
    to_format: str = "",
    language: str = "en",
    strip: bool = False,
    first: int = 1,
    count: int = 0,
) -> int:
    """Converts a file to another format, a sentence at a time; returns the number of sentences."""
    return _core.convert_file(
        os.fspath(input), os.fspath(output), from_format, to_format, language, strip, first, count
    )


@checked
def draw(what: Doc | Sent, file: StrPath | None = None) -> str:
    """The trees as SVG, also written to a file if one is named."""
    picture = what.to_svg()
    if file is not None:
        Path(file).write_text(picture, encoding="utf-8")
    return picture


def formats() -> tuple[list[str], list[str]]:
    """The names of formats that can be read, and of those that can be written."""
    return _core.formats()
