"""Spark in local mode, two worker processes: ESPALIER_SLOW=1 (starting it takes half a minute and 1 GB)."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import espalier

if not os.environ.get("ESPALIER_SLOW"):
    pytest.skip("slow: ESPALIER_SLOW=1 runs it", allow_module_level=True)
pytest.importorskip("pyspark")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers would take the system's
    from pyspark.sql import SparkSession

    # The second number allows a task to fail: in local mode it is not tried again otherwise.
    session = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def rows(frame: Any) -> list[Any]:
    return [row.parse.asDict(recursive=True) for row in frame.orderBy("id").collect()]


def test_parse(spark: Any, nlp: espalier.Model, tmp_path: Path) -> None:
    from espalier import spark as cluster

    texts = ["Trees grow.", None, "I saw her duck. Don't go!", "bad \0 text"]
    frame = spark.createDataFrame(list(enumerate(texts)), "id long, text string").repartition(2)
    model = tmp_path / "mine.esp"
    model.write_bytes(Path(str(nlp.path)).read_bytes())
    parsed = cluster.parse(frame, "text", model=model).cache()
    first, missing, third, bad = parsed.orderBy("id").collect()
    assert first.parse.sentences[0].deprel == ["nsubj", "root", "punct"] and missing.parse is None
    assert [s.head for s in third.parse.sentences] == [s.heads for s in nlp(str(texts[2])).sents]
    assert "NUL" in bad.parse.error
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
    roots = words.where("head = 0").groupBy("form").count().collect()
    print(f"{count} rows in {time.time() - start:.1f} s")
    assert sum(row["count"] for row in roots) == count


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


def test_crossval_on_the_cluster(spark: Any, treebank: Path, tmp_path: Path) -> None:
    from espalier.spark import spark_map

    here = espalier.crossval("greedy", train=treebank, k=2, set={"epochs": 2})
    there = espalier.crossval("greedy", train=treebank, k=2, set={"epochs": 2}, map=spark_map(spark))
    for i, (a, b) in enumerate(zip(here.models, there.models, strict=True)):
        a.save(tmp_path / "a")
        b.save(tmp_path / "b")
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes(), i
