"""Sentences as numbers, and batches of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from espalier.teacher.data import COLUMN, TAGS, Sentence, head_of
from espalier.teacher.encoder import Pieces
from espalier.teacher.vocabulary import Vocabulary

UNKNOWN = -1
"""A class or head that is not known; it teaches nothing."""


@dataclass(slots=True)
class Item:
    """A sentence for the encoder. Lists of classes and heads have an entry for the artificial root, too: UNKNOWN."""

    ids: list[int]
    first: list[int]
    treebank: int = 0
    offset: int = 0
    """Where its states stand in the file of frozen states."""
    gold: dict[str, list[int]] = field(default_factory=dict)


class Batch:
    """Padded tensors of some items."""

    def __init__(self, items: Sequence[Item], pad: int, device: torch.device) -> None:
        self.items, self.device = items, device
        self.ids = self._padded([item.ids for item in items], pad)
        self.first = self._padded([item.first for item in items], 0)
        self.mask = self._lengths([len(item.ids) for item in items], self.ids.shape[1])
        self.there = self._lengths([len(item.first) for item in items], self.first.shape[1])
        self.treebank = torch.tensor([item.treebank for item in items], device=device)

    def gold(self, column: str) -> Tensor:
        """Class numbers of one column, or heads."""
        return self._padded([item.gold[column] for item in self.items], UNKNOWN)

    def _padded(self, rows: Sequence[Sequence[int]], filler: int) -> Tensor:
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows], device=self.device)

    def _lengths(self, lengths: Sequence[int], longest: int) -> Tensor:
        return torch.arange(longest, device=self.device) < torch.tensor(lengths, device=self.device)[:, None]


def numbers(sentence: Sentence, treebank: str, vocabulary: Vocabulary, pieces: Pieces, longest: int) -> Item | None:
    """A sentence to learn from; None if it does not fit into `longest` word pieces."""
    words = sentence.words
    found = pieces(sentence.forms, longest)
    if found is None:
        return None
    item = Item(*found, treebank=vocabulary.number(treebank))
    index = vocabulary.index
    has = vocabulary.treebanks[treebank].classes
    heads = [head_of(row, len(words)) for row in words]
    for column in TAGS:
        values = [index[column].get(row[COLUMN[column]], UNKNOWN) if has[column] else UNKNOWN for row in words]
        item.gold[column] = [UNKNOWN, *values]
    labels = [
        UNKNOWN if h is None else index["deprel"].get(row[COLUMN["deprel"]], UNKNOWN)
        for h, row in zip(heads, words, strict=True)
    ]
    item.gold["deprel"] = [UNKNOWN, *labels]
    item.gold["head"] = [UNKNOWN, *(UNKNOWN if head is None else head for head in heads)]
    return item


def batches(lengths: Sequence[int], size: int, rng: random.Random | None = None) -> list[list[int]]:
    """Groups of numbers of sentences of similar length, about `size` word pieces each, padding included.

    With a generator their order and, a little, their company differ from call to call.
    """
    keys = [length * (1 + 0.1 * rng.random()) if rng else length for length in lengths]
    groups: list[list[int]] = []
    longest = 0
    for i in sorted(range(len(lengths)), key=keys.__getitem__):
        longest = max(longest, lengths[i])
        if not groups or longest * (len(groups[-1]) + 1) > size:
            groups.append([])
            longest = lengths[i]
        groups[-1].append(i)
    if rng:
        rng.shuffle(groups)
    return groups
