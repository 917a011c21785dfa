"""Scores of a teacher on gold words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from espalier.teacher.console import say
from espalier.teacher.data import COLUMN, TAGS, Sentence, head_of
from espalier.teacher.predict import Analysis, Predictor

CHUNK = 1000
FIFTHS = 5


class Scores:
    """Shares of words that are right, in per cent; labels with their subtypes, as `espalier eval` counts them."""

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        self.right: Counter[str] = Counter()
        self.all: Counter[str] = Counter()
        self.by_confidence: list[tuple[float, int, int]] = []

    def add(self, sentence: Sentence, analysis: Analysis | None) -> None:
        """A sentence that could not be read counts as wrong."""
        words = sentence.words
        right = count = 0
        for i, row in enumerate(words):
            for tag in TAGS:
                self.all[tag] += 1
                self.right[tag] += analysis is not None and analysis.tags[tag][i] == row[COLUMN[tag]]
            head = head_of(row, len(words))
            if head is None:
                continue
            attached = analysis is not None and analysis.heads is not None and analysis.heads[i] == head
            labelled = attached and analysis is not None and analysis.labels[i] == row[COLUMN["deprel"]]
            for name, value in (("uas", attached), ("las", labelled)):
                self.all[name] += 1
                self.right[name] += value
            right, count = right + labelled, count + 1
        if analysis is not None and analysis.heads is not None:
            self.by_confidence.append((analysis.confidence, right, count))

    def figures(self) -> dict[str, float]:
        return {name: 100 * self.right[name] / self.all[name] for name in self.columns if self.all[name]}

    def fifths(self) -> list[tuple[float, float]]:
        """Lowest confidence and LAS of each fifth of the sentences, the surest first."""
        ranked = sorted(self.by_confidence, reverse=True)
        bounds = [len(ranked) * i // FIFTHS for i in range(FIFTHS + 1)]
        parts = [ranked[a:b] for a, b in pairwise(bounds) if b > a]
        return [(p[-1][0], 100 * sum(x[1] for x in p) / max(1, sum(x[2] for x in p))) for p in parts]

    def __str__(self) -> str:
        return ", ".join(f"{name.upper()} {value:.2f}" for name, value in self.figures().items())


def evaluate(predictor: Predictor, sentences: Iterable[Sentence]) -> Scores:
    """Annotates the words of gold sentences, and compares."""
    scores = Scores([*predictor.present, *(["uas", "las"] if predictor.names["deprel"] else [])])
    waiting: list[Sentence] = []

    def work() -> None:
        for sentence, analysis in zip(waiting, predictor([s.forms for s in waiting]), strict=True):
            if analysis is None:
                say(f"sentence {sentence.name}: {len(sentence.words)} words are too many for the encoder")
            scores.add(sentence, analysis)
        waiting.clear()

    for sentence in sentences:
        waiting.append(sentence)
        if len(waiting) == CHUNK:
            work()
    if waiting:
        work()
    return scores
