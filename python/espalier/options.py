"""What may be asked of a model, and how its settings are said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypedDict

from espalier import _core
from espalier.arguments import Count, shown

Settings = Mapping[str, object]


def setting_pairs(settings: Settings | None) -> list[str]:
    """``{"beam": 64, "shuffle": False}`` as ``["beam=64", "shuffle=false"]``."""

    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    if not isinstance(settings, Mapping | None):
        raise TypeError(f"set must be Mapping, not {shown(settings)}")
    return [f"{key}={text(value)}" for key, value in (settings or {}).items()]


class Options(TypedDict, total=False):
    """Options for parsing; all are off by default."""

    kbest: Count
    """Also so many alternatives for each sentence (`Sent.candidates`)."""
    features: bool
    """Of each alternative (`Candidate.features`)."""
    confidence: bool
    """How sure the model is (`Sent.confidence`, `Token.confidence`), if it was calibrated (`espalier.calibrate`)."""
    trace: bool
    """How each tree came about (`Sent.trace`)."""
    keep: Literal["", "tags", "heads", "tags,heads"]
    """What sentences say already and is to stay; the model predicts the rest."""
    timeout: float
    """Seconds, counted from the call; then `Stopped` is raised."""
    language: str
    """An ICU locale, for texts whose words are found by rules."""
    rules: bool
    """Find words by rules even if the model has a tokenizer of its own."""


def core_options(options: Options) -> _core.Options:
    timeout = options.get("timeout", 0.0)
    if not (timeout >= 0 and math.isfinite(timeout)):
        raise ValueError(f"timeout is a number of seconds, not {timeout!r}")
    return _core.Options(**options)
