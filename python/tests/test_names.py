"""The names that users of spaCy and of Stanza know."""

from __future__ import annotations

import pytest
from conftest import GOLD

import espalier

TEXT = "My sister’s old  dogs and cats didn’t chase the red birds. They slept!"


def test_words(gold: espalier.Doc) -> None:
    trees, see, dog = gold[0], gold[6], gold[9]
    assert (trees.lemma_, trees.pos_, trees.tag_, trees.dep_) == ("tree", "NOUN", "NNS", "nsubj")
    assert str(trees.morph) == "Number=Plur" and trees.morph.get("Number") == ["Plur"]
    assert trees.morph.to_dict() == {"Number": "Plur"} and trees.morph == "Number=Plur" and not see.morph
    assert trees.doc is gold and trees.is_sent_start and gold[2].is_sent_end and not gold[1].is_sent_start
    assert gold[2].is_punct and not trees.is_punct and trees.is_alpha and trees.is_title and not trees.is_space
    assert (trees.idx, trees.start_char, trees.end_char) == (0, 0, 5)
    assert [t.text for t in (dog.left_edge, dog.right_edge, dog.nbor(), dog.nbor(-2))] == ["the", "dog", ".", "the"]
    assert (see.n_lefts, see.n_rights) == (len(see.lefts), len(see.rights)) == (3, 2)
    assert see.is_ancestor(dog) and not dog.is_ancestor(see) and see.has_head()
    with pytest.raises(IndexError, match="no neighbour"):
        trees.nbor(-1)


def test_white_space(nlp: espalier.Model) -> None:
    doc = nlp(TEXT)
    assert [t.whitespace_ for t in doc[2:5]] == [" ", "  ", " "]
    for sent in nlp("Trees  grow.\nBirds sing.").sents:
        assert "".join(t.text_with_ws for t in sent) == sent.text_with_ws
    assert doc.sents[0].text_with_ws == doc.sents[0].text + " "
    assert "".join(sent.text_with_ws for sent in doc.sents) == doc.text == TEXT


def test_coordination() -> None:
    columns = [
        ("cats", 4, "nsubj"),
        ("dogs", 1, "conj"),
        ("birds", 2, "conj"),
        ("sleep", 0, "root"),
        ("sing", 4, "conj"),
    ]
    lines = [f"{i}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n" for i, (form, head, label) in enumerate(columns, 1)]
    doc = espalier.read("".join(lines) + "\n")
    assert [[t.text for t in word.conjuncts] for word in doc] == [
        ["dogs", "birds"],
        ["cats", "birds"],
        ["cats", "dogs"],
        ["sing"],
        ["sleep"],
    ]


def test_spans(nlp: espalier.Model) -> None:
    doc = nlp(TEXT)
    chunks = list(doc.noun_chunks)
    assert [chunk.text for chunk in chunks] == ["My sister’s old  dogs", "cats", "the red birds", "They"]
    chunk = chunks[2]
    assert (chunk.root.text, chunk.root.dep_, chunk.root.head.text, chunk.label_) == ("birds", "obj", "chase", "NP")
    assert doc[chunk.start : chunk.end] != chunk and doc[chunk.start : chunk.end].text == chunk.text
    assert doc.text[chunk.start_char : chunk.end_char] == chunk.text and chunk.sent == doc.sents[0]
    assert [t.text for t in chunk] == ["the", "red", "birds"] and chunk[-1] == doc[chunk.end - 1] and len(chunk) == 3
    assert [t.text for t in chunk[1:]] == ["red", "birds"] and chunk.lemma_ == "the red bird"
    assert chunk.n_lefts == chunk.n_rights == 0 and [t.text for t in chunk.subtree] == ["the", "red", "birds"]
    sent = doc.sents[1]
    assert sent.start == len(doc.sents[0]) and doc.text[sent.start_char : sent.end_char] == sent.text
    assert isinstance(sent, espalier.Span) and sent.sent == sent and sent.as_doc().text == "They slept!"
    assert doc[sent.start : sent.end].noun_chunks == sent.noun_chunks == chunks[3:]
    assert doc[:0].text == "" and len(doc[5:2]) == 0 and doc[:].text == TEXT
    with pytest.raises(ValueError, match="side by side"):
        doc[::2]
    with pytest.raises(IndexError):
        chunk[3]


def test_stanza(gold: espalier.Doc, nlp: espalier.Model) -> None:
    assert gold.sentences == gold.sents and [w.text for w in gold.sentences[0].words] == ["Trees", "grow", "."]
    first, second = gold.to_dict()
    assert first[0] == {
        "id": 1,
        "text": "Trees",
        "lemma": "tree",
        "upos": "NOUN",
        "xpos": "NNS",
        "feats": "Number=Plur",
        "head": 2,
        "deprel": "nsubj",
        "start_char": 0,
        "end_char": 5,
    }
    assert first[1]["head"] == 0 and first[1]["misc"] == "SpaceAfter=No"
    assert second[1] == {"id": (2, 3), "text": "don't", "start_char": 14, "end_char": 19} and second[2]["text"] == "do"
    [[word]] = nlp.tokenize("Trees").to_dict()
    assert "head" not in word and "lemma" not in word


def test_chunks_of_what_has_no_tree(nlp: espalier.Model) -> None:
    assert nlp.tokenize("The old dog barks.").noun_chunks == []
    assert [chunk.text for chunk in espalier.read(GOLD).noun_chunks] == ["Trees", "I", "the old dog"]
