"""Patterns over documents, and why a tree has won."""

from __future__ import annotations

from pathlib import Path

import pytest

import espalier

PATTERN = "V:upos=VERB >nsubj S >obj O"


def test_query(nlp: espalier.Model, gold: espalier.Doc, tmp_path: Path) -> None:
    [match] = espalier.query(PATTERN, gold)
    assert {name: token.text for name, token in match.items()} == {"V": "see", "S": "I", "O": "dog"}
    assert match.sent == gold.sents[1] and match["O"].head == match["V"] and repr(match) == "<Match V=see S=I O=dog>"
    assert list(espalier.query(PATTERN, gold.sents[0])) == [] and len(list(espalier.query(PATTERN, gold.sents[1]))) == 1
    gold.write(tmp_path / "gold.conllu")
    assert [m["S"].text for m in espalier.query(PATTERN, tmp_path / "gold.conllu")] == ["I"]
    assert [m["S"].text for m in espalier.query(PATTERN, str(tmp_path / "gold.conllu"))] == ["I"]
    docs = nlp.pipe(["Trees grow.", "Dogs chase cats. Birds eat seeds.", "Cows eat grass."])
    assert [m["O"].text for m in espalier.query(PATTERN, docs)] == ["cats", "seeds", "grass"]
    assert [m["O"].text for m in espalier.query(PATTERN, [gold, gold])] == ["dog", "dog"]
    assert [dict(m) for m in espalier.query("_ >obj _", gold)] == [{}]  # once, without names


def test_wrong_patterns(gold: espalier.Doc) -> None:
    with pytest.raises(espalier.EspalierError) as error:
        espalier.query("V >", gold) and espalier.query("V:colour=red", gold)
    assert error.value.kind == "usage" and "colour" in str(error.value)
    with pytest.raises(TypeError, match="searches documents, not 3"):
        list(espalier.query(PATTERN, [3]))  # type: ignore[list-item]


def test_explain(nlp: espalier.Model) -> None:
    text = "She saw the man with the telescope."
    head = nlp(text)[6].head.text
    rival = "man" if head == "saw" else "saw"
    why = espalier.explain(nlp, text, word="telescope", head=rival)
    assert why.won[6].head.text == head and why.lost[6].head.text == rival
    assert why.won.heads == nlp(text).sents[0].heads
    assert why.difference == pytest.approx(sum(reason.brings for reason in why.reasons), abs=0.1)
    assert abs(why.reasons[0].brings) >= abs(why.reasons[-1].brings) and why.reasons[0].name in str(why)
    sent = nlp(text).sents[0]
    token = espalier.explain(nlp, sent, word=sent[6], head=sent[1 if rival == "saw" else 3], top=3)
    assert token.reasons == why.reasons and len(str(token)) < len(str(why))
    second = espalier.explain(nlp, text)
    assert second.won.heads != second.lost.heads or second.won.column("deprel") != second.lost.column("deprel")


def test_explain_refuses(nlp: espalier.Model, gold: espalier.Doc) -> None:
    for message, arguments in {
        "3 sentences": {"sent": "One. Two sentences. Three sentences."},
        "rival for a word": {"sent": "Trees grow.", "head": 2},
        "words 1 to 3": {"sent": "Trees grow.", "word": 4},
        "there 0 times": {"sent": "Trees grow.", "word": "tree"},
        "has no head": {"sent": "Trees grow.", "word": 0},
        "another sentence": {"sent": "Trees grow.", "word": gold[5]},
    }.items():
        with pytest.raises(ValueError, match=message):
            espalier.explain(nlp, **arguments)  # type: ignore[arg-type]
