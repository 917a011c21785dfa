"""Python's speed beside the command line's, on one text, in one run: python bench/python/speed.py TREEBANK ESPALIER

Words per second of CPU and of the clock for espalier.pipe, the program, and for spaCy and ufal.udpipe if they and their
models are there (SPACY_MODEL, UDPIPE_MODEL); tokens per second through the bulk accessor; time to import and to load.
"""

import os
import subprocess
import sys
import tempfile
import time

import espalier

WORDS = 200_000


def clocks() -> tuple[float, float]:
    times = os.times()
    return time.perf_counter(), sum(times[:4])


def show(what: str, words: int, before: tuple[float, float]) -> None:
    wall, cpu = (now - then for now, then in zip(clocks(), before, strict=True))
    print(f"{what:40} {words / wall:10.0f} words/s {words / cpu:10.0f} words/s of CPU")


def time_of(code: str) -> float:
    """Milliseconds of CPU that the code takes after Python has started; the best of five."""
    program = f"import time; t = time.process_time(); {code}; print(time.process_time() - t)"
    runs = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(5)]
    return 1000 * min(runs)


def texts_of(treebank: str, words: int) -> tuple[list[str], int]:
    """Documents of twenty sentences, and how many words they are."""
    texts: list[str] = []
    count = 0
    for sent in espalier.read(treebank).sents:
        if sent.number % 20 == 0:
            texts.append("")
        texts[-1] += sent.text + "\n\n"
        count += len(sent)
        if count >= words:
            break
    return texts, count


def main() -> None:
    treebank, program = sys.argv[1:3]
    texts, words = texts_of(treebank, WORDS)
    print(f"import {time_of('import espalier'):.0f} ms of CPU; load "
          f"{time_of('import espalier; t = time.process_time(); espalier.load(chr(101) + chr(110))'):.0f} ms of CPU")
    nlp = espalier.load("en")
    for threads in (1, 2):
        before = clocks()
        words = sum(len(doc) for doc in nlp.pipe(texts, threads=threads))
        show(f"espalier.pipe, {threads} threads", words, before)
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("".join(texts))
        file.flush()
        for threads in (1, 2):
            before = clocks()
            subprocess.run([program, "parse", "--model", str(nlp.path), "--input", file.name, "--output", os.devnull,
                            "--to", "conllu", "--threads", str(threads)], check=True, stderr=subprocess.DEVNULL)
            show(f"espalier parse, {threads} threads", words, before)
    doc = nlp("\n\n".join(texts))
    before = clocks()
    doc.to_arrays()
    show("every column of every word as arrays", len(doc), before)
    before = clocks()
    for t in doc:
        (t.text, t.lemma, t.upos, t.xpos, t.feats, t.deprel, t.head_id, t.start_char, t.end_char)
    show("every attribute of every Token", len(doc), before)
    if model := os.environ.get("SPACY_MODEL"):
        import spacy

        peer = spacy.load(model)
        before = clocks()
        show(f"spaCy {model} pipe", sum(len(d) for d in peer.pipe(texts)), before)
    if model := os.environ.get("UDPIPE_MODEL"):
        from ufal.udpipe import Model, Pipeline, ProcessingError

        loaded = Model.load(model)  # a pipeline does not keep it alive
        udpipe = Pipeline(loaded, os.environ.get("UDPIPE_INPUT", "generic_tokenizer"), Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        before = clocks()
        error = ProcessingError()
        count = sum(line[:1].isdigit() for text in texts for line in udpipe.process(text, error).split("\n"))
        show("ufal.udpipe", count, before)


if __name__ == "__main__":
    main()
