"""Threads, processes, memory."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import espalier

TEXTS = [
    f"The {adjective} dog saw {n} cats. It didn't bark." for n, adjective in enumerate(["old", "small", "sly"] * 8)
]


def parse(text: str) -> str:
    return espalier.load("en")(text).to_conllu()


def test_eight_threads_give_the_same(nlp: espalier.Model) -> None:
    expected = [nlp(text).to_conllu() for text in TEXTS]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(4):
            assert list(pool.map(lambda text: nlp(text).to_conllu(), TEXTS)) == expected


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(nlp: espalier.Model, method: str) -> None:
    """After fork the loaded model is used; spawned processes load it again by its name."""
    expected = [nlp(text).to_conllu() for text in TEXTS[:4]]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(parse, TEXTS[:4]) == expected
        docs = pool.map(nlp, TEXTS[:4])
    assert [doc.to_conllu() for doc in docs] == expected


def test_fork_after_pipe(nlp: espalier.Model) -> None:
    """Threads of a pipe under way do not keep a child from parsing."""
    pipe = nlp.pipe(TEXTS * 4, threads=2)
    first = next(pipe).to_conllu()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(parse, TEXTS[:1]) == [first]
    assert len(list(pipe)) == len(TEXTS) * 4 - 1


def memory() -> int:
    """Resident bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_no_leak(nlp: espalier.Model) -> None:
    """ESPALIER_LEAK_DOCUMENTS=100000 for the long version."""
    documents = int(os.environ.get("ESPALIER_LEAK_DOCUMENTS", "2000"))

    def work(count: int) -> None:
        for doc in nlp.pipe((TEXTS[i % len(TEXTS)] for i in range(count)), threads=2, kbest=2):
            assert doc[0].head.text and doc.sents[0].candidates
            assert doc.to_conllu() and doc.numbers()["head"].size and doc.codes("form")[1]

    work(1000)
    before = memory()
    work(documents)
    assert memory() - before < 8_000_000


def test_debug_allocator() -> None:
    program = (
        "import espalier; nlp = espalier.load('en'); doc = nlp('Trees grow.', kbest=2);"
        "print(doc[0].deprel, len(list(nlp.pipe(['Time flies.'] * 20))),"
        "doc.sents[0].candidates[0].sent.heads == doc.sents[0].heads)"
    )
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONDEVMODE": "1"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["nsubj", "20", "True"]
