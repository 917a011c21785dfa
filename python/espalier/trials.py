"""Cross-validation and grids of settings: independent trainings, here or on a cluster, with the same results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from espalier.arguments import StrPath, checked
from espalier.doc import Doc
from espalier.model import Model, read
from espalier.options import Settings, setting_pairs
from espalier.training import Job, Map, as_bytes
from espalier.treebanks import Scores, Treebank, evaluate


def _document(treebank: Treebank) -> Doc:
    return treebank if isinstance(treebank, Doc) else read(treebank)


@checked
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


@checked
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
    settings = tuple(setting_pairs(set))
    jobs = [Job(str(recipe), (as_bytes(learn),), None, settings, seed) for learn, _ in pairs]
    models = [Model.from_bytes(data, f"fold-{i}") for i, data in enumerate(map(Job.__call__, jobs))]
    parts = [model.parse_doc(held_out).sents for model, (_, held_out) in zip(models, pairs, strict=True)]
    texts = [parts[i % k][i // k].to_format(doc.format) for i in range(len(doc.sents))]
    parsed = read("".join(texts), format=doc.format)
    return CrossValidation(models, parsed, evaluate(doc, parsed))


@checked
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
    learn, test = (as_bytes(train),), as_bytes(dev)
    jobs = [Job(str(recipe), learn, test, tuple(setting_pairs(point)), seed) for point in points]
    models = [Model.from_bytes(data, f"point-{i}") for i, data in enumerate(map(Job.__call__, jobs))]
    gold = _document(dev)
    return [(model, evaluate(gold, model.parse_doc(gold))) for model in models]
