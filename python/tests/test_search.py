"""Learning to search with tasks in Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import espalier
from espalier.search import Features, Learner, Search


class Tagger:
    """Tags of words; the tag before is a feature."""

    def __init__(self, tags: list[str]) -> None:
        self.tags = tags

    def run(self, search: Search, sent: espalier.Sent) -> list[str]:
        output: list[int] = []
        for token in sent:
            gold = self.tags.index(token.upos) if search.needs_reference else None
            output.append(search.predict([token.text, token.text[-2:] + "$"], reference=gold, condition=output[-1:]))
            search.loss(output[-1] != gold)
        return [self.tags[tag] for tag in output]


@pytest.mark.parametrize(("learner", "rollout"), [("perceptron", "none"), ("adaptive", "ref"), ("adaptive", "learn")])
def test_tagger(gold: espalier.Doc, tmp_path: Path, learner: str, rollout: str) -> None:
    task = Tagger(sorted({t.upos for t in gold}))
    settings = {"learner": learner, "rollin": "learn", "rollout": rollout, "bits": 12}
    learned = Learner(task, len(task.tags), settings)
    losses = learned.train(gold.sents, epochs=12)
    assert losses[-1] < losses[0]
    for sent in gold.sents:
        assert learned.predict(sent) == [t.upos for t in sent]
    learned.save(tmp_path / "tagger.task")
    again = Learner.load(task, tmp_path / "tagger.task")
    assert again.predict(gold.sents[1]) == learned.predict(gold.sents[1])
    with pytest.raises(ValueError, match="cannot learn"):
        again.train(gold.sents)


def test_example(treebank: Path) -> None:
    program = Path(__file__).parents[2] / "examples" / "tagger.py"
    run = subprocess.run([sys.executable, program, treebank, treebank], capture_output=True, text=True, check=True)
    assert "100.00 % of the tags" in run.stdout


def test_features_are_the_same_however_given() -> None:
    made = Features(["a", "b"])
    assert len(made) == 2 and Features([made, ("c",)]).keys == Features("abc"[:1]).keys + Features(["b", "c"]).keys
    assert Features(made.keys).keys == made.keys


def test_costs_and_allowed_actions() -> None:
    class Cheapest:
        def run(self, search: Search, costs: tuple[float, ...]) -> int:
            return search.predict([str(costs)], allowed=range(len(costs)), costs=costs)

    learner = Learner(Cheapest(), 4, {"learner": "adaptive", "rollout": "ref", "bits": 10})
    examples = [(0.0, 1.0, 2.0), (3.0, 0.0), (1.0, 2.0, 1.0, 0.0)]
    learner.train(examples, epochs=30)
    assert [learner.predict(costs) for costs in examples] == [0, 1, 3]


def test_mistakes_are_told() -> None:
    kept: list[Search] = []

    class Task:
        def __init__(self, **decision: Any) -> None:
            self.decision = decision

        def run(self, search: Search, example: None) -> None:
            kept.append(search)
            search.predict(["x"], **self.decision)

    def learn(**decision: Any) -> None:
        Learner(Task(**decision), 3).train([None], epochs=1)

    with pytest.raises(espalier.EspalierError, match="ascend"):
        learn(allowed=[2, 1])
    with pytest.raises(ValueError, match="no action"):
        learn(allowed=[])
    with pytest.raises(espalier.EspalierError, match="no learner"):
        learn(learner=1)
    with pytest.raises(espalier.EspalierError, match="costs for"):
        learn(costs=[1.0], allowed=[0, 1])
    with pytest.raises(TypeError):
        learn(features=3)
    with pytest.raises(ValueError, match="over"):
        kept[0].loss(1)
    with pytest.raises(espalier.EspalierError, match="no_such"):
        Learner(Task(), 3, {"no_such": 1})
