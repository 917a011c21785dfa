"""Small models of spaCy and UDPipe whose speed speed.py compares: python bench/python/peers.py TRAIN DEV FOLDER

Both give tags, morphology and trees, UDPipe lemmas as well; words are found by their rules. They have the sizes of the
models that their makers publish and a few passes of training: speed hardly depends on how well they were trained. Accuracy
on DEV, words given, is printed.
"""

import os
import sys
import time
from pathlib import Path

import espalier

SENTENCES = int(os.environ.get("PEER_SENTENCES", "1500"))
STEPS = int(os.environ.get("SPACY_STEPS", "400"))
ITERATIONS = int(os.environ.get("UDPIPE_ITERATIONS", "3"))


def udpipe(train: str, dev: str, model: Path) -> None:
    from ufal.udpipe import InputFormat, Model, Pipeline, ProcessingError, Sentence, Sentences, Trainer

    def sentences(text: str) -> Sentences:
        reader = InputFormat.newConlluInputFormat()
        reader.setText(text)
        everything, error = Sentences(), ProcessingError()
        sentence = Sentence()
        while reader.nextSentence(sentence, error):
            everything.append(sentence)
            sentence = Sentence()
        return everything

    error = ProcessingError()
    trained = Trainer.train(
        "morphodita_parsito", sentences(train), sentences(""), "none", f"iterations={ITERATIONS}",
        f"iterations={ITERATIONS};structured_interval=0;hidden_layer=200", error)
    if error.occurred():
        sys.exit(error.message)
    model.write_bytes(trained)
    loaded = Model.load(str(model))  # a pipeline does not keep it alive
    pipeline = Pipeline(loaded, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
    parsed = pipeline.process(dev, error)
    scores = espalier.evaluate(espalier.read(dev), espalier.read(parsed, format="conllu"))
    print(f"UDPipe: LAS {scores['las']:.1f}", flush=True)


def spacy(train: espalier.Doc, dev: espalier.Doc, folder: Path) -> None:
    import random

    import spacy as library
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import minibatch

    nlp = library.blank("en")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
    nlp.add_pipe("tok2vec")
    for name in ("tagger", "morphologizer"):
        nlp.add_pipe(name, config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    nlp.add_pipe("parser", config={"model": {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser", "extra_state_tokens": False,
        "hidden_width": 64, "maxout_pieces": 2, "use_upper": True, "tok2vec": listener}})

    def examples(doc: espalier.Doc) -> list[Example]:
        made = []
        for sent in doc.sents:
            words = [t.text for t in sent]
            gold = Doc(
                nlp.vocab, words=words, tags=[t.xpos for t in sent], pos=[t.upos for t in sent],
                morphs=["" if feats == "_" else feats for feats in sent.column("feats")],
                heads=[t.head.id - 1 for t in sent], deps=["ROOT" if t.head_id == 0 else t.deprel for t in sent])
            made.append(Example(Doc(nlp.vocab, words=words), gold))
        return made

    data, random_order = examples(train), random.Random(1)
    optimizer = nlp.initialize(lambda: data)
    steps = 0
    while steps < STEPS:
        random_order.shuffle(data)
        for batch in minibatch(data, 32):
            nlp.update(batch, sgd=optimizer)
            steps += 1
    nlp.to_disk(folder)
    print(f"spaCy: LAS {100 * nlp.evaluate(examples(dev))['dep_las']:.1f}", flush=True)


def main() -> None:
    train, dev, folder = sys.argv[1:4]
    Path(folder).mkdir(parents=True, exist_ok=True)
    doc = espalier.read(train)
    some = espalier.Doc(doc._core.select(list(range(min(SENTENCES, len(doc.sents))))))
    for name, work in (
        ("udpipe", lambda: udpipe(some.to_conllu(), espalier.read(dev).to_conllu(), Path(folder) / "udpipe.model")),
        ("spacy", lambda: spacy(some, espalier.read(dev), Path(folder) / "spacy")),
    ):
        start = time.process_time()
        work()
        print(f"{name}: {time.process_time() - start:.0f} s of CPU", flush=True)


main()
