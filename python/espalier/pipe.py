"""Many texts through one model: the order is kept, and only as many are taken in advance as keep the threads busy."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from espalier import _core
from espalier.doc import Doc
from espalier.errors import EspalierError
from espalier.texts import refused, text_of


def threads_of(threads: int, n_process: int | None) -> int:
    """The number of threads, given as `threads` or as spaCy's `n_process`."""
    if n_process is None:
        return threads
    if threads:
        raise ValueError("threads and n_process are the same: give one of them")
    if n_process < -1 or n_process == 0:
        raise ValueError(f"n_process is at least 1, or -1 for one per core, not {n_process}")
    return max(n_process, 0)


def run_pipe(pipe: _core.Pipe, items: Iterator[Any], *, as_tuples: bool, batch_size: int, keep: bool) -> Iterator[Any]:
    """Yields documents, or pairs of a document and the object that came with its text."""
    under_way: deque[tuple[EspalierError | None, Any]] = deque()  # refused texts and the objects that came with them
    more = True
    while more or under_way:
        while (
            more and not _refused_first(under_way) and (len(under_way) < batch_size if batch_size else not pipe.full())
        ):
            try:
                item = next(items)
            except StopIteration:
                more = False
                break
            text, context = item if as_tuples else (item, None)
            if keep and not isinstance(text, str):
                under_way.append((refused(text), context))
                continue
            pipe.put(text_of(text, "what a pipe parses"))
            under_way.append((None, context))
        if under_way:
            error, context = under_way.popleft()
            doc = _failed(error) if error else _next(pipe, keep)
            yield (doc, context) if as_tuples else doc


def _refused_first(under_way: deque[tuple[EspalierError | None, Any]]) -> bool:
    return bool(under_way) and under_way[0][0] is not None


def _next(pipe: _core.Pipe, keep: bool) -> Doc:
    try:
        return Doc(pipe.take())
    except EspalierError as error:
        if not keep:
            raise
        return _failed(error)


def _failed(error: EspalierError) -> Doc:
    doc = Doc(_core.read_text("", "conllu"))
    doc.error = error
    return doc
