"""Documents, sentences, words: what they say, and that they say it after their makers are gone."""

from __future__ import annotations

import gc
import pickle

import numpy
import pytest
from conftest import GOLD

import espalier


def test_columns(gold: espalier.Doc) -> None:
    word = gold[0]
    assert (word.text, word.lemma, word.upos, word.xpos, word.deprel) == ("Trees", "tree", "NOUN", "NNS", "nsubj")
    assert word.feats == {"Number": "Plur"}
    assert gold[1].misc == {"SpaceAfter": "No"}
    assert gold[1].feats == {}


def test_tree(gold: espalier.Doc) -> None:
    sent = gold.sents[1]
    see, dog = sent[3], sent[6]
    assert sent.root == see and see.head == see and see.head_id == 0
    assert [t.text for t in see.lefts] == ["I", "do", "n't"]
    assert [t.text for t in see.rights] == ["dog", "."]
    assert [t.text for t in dog.subtree] == ["the", "old", "dog"]
    assert [t.text for t in sent[4].ancestors] == ["dog", "see"]
    assert [t.text for t in see.children] == ["I", "do", "n't", "dog", "."]


def test_places_are_in_characters(nlp: espalier.Model) -> None:
    text = "Žluťoučký 🐎 sleeps… Don’t wake it."
    doc = nlp(text)
    assert doc.text == text
    for token in doc:
        assert text[token.start_char : token.end_char].startswith(token.text) or token.text in ("n’t", "n't")
    assert [(form, [t.text for t in words]) for form, words in doc.sents[-1].multiword_tokens] == [
        ("Don’t", ["Do", "n’t"])
    ]


def test_documents_of_words_have_a_text(nlp: espalier.Model) -> None:
    doc = nlp.parse_tokens([["Time", "flies"], ["Trees", "grow"]])
    assert doc.text == "Time flies Trees grow"
    assert [doc.text[t.start_char : t.end_char] for t in doc] == ["Time", "flies", "Trees", "grow"]


def test_sequences(gold: espalier.Doc) -> None:
    assert len(gold) == 11 and len(gold.sents) == 2
    assert [t.text for t in gold[1:4]] == ["grow", ".", "I"]
    assert gold[-1].text == "." and gold[3].id == 1 and gold[3].i == 3
    assert gold[3] == gold.sents[1][0] and gold[3] != gold[2]
    assert gold[3] in gold.sents[1] and len({gold[3], gold.sents[1][0]}) == 1
    assert [t.i for t in gold] == list(range(11))
    with pytest.raises(IndexError):
        gold[11]
    with pytest.raises(IndexError):
        gold.sents[0][3]


def test_constituents() -> None:
    doc = espalier.read("(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))\n", format="ptb")
    sent = doc.sents[0]
    assert sent.brackets == [("S", 0, 3), ("NP", 0, 2), ("VP", 2, 3)]
    assert sent.constituents is not None
    assert str(sent.constituents) == "(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))"
    assert [t.text for t in sent.constituents.tokens] == ["the", "dog", "sleeps"]
    assert espalier.read(GOLD).sents[0].constituents is None


def test_writing(gold: espalier.Doc) -> None:
    assert gold.to_conllu() == GOLD
    assert gold.to_svg().startswith("<svg")
    assert "Trees" in gold.to_json() and "nsubj" in gold.to_text_tree()
    assert str(gold.sents[0]) == gold.sents[0].text == "Trees grow." and str(gold) == gold.text
    assert gold.sents[0].to_format("horizontal") == "Trees grow .\n"
    assert "<svg" in gold._repr_html_() and "<svg" in gold.sents[0]._repr_html_()
    assert gold.sents[1].to_doc().to_conllu() == GOLD.split("\n\n")[1] + "\n\n"
    assert repr(gold[0]) == "<Token 1 'Trees'>"


def test_arrays(gold: espalier.Doc) -> None:
    numbers = gold.numbers()
    assert numbers["head"].tolist() == [2, 0, 2, 4, 4, 4, 0, 7, 7, 4, 4]
    assert numbers["sent"].tolist() == [0] * 3 + [1] * 8
    assert numbers["head"].dtype == numpy.int32
    codes, texts = gold.codes("upos")
    assert [texts[c] for c in codes] == [t.upos for t in gold]
    everything = gold.to_arrays()
    assert set(everything) == {"sent", "id", "head", "start", "end", *espalier.sent.TEXT_COLUMNS}
    with pytest.raises(KeyError):
        gold.codes("nonsense")


def test_arrays_outlive_their_document() -> None:
    heads = espalier.read(GOLD).numbers()["head"]
    gc.collect()
    assert heads.tolist() == [2, 0, 2, 4, 4, 4, 0, 7, 7, 4, 4]


def test_dataframe(gold: espalier.Doc) -> None:
    frame = gold.to_dataframe()
    assert list(frame["form"]) == [t.text for t in gold]
    assert frame.loc[0, "deprel"] == "nsubj"
    with pytest.raises(ValueError, match="backend"):
        gold.to_dataframe("arrow")  # type: ignore[arg-type]


def test_views_outlive_document_and_model() -> None:
    model = espalier.load("en")
    token = model("Trees grow.")[0]
    del model
    gc.collect()
    assert token.head.text == "grow" and token.sent.doc.text == "Trees grow."


def test_pickle(nlp: espalier.Model) -> None:
    doc = nlp("Trees grow.\n\nDon't sleep. ")
    again = pickle.loads(pickle.dumps(doc))
    assert again.text == doc.text and again.to_conllu() == doc.to_conllu()
    assert [t.start_char for t in again] == [t.start_char for t in doc]
