"""A program that uses the package and says which types it expects; `test_types.py` has it checked."""

from collections.abc import Iterator
from typing import Any, assert_type

import espalier


def program() -> None:
    nlp = espalier.load("en", set={"beam": 4})
    doc = nlp("I saw her duck.", kbest=2, confidence=False, keep="tags")
    assert_type(doc, espalier.Doc)
    assert_type(doc.sents, list[espalier.Sent])
    assert_type(doc.sentences[0].words, list[espalier.Token])
    assert_type(doc[1:3], espalier.Span)
    assert_type(doc.sents[0][0], espalier.Token)
    assert_type(doc.sents[0][1:], espalier.Span)
    assert_type(doc.noun_chunks[0].root.head, espalier.Token)
    assert_type(doc.to_dict(), list[list[dict[str, Any]]])
    doc.write("trees.conllu")

    token = doc[0]
    assert_type(token.pos_, str)
    assert_type(token.lemma_, str)
    assert_type(token.dep_, str)
    assert_type(token.tag_, str)
    assert_type(token.morph.get("Case"), list[str])
    assert_type(token.idx, int)
    assert_type(token.whitespace_, str)
    assert_type(token.conjuncts, tuple[espalier.Token, ...])
    assert_type(token.nbor(), espalier.Token)
    assert_type(token.is_punct, bool)
    assert_type(token.confidence, float | None)

    assert_type(nlp.pipe(["Trees grow."], threads=2), Iterator[espalier.Doc])
    assert_type(nlp.pipe([("Trees grow.", 1)], as_tuples=True), Iterator[tuple[espalier.Doc, int]])
    assert_type(next(espalier.query("V >nsubj S", doc))["V"], espalier.Token)
    assert_type(espalier.explain(nlp, "Trees grow.", word=1).reasons, list[espalier.Reason])
    assert_type(espalier.models(), dict[str, str])
    assert_type(nlp.kbest("Trees grow.", 3)[0][0].sent, espalier.Sent)
    assert_type(espalier.evaluate(doc, doc), espalier.Scores)
    assert_type(espalier.train("greedy", train="a.conllu").model, espalier.Model)
    assert_type(espalier.crossval("greedy", train=doc, k=3).parsed, espalier.Doc)
