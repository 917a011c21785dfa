"""From treebanks to a model."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from espalier import _core
from espalier.doc import Doc, Sent
from espalier.model import Model, Settings, StrPath, setting_pairs
from espalier.treebanks import Treebank, as_file


@dataclass(frozen=True)
class Progress:
    """News from a training."""

    phase: str
    epoch: int
    epochs: int
    done: int
    total: int
    epoch_end: bool
    values: dict[str, Any] = field(default_factory=dict)
    """Counts and dev scores, at the end of an epoch."""


@dataclass(frozen=True)
class Trained:
    """What a training has made."""

    model: Model
    report: dict[str, Any]
    """Scores on dev, counts."""
    stopped: bool
    """By Ctrl-C, before the end; ``resume=True`` goes on, if the model has a file."""


Loss = Callable[[Sent, list[Sent]], Sequence[float]]


@dataclass(frozen=True)
class Objective:
    """A task to be trained for beside the treebank.

    ``loss`` is a name (docs/losses.md) or a function of yours: it gets a sentence of ``data`` and the parser's trees
    for it, and returns what each of them costs, 0 if nothing is wrong. ``options`` are the objective's other settings:
    ``dev``, ``weight``, ``k``, ...
    """

    data: StrPath
    loss: str | Loss
    options: Mapping[str, object] = field(default_factory=dict)

    def _settings(
        self, number: int, losses: dict[str, Callable[[_core.Document, _core.Document], list[float]]]
    ) -> list[str]:
        loss = self.loss
        if not isinstance(loss, str):
            function, name = loss, f"python-{number}-{getattr(loss, '__qualname__', type(loss).__name__)}"

            def costs(gold: _core.Document, candidates: _core.Document) -> list[float]:
                return [float(cost) for cost in function(Doc(gold).sents[0], Doc(candidates).sents)]

            losses[name] = costs
            loss = f"callable:{name}"
        settings = {"data": os.fspath(self.data), "loss": loss, **self.options}
        return setting_pairs({f"objective.{number}.{key}": value for key, value in settings.items()})


def train(
    recipe: StrPath = "beam",
    *,
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    model: StrPath | None = None,
    set: Settings | None = None,
    callback: Callable[[Progress], object] | None = None,
    progress: bool = True,
    threads: int = 1,
    seed: int = 1,
    resume: bool = False,
    objectives: Sequence[Objective] = (),
    format: str = "",
    licence: str = "",
) -> Trained:
    """Trains a model by a recipe (`recipes`, or a TOML file); ``set`` changes the recipe's settings.

    Treebanks are files or documents. Without a file for the ``model`` it stays in memory (`Model.save`). Ctrl-C keeps
    the best model so far. ``callback`` gets every news; an exception that it raises ends the training. A bar is shown
    if tqdm is there, unless ``progress`` is False. The model does not depend on the number of threads. ``objectives``
    are further tasks to be trained for (docs/augmented-loss.md).
    """
    treebanks: Sequence[Treebank] = [train] if isinstance(train, (str, os.PathLike, Doc)) else train
    with ExitStack() as files:
        train_files = [files.enter_context(as_file(treebank)) for treebank in treebanks]
        dev_file = files.enter_context(as_file(dev)) if dev is not None else ""
        if model is None:
            folder = files.enter_context(tempfile.TemporaryDirectory(prefix="espalier-"))
            target = str(Path(folder) / "model.esp")
        else:
            target = str(Path(model))
        bar = files.enter_context(_Bar()) if progress else None

        def listen(news: str) -> None:
            item = Progress(**{key: value for key, value in json.loads(news).items() if value is not None})
            if bar is not None:
                bar.show(item)
            if callback is not None:
                callback(item)

        settings = setting_pairs(set)
        losses: dict[str, Callable[[_core.Document, _core.Document], list[float]]] = {}
        for number, objective in enumerate(objectives):
            settings += objective._settings(number, losses)
        result = json.loads(
            _core.train(
                str(recipe),
                settings,
                train_files,
                dev_file,
                target,
                format,
                licence,
                threads,
                seed,
                resume,
                losses,
                listen if bar is not None or callback is not None else None,
                lambda message: warnings.warn(message, stacklevel=4),
            )
        )
        made = Model(target) if model is not None else Model.from_bytes(Path(target).read_bytes(), "model")
    return Trained(made, result["report"], result["stopped"])


class _Bar:
    """A tqdm bar per phase and epoch, if tqdm is there."""

    def __enter__(self) -> Self:
        self._bar: Any = None
        self._of: tuple[str, int] | None = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, news: Progress) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        if self._of != (news.phase, news.epoch):
            self.__exit__()
            self._of = (news.phase, news.epoch)
            epoch = f" {news.epoch}/{news.epochs}" if news.epochs else ""
            self._bar = tqdm(total=news.total, desc=news.phase + epoch, leave=True)
        self._bar.total = news.total
        self._bar.update(news.done - self._bar.n)
        if news.epoch_end and news.values:
            scores = {key: value for key, value in news.values.items() if isinstance(value, (int, float))}
            self._bar.set_postfix({key: f"{value:.4g}" for key, value in list(scores.items())[:4]})


def recipes() -> dict[str, str]:
    """The names of the recipes, and what they are.

    >>> "beam" in recipes()
    True
    """
    return {recipe["name"]: recipe["description"] for recipe in json.loads(_core.recipes())}


def recipe_source(recipe: StrPath) -> str:
    """A recipe as written: TOML with comments."""
    return _core.recipe_source(str(recipe))


def recipe_settings(recipe: StrPath, set: Settings | None = None) -> list[dict[str, str]]:
    """Everything that can be set about a recipe: key, value, default, help."""
    settings: list[dict[str, str]] = json.loads(_core.recipe_settings(str(recipe), setting_pairs(set)))
    return settings
