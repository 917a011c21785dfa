"""Cross-validation and grids: the same wherever the trainings run."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

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


def test_grid(treebank: Path) -> None:
    points: list[dict[str, object]] = [{"epochs": 1, "features": "fast"}, {"epochs": 2}]
    results = espalier.grid("greedy", train=treebank, dev=treebank, points=points)
    assert [model.info["metadata"]["settings"]["epochs"] for model, _ in results] == ["1", "2"]
    assert all(scores["las"] > 50 for _, scores in results)
