"""Spark in local mode, two worker processes: ESPALIER_SLOW=1 (starting it takes half a minute and 1 GB)."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_folds import PARTED, PHRASES, model_bytes

import espalier

if not os.environ.get("ESPALIER_SLOW"):
    pytest.skip("slow: ESPALIER_SLOW=1 runs it", allow_module_level=True)
pytest.importorskip("pyspark")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers would take the system's
    from pyspark.sql import SparkSession

    # The second number allows a task to fail: in local mode it is not tried again otherwise.
    builder = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "2g").getOrCreate()
    yield session
    session.stop()


def rows(frame: Any) -> list[Any]:
    return [row.parse.asDict(recursive=True) for row in frame.orderBy("id").collect()]


def test_parse(spark: Any, nlp: espalier.Model, tmp_path: Path) -> None:
    from espalier import spark as cluster

    texts = ["Trees grow.", None, "I saw her duck. Don't go!"]
    frame = spark.createDataFrame(list(enumerate(texts)), "id long, text string").repartition(2)
    model = tmp_path / "mine.esp"
    model.write_bytes(Path(str(nlp.path)).read_bytes())
    parsed = cluster.parse(frame, "text", model=model).cache()
    first, missing, third = parsed.orderBy("id").collect()
    assert first.parse.sentences[0].deprel == ["nsubj", "root", "punct"] and missing.parse is None
    assert [s.head for s in third.parse.sentences] == [s.heads for s in nlp(str(texts[2])).sents]
    assert first.parse.error is None
    words = cluster.tokens(parsed).orderBy("id", "sent").collect()
    assert len(words) == len(nlp(str(texts[0]))) + len(nlp(str(texts[2])))
    assert cluster.sentences(parsed).count() == 3


def test_many_rows_in_skewed_partitions(spark: Any, nlp: espalier.Model) -> None:
    """100,000 rows, nine tenths of them in one partition; the time is printed."""
    from espalier import spark as cluster

    count = int(os.environ.get("ESPALIER_SPARK_ROWS", "100000"))
    numbers = spark.sparkContext.parallelize([range(count // 10), range(count // 10, count)], 2).flatMap(list)
    frame = numbers.map(lambda i: (i, f"Dog {i} saw the cat.")).toDF("id long, text string")
    start = time.time()
    words = cluster.tokens(cluster.parse(frame, "text"))
    roots = {row["form"]: row["count"] for row in words.where("head = 0").groupBy("form").count().collect()}
    print(f"{count} rows in {time.time() - start:.1f} s")
    texts = (f"Dog {i} saw the cat." for i in range(count))
    assert roots == Counter(sent.root.text for doc in nlp.pipe(texts) for sent in doc.sents)


def test_killed_worker(spark: Any, tmp_path: Path) -> None:
    """A task whose worker dies is tried again, with the same result."""
    from espalier import spark as cluster

    frame = spark.createDataFrame([(i, f"Dog {i} saw the cat.") for i in range(200)], "id long, text string")
    expected = rows(cluster.parse(frame.repartition(2), "text"))
    once = str(tmp_path / "killed")

    def kill(batches: Any) -> Any:
        import os
        import signal

        for batch in batches:
            try:
                os.close(os.open(once, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                yield batch

    deadly = frame.repartition(2).mapInArrow(kill, frame.schema)
    assert rows(cluster.parse(deadly, "text")) == expected
    assert Path(once).exists()


def test_stream(spark: Any, nlp: espalier.Model, tmp_path: Path) -> None:
    """Texts that come in one file after the other, trees that go out as Parquet."""
    from espalier import spark as cluster

    (tmp_path / "in").mkdir()
    texts = [f"Dog {i} saw the cat." for i in range(6)]
    for i, text in enumerate(texts):
        (tmp_path / "in" / f"{i}.json").write_text(json.dumps({"id": i, "text": text}), encoding="utf-8")
    source = spark.readStream.schema("id long, text string").option("maxFilesPerTrigger", 2).json(str(tmp_path / "in"))
    stream = cluster.parse(source, "text").writeStream.option("checkpointLocation", str(tmp_path / "state"))
    stream.trigger(availableNow=True).start(str(tmp_path / "out")).awaitTermination()
    parsed = rows(spark.read.parquet(str(tmp_path / "out")))
    assert [tree["sentences"][0]["head"] for tree in parsed] == [nlp(text).sents[0].heads for text in texts]


def test_trials_on_the_cluster(spark: Any, treebank: Path, tmp_path: Path) -> None:
    from espalier import spark as cluster

    settings: dict[str, object] = {"epochs": 2}
    here = espalier.crossval("greedy", train=treebank, k=2, set=settings)
    there = cluster.crossval(spark, "greedy", train=treebank, k=2, set=settings)
    assert model_bytes(here.models, tmp_path) == model_bytes(there.models, tmp_path)
    points: list[dict[str, object]] = [{"epochs": 1}, {"epochs": 2}]
    models = [model for model, _ in espalier.grid("greedy", train=treebank, dev=treebank, points=points)]
    others = [model for model, _ in cluster.grid(spark, "greedy", train=treebank, dev=treebank, points=points)]
    assert model_bytes(models, tmp_path) == model_bytes(others, tmp_path)


@pytest.mark.parametrize(("recipe", "settings"), PARTED)
def test_folds_on_the_cluster(
    spark: Any, treebank: Path, tmp_path: Path, recipe: str, settings: dict[str, object]
) -> None:
    from espalier import spark as cluster

    if recipe == "classify":
        treebank = tmp_path / "toy.mrg"
        treebank.write_text(PHRASES * 20, encoding="utf-8")
    here = espalier.train(recipe, train=treebank, set=settings, progress=False)
    there = cluster.folds(spark, recipe, train=treebank, set=settings, progress=False)
    assert model_bytes([here.model], tmp_path) == model_bytes([there.model], tmp_path)
