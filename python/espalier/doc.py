"""Documents: a text, its sentences and their words.

Everything here is immutable, and every view keeps its document alive.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, overload

from espalier import _core
from espalier.arguments import checked, shown
from espalier.output import Output
from espalier.sent import TEXT_COLUMNS, Sent
from espalier.span import Span, span_of
from espalier.texts import repaired
from espalier.token import Token

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from espalier.errors import EspalierError

    IntArray = numpy.typing.NDArray[numpy.int32]


class Doc(Sequence[Token], Output):
    """A text and its sentences: a sequence of words, over all sentences."""

    error: EspalierError | None = None
    """Why it could not be parsed (``nlp.pipe(..., errors="keep")``)."""

    def __init__(self, core: _core.Document) -> None:
        self._core = core

    @cached_property
    def text(self) -> str:
        """The original text; composed of the words if only words were given."""
        return self._core.text

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for size in self._core.sizes():
            starts.append(starts[-1] + size)
        return starts

    @property
    def sents(self) -> list[Sent]:
        return [Sent(self, number) for number in range(len(self._starts) - 1)]

    def _sents(self, start: int, end: int) -> list[Sent]:
        """The sentences that have one of the words from ``start`` to before ``end``."""
        if start >= end:
            return []
        first, after = bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)
        return [Sent(self, number) for number in range(first, after)]

    @property
    def sentences(self) -> list[Sent]:
        """Stanza's name for `sents`."""
        return self.sents

    @property
    def noun_chunks(self) -> list[Span]:
        """Of all sentences (`Sent.noun_chunks`)."""
        return [chunk for sent in self.sents for chunk in sent.noun_chunks]

    def numbers(self) -> dict[str, IntArray]:
        """Numpy arrays over all words: ``sent``, ``id``, ``head`` as in CoNLL-U, ``start``, ``end`` in characters."""
        _need("numpy", "arrays")
        return self._core.numbers()

    @checked
    def codes(self, column: str) -> tuple[IntArray, list[str]]:
        """A column of all words: the number of each word's text, and the texts.

        >>> import espalier
        >>> numbers, texts = espalier.load("en")("Time flies like an arrow flies.").codes("form")
        >>> [texts[number] for number in numbers]
        ['Time', 'flies', 'like', 'an', 'arrow', 'flies', '.']
        >>> len(texts)
        6
        """
        _need("numpy", "arrays")
        if column not in TEXT_COLUMNS:
            raise KeyError(f"there is no column {column!r}: {', '.join(TEXT_COLUMNS)}")
        return self._core.codes(column)

    def to_arrays(self) -> dict[str, Any]:
        """Everything about all words: `numbers`, and `codes` of every column of text."""
        return {**self.numbers(), **{column: self.codes(column) for column in TEXT_COLUMNS}}

    @checked
    def to_dataframe(self, backend: Literal["auto", "pandas", "polars"] = "auto") -> Any:
        """A row per word, as a data frame of pandas or polars: the one given, else the first that is installed."""
        library = backend
        if backend == "auto":
            library = "polars" if find_spec("polars") and not find_spec("pandas") else "pandas"
        _need(library, "a data frame")
        columns: dict[str, Any] = self.numbers()
        import numpy

        for name in TEXT_COLUMNS:
            codes, texts = self.codes(name)
            columns[name] = numpy.array(texts, dtype=object)[codes] if texts else numpy.array([], dtype=object)
        if library == "pandas":
            import pandas

            return pandas.DataFrame(columns)
        import polars

        return polars.DataFrame({name: column.tolist() for name, column in columns.items()})

    def to_dict(self) -> list[list[dict[str, Any]]]:
        """A list of dictionaries for each sentence (`Sent.to_dict`), as in Stanza."""
        return [sent.to_dict() for sent in self.sents]

    @checked
    def given(self, what: Mapping[Token, Mapping[str, Token | str]]) -> Doc:
        """A copy with only these columns of these words given, to be completed by a model with ``keep``.

        A ``head`` is a word, and the root's is itself; other columns are texts.

        >>> import espalier
        >>> nlp = espalier.load("en")
        >>> doc = nlp("I saw her duck.")
        >>> her, duck = doc[2:4]
        >>> [(t.upos, t.head.text) for t in (her, duck)]
        [('PRON', 'duck'), ('NOUN', 'saw')]
        >>> known = doc.given({duck: {"upos": "VERB"}, her: {"head": duck, "deprel": "nsubj"}})
        >>> [(t.upos, t.head.text) for t in nlp.parse_doc(known, keep="tags,heads")[2:4]]
        [('PRON', 'duck'), ('VERB', 'saw')]
        """

        def text(token: Token, column: str, value: Token | str) -> str:
            if column not in (*TEXT_COLUMNS, "head"):
                raise KeyError(f"there is no column {column!r}: head, {', '.join(TEXT_COLUMNS)}")
            if not isinstance(value, Token if column == "head" else str):
                raise TypeError(f"{column} is a {'Token' if column == 'head' else 'text'}, not {shown(value)}")
            if not isinstance(value, Token):
                return repaired(value)
            if value.sent != token.sent:
                raise ValueError(f"{value!r} is not in the sentence of {token!r}")
            return str(0 if value == token else value.id)

        given = []
        for token, columns in what.items():
            if not isinstance(token, Token) or token.doc is not self:
                raise ValueError(f"{shown(token)} is not a word of this document")
            for column, value in columns.items():
                given.append((token.sent.number, token._index, column, text(token, column, value)))
        return Doc(self._core.given(given))

    def _written(self, format: str) -> str:
        return self._core.write(format)

    def _saved(self, file: str, format: str) -> None:
        self._core.save(file, format)

    @property
    def format(self) -> str:
        """The format that can hold the document: ``"ptb"`` if there are phrase-structure trees, else ``"conllu"``."""
        return "ptb" if any(self._core.constituents(i) for i in range(len(self._starts) - 1)) else "conllu"

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> Span: ...
    def __getitem__(self, at: int | slice) -> Token | Span:
        where = range(len(self))[at]
        if isinstance(where, range):
            return span_of(self, where)
        sentence = bisect_right(self._starts, where) - 1
        return Token(Sent(self, sentence), where - self._starts[sentence])

    def __iter__(self) -> Iterator[Token]:
        for sent in self.sents:
            yield from sent

    def __len__(self) -> int:
        return self._starts[-1]

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"<Doc {text!r}: {len(self._starts) - 1} sentences, {len(self)} words>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.text, self.to_conllu())


def _restore(text: str, conllu: str) -> Doc:
    return Doc(_core.read_text(conllu, "conllu", text))


def _need(library: str, what: str) -> None:
    """Says what to install for something that needs it."""
    if not find_spec(library):
        raise ImportError(
            f"{what} need{'s' if what.startswith('a ') else ''} {library}: pip install {library}", name=library
        )
