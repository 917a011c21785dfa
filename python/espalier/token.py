"""Words of a sentence: their columns, and their neighbours in text and tree.

Columns have the names of Universal Dependencies; where spaCy has a name for the same thing, it works, too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from espalier.arguments import checked

if TYPE_CHECKING:
    from espalier.doc import Doc
    from espalier.sent import Sent


class Token:
    """A word of a sentence. Compares equal to another view of the same word."""

    __slots__ = ("_index", "sent")

    sent: Sent
    """The sentence it is in."""

    def __init__(self, sent: Sent, index: int) -> None:
        self.sent = sent
        self._index = index

    # What is written.

    @property
    def text(self) -> str:
        return self.sent._column("form")[self._index]

    @property
    def lemma(self) -> str:
        return self.sent._column("lemma")[self._index]

    @property
    def upos(self) -> str:
        return self.sent._column("upos")[self._index]

    @property
    def xpos(self) -> str:
        return self.sent._column("xpos")[self._index]

    @property
    def feats(self) -> dict[str, str]:
        """Morphology: ``{"Number": "Plur"}``."""
        return _as_dict(self.sent._column("feats")[self._index])

    @property
    def deprel(self) -> str:
        return self.sent._column("deprel")[self._index]

    @property
    def deps(self) -> str:
        """Enhanced dependencies, as in the file."""
        return self.sent._column("deps")[self._index]

    @property
    def misc(self) -> dict[str, str]:
        return _as_dict(self.sent._column("misc")[self._index])

    @property
    def confidence(self) -> float | None:
        """The probability that head and relation are right, if requested."""
        value = self.misc.get("Confidence")
        return float(value) if value is not None else None

    # The same by spaCy's names.

    lemma_ = lemma
    pos_ = upos
    tag_ = xpos
    dep_ = deprel

    @property
    def morph(self) -> Morph:
        """Morphology, as spaCy shows it."""
        return Morph(self.sent._column("feats")[self._index])

    @property
    def lower_(self) -> str:
        return self.text.lower()

    @property
    def is_alpha(self) -> bool:
        return self.text.isalpha()

    @property
    def is_digit(self) -> bool:
        return self.text.isdigit()

    @property
    def is_lower(self) -> bool:
        return self.text.islower()

    @property
    def is_upper(self) -> bool:
        return self.text.isupper()

    @property
    def is_title(self) -> bool:
        return self.text.istitle()

    @property
    def is_punct(self) -> bool:
        """Whether all its characters are punctuation; ``upos == "PUNCT"`` is about the annotation."""
        return all(unicodedata.category(sign).startswith("P") for sign in self.text)

    @property
    def is_space(self) -> bool:
        """Always false: white space is no word here, but `whitespace_` of a word."""
        return False

    # Where it stands in the text.

    @property
    def doc(self) -> Doc:
        return self.sent.doc

    @property
    def id(self) -> int:
        """Its number in the sentence, from 1, as in CoNLL-U."""
        return self._index + 1

    @property
    def i(self) -> int:
        """Its number in the document, from 0."""
        return self.sent.start + self._index

    @property
    def start_char(self) -> int:
        """Where it begins in the document's text, in characters. Words of a multiword token share its place."""
        return self.sent.places[self._index][0]

    idx = start_char

    @property
    def end_char(self) -> int:
        return self.sent.places[self._index][1]

    @property
    def whitespace_(self) -> str:
        """The white space between it and the next word: usually one space, or nothing."""
        doc, after = self.sent.doc, self.i + 1
        return doc.text[self.end_char : doc[after].start_char if after < len(doc) else None]

    @property
    def text_with_ws(self) -> str:
        return self.text + self.whitespace_

    @property
    def is_sent_start(self) -> bool:
        return self._index == 0

    @property
    def is_sent_end(self) -> bool:
        return self._index + 1 == len(self.sent)

    @checked
    def nbor(self, i: int = 1) -> Token:
        """The word ``i`` places after it (before it, if negative) in the document."""
        at = self.i + i
        if not 0 <= at < len(self.doc):
            raise IndexError(f"{self!r} has no neighbour {i}: the document has {len(self.doc)} words")
        return self.doc[at]

    # The tree.

    @property
    def head_id(self) -> int:
        """The head's number in the sentence; 0 for the root, -1 if nothing is known."""
        return self.sent.heads[self._index]

    @property
    def head(self) -> Token:
        """The word on which it depends; the root, and words without a head, are their own head."""
        head = self.head_id
        return Token(self.sent, head - 1) if head > 0 else self

    def has_head(self) -> bool:
        """Is the head known? The root's is, too."""
        return self.head_id >= 0

    @property
    def children(self) -> list[Token]:
        """The words that depend on it, in order."""
        return [Token(self.sent, child) for child in self.sent._children[self._index]]

    @property
    def lefts(self) -> list[Token]:
        """Children before it."""
        return [child for child in self.children if child._index < self._index]

    @property
    def rights(self) -> list[Token]:
        """Children after it."""
        return [child for child in self.children if child._index > self._index]

    @property
    def n_lefts(self) -> int:
        return len(self.lefts)

    @property
    def n_rights(self) -> int:
        return len(self.rights)

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
    def left_edge(self) -> Token:
        """The first word of `subtree`."""
        return self.subtree[0]

    @property
    def right_edge(self) -> Token:
        """The last word of `subtree`."""
        return self.subtree[-1]

    @property
    def ancestors(self) -> list[Token]:
        """Its head, the head's head and so on, up to the root."""
        found: list[Token] = []
        head = self.head_id
        while head > 0 and len(found) < len(self.sent):
            found.append(Token(self.sent, head - 1))
            head = self.sent.heads[head - 1]
        return found

    @checked
    def is_ancestor(self, descendant: Token) -> bool:
        return self in descendant.ancestors

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The words with which it is coordinated, in order, without itself."""
        first = self
        for head in self.ancestors:
            if not _is_conjunct(first):
                break
            first = head
        found, open_ = [first], [first]
        while open_:
            new = [child for child in open_.pop().children if _is_conjunct(child) and child not in found]
            found += new
            open_ += new
        return tuple(sorted((token for token in found if token != self), key=lambda token: token._index))

    def to_dict(self) -> dict[str, Any]:
        """Its columns as in Stanza: ``head`` is a number, ``feats`` a text."""
        columns = {
            "text": self.text,
            **{name: self.sent._column(name)[self._index] for name in ("lemma", "upos", "xpos", "feats")},
            "head": self.head_id if self.has_head() else "_",
            **{name: self.sent._column(name)[self._index] for name in ("deprel", "deps", "misc")},
        }
        known = {name: value for name, value in columns.items() if name == "text" or value not in ("", "_")}
        return {"id": self.id, **known, "start_char": self.start_char, "end_char": self.end_char}

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


class Morph:
    """Morphology with the interface of spaCy.

    >>> morph = Morph("Case=Acc,Dat|Number=Plur")
    >>> print(morph), morph.get("Case"), morph.get("Gender"), morph.to_dict()
    Case=Acc,Dat|Number=Plur
    (None, ['Acc', 'Dat'], [], {'Case': 'Acc,Dat', 'Number': 'Plur'})
    >>> "Number=Plur" in morph, len(morph)
    (True, 2)
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = "" if text == "_" else text

    @checked
    def get(self, field: str, default: list[str] | None = None) -> list[str]:
        """The values of a feature."""
        value = _as_dict(self._text).get(field)
        return value.split(",") if value is not None else default or []

    def to_dict(self) -> dict[str, str]:
        return _as_dict(self._text)

    def to_json(self) -> str:
        return self._text

    def __iter__(self) -> Iterator[str]:
        return iter(self._text.split("|") if self._text else ())

    def __len__(self) -> int:
        return len(self.to_dict())

    def __eq__(self, other: object) -> bool:
        return str(other) == self._text if isinstance(other, (Morph, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def _is_conjunct(token: Token) -> bool:
    return token.deprel == "conj" or token.deprel.startswith("conj:")


def _as_dict(column: str) -> dict[str, str]:
    """``"Case=Nom|Number=Sing"`` as a dictionary; ``"_"`` is nothing."""
    if column in ("", "_"):
        return {}
    pairs = (entry.partition("=") for entry in column.split("|"))
    return {key: value for key, _, value in pairs}
