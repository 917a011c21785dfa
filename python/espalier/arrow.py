"""Parsed texts as Arrow columns: for Parquet, and for everything that moves tables between processes.

A text is a struct of its sentences and of an error, if it could not be parsed; a sentence is a struct of columns, each
a list with an entry per word. So no name is stored per word, and Parquet packs each column by itself. A sentence's own
text is what stands between its first start and its last end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from espalier.doc import Doc

TEXTS = ("form", "lemma", "upos", "xpos", "feats", "deprel")
NUMBERS = ("head", "start", "end")

SENTENCE = pa.struct(
    [(name, pa.list_(pa.string())) for name in TEXTS] + [(name, pa.list_(pa.int32())) for name in NUMBERS]
)
PARSE = pa.struct([("sentences", pa.list_(SENTENCE)), ("error", pa.string())])
"""The type of a parsed text; also the schema of trees in Parquet files (docs/scale.md)."""


def to_arrow(docs: Iterable[Doc | None]) -> Any:
    """An array of `PARSE`, an entry per document; None gives null."""
    sentence_ends, word_ends = [0], [0]
    errors: list[str | None] = []
    missing: list[bool] = []
    columns: dict[str, list[Any]] = {name: [] for name in TEXTS + NUMBERS}
    for doc in docs:
        missing.append(doc is None)
        errors.append(str(doc.error) if doc is not None and doc.error is not None else None)
        for sent in doc.sents if doc is not None else ():
            for name in TEXTS:
                columns[name] += sent.column(name)
            columns["head"] += sent.heads
            for start, end in sent.places:
                columns["start"].append(start)
                columns["end"].append(end)
            word_ends.append(len(columns["head"]))
        sentence_ends.append(len(word_ends) - 1)
    offsets = pa.array(word_ends, pa.int32())
    lists = [pa.ListArray.from_arrays(offsets, pa.array(columns[name], pa.string())) for name in TEXTS]
    lists += [pa.ListArray.from_arrays(offsets, pa.array(columns[name], pa.int32())) for name in NUMBERS]
    sentences = pa.StructArray.from_arrays(lists, fields=list(SENTENCE))
    parsed = pa.ListArray.from_arrays(pa.array(sentence_ends, pa.int32()), sentences)
    return pa.StructArray.from_arrays(
        [parsed, pa.array(errors, pa.string())], fields=list(PARSE), mask=pa.array(missing, pa.bool_())
    )
