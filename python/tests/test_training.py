"""Training: reproducible, interruptible, with news."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

import espalier


def test_train(treebank: Path, tmp_path: Path) -> None:
    news: list[espalier.Progress] = []
    trained = espalier.train(
        "greedy",
        train=treebank,
        dev=treebank,
        model=tmp_path / "toy.esp",
        set={"epochs": 3},
        callback=news.append,
        progress=False,
    )
    assert not trained.stopped and trained.model.predicts == ["heads"]
    gold = espalier.read(treebank)
    assert espalier.evaluate(gold, trained.model.parse_doc(gold))["las"] == 100
    assert {n.epoch for n in news if n.epoch_end} == {1, 2, 3}
    assert trained.model.info["metadata"]["settings"]["epochs"] == "3"


def test_model_does_not_depend_on_the_way(treebank: Path, tmp_path: Path) -> None:
    settings = {"epochs": 2}
    espalier.train("greedy", train=str(treebank), model=tmp_path / "a.esp", set=settings, progress=False)
    in_memory = espalier.train("greedy", train=[treebank], set=settings, progress=False, threads=2)
    in_memory.model.save(tmp_path / "b.esp")
    assert (tmp_path / "a.esp").read_bytes() == (tmp_path / "b.esp").read_bytes()
    of_document = espalier.train("greedy", train=espalier.read(treebank), set=settings, progress=False)
    assert of_document.model("x").to_conllu() == in_memory.model("x").to_conllu()


def test_errors(treebank: Path) -> None:
    with pytest.raises(espalier.EspalierError) as error:
        espalier.train("greedy", train=treebank, set={"epoch": 3}, progress=False)
    assert error.value.kind == "usage" and "epochs" in str(error.value)
    with pytest.raises(espalier.EspalierError, match=r"unknown|recipe"):
        espalier.train("no-such-recipe", train=treebank, progress=False)

    def fail(_: espalier.Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        espalier.train("greedy", train=treebank, callback=fail, progress=False)


def test_interrupt_keeps_the_best_model(treebank: Path) -> None:
    def interrupt(news: espalier.Progress) -> None:
        if news.epoch_end and news.epoch == 2:
            threading.Timer(0, os.kill, (os.getpid(), signal.SIGINT)).start()

    trained = espalier.train(
        "greedy", train=treebank, dev=treebank, set={"epochs": 1000}, callback=interrupt, progress=False
    )
    assert trained.stopped and trained.model("Trees grow.") is not None


def test_recipes() -> None:
    assert "beam" in espalier.recipes()
    assert 'recipe = "' in espalier.recipe_source("greedy")
    assert {"key", "value", "default", "help"} <= set(espalier.recipe_settings("greedy")[0])
