"""Damaged models, killed trainings, full disks, and any number of threads: what is promised holds in Python, too."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import espalier

RECIPES = {
    "greedy": {"epochs": 2},
    "beam": {"epochs": 2, "beam": 4},
    "mst": {"epochs": 2},
    "cube": {"epochs": 2, "beam": 8},
    "l2s": {"epochs": 2},
    "tagger": {"epochs": 2},
    "lemmatizer": {},
}
"""Small versions."""


@pytest.mark.filterwarnings("ignore:train and dev are the same")
@pytest.mark.parametrize("recipe", RECIPES)
def test_any_number_of_threads_gives_the_same_bytes(recipe: str, treebank: Path, tmp_path: Path) -> None:
    made = []
    for threads in (1, 2, 4):
        model = tmp_path / f"{threads}.esp"
        espalier.train(
            recipe, train=treebank, dev=treebank, model=model, threads=threads, set=RECIPES[recipe], progress=False
        )
        made.append(model.read_bytes())
    assert made[0] == made[1] == made[2]


def test_damaged_models_are_refused_or_harmless(treebank: Path, tmp_path: Path) -> None:
    """Cut off anywhere, or with any bit turned over."""
    whole = tmp_path / "whole.esp"
    espalier.train("greedy", train=treebank, model=whole, set={"epochs": 1}, progress=False)
    gold, data, chance = espalier.read(treebank), whole.read_bytes(), random.Random(1)
    right = espalier.load(whole).parse_doc(gold).to_conllu()
    refused = 0
    for trial in range(300):
        at = chance.randrange(len(data))
        bad = bytearray(data[:at] if trial % 3 == 0 else data)
        if trial % 3:
            bad[at] ^= 1 << chance.randrange(8)
        try:
            model = espalier.Model.from_bytes(bytes(bad), "bad.esp")
            assert model.parse_doc(gold).to_conllu() == right
        except espalier.EspalierError as error:
            assert "bad.esp" in str(error) and error.kind in ("data", "run")
            refused += 1
    assert refused >= 100


def python(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_killed_training_leaves_the_old_model(treebank: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.esp"
    espalier.train("greedy", train=treebank, model=model, set={"epochs": 1}, progress=False)
    old = model.read_bytes()
    program = """
        import sys, espalier
        print("begins", flush=True)
        espalier.train("greedy", train=sys.argv[1], model=sys.argv[2], set={"epochs": 3000}, progress=False)
    """
    for delay in (0.05, 0.2, 0.6):
        with python(program, treebank, model) as child:
            assert child.stdout and child.stdout.readline() == "begins\n"
            time.sleep(delay)
            child.kill()
        assert model.read_bytes() == old
    assert espalier.load(model).parse_conllu(treebank).sents


@pytest.mark.skipif(os.name == "nt", reason="needs limits of processes")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit of a file's size stands for the disk."""
    program = """
        import resource, signal, sys, espalier
        doc = espalier.load("en")("Trees grow. " * 3000)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        try:
            doc.write(sys.argv[1])
        except espalier.EspalierError as error:
            print(error.kind)
    """
    file = tmp_path / "old.conllu"
    file.write_text("old", encoding="utf-8")
    with python(program, file) as child:
        said, complaint = child.communicate()
    assert (said, complaint) == ("run\n", "")
    assert file.read_text(encoding="utf-8") == "old" and list(tmp_path.iterdir()) == [file]
