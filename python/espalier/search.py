"""Learning to search: write a decoder as a class, get a learner.

A task builds its output step by step. Where it must choose it calls ``search.predict``, where something is wrong
``search.loss``; the library runs it many times and learns which choices are good (docs/learning-to-search.md).

>>> class Copy:
...     def run(self, search, word):
...         output = []
...         for letter in word:
...             gold = "ab".index(letter)
...             output.append(search.predict([f"letter={letter}"], reference=gold))
...             search.loss(output[-1] != gold)
...         return output
>>> learner = Learner(Copy(), actions=2)
>>> losses = learner.train(["ab", "ba", "aab"])
>>> learner.predict("abba")
[0, 1, 1, 0]
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from espalier import _core
from espalier._core import Features, Search
from espalier.arguments import StrPath, checked
from espalier.options import Settings, setting_pairs

__all__ = ["Features", "Learner", "Search", "Task"]

Example = TypeVar("Example", contravariant=True)


class Task(Protocol[Example]):
    """The interface of a task. ``run`` must be deterministic given what ``predict`` returns, and read gold data only
    for ``reference``, ``costs`` and ``search.loss``."""

    def run(self, search: Search, example: Example, /) -> Any: ...


class Learner(Generic[Example]):
    """A task with its trained model.

    ``actions``: the number of actions, or one number for each of the task's learners. ``set``: settings of
    the recipe l2s-tagger, such as ``{"learner": "adaptive", "rollin": "learn"}``.
    """

    @checked
    def __init__(
        self, task: Task[Example], actions: int | Sequence[int], set: Settings | None = None, seed: int = 1
    ) -> None:
        self.task = task
        self._seed = seed
        counts = [operator.index(count) for count in ([actions] if isinstance(actions, int) else actions)]
        self._trainer: _core.SearchTrainer | None = _core.SearchTrainer(counts, setting_pairs(set), seed)
        self._model: _core.SearchModel | None = None

    @checked
    def train(
        self,
        examples: Sequence[Example],
        epochs: int | None = None,
        callback: Callable[[int, float], object] | None = None,
    ) -> list[float]:
        """Makes shuffled passes over the examples; returns their losses. ``callback`` gets each pass and its loss."""
        trainer = self._trainer
        if trainer is None:
            raise ValueError("a learner that was loaded cannot learn any more")
        run, samples, order = self.task.run, trainer.samples(), list(examples)
        losses: list[float] = []
        shuffle = random.Random(self._seed).shuffle
        for epoch in range(trainer.epochs() if epochs is None else epochs):
            shuffle(order)
            loss = 0.0
            for i, example in enumerate(order):
                loss += trainer.learn(run, example)
                if i * samples // len(order) != (i + 1) * samples // len(order):
                    trainer.sample()
            losses.append(loss)
            if callback is not None:
                callback(epoch + 1, loss)
        self._model = None
        return losses

    def predict(self, example: Example) -> Any:
        """Runs the task with the trained model; returns the result of its ``run``."""
        return self._frozen().decide(self.task.run, example)

    def _frozen(self) -> _core.SearchModel:
        if self._model is None:
            assert self._trainer is not None
            self._model = self._trainer.model()
        return self._model

    @checked
    def save(self, path: StrPath) -> None:
        """Writes what was learned; the task itself is code."""
        Path(path).write_bytes(self._frozen().to_bytes())

    @classmethod
    @checked
    def load(cls, task: Task[Example], path: StrPath) -> Self:
        """A learner that predicts and learns no more."""
        learner = cls.__new__(cls)
        learner.task, learner._seed, learner._trainer = task, 1, None
        learner._model = _core.SearchModel.from_bytes(Path(path).read_bytes(), str(path))
        return learner
