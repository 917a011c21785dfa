"""Parsing a column of a table, batch by batch: Hugging Face datasets, Ray Data, pyarrow.

>>> Parse("text")({"text": ["Trees grow."]})["parse"][0]["sentences"][0]["deprel"]
['nsubj', 'root', 'punct']
"""

from __future__ import annotations

from typing import Any

from espalier.arguments import StrPath
from espalier.installed import model_file
from espalier.model import Model, _loaded
from espalier.options import Settings


class Parse:
    """A function from a batch to the same batch with one column more (`espalier.arrow.PARSE`).

    ``datasets``: ``dataset.map(Parse("text"), batched=True, num_proc=8)``. Ray Data:
    ``dataset.map_batches(Parse("text"), batch_format="pyarrow")``. It pickles as the model's name; each process loads
    the model once. What cannot be parsed is told in the new column's ``error``; a missing text gives a missing parse.
    """

    def __init__(
        self,
        column: str = "text",
        *,
        model: StrPath = "en",
        output: str = "parse",
        set: Settings | None = None,
        threads: int = 1,
    ) -> None:
        self.column, self.output, self.threads = column, output, threads
        self.model = str(model)
        self.settings = tuple(sorted((set or {}).items()))

    def nlp(self) -> Model:
        """The model, loaded once per process."""
        return _loaded(model_file(self.model), self.settings)

    def column_of(self, texts: list[str | None]) -> Any:
        """The parsed texts, as an array of `espalier.arrow.PARSE`."""
        from espalier.arrow import to_arrow

        docs = self.nlp().pipe((text for text in texts if text is not None), threads=self.threads, errors="keep")
        return to_arrow(None if text is None else next(docs) for text in texts)

    def __call__(self, batch: Any) -> Any:
        if hasattr(batch, "append_column"):  # of pyarrow
            return batch.append_column(self.output, self.column_of(batch.column(self.column).to_pylist()))
        return {**batch, self.output: self.column_of(list(batch[self.column])).to_pylist()}
