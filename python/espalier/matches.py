"""Searching trees for patterns (docs/inspect.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from espalier import _core
from espalier.arguments import StrPath, checked, shown
from espalier.doc import Doc
from espalier.model import read
from espalier.sent import Sent
from espalier.token import Token


class Match(Mapping[str, Token]):
    """The words that a pattern has found, by their names."""

    def __init__(self, sent: Sent, words: Mapping[str, Token]) -> None:
        self.sent = sent
        self._words = words

    def __getitem__(self, name: str) -> Token:
        return self._words[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Match {' '.join(f'{name}={token.text}' for name, token in self.items())}>"


@checked
def query(pattern: str, source: Doc | Sent | StrPath | Iterable[Doc]) -> Iterator[Match]:
    """Every match of a pattern, in a document, a sentence, a treebank file, or in any number of documents, one after
    the other: ``espalier.query(pattern, nlp.pipe(texts))``.

    >>> import espalier
    >>> doc = espalier.load("en")("The old man fed the birds. My sister saw a fox.")
    >>> for match in espalier.query("V:upos=VERB >nsubj S >obj O", doc):
    ...     print(match["S"], match["V"], match["O"], [chunk.text for chunk in match.sent.noun_chunks])
    man fed birds ['The old man', 'the birds']
    sister saw fox ['My sister', 'a fox']
    """
    return _matches(_core.Query(pattern), source)  # errors of the pattern are raised at once


def _matches(compiled: _core.Query, source: Doc | Sent | StrPath | Iterable[Doc]) -> Iterator[Match]:
    names = compiled.names()
    if isinstance(source, Sent):
        for words in compiled.match(source.doc._core, source.number):
            yield Match(source, {name: source[word - 1] for name, word in zip(names, words, strict=True)})
    elif isinstance(source, Doc):
        for sent in source.sents:
            yield from _matches(compiled, sent)
    else:
        for doc in source if isinstance(source, Iterable) and not isinstance(source, str) else [read(source)]:
            if not isinstance(doc, (Doc, Sent)):
                raise TypeError(f"query searches documents, not {shown(doc)}")
            yield from _matches(compiled, doc)
