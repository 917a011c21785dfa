"""Phrase-structure trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from espalier.token import Token


@dataclass(frozen=True)
class Constituent:
    """A phrase: its label and its children, phrases and words. A word is the child of its tag."""

    label: str
    children: tuple[Constituent | Token, ...]
    confidence: float | None = None
    """How likely the phrase is right, if that was asked for (``nlp(text, confidence=True)``)."""

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
