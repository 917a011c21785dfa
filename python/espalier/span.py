"""Words that stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from espalier.token import Token

if TYPE_CHECKING:
    from espalier.doc import Doc
    from espalier.sent import Sent


class Span(Sequence[Token]):
    """A stretch of a document, such as ``doc[2:5]``, a noun chunk or a sentence.

    >>> import espalier
    >>> doc = espalier.load("en")("The old dogs of my neighbour bark.")
    >>> span = doc[1:6]
    >>> span.text, span.root.text, span.start, span.end
    ('old dogs of my neighbour', 'dogs', 1, 6)
    """

    def __init__(self, doc: Doc, start: int, end: int, label: str = "") -> None:
        self.doc = doc
        self.start = start
        """The number of its first word in the document, from 0."""
        self.end = end
        """The number of the word after its last."""
        self.label_ = label
        """What it is: "NP" of noun chunks."""

    @property
    def text(self) -> str:
        """As it was written."""
        return self.doc.text[self.start_char : self.end_char]

    @property
    def text_with_ws(self) -> str:
        return self.text + (self[-1].whitespace_ if self else "")

    @property
    def lemma_(self) -> str:
        """The lemmas, with spaces where there are some in the text."""
        return "".join(token.lemma + (" " if token.whitespace_ else "") for token in self).rstrip()

    @property
    def start_char(self) -> int:
        """Where it begins in the document's text, in characters."""
        return self[0].start_char if self else 0

    @property
    def end_char(self) -> int:
        return self[-1].end_char if self else 0

    @property
    def sent(self) -> Sent:
        """The sentence of its first word."""
        return self[0].sent

    @property
    def root(self) -> Token:
        """The word of the span that is nearest to the root of its sentence."""
        return min(self, key=lambda token: len(token.ancestors))

    @property
    def lefts(self) -> list[Token]:
        """Words before it that depend on one of its words."""
        return [child for token in self for child in token.lefts if child.i < self.start]

    @property
    def rights(self) -> list[Token]:
        """Words after it that depend on one of its words."""
        return [child for token in self for child in token.rights if child.i >= self.end]

    @property
    def n_lefts(self) -> int:
        return len(self.lefts)

    @property
    def n_rights(self) -> int:
        return len(self.rights)

    @property
    def subtree(self) -> list[Token]:
        """Its words and all that depends on them, in order."""
        return sorted({below for token in self for below in token.subtree}, key=lambda token: token.i)

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The words that its root is coordinated with."""
        return self.root.conjuncts

    @property
    def noun_chunks(self) -> list[Span]:
        """The noun chunks that lie within it."""
        chunks = [chunk for sent in self.doc._sents(self.start, self.end) for chunk in sent.noun_chunks]
        return [chunk for chunk in chunks if self.start <= chunk.start and chunk.end <= self.end]

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> Span: ...
    def __getitem__(self, at: int | slice) -> Token | Span:
        where = range(self.start, self.end)[at]
        return span_of(self.doc, where) if isinstance(where, range) else self.doc[where]

    def __iter__(self) -> Iterator[Token]:
        for sent in self.doc._sents(self.start, self.end):  # words of one sentence share its columns
            for i in range(max(self.start, sent.start), min(self.end, sent.end)):
                yield Token(sent, i - sent.start)

    def __len__(self) -> int:
        return self.end - self.start

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return id(self.doc), self.start, self.end, self.label_

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text!r}>"


def span_of(doc: Doc, where: range) -> Span:
    """For slices."""
    if where.step != 1:
        raise ValueError(f"words of a span stand side by side: take list(...)[::{where.step}]")
    return Span(doc, where.start, max(where.start, where.stop))
