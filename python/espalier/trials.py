"""Cross-validation and grids of settings: independent trainings, here or on a cluster, with the same results."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from espalier.doc import Doc
from espalier.model import Model, Settings, StrPath, read
from espalier.training import train as train_model
from espalier.treebanks import Scores, Treebank, evaluate

Map = Callable[[Callable[["Job"], bytes], Iterable["Job"]], Iterable[bytes]]


@dataclass(frozen=True)
class Job:
    """One training, whole: what a worker needs and nothing of the caller's file system."""

    recipe: str
    train: str
    dev: str
    settings: tuple[tuple[str, Any], ...]
    seed: int

    def __call__(self) -> bytes:
        """The model file."""
        with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
            files = {name: Path(folder) / f"{name}.conllu" for name in ("train", "dev")}
            files["train"].write_text(self.train, encoding="utf-8")
            files["dev"].write_text(self.dev, encoding="utf-8")
            model = Path(folder) / "model.esp"
            train_model(
                self.recipe,
                train=files["train"],
                dev=files["dev"] if self.dev else None,
                model=model,
                set=dict(self.settings),
                seed=self.seed,
                progress=False,
            )
            return model.read_bytes()


def run_job(job: Job) -> bytes:
    return job()


def _document(treebank: Treebank) -> Doc:
    return treebank if isinstance(treebank, Doc) else read(treebank)


def folds(treebank: Treebank, k: int) -> list[tuple[Doc, Doc]]:
    """k pairs (to learn from, held out): sentence i is held out by fold i mod k."""
    doc = _document(treebank)
    count = len(doc.sents)
    if not 2 <= k <= count:
        raise ValueError(f"{count} sentences cannot be cut into {k} folds")
    everything = range(count)

    def pick(numbers: Iterable[int]) -> Doc:
        return Doc(doc._core.select(list(numbers)))

    return [
        (pick(i for i in everything if i % k != fold), pick(i for i in everything if i % k == fold))
        for fold in range(k)
    ]


@dataclass(frozen=True)
class CrossValidation:
    """What `crossval` gives."""

    models: list[Model]
    parsed: Doc
    """Every sentence, parsed by the model that has not seen it, in the treebank's order."""
    scores: Scores


def crossval(
    recipe: StrPath = "beam",
    *,
    train: Treebank,
    k: int = 10,
    set: Settings | None = None,
    seed: int = 1,
    map: Map = map,
) -> CrossValidation:
    """Trains k models, each without one fold, and parses that fold with it (jackknifing).

    ``map`` may be any that keeps order: ``multiprocessing.Pool(8).map``, or `espalier.spark.spark_map`; the models'
    bytes do not depend on it.
    """
    doc = _document(train)
    pairs = folds(doc, k)
    settings = tuple(sorted((set or {}).items()))
    jobs = [Job(str(recipe), learn.to_conllu(), "", settings, seed) for learn, _ in pairs]
    models = [Model.from_bytes(data, f"fold-{i}") for i, data in enumerate(map(run_job, jobs))]
    parts = [model.parse_doc(held_out).sents for model, (_, held_out) in zip(models, pairs, strict=True)]
    texts = [parts[i % k][i // k].to_conllu() for i in range(len(doc.sents))]
    parsed = read("".join(texts), format="conllu")
    return CrossValidation(models, parsed, evaluate(doc, parsed))


def grid(
    recipe: StrPath = "beam",
    *,
    train: Treebank,
    dev: Treebank,
    points: Sequence[Settings],
    seed: int = 1,
    map: Map = map,
) -> list[tuple[Model, Scores]]:
    """A model and its scores on ``dev`` for each point of a grid of settings."""
    learn, test = _document(train), _document(dev)
    jobs = [
        Job(str(recipe), learn.to_conllu(), test.to_conllu(), tuple(sorted(point.items())), seed) for point in points
    ]
    models = [Model.from_bytes(data, f"point-{i}") for i, data in enumerate(map(run_job, jobs))]
    return [(model, evaluate(test, model.parse_doc(test))) for model in models]
