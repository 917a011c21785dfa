"""From treebanks to a model."""

from __future__ import annotations

import builtins
import json
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from espalier import _core
from espalier.arguments import Count, StrPath, checked
from espalier.doc import Doc
from espalier.model import Model
from espalier.options import Settings, setting_pairs
from espalier.sent import Sent
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
File = tuple[str, bytes]
"""A name, without folders, and what is in the file."""


@dataclass(frozen=True)
class Job:
    """A training, or a part of one, for another process or machine: all that it needs, but for files that settings
    name. Called, it gives the model file, or the part's."""

    recipe: str
    train: tuple[File, ...]
    dev: File | None
    settings: tuple[str, ...]
    seed: int = 1
    format: str = ""
    part: str = ""
    """A part that the training has asked for; its name says where its file belongs."""
    made: tuple[File, ...] = ()
    """Parts that are there already."""

    def __call__(self) -> bytes:
        with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
            model = Path(folder) / "model.esp"
            parts = Path(f"{model}{PARTS}")

            def put(file: Path, data: bytes) -> str:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
                return str(file)

            for name, data in self.made:
                put(parts / name, data)
            _core.train(
                self.recipe,
                list(self.settings),
                [put(Path(folder) / str(i) / name, data) for i, (name, data) in enumerate(self.train)],
                put(Path(folder) / "dev" / self.dev[0], self.dev[1]) if self.dev else "",
                str(model),
                self.format,
                "",
                1,
                self.seed,
                bool(self.part),
                {},
                None,
                lambda message: None,
                None,
                self.part,
            )
            return (parts / self.part if self.part else model).read_bytes()

    def make_parts(self, names: Sequence[str], folder: Path, map: Map) -> None:
        """Has parts of this training made, and puts them where they belong."""
        made = tuple(
            (file.relative_to(folder).as_posix(), file.read_bytes()) for file in folder.rglob("*") if file.is_file()
        )
        jobs = [replace(self, part=name, made=made) for name in names]
        for name, data in zip(names, map(Job.__call__, jobs), strict=True):
            (folder / name).write_bytes(data)


PARTS = ".checkpoint.parts"
Map = Callable[[Callable[[Job], bytes], Iterable[Job]], Iterable[bytes]]
"""Any ``map`` that keeps order: Python's, ``multiprocessing.Pool(8).map``, `espalier.spark.spark_map`."""


def as_bytes(treebank: Treebank) -> File:
    with as_file(treebank) as name:
        return Path(name).name, Path(name).read_bytes()


@dataclass(frozen=True)
class Objective:
    """A further loss to train for, with data of its own.

    ``loss`` is a name (docs/objectives.md) or a function of yours: it gets a sentence of ``data`` and the parser's
    trees for it, and returns the cost of each, 0 if nothing is wrong. ``options`` are the objective's other
    settings: ``dev``, ``weight``, ``k``, ...
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


@checked
def train(
    recipe: StrPath = "beam",
    *,
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    model: StrPath | None = None,
    set: Settings | None = None,
    callback: Callable[[Progress], object] | None = None,
    progress: bool = True,
    threads: Count = 1,
    seed: Count = 1,
    resume: bool = False,
    objectives: Sequence[Objective] = (),
    format: str = "",
    licence: str = "",
    map: Map | None = None,
) -> Trained:
    """Trains a model by a recipe (`recipes`, or a TOML file); ``set`` changes the recipe's settings.

    Treebanks are files or documents. Without a file for the ``model`` it stays in memory (`Model.save`). Ctrl-C keeps
    the best model so far. ``callback`` gets every report of progress; an exception that it raises ends the training. A
    bar is shown if tqdm is installed, unless ``progress`` is False. The model does not depend on the number of threads.
    ``objectives`` are further tasks to be trained for (docs/objectives.md). ``map``: runs what the recipe trains apart,
    folds of jackknifing and of hc, labels of classify, in other processes or on other machines; the model is the same,
    byte for byte.
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
        if losses and map is not None:
            raise ValueError("a loss in Python stays in its process: train without map")

        def make_parts(names: list[str]) -> None:
            data = [as_bytes(treebank) for treebank in train_files]
            job = Job(str(recipe), tuple(data), as_bytes(dev_file) if dev_file else None, tuple(settings), seed, format)
            job.make_parts(names, Path(target + PARTS), map or builtins.map)

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
                make_parts if map is not None else None,
                "",
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


@checked
def calibrate(
    model: StrPath,
    *,
    dev: Treebank | None = None,
    test: Treebank | None = None,
    output: StrPath = "",
    format: str = "",
    kbest: int = 16,
    set: Settings | None = None,
    threads: Count = 0,
) -> dict[str, Any]:
    """Fits the confidence of a model file (``nlp(text, confidence=True)``) on a treebank that it was not trained on.

    ``output``: another file to write. ``set``: settings of the model to change, which the file keeps. Returns what was
    measured on ``test``, or else on ``dev``: for ``"arcs"`` and ``"trees"`` the calibration error. Without ``dev`` it
    only measures.
    """
    with ExitStack() as files:
        dev_file, test_file = (files.enter_context(as_file(t)) if t is not None else "" for t in (dev, test))
        report: dict[str, Any] = json.loads(
            _core.calibrate(
                os.fspath(model), dev_file, test_file, os.fspath(output), format, kbest, setting_pairs(set), threads
            )
        )
    return report


def recipes() -> dict[str, str]:
    """The names of the recipes with their descriptions.

    >>> "beam" in recipes()
    True
    """
    return {recipe["name"]: recipe["description"] for recipe in json.loads(_core.recipes())}


@checked
def recipe_source(recipe: StrPath) -> str:
    """A recipe as written: TOML with comments."""
    return _core.recipe_source(str(recipe))


@checked
def recipe_settings(recipe: StrPath, set: Settings | None = None) -> list[dict[str, str]]:
    """All settings of a recipe: key, value, default, help."""
    settings: list[dict[str, str]] = json.loads(_core.recipe_settings(str(recipe), setting_pairs(set)))
    return settings
