"""What teachers make of words: tags, a tree, and how sure they are. Several teachers average their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from espalier.errors import EspalierError
from espalier.teacher.batch import Batch, Item, batches
from espalier.teacher.data import TAGS
from espalier.teacher.device import Device
from espalier.teacher.model import Teacher
from espalier.teacher.tree import best_tree
from espalier.teacher.vocabulary import COLUMNS

SMALLEST = 1e-12
"""Probabilities are at least this before their logarithm is taken."""


@dataclass(slots=True)
class Analysis:
    """Columns of a sentence's words. Tags that the treebank does not have are ``_``; without trees `heads` is None."""

    tags: dict[str, list[str]]
    heads: list[int] | None
    labels: list[str]
    tag_confidence: list[float]
    """Probability of the tags of each word."""
    arc_confidence: list[float]
    """Probability of the head and of the label of each word."""

    @property
    def confidence(self) -> float:
        """Geometric mean over the words."""
        return float(np.exp(np.log(np.maximum(self.arc_confidence, SMALLEST)).mean()))


class Predictor:
    """One or several teachers who speak as one treebank."""

    def __init__(self, teachers: Sequence[Teacher], treebank: str, device: Device, size: int = 4000) -> None:
        self.teachers: list[Teacher] = [device.place(teacher) for teacher in teachers]
        self.device, self.size = device, size
        parts = [t.vocabulary.treebank(treebank) for t in teachers]
        self.number = [t.vocabulary.number(treebank) for t in teachers]
        self.names: dict[str, list[str]] = {}
        self.own: dict[str, list[Tensor]] = {}
        """By column, for each teacher: its classes of this treebank …"""
        self.place: dict[str, list[Tensor]] = {}
        """… and where they stand among the classes of all teachers."""
        for column in COLUMNS:
            names = [
                [t.vocabulary.names[column][i] for i in p.classes[column]] for t, p in zip(teachers, parts, strict=True)
            ]
            self.names[column] = sorted(set().union(*names))
            index = {name: i for i, name in enumerate(self.names[column])}
            self.own[column] = [device.tensor(p.classes[column]) for p in parts]
            self.place[column] = [device.tensor([index[name] for name in ns]) for ns in names]
        self.present = [column for column in TAGS if self.names[column]]
        triples: set[tuple[int, ...]] = set()
        for t, p in zip(teachers, parts, strict=True):
            for triple in p.triples:
                values = {tag: t.vocabulary.names[tag][i] for tag, i in zip(TAGS, triple, strict=True) if i >= 0}
                if len(values) != len(self.present):
                    raise EspalierError(f"the teachers of '{treebank}' have learned different columns", 2)
                triples.add(tuple(self.names[tag].index(values[tag]) for tag in self.present))
        self.triples = device.tensor(sorted(triples)).T
        self.root = self.names["deprel"].index("root") if "root" in self.names["deprel"] else None

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[Analysis | None]:
        """An analysis per list of words; None where there are too many words for an encoder."""
        items = {i: own for i, words in enumerate(sentences) if (own := self._items(words))}
        fit = list(items)
        result: list[Analysis | None] = [None] * len(sentences)
        for group in batches([max(len(item.ids) for item in items[i]) for i in fit], self.size):
            chosen = [fit[i] for i in group]
            made = [
                Batch([items[i][m] for i in chosen], teacher.pieces.pad, self.device.device)
                for m, teacher in enumerate(self.teachers)
            ]
            for i, analysis in zip(chosen, self._analyse(made), strict=True):
                result[i] = analysis
        return result

    def _items(self, words: Sequence[str]) -> list[Item] | None:
        """The sentence as each teacher reads it, None if one of them cannot."""
        items = []
        for teacher, number in zip(self.teachers, self.number, strict=True):
            found = teacher.pieces(words)
            if found is None:
                return None
            items.append(Item(*found, treebank=number))
        return items

    def _analyse(self, made: list[Batch]) -> list[Analysis]:
        lengths = [len(item.first) - 1 for item in made[0].items]
        with torch.inference_mode(), self.device.autocast():
            read = [t.words(batch, t.low(batch)) for t, batch in zip(self.teachers, made, strict=True)]
            real = made[0].there.clone()
            real[:, 0] = False
            tags, tag_confidence = self._tags([words.tags[real] for words in read])
            heads: Tensor | None = None
            labels: list[str] = []
            arc_confidence: list[float] = []
            if self.names["deprel"]:
                arcs = sum(t.arcs(w, b.there).softmax(-1) for t, w, b in zip(self.teachers, read, made, strict=True))
                arcs = arcs / len(self.teachers)
                heads = self._trees(arcs, lengths)
                scores = [t.labels(w, real, heads) for t, w in zip(self.teachers, read, strict=True)]
                labels, label_confidence = self._labels(scores, heads[real])
                arc_confidence = (arcs.gather(2, heads[..., None])[..., 0][real] * label_confidence).tolist()
        result, begin = [], 0
        for i, length in enumerate(lengths):
            part = slice(begin, begin + length)
            begin += length
            own = {tag: tags[tag][part] if tag in tags else ["_"] * length for tag in TAGS}
            tree = None if heads is None else heads[i, 1 : length + 1].tolist()
            result.append(Analysis(own, tree, labels[part], tag_confidence[part], arc_confidence[part]))
        return result

    def _average(self, column: str, scores: Sequence[Tensor]) -> Tensor:
        """Mean of the probabilities of the treebank's classes, for scores of each teacher's own."""
        total = scores[0].new_zeros(len(scores[0]), len(self.names[column]))
        for one, own, place in zip(scores, self.own[column], self.place[column], strict=True):
            total.index_add_(1, place, one[:, own].softmax(-1))
        return total / len(scores)

    def _tags(self, states: list[Tensor]) -> tuple[dict[str, list[str]], list[float]]:
        """The most probable triple of tags that the treebank has, for every word."""
        if not self.present:
            return {}, [1.0] * len(states[0])
        logs = [
            self._average(tag, [t.tags(tag, s) for t, s in zip(self.teachers, states, strict=True)])
            .clamp(SMALLEST)
            .log()
            for tag in self.present
        ]
        total = sum(log[:, classes] for log, classes in zip(logs, self.triples, strict=True))
        best = total.max(-1)
        chosen = self.triples[:, best.indices].tolist()
        names = {tag: [self.names[tag][i] for i in row] for tag, row in zip(self.present, chosen, strict=True)}
        return names, best.values.exp().tolist()

    def _trees(self, arcs: Tensor, lengths: list[int]) -> Tensor:
        heads = torch.zeros(arcs.shape[:2], dtype=torch.long)
        scores = arcs.clamp(SMALLEST).log().cpu().numpy()
        for i, length in enumerate(lengths):
            heads[i, : length + 1] = torch.from_numpy(best_tree(scores[i, : length + 1, : length + 1]))
        return heads.to(arcs.device)

    def _labels(self, scores: list[Tensor], heads: Tensor) -> tuple[list[str], Tensor]:
        """The most probable labels: ``root`` if and only if the head is 0."""
        label = self._average("deprel", scores)
        if self.root is not None and label.shape[1] > 1:
            is_root = torch.arange(label.shape[1], device=label.device) == self.root
            label = label.masked_fill((heads == 0)[:, None] != is_root, 0.0)
            label = label / label.sum(-1, keepdim=True).clamp(SMALLEST)
        best = label.max(-1)
        return [self.names["deprel"][i] for i in best.indices.tolist()], best.values
