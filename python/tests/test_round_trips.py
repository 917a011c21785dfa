"""Whatever text comes in: words stand where they say, and what is written can be read."""

from __future__ import annotations

import pickle

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

import espalier

NLP = espalier.load("en")
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
PIECES = ["I", "saw", "her", "duck", ".", "Don't", "(", ")", "café", "🐎", "日本", "\n", "\n\n", "'", "\t"]
PROSE = st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join)
WORD = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(TEXT | PROSE)
def test_words_stand_in_order(text: str) -> None:
    doc = NLP(text)
    assert doc.text == text
    for token in doc:
        assert token.start_char <= token.end_char <= len(text)
    places = [(t.start_char, t.end_char) for t in doc]
    assert places == sorted(places)


@quick
@given(TEXT | PROSE)
def test_conllu_round_trip(text: str) -> None:
    doc = NLP(text)
    again = espalier.read(doc.to_conllu() or "\n", format="conllu")
    assert again.to_conllu() == doc.to_conllu()
    assert pickle.loads(pickle.dumps(doc)).numbers()["start"].tolist() == doc.numbers()["start"].tolist()


@quick
@given(st.lists(st.lists(WORD, min_size=1, max_size=6), max_size=4))
def test_given_words_are_kept(sentences: list[list[str]]) -> None:
    doc = NLP.parse_tokens(sentences)
    assert [[t.text for t in sent] for sent in doc.sents] == sentences
    for sent in doc.sents:
        assert sent.heads.count(0) == 1
        assert {t.i for t in sent.root.subtree} == {t.i for t in sent}
