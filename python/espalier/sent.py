"""Sentences, and other analyses of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from espalier.constituent import Constituent
from espalier.output import Output
from espalier.span import Span, span_of
from espalier.token import Token

if TYPE_CHECKING:
    from espalier.doc import Doc

TEXT_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


@dataclass(frozen=True)
class Candidate:
    """One entry of a k-best list."""

    score: float
    sent: Sent
    """The sentence, analysed in this way."""
    scores: Mapping[str, float]
    """What the score is made of, where it is several."""
    features: Sequence[tuple[int, float, float]] = field(repr=False)
    """(key, value, weight), if they were asked for; the score is the sum of value times weight."""


class Sent(Span, Output):
    """A sentence: a sequence of words with a tree over them."""

    def __init__(self, doc: Doc, number: int) -> None:
        super().__init__(doc, doc._starts[number], doc._starts[number + 1])
        self.number = number
        self._columns: dict[str, list[str]] = {}

    def column(self, name: str) -> list[str]:
        """A column of CoNLL-U for all words: form, lemma, upos, xpos, feats, deprel, deps or misc."""
        if name not in TEXT_COLUMNS:
            raise KeyError(f"there is no column {name!r}: {', '.join(TEXT_COLUMNS)}")
        return self._column(name)

    def _column(self, name: str) -> list[str]:
        values = self._columns.get(name)
        if values is None:
            values = self._columns[name] = self.doc._core.column(self.number, name)
        return values

    @cached_property
    def heads(self) -> list[int]:
        """The number of each word's head, from 1; 0 for the root, -1 if nothing is known."""
        return self.doc._core.heads(self.number)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Where each word stands in the document's text, in characters."""
        return self.doc._core.places(self.number)

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(self.heads):
            if head > 0:
                children[head - 1].append(word)
        return children

    @property
    def sent(self) -> Sent:
        return self

    @property
    def words(self) -> list[Token]:
        """Its words, as a list."""
        return list(self)

    @property
    def noun_chunks(self) -> list[Span]:
        """Nouns, names and pronouns with their modifiers, without phrases that depend on them.

        >>> import espalier
        >>> sent = espalier.load("en")("My old neighbour sold the house with the red roof.").sents[0]
        >>> [chunk.text for chunk in sent.noun_chunks]
        ['My old neighbour', 'the house', 'the red roof']
        """
        chunks = self.doc._core.noun_chunks(self.number)
        return [Span(self.doc, self.start + first - 1, self.start + last, "NP") for first, last in chunks]

    @property
    def comments(self) -> list[str]:
        """Lines that stand before it in CoNLL-U."""
        return self.doc._core.comments(self.number)

    @property
    def confidence(self) -> float | None:
        """The probability that the whole tree is right, if requested (``nlp(text, confidence=True)``)."""
        mark = "# confidence = "
        return next((float(comment[len(mark) :]) for comment in self.comments if comment.startswith(mark)), None)

    @property
    def trace(self) -> dict[str, Any] | None:
        """How the tree was built, if requested (``nlp(text, trace=True)``): docs/server.md has the fields."""
        trace = self.doc._core.trace(self.number)
        return json.loads(trace) if trace else None

    @property
    def multiword_tokens(self) -> list[tuple[str, list[Token]]]:
        """Written words that are several words of the tree: ``("don't", [do, n't])``."""
        return [(form, list(self[first - 1 : last])) for first, last, form, _ in self.doc._core.multiwords(self.number)]

    @property
    def root(self) -> Token:
        """The first word without a head; the first word if no heads are known."""
        return self[self.heads.index(0) if 0 in self.heads else 0]

    @property
    def constituents(self) -> Constituent | None:
        """The phrase-structure tree, if there is one. Traces are left out."""
        nodes = self.doc._core.constituents(self.number)
        if not nodes:
            return None
        sure = self._bracket_confidence()
        made: dict[int, Constituent] = {}
        spans: dict[int, tuple[int, int]] = {}
        for number in reversed(range(len(nodes))):  # parents stand before their children
            label, word, children, _ = nodes[number]
            inside = [child for child in children if child in made]
            if word > 0:
                made[number], spans[number] = Constituent(label, (self[word - 1],)), (word, word)
            elif inside:
                spans[number] = spans[inside[0]][0], spans[inside[-1]][1]
                alike = sure.get((label, *spans[number]))
                made[number] = Constituent(label, tuple(made[c] for c in inside), alike.pop() if alike else None)
        return made.get(0)

    def _bracket_confidence(self) -> dict[tuple[str, int, int], list[float]]:
        """What the comments ``# bracket = NP 1-2 0.95`` say; of equal phrases the upper one first."""
        sure: dict[tuple[str, int, int], list[float]] = {}
        mark = "# bracket = "
        for comment in self.comments:
            if comment.startswith(mark):
                label, words, value = comment[len(mark) :].rsplit(" ", 2)
                first, last = words.split("-")
                sure.setdefault((label, int(first), int(last)), []).append(float(value))
        return sure

    @property
    def brackets(self) -> list[tuple[str, int, int]]:
        """Labelled phrases as (label, first word, word after the last), from 0; tags of single words are none."""
        tree = self.constituents
        if tree is None:
            return []
        spans = []
        for phrase in tree:
            if any(isinstance(child, Constituent) for child in phrase.children):
                tokens = phrase.tokens
                spans.append((phrase.label, tokens[0]._index, tokens[-1]._index + 1))
        return spans

    @property
    def candidates(self) -> list[Candidate]:
        """The k best analyses, if requested (``nlp(text, kbest=5)``)."""
        return [
            Candidate(score, type(self.doc)(core).sents[0], dict(scores), features)
            for score, scores, features, core in self.doc._core.candidates(self.number)
        ]

    def to_doc(self) -> Doc:
        """A document of this sentence alone."""
        return type(self.doc)(self.doc._core.select([self.number]))

    as_doc = to_doc

    def to_dict(self) -> list[dict[str, Any]]:
        """A dictionary for each word, and for each multiword token before its words, as in Stanza."""
        tokens = {first: (last, form) for first, last, form, _ in self.doc._core.multiwords(self.number)}
        entries: list[dict[str, Any]] = []
        for token in self:
            if token.id in tokens:
                last, form = tokens[token.id]
                place = {"start_char": token.start_char, "end_char": token.end_char}
                entries.append({"id": (token.id, last), "text": form, **place})
            entries.append(token.to_dict())
        return entries

    def _written(self, format: str) -> str:
        return self.doc._core.write(format, self.number)

    def _saved(self, file: str, format: str) -> None:
        self.doc._core.save(file, format, self.number)

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> Span: ...
    def __getitem__(self, at: int | slice) -> Token | Span:
        where = range(len(self))[at]
        if isinstance(where, range):
            return span_of(self.doc, range(self.start + where.start, self.start + where.stop, where.step))
        return Token(self, where)

    def __iter__(self) -> Iterator[Token]:
        return (Token(self, i) for i in range(len(self)))

    def _key(self) -> tuple[object, ...]:
        return id(self.doc), "sentence", self.number
