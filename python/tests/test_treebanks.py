"""Scores, comparisons, checks, conversions."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import GOLD

import espalier


def test_evaluate(nlp: espalier.Model, gold: espalier.Doc, treebank: Path) -> None:
    perfect = espalier.evaluate(gold, gold)
    assert perfect["las"] == perfect["uas"] == 100
    assert "LAS" in str(perfect).upper()
    wrong = espalier.read(GOLD.replace("\t2\tnsubj", "\t2\tobj"))
    assert espalier.evaluate(gold, wrong)["las"] == pytest.approx(100 * 10 / 11, abs=0.01)
    assert espalier.evaluate(treebank, treebank)["las"] == 100
    with pytest.raises(espalier.EspalierError) as error:
        espalier.evaluate(gold, espalier.read(GOLD.replace("Trees", "Flowers")))
    assert error.value.kind == "data"


def test_compare(gold: espalier.Doc) -> None:
    worse = espalier.read(GOLD.replace("\t2\tnsubj", "\t2\tobj"))
    result = espalier.compare(gold, gold, worse, trials=1000, resamples=100)
    assert result["a"] == 100 and result["b"] < 100 and 0 < result["p_value"] <= 1


def test_check(tmp_path: Path) -> None:
    file = tmp_path / "odd.conllu"
    file.write_text(GOLD.replace("\t2\tpunct", "\t9\tpunct"), encoding="utf-8")
    report = espalier.check(file)
    assert report.sentences == 2 and len(report.problems) == 1
    assert report.problems[0].line == 4 and report.problems[0].token == 3
    with pytest.raises(espalier.EspalierError):
        espalier.check(tmp_path / "missing.conllu")


def test_convert_and_draw(gold: espalier.Doc, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(GOLD, encoding="utf-8")
    assert espalier.convert(tmp_path / "a.conllu", tmp_path / "b.json") == 2
    assert espalier.read(tmp_path / "b.json")[0].text == "Trees"
    assert espalier.convert(tmp_path / "a.conllu", tmp_path / "c.conllu", first=2, count=1) == 1
    assert espalier.draw(gold, tmp_path / "a.svg") == (tmp_path / "a.svg").read_text(encoding="utf-8")
    readable, writable = espalier.formats()
    assert "conllu" in readable and "svg" in writable
