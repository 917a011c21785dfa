"""Names of tags and relations: one vocabulary for all treebanks, and for each treebank the part of it that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from espalier.errors import EspalierError
from espalier.teacher.data import COLUMN, TAGS, Sentence, head_of

COLUMNS = (*TAGS, "deprel")


@dataclass
class Treebank:
    """What one treebank has: class numbers by column, and the triples of UPOS, XPOS and FEATS that occur in it.

    A column that is ``_`` everywhere has no classes: it teaches nothing, is not predicted, and is -1 in every triple.
    """

    classes: dict[str, list[int]]
    triples: list[list[int]]


@dataclass
class Vocabulary:
    """Class names by column, and the treebanks by name, in the order in which they were given."""

    names: dict[str, list[str]] = field(default_factory=lambda: {column: [] for column in COLUMNS})
    treebanks: dict[str, Treebank] = field(default_factory=dict)

    @classmethod
    def of(cls, treebanks: Mapping[str, Iterable[Sentence]]) -> Vocabulary:
        """All that occurs in the training sets."""
        seen = {name: _Seen(sentences) for name, sentences in treebanks.items()}
        vocabulary = cls(
            {column: sorted(set().union(*(s.values[column] for s in seen.values()))) for column in COLUMNS}
        )
        index = vocabulary.index
        for name, s in seen.items():
            classes = {column: sorted(index[column][value] for value in s.values[column]) for column in COLUMNS}
            triples = {
                tuple(index[tag][value] if classes[tag] else -1 for tag, value in zip(TAGS, triple, strict=True))
                for triple in s.triples
            }
            vocabulary.treebanks[name] = Treebank(classes, sorted(map(list, triples)))
        return vocabulary

    @cached_property
    def index(self) -> dict[str, dict[str, int]]:
        """Class numbers by column and name."""
        return {column: {name: i for i, name in enumerate(names)} for column, names in self.names.items()}

    def number(self, name: str) -> int:
        """The treebank's place in the list."""
        self.treebank(name)
        return list(self.treebanks).index(name)

    def treebank(self, name: str) -> Treebank:
        if name not in self.treebanks:
            known = ", ".join(self.treebanks)
            raise EspalierError(f"the teacher knows no treebank '{name}'; it has learned from: {known}", 2)
        return self.treebanks[name]

    def to_json(self) -> dict[str, Any]:
        return {
            "names": self.names,
            "treebanks": {name: [t.classes, t.triples] for name, t in self.treebanks.items()},
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Vocabulary:
        return cls(value["names"], {name: Treebank(*parts) for name, parts in value["treebanks"].items()})


class _Seen:
    """The values of each column of a treebank, and its triples of tags."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self.values: dict[str, set[str]] = {column: set() for column in COLUMNS}
        self.triples: set[tuple[str, ...]] = set()
        for sentence in sentences:
            words = sentence.words
            for row in words:
                self.triples.add(tuple(row[COLUMN[tag]] for tag in TAGS))
                if head_of(row, len(words)) is not None and row[COLUMN["deprel"]] != "_":
                    self.values["deprel"].add(row[COLUMN["deprel"]])
        for i, tag in enumerate(TAGS):
            values = {triple[i] for triple in self.triples}
            self.values[tag] = set() if values == {"_"} else values
