"""Columns of parsed texts: Arrow, datasets, spaCy. What is not installed is not tested."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

import espalier

TEXTS = ["Trees grow.", None, "", "I saw her duck. Don't go!"]


def test_arrow_and_parquet(nlp: espalier.Model, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet
    from espalier.arrow import PARSE
    from espalier.tables import Parse

    table = Parse("text")(pa.table({"text": TEXTS, "n": range(4)}))
    assert table.column("parse").type == PARSE
    pyarrow.parquet.write_table(table, tmp_path / "trees.parquet")
    rows = pyarrow.parquet.read_table(tmp_path / "trees.parquet").to_pylist()
    assert rows[1]["parse"] is None and rows[2]["parse"] == {"sentences": [], "error": None}
    assert rows[3]["n"] == 3
    doc = nlp(TEXTS[3] or "")
    for row, sent in zip(rows[3]["parse"]["sentences"], doc.sents, strict=True):
        assert row["head"] == sent.heads and row["deprel"] == sent.column("deprel")
        assert list(zip(row["start"], row["end"], strict=True)) == sent.places


def test_function_pickles() -> None:
    pytest.importorskip("pyarrow")
    from espalier.tables import Parse

    parse = Parse("text", output="trees")
    again = pickle.loads(pickle.dumps(parse))
    assert len(pickle.dumps(parse)) < 500 and again({"text": TEXTS}) == parse({"text": TEXTS})


def test_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    from espalier.tables import Parse

    data = datasets.Dataset.from_dict({"text": ["Trees grow."] * 30})
    parsed = data.map(Parse("text"), batched=True, batch_size=10, num_proc=2)
    assert len(parsed) == 30
    assert parsed[29]["parse"]["sentences"][0]["deprel"] == ["nsubj", "root", "punct"]


@pytest.mark.skipif(not os.environ.get("ESPALIER_SLOW"), reason="slow: ESPALIER_SLOW=1 runs it")
def test_ray(nlp: espalier.Model) -> None:
    pytest.importorskip("ray")
    import ray.data
    from espalier.tables import Parse

    ray.shutdown()  # a page of the docs may have left one
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000)
    try:
        texts = [f"Dog {i} saw the cat." for i in range(30)]
        data = ray.data.from_items([{"id": i, "text": text} for i, text in enumerate(texts)])
        parsed = data.map_batches(Parse("text"), batch_format="pyarrow", batch_size=10).take_all()
        by_id = sorted(parsed, key=lambda row: int(row["id"]))
        heads = [list(row["parse"]["sentences"][0]["head"]) for row in by_id]
        assert heads == [nlp(text).sents[0].heads for text in texts]
    finally:
        ray.shutdown()


def test_spacy() -> None:
    spacy = pytest.importorskip("spacy")
    import espalier.spacy  # an installed package is found by its entry point, sources are not

    assert espalier.spacy.make_component
    nlp = spacy.blank("en")
    nlp.add_pipe("espalier")
    doc = nlp("Flying  planes can be dangerous.\nI saw her duck.")
    assert [sent.root.text for sent in doc.sents] == ["dangerous", "saw"]
    duck = doc[-2]
    assert (duck.text, duck.dep_, duck.head.text, duck.pos_, duck.lemma_) == ("duck", "obj", "saw", "NOUN", "duck")
    assert duck.morph.get("Number") == ["Sing"] and doc[1].is_space and doc[1].pos_ == "SPACE"
    assert len(nlp("")) == 0
    assert [d[0].dep_ for d in nlp.pipe(["Trees grow."] * 3)] == ["nsubj"] * 3
