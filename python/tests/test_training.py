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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background are started without one

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


@pytest.mark.filterwarnings("ignore:.*tag it alike")
def test_loss_in_python(treebank: Path, tmp_path: Path) -> None:
    """Whatever word of a new kind of sentence a task wants to be the root becomes it."""
    task = tmp_path / "task.conllu"
    task.write_text("1\tred\n2\tgreen\n3\tblue\n\n".replace("\n", "\t_" * 8 + "\n", 3) * 10, encoding="utf-8")
    asked = 0

    def root(wanted: int) -> int:
        def loss(sent: espalier.Sent, candidates: list[espalier.Sent]) -> list[float]:
            nonlocal asked
            asked += 1
            assert all([t.text for t in tree] == [t.text for t in sent] for tree in candidates)
            return [float(tree.root.id != wanted) for tree in candidates]

        objective = espalier.Objective(task, loss, {"weight": 2})
        trained = espalier.train("beam", train=treebank, set={"epochs": 5}, objectives=[objective], progress=False)
        return trained.model.parse_tokens([["red", "green", "blue"]]).sents[0].root.id

    assert [root(wanted) for wanted in (1, 2, 3)] == [1, 2, 3]
    assert asked > 100


def test_loss_in_python_that_fails(treebank: Path) -> None:
    def train(loss: object) -> None:
        objective = espalier.Objective(treebank, loss)  # type: ignore[arg-type]
        espalier.train("beam", train=treebank, set={"epochs": 1}, objectives=[objective], progress=False)

    with pytest.raises(ZeroDivisionError):
        train(lambda sent, candidates: [1 / 0])
    with pytest.raises(espalier.EspalierError, match="as many costs"):
        train(lambda sent, candidates: [])
    with pytest.raises(espalier.EspalierError, match="not negative"):
        train(lambda sent, candidates: [-1.0] * len(candidates))
    with pytest.raises(TypeError):
        train(lambda sent, candidates: None)
