"""Parsed texts as Arrow columns: for Parquet, and for everything that moves tables between processes.

A text is a struct of its sentences and of an error, if it could not be parsed; a sentence is a struct of columns, each
a list with an entry per word. So no name is stored per word, and Parquet packs each column by itself. A sentence's own
text is the text between its first start and its last end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from espalier import _core
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
    items = list(docs)
    columns = _core.arrow_columns([doc._core if doc is not None else None for doc in items])
    words = len(columns["head"]) // 4

    def texts(name: str) -> Any:
        buffers = [None, pa.py_buffer(columns[f"{name}.ends"]), pa.py_buffer(columns[name])]
        return pa.Array.from_buffers(pa.string(), words, buffers)

    def numbers(name: str) -> Any:
        return pa.Array.from_buffers(pa.int32(), len(columns[name]) // 4, [None, pa.py_buffer(columns[name])])

    ends = numbers("words")
    lists = [pa.ListArray.from_arrays(ends, texts(name)) for name in TEXTS]
    lists += [pa.ListArray.from_arrays(ends, numbers(name)) for name in NUMBERS]
    sentences = pa.ListArray.from_arrays(numbers("sentences"), pa.StructArray.from_arrays(lists, fields=list(SENTENCE)))
    errors = [str(doc.error) if doc is not None and doc.error is not None else None for doc in items]
    missing = pa.array([doc is None for doc in items], pa.bool_())
    return pa.StructArray.from_arrays([sentences, pa.array(errors, pa.string())], fields=list(PARSE), mask=missing)
