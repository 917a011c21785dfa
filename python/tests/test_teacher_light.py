"""What the teacher does without torch: trees by brute force, files, and the command line's first words."""

from __future__ import annotations

import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import GOLD
from espalier.errors import EspalierError
from espalier.teacher.__main__ import run, treebanks
from espalier.teacher.data import read
from espalier.teacher.tree import best_tree, spanning_tree


def all_trees(words: int) -> list[tuple[int, ...]]:
    """Heads of every tree with one root."""
    return [heads for heads in itertools.product(range(words + 1), repeat=words) if is_tree(heads)]


def is_tree(heads: tuple[int, ...]) -> bool:
    def rooted(word: int) -> bool:
        for _ in heads:
            word = heads[word - 1]
            if word == 0:
                return True
        return False

    return heads.count(0) == 1 and all(map(rooted, range(1, len(heads) + 1)))


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_best_of_all_trees(words: int) -> None:
    rng = np.random.default_rng(words)
    trees = all_trees(words)
    several = 0
    for trial in range(60):
        score = rng.normal(size=(words + 1, words + 1))
        score[:, 0] += trial % 3  # the more the root is liked, the more words would like to be below it
        heads = best_tree(score)
        several += int((spanning_tree(score, 0)[1:] == 0).sum() > 1)
        totals = [sum(score[d, h] for d, h in enumerate(tree, 1)) for tree in trees]
        assert heads[0] == 0 and tuple(heads[1:]) in trees
        assert sum(score[d, h] for d, h in enumerate(heads) if d) == pytest.approx(max(totals))
    assert words == 1 or several > 5


def test_equal_scores_and_cycles_within_cycles() -> None:
    assert is_tree(tuple(best_tree(np.zeros((8, 8)))[1:].tolist()))
    words = 40
    score = np.full((words + 1, words + 1), -5.0)
    for word in range(1, words + 1):  # everybody likes a neighbour: many cycles, and cycles of cycles
        score[word, max(1, word - 1)] = score[word, min(words, word + 1)] = -0.1 - word / 1000
    score[7, 0] = -1.0
    heads = best_tree(score)
    assert heads[7] == 0 and all(abs(h - d) == 1 for d, h in enumerate(heads) if d not in (0, 7))


def test_reading_keeps_every_line(tmp_path: Path) -> None:
    text = GOLD.replace("4\tsee", "3.1\tnot" + "\t_" * 8 + "\n4\tsee")
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    sentences = list(read(tmp_path / "a.conllu"))
    assert "".join(map(str, sentences)) == text and sentences[1].forms[1:3] == ["do", "n't"]
    for wrong, message in (
        ("1\tTrees\n", r"b.conllu:1: 2 columns"),
        ("2\tTrees" + "\t_" * 8 + "\n", r":1: word 2 stands"),
    ):
        (tmp_path / "b.conllu").write_text(wrong, encoding="utf-8")
        with pytest.raises(EspalierError, match=message):
            list(read(tmp_path / "b.conllu"))


def test_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    with pytest.raises(EspalierError, match=r"torch.* not installed: pip install 'espalier\[teacher\]'"):
        run(["evaluate", "--model=m", "--treebank=en", "--gold=g"])


@pytest.mark.parametrize("wrong", ["en", "=a", "en=", "en=a,", "en=a,b,c"])
def test_wrong_treebanks(wrong: str) -> None:
    with pytest.raises(EspalierError, match="write NAME=TRAIN"):
        treebanks([wrong])


def test_importing_espalier_imports_no_torch() -> None:
    code = "import sys, espalier, espalier.teacher.__main__; print('torch' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
