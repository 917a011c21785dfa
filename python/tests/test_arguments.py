"""Wrong arguments are told in the package's own words: what was wrong, what is right, and never C++ signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

import espalier

EVERY: Any = espalier
"""For what type checkers would object to."""


class Nothing:
    """A task."""

    def run(self, search: espalier.search.Search, example: object) -> None: ...


def functions(nlp: espalier.Model, gold: espalier.Doc) -> Iterator[Callable[..., Any]]:
    """Everything public that can be called with something wrong."""
    yield from (getattr(espalier, name) for name in espalier.__all__ if inspect.isfunction(getattr(espalier, name)))
    for thing in (nlp, gold, gold.sents[0], gold[0], gold[0].morph, espalier.search.Learner(Nothing(), 2)):
        for name, method in inspect.getmembers(thing, callable):
            if name[0] != "_" and name not in ("index", "count"):  # Python's own
                yield method
    yield from (espalier.Model, espalier.search.Learner, nlp)


def required(function: Callable[..., Any]) -> int:
    parameters = inspect.signature(function).parameters.values()
    return sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


@pytest.mark.parametrize("wrong", [object(), None, 3, b"bytes", [3], "no-such-thing"])
def test_wrong_types(
    nlp: espalier.Model, gold: espalier.Doc, wrong: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some names are right for files to be written
    for function in functions(nlp, gold):
        parameters = inspect.signature(function).parameters.values()
        keywords = {p.name: wrong for p in parameters if p.kind == p.KEYWORD_ONLY and p.default is p.empty}
        try:
            result = function(*[wrong] * required(function), **keywords)
            if inspect.isgenerator(result):
                list(result)
        except Exception as error:
            said = str(error)
            assert said and "incompatible function arguments" not in said and "std::" not in said, (function, said)
            assert not isinstance(error, (AttributeError, SystemError)), (function, said)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda nlp: nlp(None), TypeError, "Model: text must be str, not None"),
        (lambda nlp: nlp(b"Trees"), TypeError, r"text must be str, not b'Trees' \(bytes\)"),
        (lambda nlp: nlp("Trees", kbest=-1), ValueError, "kbest must be int of at least 0, not -1"),
        (lambda nlp: nlp("Trees", kbest="3"), TypeError, r"kbest must be int of at least 0, not '3' \(str\)"),
        (lambda nlp: nlp("Trees", confidence=1), TypeError, r"confidence must be bool, not 1 \(int\)"),
        (lambda nlp: nlp("Trees", keep="lemmas"), ValueError, "keep must be '' or 'tags' or 'heads' or 'tags,heads'"),
        (lambda nlp: nlp("Trees", timeout=-1), ValueError, "timeout is a number of seconds"),
        (lambda nlp: nlp("Trees", beams=3), TypeError, "there is no option 'beams'"),
        (lambda nlp: nlp.kbest("Trees", -1), ValueError, "kbest: k must be int of at least 0"),
        (lambda nlp: nlp.pipe(["Trees"], threads=-1), ValueError, "threads must be"),
        (lambda nlp: nlp.pipe(["Trees"], errors="ignore"), ValueError, "errors must be 'raise' or 'keep'"),
        (lambda nlp: nlp.parse_tokens(["Time flies"]), TypeError, "list of words"),
        (lambda nlp: nlp.parse_tokens([["Time", 3]]), TypeError, "a word must be str"),
        (lambda nlp: nlp.parse_doc("text"), TypeError, "doc must be Doc"),
        (lambda nlp: EVERY.load(3), TypeError, "load: name must be str or PathLike"),
        (lambda nlp: EVERY.load("a\0b.esp"), ValueError, "NUL"),
        (lambda nlp: EVERY.load("de"), espalier.EspalierError, "no model 'de': installed are .*en_ewt"),
        (lambda nlp: EVERY.evaluate(1, 2), TypeError, "gold must be str or PathLike or Doc"),
        (lambda nlp: EVERY.train("greedy", train="x.conllu", threads="2"), TypeError, "threads must be"),
        (lambda nlp: EVERY.train("greedy", train="x.conllu", epochs=2), TypeError, "epochs"),
        (lambda nlp: nlp("Trees").codes("forms"), KeyError, "form, lemma"),
        (lambda nlp: nlp("Trees").sents[0].column("forms"), KeyError, "form, lemma"),
        (lambda nlp: nlp("Trees").write("trees"), espalier.EspalierError, "does not tell the format.*conllu"),
        (lambda nlp: nlp("Trees").write("trees.x", "xml"), espalier.EspalierError, "xml"),
        (lambda nlp: nlp("Trees").given({3: {}}), ValueError, "not a word of this document"),
        (lambda nlp: nlp("Trees").given({nlp("Trees")[0]: {}}), ValueError, "not a word of this document"),
    ],
)
def test_messages(nlp: espalier.Model, call: Callable[..., Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as error:
        call(nlp)
    assert type(error.value) is kind


def test_what_numpy_calls_a_number_is_one(nlp: espalier.Model) -> None:
    assert len(nlp("I saw her duck.", kbest=numpy.int64(2)).sents[0].candidates) == 2  # type: ignore[arg-type]
    assert nlp("Trees grow.", timeout=numpy.float32(60))[0].text == "Trees"  # type: ignore[arg-type]


def test_search_says_what_is_no_number() -> None:
    class Wrong:
        def run(self, search: espalier.search.Search, wrong: Any) -> int:
            return search.predict(["x"], reference=wrong)

    learner = espalier.search.Learner(Wrong(), actions=2)
    with pytest.raises(TypeError, match="an action is a number, not 'x'"):
        learner.train([["x"]])


def test_missing_libraries(gold: espalier.Doc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(espalier.doc, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="a data frame needs pandas: pip install pandas"):
        gold.to_dataframe()
    with pytest.raises(ImportError, match="arrays need numpy: pip install numpy"):
        gold.numbers()


def test_files(gold: espalier.Doc, tmp_path: Path) -> None:
    gold.write(tmp_path / "a.conllu")
    assert (tmp_path / "a.conllu").read_text(encoding="utf-8") == gold.to_conllu()
    gold.sents[0].write(str(tmp_path / "one.json"))
    assert (tmp_path / "one.json").read_text(encoding="utf-8") == gold.sents[0].to_json()
    gold.write(tmp_path / "a.conllu.gz")
    assert espalier.read(tmp_path / "a.conllu.gz").to_conllu() == gold.to_conllu()
    gold.write(tmp_path / "tree", "svg")
    assert (tmp_path / "tree").read_text(encoding="utf-8") == gold.to_svg()
