"""Models: every way in gives the same trees, errors say where, pipes keep order."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import GOLD

import espalier

TEXTS = ["Trees grow.", "I saw her duck.", "", "Don't go!", "Time flies like an arrow. Fruit flies like bananas."]


def test_info(nlp: espalier.Model) -> None:
    assert nlp.info["metadata"]["recipe"] == nlp.kind == "pipeline"
    assert nlp.predicts == ["tokens", "tags", "lemmas", "heads"]
    assert "en_ewt.esp" in repr(nlp)


def test_empty_text(nlp: espalier.Model) -> None:
    doc = nlp("")
    assert len(doc) == 0 and doc.sents == [] and doc.to_conllu() == "" and list(doc.numbers()["head"]) == []
    assert len(doc.to_dataframe()) == 0


def test_ways_in_agree(nlp: espalier.Model, tmp_path: Path) -> None:
    text = "I saw her duck."
    trees = nlp(text).sents[0]
    words = [t.text for t in trees]
    assert nlp.parse_tokens([words]).sents[0].heads == trees.heads
    assert nlp.parse_doc(nlp.tokenize(text)).to_conllu() == nlp(text).to_conllu()
    file = tmp_path / "in.txt"
    file.write_text(text + "\n", encoding="utf-8")
    counts = nlp.parse_files(file, tmp_path / "out.conllu", threads=1)
    assert counts.sentences == 1 and counts.tokens == len(words) and counts.failed == 0
    assert espalier.read(tmp_path / "out.conllu").sents[0].heads == trees.heads
    long = nlp.parse_tokens([["the", "dog"] * 300]).given({})
    (tmp_path / "long.conllu").write_text(long.to_conllu(), encoding="utf-8")
    nlp.parse_files(tmp_path / "long.conllu", tmp_path / "pieces.conllu", threads=1)
    pieces = (tmp_path / "pieces.conllu").read_text(encoding="utf-8")
    assert "split into pieces" in pieces and nlp.parse_doc(long).to_conllu() == pieces


def test_parse_conllu(nlp: espalier.Model, tmp_path: Path) -> None:
    assert nlp.parse_conllu(GOLD).sents[0].heads == [2, 0, 2]
    file = tmp_path / "gold.conllu"
    file.write_text(GOLD, encoding="utf-8")
    assert nlp.parse_conllu(file).to_conllu() == nlp.parse_conllu(str(file)).to_conllu()


def test_kbest(nlp: espalier.Model) -> None:
    [best] = nlp.kbest("I saw her duck with a telescope.", 4)
    assert len(best) == 4
    assert [c.score for c in best] == sorted((c.score for c in best), reverse=True)
    assert best[0].sent.heads == nlp("I saw her duck with a telescope.").sents[0].heads
    assert len({tuple(c.sent.heads) + tuple(c.sent.column("deprel")) for c in best}) == 4
    assert nlp("Trees grow.").sents[0].candidates == []


def test_given_heads_and_tags_stay(nlp: espalier.Model) -> None:
    doc = nlp("I saw her duck.")
    her, duck = doc[2:4]
    known = doc.given({her: {"head": duck, "deprel": "nsubj"}, duck: {"upos": "VERB"}})
    assert known[0].upos == "_" and known[0].head_id == -1 and known.text == doc.text
    parsed = nlp.parse_doc(known, keep="tags,heads")
    assert [parsed[2].head.text, parsed[2].deprel, parsed[3].upos] == ["duck", "nsubj", "VERB"]
    assert all(t.head_id >= 0 for t in parsed)
    root = nlp.parse_conllu(doc.given({doc[0]: {"head": doc[0]}}).to_conllu(), keep="heads")
    assert root.sents[0].root.text == "I"
    with pytest.raises(ValueError, match="tags,heads"):
        nlp.parse_doc(known, keep="lemmas")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not in the sentence"):
        doc.given({her: {"head": nlp("Trees grow.")[0]}})
    with pytest.raises(KeyError):
        doc.given({her: {"nonsense": "x"}})


def test_confidence(treebank: Path, tmp_path: Path) -> None:
    file = tmp_path / "sure.esp"
    model = espalier.train("beam", train=treebank, model=file, set={"epochs": 1, "beam": 4}, progress=False).model
    assert "confidence" not in model.abilities
    with pytest.raises(espalier.EspalierError, match="not calibrated"):
        model.parse_conllu(GOLD, confidence=True)
    report = espalier.calibrate(file, dev=treebank)
    assert report["arcs"]["count"] > 0
    sure = espalier.load(file)
    assert "confidence" in sure.abilities
    sent = sure.parse_conllu(GOLD, confidence=True).sents[0]
    assert sent.confidence is not None and 0 < sent.confidence <= 1
    assert all(token.confidence is not None and 0 < token.confidence <= 1 for token in sent)
    assert sure.parse_conllu(GOLD).sents[0].confidence is None and sure.parse_conllu(GOLD)[0].confidence is None


def test_trace(nlp: espalier.Model) -> None:
    assert {"trace", "kbest", "tokenize"} <= set(nlp.abilities)
    sent = nlp("Trees grow.", trace=True).sents[0]
    assert sent.trace is not None and sent.trace["kind"] == "transition"
    assert sent.trace["steps"][-1]["stack"] is not None
    assert nlp("Trees grow.").sents[0].trace is None


def test_unknown_options(nlp: espalier.Model) -> None:
    with pytest.raises(TypeError, match="no option 'k_best'; did you mean kbest"):
        nlp("Trees grow.", k_best=3)  # type: ignore[call-arg]


def test_features_explain_the_score(nlp: espalier.Model) -> None:
    [best] = nlp.kbest("Trees grow.", 2)
    for candidate in best:
        features = nlp.features(candidate)
        assert sum(value * weight for _, value, weight in features) == pytest.approx(candidate.score, abs=1e-2)


def test_settings() -> None:
    with pytest.raises(espalier.EspalierError) as error:
        espalier.load("en", {"no_such_setting": 1})
    assert error.value.kind == "usage"


def test_errors(nlp: espalier.Model, tmp_path: Path) -> None:
    with pytest.raises(espalier.EspalierError) as error:
        espalier.read("1\tTrees\t_\n\n")
    assert (error.value.kind, error.value.file, error.value.line) == ("data", "text", 1)
    bad = tmp_path / "bad.conllu"
    bad.write_text(GOLD + "1\tx\n\n", encoding="utf-8")
    with pytest.raises(espalier.EspalierError) as error:
        nlp.parse_conllu(bad)
    assert (error.value.file, error.value.line) == (str(bad), 17)
    assert pickle.loads(pickle.dumps(error.value)).line == 17
    with pytest.raises(espalier.EspalierError, match=r"no such file|cannot"):
        espalier.load(tmp_path / "missing.esp")
    with pytest.raises(TypeError, match="list of words"):
        nlp.parse_tokens(["Time flies"])
    with pytest.raises(TypeError):
        nlp(b"bytes")  # type: ignore[arg-type]


def test_what_is_no_text_is_replaced_as_in_the_program(nlp: espalier.Model, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"Trees\0 grow.\n")
    nlp.parse_files(tmp_path / "bad.txt", tmp_path / "bad.conllu", threads=1)
    with pytest.warns(UnicodeWarning, match=r"a character was replaced by U\+FFFD, the first at 5"):
        doc = nlp("Trees\0 grow.\n")
    assert doc.to_conllu() == (tmp_path / "bad.conllu").read_text(encoding="utf-8")
    with pytest.warns(UnicodeWarning, match="2 characters"):
        assert nlp("lone \ud800 surrogates \udc80").text == "lone \ufffd surrogates \ufffd"
    with pytest.warns(UnicodeWarning):
        assert nlp.parse_tokens([["Trees\0", "grow"]])[0].text == "Trees\ufffd"
    for bad in ("\0", "\ud800"):  # a treebank with such is broken
        with pytest.raises(espalier.EspalierError) as error:
            espalier.read(GOLD.replace("grow", "gr" + bad))
        assert (error.value.kind, error.value.line) == ("data", 1)


def test_timeout(nlp: espalier.Model) -> None:
    with pytest.raises(espalier.Stopped):
        nlp("Trees grow. " * 2000, timeout=0.01)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("batch", [0, 1, 100])
def test_pipe_keeps_order(nlp: espalier.Model, threads: int, batch: int) -> None:
    texts = TEXTS * 8
    expected = [nlp(text).to_conllu() for text in TEXTS] * 8
    assert [doc.to_conllu() for doc in nlp.pipe(texts, threads=threads, batch_size=batch)] == expected


def test_pipe_reads_no_more_than_it_needs(nlp: espalier.Model) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "Trees grow."

    for doc in itertools.islice(nlp.pipe(endless(), threads=2, batch_size=5), 50):
        assert doc[0].deprel == "nsubj"
    assert taken <= 55


def test_pipe_passes_exceptions_on(nlp: espalier.Model) -> None:
    def broken() -> Iterator[str]:
        yield "Trees grow."
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(nlp.pipe(broken()))
    with pytest.raises(TypeError, match="must be str, not None"):
        list(nlp.pipe(["Trees grow.", None]))
    texts = ["Trees grow.", None, "Time flies."]
    kept = list(nlp.pipe(texts, errors="keep"))
    assert [len(doc) for doc in kept] == [3, 0, 3]
    assert kept[0].error is None and kept[1].error is not None and "not None" in str(kept[1].error)
    assert len(list(itertools.islice(nlp.pipe(itertools.repeat(None), errors="keep"), 100))) == 100
    with pytest.raises(TypeError):
        nlp.pipe("one text")


def test_pipe_as_spacy_has_it(nlp: espalier.Model) -> None:
    pairs = [(text, number) for number, text in enumerate(TEXTS)]
    for doc, number in nlp.pipe(pairs, as_tuples=True, n_process=2, batch_size=3):
        assert doc.text == TEXTS[number]
    assert len(list(nlp.pipe(TEXTS, n_process=-1))) == len(TEXTS)
    with pytest.raises(ValueError, match="the same"):
        nlp.pipe(TEXTS, threads=2, n_process=2)
    with pytest.raises(ValueError, match="at least 1"):
        nlp.pipe(TEXTS, n_process=0)


def test_pickled_model_is_loaded_once(nlp: espalier.Model) -> None:
    pickled = pickle.dumps(nlp)
    assert len(pickled) < 1000
    a, b = pickle.loads(pickled), pickle.loads(pickled)
    assert a is b and a("Trees grow.").to_conllu() == nlp("Trees grow.").to_conllu()


def test_model_of_bytes(nlp: espalier.Model, tmp_path: Path) -> None:
    model = espalier.Model.from_bytes(Path(str(nlp.path)).read_bytes())
    again = pickle.loads(pickle.dumps(model))
    assert again("Trees grow.").to_conllu() == nlp("Trees grow.").to_conllu()
    model.save(tmp_path / "copy.esp")
    assert (tmp_path / "copy.esp").read_bytes() == Path(str(nlp.path)).read_bytes()
