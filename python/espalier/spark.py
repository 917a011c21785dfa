"""Parsing on a Spark cluster, and training folds there.

Every row is parsed by itself: no shuffle. The model is sent once to each machine and loaded once per Python process.
Rows that cannot be parsed say why in ``parse.error``; the job goes on. Works on streams, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from espalier import training, trials
from espalier.arguments import StrPath
from espalier.installed import comes_along, model_file
from espalier.model import Model
from espalier.options import Settings
from espalier.tables import Parse
from espalier.training import Trained
from espalier.treebanks import Scores
from espalier.trials import CrossValidation

ROWS = 256
"""That a task parses before it passes them on."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def parse(
    df: Any,
    column: str = "text",
    *,
    model: StrPath = "en",
    output: str = "parse",
    set: Settings | None = None,
    threads: int = 1,
) -> Any:
    """The data frame with one column more: ``parse.sentences[i].deprel[j]``, ``parse.error``.

    ``model``: a file of the driver, which is sent along, or a model's name. ``threads`` per task; Spark's own
    way to use all cores is one task for each.
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    from espalier.arrow import PARSE

    name = os.fspath(model)
    if not comes_along(name):
        name = model_file(name)
        df.sparkSession.sparkContext.addFile(name)
    work = _Work(column, name, output, set, threads)
    return df.mapInArrow(work, StructType([*df.schema.fields, StructField(output, from_arrow_type(PARSE))]))


class _Work:
    """What a task does; finds the model where the executor has put it."""

    def __init__(self, column: str, model: str, output: str, settings: Settings | None, threads: int) -> None:
        self._make = (column, model, output, dict(settings or {}), threads)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import SparkFiles

        column, model, output, settings, threads = self._make
        file = SparkFiles.get(os.path.basename(model)) if model.endswith(".esp") else model
        parse_batch = Parse(column, model=file, output=output, set=settings, threads=threads)
        for batch in batches:  # of ten thousand rows, unless Spark is told otherwise: too many trees at once
            for start in range(0, batch.num_rows, ROWS):
                yield parse_batch(batch.slice(start, ROWS))


def sentences(df: Any, parse: str = "parse") -> Any:
    """A row per sentence: the other columns, ``sent`` (its number, from 0) and the sentence's columns as arrays."""
    from pyspark.sql import functions as f

    others = [name for name in df.columns if name != parse]
    rows = df.select(*others, f.posexplode(f"{parse}.sentences").alias("sent", "_sentence"))
    return rows.select(*others, "sent", *[f.col(f"_sentence.{name}") for name in _columns()])


def tokens(df: Any, parse: str = "parse") -> Any:
    """A row per word: the other columns, ``sent``, ``id`` (from 1), form, lemma, ..., head, deprel, start, end."""
    from pyspark.sql import functions as f

    others = [name for name in df.columns if name != parse]
    rows = df.select(*others, f.posexplode(f"{parse}.sentences").alias("sent", "_sentence"))
    words = f.arrays_zip(*[f.col(f"_sentence.{name}").alias(name) for name in _columns()])
    rows = rows.select(*others, "sent", f.posexplode(words).alias("_id", "_word"))
    return rows.select(*others, "sent", (f.col("_id") + 1).alias("id"), "_word.*")


def _columns() -> tuple[str, ...]:
    from espalier.arrow import NUMBERS, TEXTS

    return TEXTS + NUMBERS


def crossval(spark: Any, recipe: StrPath = "beam", **options: Any) -> CrossValidation:
    """`espalier.crossval` with a Spark task for each fold."""
    return trials.crossval(recipe, map=spark_map(spark), **options)


def grid(spark: Any, recipe: StrPath = "beam", **options: Any) -> list[tuple[Model, Scores]]:
    """`espalier.grid` with a Spark task for each point."""
    return trials.grid(recipe, map=spark_map(spark), **options)


def folds(spark: Any, recipe: StrPath = "hc", **options: Any) -> Trained:
    """`espalier.train` with a Spark task for each of the parts that the recipe trains apart: folds of jackknifing and
    of hc, labels of classify."""
    return training.train(recipe, map=spark_map(spark), **options)


def spark_map(spark: Any) -> Callable[[Callable[[Item], Result], Iterable[Item]], list[Result]]:
    """A ``map`` that runs each call as a Spark task, results in order."""

    def run(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        work = list(items)
        results: list[Result] = spark.sparkContext.parallelize(work, max(1, len(work))).map(function).collect()
        return results

    return run
