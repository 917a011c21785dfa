"""Texts for C++: invalid characters are replaced, as on the command line, with one warning."""

from __future__ import annotations

import re
import warnings

from espalier.arguments import shown
from espalier.errors import EspalierError

_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def text_of(value: object, what: str) -> str:
    """A valid text; raises a TypeError that names the argument if it is no text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {shown(value)}")
    return repaired(value)


def repaired(text: str) -> str:
    """U+FFFD in place of NUL and of lone surrogates, with a warning.

    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     repaired("a\\0b\\udc80")
    'a\ufffdb\ufffd'
    >>> print(told[0].message)
    no Unicode text, or NUL: 2 characters were replaced by U+FFFD, the first at 1
    """
    if text.isascii() and "\0" not in text:
        return text
    mended, count = _NO_TEXT.subn("\ufffd", text)
    if count:
        at = next(_NO_TEXT.finditer(text)).start()
        said = f"{count} characters were" if count > 1 else "a character was"
        warnings.warn(
            f"no Unicode text, or NUL: {said} replaced by U+FFFD, the first at {at}", UnicodeWarning, stacklevel=3
        )
    return mended


def refused(value: object) -> EspalierError:
    """What a pipe keeps in place of something that is no text."""
    return EspalierError(f"a text must be str, not {shown(value)}", 2)
