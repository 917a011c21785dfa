"""Espalier as a component of a spaCy pipeline.

``nlp = spacy.blank("en"); nlp.add_pipe("espalier")``: spaCy's tokens, Espalier's sentences (unless the pipeline has set
them), tags, lemmas, morphology and trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spacy.language import Language

from espalier.model import Model, load

COLUMNS = {"upos": "POS", "xpos": "TAG", "lemma": "LEMMA", "deprel": "DEP"}


class EspalierComponent:
    """Annotates spaCy's documents."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, doc: Any) -> Any:
        import numpy

        sentences = [[token for token in sent if not token.is_space] for sent in self._sentences(doc)]
        sentences = [sent for sent in sentences if sent]
        if not sentences:
            return doc
        parsed = self.model.parse_tokens([[token.text for token in sent] for sent in sentences])
        names = [*COLUMNS.values(), "MORPH", "HEAD"]
        values = numpy.zeros((len(doc), len(names)), dtype=numpy.uint64)
        strings, morphology = doc.vocab.strings, doc.vocab.morphology
        for token in doc:  # white space depends on the word before it, as in spaCy's own models
            if token.is_space:
                values[token.i, 0] = strings.add("SPACE")
                values[token.i, 3] = strings.add("dep")
                values[token.i, -1] = numpy.array(-1 if token.i else 0, numpy.int64).astype(numpy.uint64)
        for tokens, sent in zip(sentences, parsed.sents, strict=True):
            for number, name in enumerate(COLUMNS):
                for token, text in zip(tokens, sent.column(name), strict=True):
                    values[token.i, number] = strings.add("" if text == "_" else text)
            for token, feats, head in zip(tokens, sent.column("feats"), sent.heads, strict=True):
                values[token.i, -2] = morphology.add("" if feats == "_" else feats)
                offset = tokens[head - 1].i - token.i if head > 0 else 0
                values[token.i, -1] = numpy.array(offset, numpy.int64).astype(numpy.uint64)
        return doc.from_array(names, values)

    def _sentences(self, doc: Any) -> Iterator[Any]:
        """spaCy's sentences if they are set, else Espalier's, marked at their first tokens."""
        if doc.has_annotation("SENT_START"):
            yield from doc.sents
            return
        starts = {sent[0].start_char for sent in self.model.tokenize(doc.text).sents}
        first = 0
        for token in doc:
            if token.idx in starts and token.i > first:
                yield doc[first : token.i]
                first = token.i
        yield doc[first:]


@Language.factory("espalier", default_config={"model": "en"}, assigns=["token.dep", "token.head", "token.pos"])
def make_component(nlp: Language, name: str, model: str) -> EspalierComponent:
    """The factory that spaCy finds by its entry point."""
    return EspalierComponent(load(model))
