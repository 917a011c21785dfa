"""CoNLL-U as rows of texts: what is not annotated comes out as it went in, multiword tokens and empty nodes, too."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from espalier.errors import EspalierError

COLUMN = {"upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7}
TAGS = ("upos", "xpos", "feats")
"""The columns that are predicted word by word."""


@dataclass(slots=True)
class Sentence:
    """Comments and rows of ten columns; a row is a word, a multiword token (``3-4``) or an empty node (``5.1``)."""

    comments: list[str]
    rows: list[list[str]]

    @property
    def words(self) -> list[list[str]]:
        """The rows that are words; changing them changes the sentence."""
        return [row for row in self.rows if row[0].isdigit()]

    @property
    def forms(self) -> list[str]:
        return [row[1] for row in self.words]

    @property
    def name(self) -> str:
        """What messages call it: its sent_id, or else its first words."""
        for comment in self.comments:
            if comment.startswith("# sent_id = "):
                return comment[12:]
        return "“" + " ".join(self.forms[:5]) + " …”"

    def __str__(self) -> str:
        return "\n".join([*self.comments, *("\t".join(row) for row in self.rows)]) + "\n\n"


def read(path: str | Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file, one by one; ``.gz`` is fine."""
    comments: list[str] = []
    rows: list[list[str]] = []
    words = 0
    with gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\r\n")
            if not line:
                if rows and not words:
                    raise EspalierError(f"{path}:{number}: a sentence without words", 3)
                if rows:
                    yield Sentence(comments, rows)
                comments, rows, words = [], [], 0
            elif line.startswith("#") and not rows:
                comments.append(line)
            else:
                row = line.split("\t")
                if len(row) != 10:
                    raise EspalierError(f"{path}:{number}: {len(row)} columns, not ten", 3)
                if row[0].isdigit():
                    words += 1
                    if int(row[0]) != words:
                        raise EspalierError(f"{path}:{number}: word {row[0]} stands where {words} should", 3)
                rows.append(row)
    if rows:
        yield Sentence(comments, rows)


def head_of(row: list[str], words: int) -> int | None:
    """The head's number in a sentence of so many words, None where the row tells none."""
    head = row[COLUMN["head"]]
    return int(head) if head.isdigit() and int(head) <= words and row[0] != head else None
