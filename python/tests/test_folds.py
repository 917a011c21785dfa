"""Cross-validation and grids: the same wherever the trainings run."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from espalier.training import Job, Map

import espalier


def model_bytes(models: list[espalier.Model], folder: Path) -> list[bytes]:
    for i, model in enumerate(models):
        model.save(folder / f"{i}.esp")
    return [(folder / f"{i}.esp").read_bytes() for i in range(len(models))]


def test_folds(treebank: Path) -> None:
    doc = espalier.read(treebank)
    pairs = espalier.folds(doc, 3)
    assert [len(held_out.sents) for _, held_out in pairs] == [14, 13, 13]
    assert all(len(learn.sents) + len(held_out.sents) == 40 for learn, held_out in pairs)
    assert pairs[1][1].sents[0].to_conllu() == doc.sents[1].to_conllu()
    with pytest.raises(ValueError, match="folds"):
        espalier.folds(doc, 41)


def test_crossval(treebank: Path, tmp_path: Path) -> None:
    here = espalier.crossval("greedy", train=treebank, k=3, set={"epochs": 2})
    assert here.scores["las"] > 80 and len(here.models) == 3
    assert [t.text for t in here.parsed] == [t.text for t in espalier.read(treebank)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        there = espalier.crossval("greedy", train=treebank, k=3, set={"epochs": 2}, map=pool.map)
    assert model_bytes(here.models, tmp_path) == model_bytes(there.models, tmp_path)
    assert here.parsed.to_conllu() == there.parsed.to_conllu()


PHRASES = "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))))\n(S (NP (NN dog)) (VP (VBZ sees)))\n"
SMALL_HC: dict[str, object] = {
    "folds": 2,
    "list": 2,
    "width": 4,
    "epochs": 1,
    "base.epochs": 1,
    "base.0.beam": 2,
    "min_lists": 1,
}
SMALL_CLASSIFY = {"least_lambda": 20, "sample": 100, "min_label_count": 1, "seeds": 2}


PARTED: list[tuple[str, dict[str, object]]] = [
    ("greedy", {"epochs": 1, "tags": "jackknife:3", "tagger.epochs": 1}),
    ("hc", SMALL_HC),
    ("classify", {**SMALL_CLASSIFY, "strategy": "l2r"}),
    ("classify", {**SMALL_CLASSIFY, "strategy": "both"}),
]
NAMES = ["jackknife-1-of-3", "base folds-2-of-2", "labels-3-of-8", "r2l.checkpoint.parts/labels-1-of-8"]


@pytest.mark.filterwarnings("ignore:train and dev are the same")
@pytest.mark.parametrize(
    ("recipe", "settings", "part"),
    [(*training, name) for training, name in zip(PARTED, NAMES, strict=True)],
)
def test_parts_of_a_training(
    treebank: Path, tmp_path: Path, recipe: str, settings: dict[str, object], part: str
) -> None:
    """Jackknife folds, lists of hc and labels of classify, each trained by another process: the same model."""
    if recipe == "classify":
        treebank = tmp_path / "toy.mrg"
        treebank.write_text(PHRASES * 20, encoding="utf-8")
    asked: list[str] = []

    def train(name: str, map: Map | None) -> bytes:
        espalier.train(
            recipe, train=treebank, dev=treebank, model=tmp_path / name, set=settings, progress=False, map=map
        )
        return (tmp_path / name).read_bytes()

    with multiprocessing.get_context("spawn").Pool(2) as pool:

        def elsewhere(function: Callable[[Job], bytes], jobs: Iterable[Job]) -> list[bytes]:
            jobs = list(jobs)
            asked.extend(job.part for job in jobs)
            return pool.map(function, jobs)

        assert train("there.esp", elsewhere) == train("here.esp", None)
    assert part in asked
    assert sorted(file.name for file in tmp_path.glob("*.esp*")) == ["here.esp", "there.esp"]


def test_crossval_of_constituents() -> None:
    doc = espalier.read(PHRASES * 10, format="ptb")
    result = espalier.crossval("shift-reduce", train=doc, k=2, set={"epochs": 2})
    assert len(result.parsed.sents) == 20 and result.parsed.sents[0].constituents is not None


def test_losses_of_python_stay_here(treebank: Path) -> None:
    objective = espalier.Objective(treebank, lambda sent, trees: [0.0] * len(trees))
    with pytest.raises(ValueError, match="stays in its process"):
        espalier.train("beam", train=treebank, objectives=[objective], map=map)


def test_grid(treebank: Path) -> None:
    points: list[dict[str, object]] = [{"epochs": 1, "features": "fast"}, {"epochs": 2}]
    results = espalier.grid("greedy", train=treebank, dev=treebank, points=points)
    assert [model.info["metadata"]["settings"]["epochs"] for model, _ in results] == ["1", "2"]
    assert all(scores["las"] > 50 for _, scores in results)
