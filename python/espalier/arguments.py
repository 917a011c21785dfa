"""Checks arguments by the types of a function's signature before it is called.

>>> @checked
... def repeat(text: str, times: Count = 1) -> str:
...     return text * times
>>> repeat("ab", times=2)
'abab'
>>> repeat("ab", times=-1)
Traceback (most recent call last):
ValueError: repeat: times must be int of at least 0, not -1 (int)
>>> repeat(None)
Traceback (most recent call last):
TypeError: repeat: text must be str, not None
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class AtLeast:
    """Of a number: ``Annotated[int, AtLeast(0)]``."""

    least: int


Count = Annotated[int, AtLeast(0)]

Function = TypeVar("Function", bound=Callable[..., Any])
Test = tuple[Callable[[object], bool], str]
"""Whether a value is right, and what it should be."""

_NO_NAME = re.compile("[\0\ud800-\udfff]")


def checked(function: Function) -> Function:
    """The function with a check of its arguments by their types."""
    names = list(inspect.signature(function).parameters)
    what = {"__init__": "Model", "__call__": "Model"}.get(function.__name__, function.__name__)

    @functools.cache
    def expectations() -> tuple[dict[str, list[Test]], dict[str, list[Test]] | None]:
        # At the first call, when all modules are loaded; return types may be known to type checkers only.
        declared = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
        hints = typing.get_type_hints(
            types.SimpleNamespace(__annotations__=declared), function.__globals__, include_extras=True
        )
        options = hints.get("options")
        keywords = None
        if typing.get_origin(options) is typing.Unpack:
            fields = typing.get_type_hints(typing.get_args(options)[0], include_extras=True)
            keywords = {name: _tests(hint) for name, hint in fields.items()}
        return {name: _tests(hint) for name, hint in hints.items()}, keywords

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        expected, options = expectations()
        for name, value in zip(names, args, strict=False):
            if name in expected:
                _look(what, name, value, expected[name])
        for name, value in kwargs.items():
            if name in expected and name != "options":
                _look(what, name, value, expected[name])
            elif options is not None:
                if name not in options:
                    raise TypeError(f"{what}: there is no option {name!r}{_suggestion(name, [*names, *options])}")
                _look(what, name, value, options[name])
        return function(*args, **kwargs)

    return cast(Function, call)


def shown(value: object) -> str:
    """A value, in a message.

    >>> shown(3), shown(None), shown("x" * 100)
    ('3 (int)', 'None', "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (str)")
    """
    if value is None:
        return "None"
    text = repr(value)
    return f"{text if len(text) <= 41 else text[:38] + '...'} ({type(value).__name__})"


def _look(what: str, name: str, value: object, tests: list[Test]) -> None:
    if not tests or any(is_right(value) for is_right, _ in tests):
        names_file = type(value) is str and "\n" not in value and any(words == "PathLike" for _, words in tests)
        if names_file and _NO_NAME.search(str(value)):
            raise ValueError(f"{what}: {name} has a NUL or a lone surrogate, and so names no file: {value!r}")
        return
    wanted = " or ".join(dict.fromkeys(words for _, words in tests))
    is_wrong_value = (type(value) in (int, float) and "at least" in wanted) or (type(value) is str and "'" in wanted)
    raise (ValueError if is_wrong_value else TypeError)(f"{what}: {name} must be {wanted}, not {shown(value)}")


def _tests(hint: Any) -> list[Test]:
    """A test for each alternative of a type; empty if any value will do."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        tests = [_tests(part) for part in parts]
        return [test for alternative in tests for test in alternative] if all(tests) else []
    if origin is Annotated:
        [(test, name)] = _tests(parts[0])
        [least] = [mark.least for mark in parts[1:]]
        return [(lambda value: test(value) and cast(int, value) >= least, f"{name} of at least {least}")]
    if origin is typing.Literal:
        return [(lambda value: value in parts, " or ".join(map(repr, parts)))]
    kind = origin or hint
    if not isinstance(kind, type) or kind is object or getattr(kind, "_is_protocol", False):
        return []
    if kind is int:  # numpy's numbers, too
        return [(lambda value: hasattr(value, "__index__") and not isinstance(value, bool), "int")]
    if kind is float:
        return [(lambda value: hasattr(value, "__float__") or hasattr(value, "__index__"), "float")]
    if parts and issubclass(kind, Iterable) and parts[0] not in (str, Any):  # a text does not count as a sequence
        return [(lambda value: isinstance(value, kind) and not isinstance(value, (str, bytes)), kind.__name__)]
    return [(lambda value: isinstance(value, kind), "None" if kind is types.NoneType else kind.__name__)]


def _suggestion(name: str, known: Sequence[str]) -> str:
    import difflib  # imported here, because it is rarely needed

    known = [one for one in known if one not in ("self", "cls", "options")]
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else f": {', '.join(known)}"
