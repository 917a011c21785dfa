"""Why this tree and not another (docs/inspect.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

from espalier import _core
from espalier.arguments import Count, checked
from espalier.doc import Doc
from espalier.model import Model
from espalier.sent import Sent
from espalier.token import Token


@dataclass(frozen=True)
class Reason:
    """A feature that one tree has more often than the other."""

    name: str
    times: float
    """In the tree that won, less those in the one that lost."""
    weight: float

    @property
    def brings(self) -> float:
        """What it brings the tree that won."""
        return self.times * self.weight


@dataclass(frozen=True)
class Explanation:
    """Two trees of a sentence, and the features in which they differ. ``str`` gives a table."""

    won: Sent
    """The sentence with the model's own tree."""
    lost: Sent
    won_score: float
    lost_score: float
    reasons: list[Reason] = field(repr=False)
    """The most important first; what they bring is the difference of the scores."""
    _text: str = field(repr=False)

    @property
    def difference(self) -> float:
        return self.won_score - self.lost_score

    def __str__(self) -> str:
        return self._text


@checked
def explain(
    model: Model,
    sent: str | Sent,
    *,
    word: Token | int | str | None = None,
    head: Token | int | str | None = None,
    deprel: str = "",
    kbest: Count = 256,
    top: Count = 10,
) -> Explanation:
    """Which features made a word's arc win against another; without a ``word``, a tree against the second best.

    ``sent`` is a sentence, or the text of one. Words are Tokens of it, numbers from 1, or forms that occur once; as
    a ``head`` 0 and "root" are the root. The rival is the best tree in which the word has this ``head`` and ``deprel``,
    or any other. It is searched among ``kbest`` trees; ``top`` reasons for either tree are printed.

    >>> import espalier
    >>> nlp = espalier.load("en")
    >>> why = espalier.explain(nlp, "She saw the man with the telescope.", word="telescope", head="saw")
    >>> why.won[6].head.text, why.lost[6].head.text, why.difference > 0
    ('man', 'saw', True)
    >>> abs(sum(reason.brings for reason in why.reasons) - why.difference) < 0.1
    True
    """
    sentence = _sentence(model, sent)
    if word is None and (head is not None or deprel):
        raise ValueError("explain: head and deprel are those of a rival for a word")
    asked = 0 if word is None else _number(sentence, word)
    if asked == 0 and word is not None:
        raise ValueError("explain: the root has no head; word is a word of the sentence")
    rival = -1 if head is None else _number(sentence, head)
    won, won_score, lost, lost_score, reasons, text = _core.explain(
        model._core, sentence.doc._core, sentence.number, asked, rival, deprel, kbest, top
    )
    return Explanation(
        Doc(won).sents[0], Doc(lost).sents[0], won_score, lost_score, [Reason(*reason) for reason in reasons], text
    )


def _sentence(model: Model, sent: str | Sent) -> Sent:
    if isinstance(sent, Sent):
        return sent
    sents = model.tokenize(sent).sents
    if len(sents) != 1:
        raise ValueError(f"explain: the text has {len(sents)} sentences: give one of nlp(text).sents")
    return sents[0]


def _number(sent: Sent, word: Token | int | str) -> int:
    """From 1; 0 is the root."""
    if isinstance(word, Token):
        if word.sent.column("form") != sent.column("form"):
            raise ValueError(f"explain: {word!r} is a word of another sentence")
        return word.id
    if isinstance(word, str):
        found = [token.id for token in sent if token.text == word]
        if not found and word == "root":
            return 0
        if len(found) != 1:
            raise ValueError(f"explain: {word!r} is there {len(found)} times: say a word by its number")
        return found[0]
    if not 0 <= word <= len(sent):
        raise ValueError(f"explain: the sentence has words 1 to {len(sent)}, not {word}")
    return word
