"""Documents, sentences and words: light views on what the parser, or a treebank, says.

Names are spaCy's where spaCy has one, else CoNLL-U's. Nothing here can be changed; a view keeps its document alive.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from espalier import _core

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from espalier.errors import EspalierError

    IntArray = numpy.typing.NDArray[numpy.int32]

TEXT_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


def _as_dict(column: str) -> dict[str, str]:
    """``"Case=Nom|Number=Sing"`` as a dictionary; ``"_"`` is nothing."""
    if column in ("", "_"):
        return {}
    pairs = (entry.partition("=") for entry in column.split("|"))
    return {key: value for key, _, value in pairs}


class Token:
    """A word of a sentence. Compares equal to another view of the same word."""

    __slots__ = ("_index", "sent")

    sent: Sent
    """The sentence it is in."""

    def __init__(self, sent: Sent, index: int) -> None:
        self.sent = sent
        self._index = index

    @property
    def text(self) -> str:
        return self.sent.column("form")[self._index]

    @property
    def lemma(self) -> str:
        return self.sent.column("lemma")[self._index]

    @property
    def upos(self) -> str:
        return self.sent.column("upos")[self._index]

    @property
    def xpos(self) -> str:
        return self.sent.column("xpos")[self._index]

    @property
    def feats(self) -> dict[str, str]:
        """Morphology: ``{"Number": "Plur"}``."""
        return _as_dict(self.sent.column("feats")[self._index])

    @property
    def misc(self) -> dict[str, str]:
        return _as_dict(self.sent.column("misc")[self._index])

    @property
    def confidence(self) -> float | None:
        """How likely its head and relation are right, if that was asked for."""
        value = self.misc.get("Confidence")
        return float(value) if value is not None else None

    @property
    def deps(self) -> str:
        """Enhanced dependencies, as in the file."""
        return self.sent.column("deps")[self._index]

    @property
    def deprel(self) -> str:
        return self.sent.column("deprel")[self._index]

    @property
    def id(self) -> int:
        """Its number in the sentence, from 1, as in CoNLL-U."""
        return self._index + 1

    @property
    def i(self) -> int:
        """Its number in the document, from 0."""
        return self.sent.start + self._index

    @property
    def head_id(self) -> int:
        """The head's number in the sentence; 0 for the root, -1 if nothing is known."""
        return self.sent.heads[self._index]

    @property
    def head(self) -> Token:
        """The word it depends on; the root, and a word without a head, are their own."""
        head = self.sent.heads[self._index]
        return Token(self.sent, head - 1) if head > 0 else self

    @property
    def start(self) -> int:
        """Where it begins in the document's text, in characters. Words of a multiword token share its place."""
        return self.sent.places[self._index][0]

    @property
    def end(self) -> int:
        return self.sent.places[self._index][1]

    @property
    def children(self) -> list[Token]:
        """The words that depend on it, in order."""
        return [Token(self.sent, child) for child in self.sent._children[self._index]]

    @property
    def lefts(self) -> list[Token]:
        return [child for child in self.children if child._index < self._index]

    @property
    def rights(self) -> list[Token]:
        return [child for child in self.children if child._index > self._index]

    @property
    def subtree(self) -> list[Token]:
        """The word and all that depends on it, in the sentence's order."""
        found, open_ = {self._index}, [self._index]
        while open_:
            new = [child for child in self.sent._children[open_.pop()] if child not in found]
            found.update(new)
            open_ += new
        return [Token(self.sent, index) for index in sorted(found)]

    @property
    def ancestors(self) -> list[Token]:
        """Its head, the head's head and so on, up to the root."""
        found: list[Token] = []
        head = self.head_id
        while head > 0 and len(found) < len(self.sent):
            found.append(Token(self.sent, head - 1))
            head = self.sent.heads[head - 1]
        return found

    def __len__(self) -> int:
        return len(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self._index == other._index and self.sent == other.sent

    def __hash__(self) -> int:
        return hash((self.sent, self._index))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Token {self.id} {self.text!r}>"


@dataclass(frozen=True)
class Constituent:
    """A phrase: its label and what it consists of, phrases and words. A word stands under its tag."""

    label: str
    children: tuple[Constituent | Token, ...]

    @property
    def tokens(self) -> list[Token]:
        return [t for c in self.children for t in (c.tokens if isinstance(c, Constituent) else [c])]

    def __iter__(self) -> Iterator[Constituent]:
        """The phrase and all phrases in it, from the top."""
        yield self
        for child in self.children:
            if isinstance(child, Constituent):
                yield from child

    def __str__(self) -> str:
        return f"({self.label} {' '.join(str(child) for child in self.children)})"


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


class Sent(Sequence[Token]):
    """A sentence: a sequence of words with a tree over them."""

    def __init__(self, doc: Doc, number: int) -> None:
        self.doc = doc
        self.number = number
        self._columns: dict[str, list[str]] = {}

    def column(self, name: str) -> list[str]:
        """A column of CoNLL-U for all words: form, lemma, upos, xpos, feats, deprel, deps or misc."""
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
    def text(self) -> str:
        """The sentence as it was written."""
        return self.doc._core.surface(self.number)

    @property
    def start(self) -> int:
        """The number of its first word in the document, from 0."""
        return self.doc._starts[self.number]

    @property
    def end(self) -> int:
        return self.doc._starts[self.number + 1]

    @property
    def comments(self) -> list[str]:
        return self.doc._core.comments(self.number)

    @property
    def confidence(self) -> float | None:
        """How likely the whole tree is right, if that was asked for (``nlp(text, confidence=True)``)."""
        mark = "# confidence = "
        return next((float(comment[len(mark) :]) for comment in self.comments if comment.startswith(mark)), None)

    @property
    def trace(self) -> dict[str, Any] | None:
        """How the tree came about, if that was asked for (``nlp(text, trace=True)``): docs/server.md has the fields."""
        trace = self.doc._core.trace(self.number)
        return json.loads(trace) if trace else None

    @property
    def multiword_tokens(self) -> list[tuple[str, list[Token]]]:
        """Written words that are several words of the tree: ``("don't", [do, n't])``."""
        return [(form, self[first - 1 : last]) for first, last, form, _ in self.doc._core.multiwords(self.number)]

    @property
    def root(self) -> Token:
        """The first word that depends on none; the first word if nothing is known."""
        return self[self.heads.index(0) if 0 in self.heads else 0]

    @property
    def constituents(self) -> Constituent | None:
        """The phrase-structure tree, if there is one. Traces are left out."""
        nodes = self.doc._core.constituents(self.number)
        if not nodes:
            return None
        made: dict[int, Constituent] = {}
        for number in reversed(range(len(nodes))):  # parents stand before their children
            label, word, children, _ = nodes[number]
            inside = tuple(made[child] for child in children if child in made)
            if word > 0:
                made[number] = Constituent(label, (self[word - 1],))
            elif inside:
                made[number] = Constituent(label, inside)
        return made.get(0)

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
        """The k best analyses, if they were asked for (``nlp(text, kbest=5)``)."""
        return [
            Candidate(score, Doc(core).sents[0], dict(scores), features)
            for score, scores, features, core in self.doc._core.candidates(self.number)
        ]

    def to_conllu(self) -> str:
        return self.doc._core.write("conllu", self.number)

    def to_json(self) -> str:
        return self.doc._core.write("json", self.number)

    def to_svg(self) -> str:
        return self.doc._core.write("svg", self.number)

    def to_text_tree(self) -> str:
        return self.doc._core.write("text-tree", self.number)

    def write(self, format: str) -> str:
        """Any of the formats that `espalier convert` writes."""
        return self.doc._core.write(format, self.number)

    def to_doc(self) -> Doc:
        """A document of this sentence alone."""
        return Doc(self.doc._core.select([self.number]))

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> list[Token]: ...
    def __getitem__(self, at: int | slice) -> Token | list[Token]:
        where = range(len(self))[at]
        return [Token(self, i) for i in where] if isinstance(where, range) else Token(self, where)

    def __iter__(self) -> Iterator[Token]:
        return (Token(self, i) for i in range(len(self)))

    def __len__(self) -> int:
        return self.end - self.start

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sent) and self.number == other.number and self.doc is other.doc

    def __hash__(self) -> int:
        return hash((id(self.doc), self.number))

    def __str__(self) -> str:
        return self.to_text_tree().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Sent {self.text!r}>"

    def _repr_html_(self) -> str:
        return _drawing(self.to_svg)


class Doc(Sequence[Token]):
    """A text and its sentences: a sequence of words, over all sentences."""

    error: EspalierError | None = None
    """Why it could not be parsed (``nlp.pipe(..., errors="keep")``)."""

    def __init__(self, core: _core.Document) -> None:
        self._core = core

    @cached_property
    def text(self) -> str:
        """As it was given; put together from the words if only those were."""
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

    def numbers(self) -> dict[str, IntArray]:
        """Numpy arrays over all words: ``sent``, ``id``, ``head`` as in CoNLL-U, ``start``, ``end`` in characters."""
        return self._core.numbers()

    def codes(self, column: str) -> tuple[IntArray, list[str]]:
        """A column of all words: the number of each word's text, and the texts.

        >>> import espalier
        >>> numbers, texts = espalier.load("en")("Time flies like an arrow flies.").codes("form")
        >>> [texts[number] for number in numbers]
        ['Time', 'flies', 'like', 'an', 'arrow', 'flies', '.']
        >>> len(texts)
        6
        """
        return self._core.codes(column)

    def to_arrays(self) -> dict[str, Any]:
        """Everything about all words: `numbers`, and `codes` of every column of text."""
        return {**self.numbers(), **{column: self.codes(column) for column in TEXT_COLUMNS}}

    def to_dataframe(self, backend: str = "auto") -> Any:
        """A row per word, as a data frame of pandas or polars, whichever is there first; or say which."""
        if backend not in ("auto", "pandas", "polars"):
            raise ValueError(f"backend is auto, pandas or polars, not {backend!r}")
        columns: dict[str, Any] = self.numbers()
        import numpy

        for name in TEXT_COLUMNS:
            codes, texts = self.codes(name)
            columns[name] = numpy.array(texts, dtype=object)[codes] if texts else numpy.array([], dtype=object)
        if backend != "polars":
            try:
                import pandas
            except ImportError:
                if backend == "pandas":
                    raise
            else:
                return pandas.DataFrame(columns)
        import polars

        return polars.DataFrame({name: column.tolist() for name, column in columns.items()})

    def given(self, what: Mapping[Token, Mapping[str, Token | str]]) -> Doc:
        """A copy of the words that says nothing about them but this: to be completed by a model that keeps it.

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

        def text(token: Token, value: Token | str) -> str:
            if not isinstance(value, Token):
                return value
            if value.sent != token.sent:
                raise ValueError(f"{value!r} is not in the sentence of {token!r}")
            return str(0 if value == token else value.id)

        return Doc(
            self._core.given(
                [
                    (token.sent.number, token._index, column, text(token, value))
                    for token, columns in what.items()
                    for column, value in columns.items()
                ]
            )
        )

    def to_conllu(self) -> str:
        return self._core.write("conllu")

    def to_json(self) -> str:
        """A line of JSON per sentence."""
        return self._core.write("json")

    def to_svg(self) -> str:
        return self._core.write("svg")

    def to_text_tree(self) -> str:
        return self._core.write("text-tree")

    def write(self, format: str) -> str:
        """Any of the formats that `espalier convert` writes."""
        return self._core.write(format)

    @property
    def format(self) -> str:
        """The format that holds what is in it: ``"ptb"`` if there are phrase-structure trees, else ``"conllu"``."""
        return "ptb" if any(self._core.constituents(i) for i in range(len(self._starts) - 1)) else "conllu"

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> list[Token]: ...
    def __getitem__(self, at: int | slice) -> Token | list[Token]:
        if isinstance(at, slice):
            return list(self)[at]
        from bisect import bisect_right

        i = range(len(self))[at]
        sentence = bisect_right(self._starts, i) - 1
        return Token(Sent(self, sentence), i - self._starts[sentence])

    def __iter__(self) -> Iterator[Token]:
        for sent in self.sents:
            yield from sent

    def __len__(self) -> int:
        return self._starts[-1]

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.to_text_tree().rstrip("\n")

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"<Doc {text!r}: {len(self._starts) - 1} sentences, {len(self)} words>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.text, self.to_conllu())

    def _repr_html_(self) -> str:
        return _drawing(self.to_svg)


def _restore(text: str, conllu: str) -> Doc:
    return Doc(_core.read_text(conllu, "conllu", text))


def _drawing(draw: Callable[[], str]) -> str:
    """For notebooks: the picture, or why there is none."""
    try:
        return f'<div style="overflow-x:auto">{draw()}</div>'
    except Exception as error:
        return f"<pre>{html.escape(str(error))}</pre>"
