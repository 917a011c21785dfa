"""From a file of words to a file of trees, chunk by chunk, in one process or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from espalier.teacher.console import Progress, say
from espalier.teacher.data import COLUMN, TAGS, Sentence, read
from espalier.teacher.device import Device
from espalier.teacher.model import Teacher
from espalier.teacher.output import Output
from espalier.teacher.predict import Analysis, Predictor

CHUNK = 1000
"""So many sentences are sorted by length and written together."""


@dataclass(frozen=True)
class Speaker:
    """All that a process needs in order to annotate."""

    models: tuple[Path, ...]
    treebank: str
    device: str = "auto"
    threads: int = 0
    precision: str = "bf16"
    batch: int = 4000

    def predictor(self) -> Predictor:
        device = Device(self.device, self.threads, self.precision)
        return Predictor([Teacher.load(model) for model in self.models], self.treebank, device, self.batch)


@dataclass
class Done:
    """A chunk, annotated, and messages about what had to be left out."""

    text: str
    words: int
    left_out: list[str]


def annotate(
    speaker: Speaker,
    source: Path,
    target: Path,
    *,
    processes: int = 1,
    resume: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Annotates a file; false if it was stopped before the end. Sentences that are too long are named and left out."""
    total = sum(1 for _ in read(source))
    with Output(target, resume) as output:
        if output.finished:
            say(f"{target} is complete already")
            return True
        begun = sentences = min(total, output.chunks * CHUNK)
        if begun:
            say(f"resumed behind {begun} sentences")
        progress = Progress()
        words = left_out = 0
        todo = chunks(islice(read(source), begun, None))
        for done in _annotated(speaker, todo, processes, stop):
            for message in done.left_out:
                say(message)
            output.write(done.text)
            words, left_out, sentences = (
                words + done.words,
                left_out + len(done.left_out),
                min(total, sentences + CHUNK),
            )
            progress.tell(f"{sentences} of {total} sentences, {words} words", (sentences - begun) / (total - begun))
        progress.close()
        if sentences < total:
            say(f"stopped behind {sentences} sentences; --resume goes on")
            return False
        output.finish()
        say(f"{target}: {words} words" + (f"; {left_out} sentences left out, see above" if left_out else ""))
        return True


def chunks(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Lists of CHUNK sentences; the last may be shorter."""
    sentences = iter(sentences)
    while chunk := list(islice(sentences, CHUNK)):
        yield chunk


def work(predictor: Predictor, chunk: list[Sentence]) -> Done:
    """A chunk in the order of the input."""
    done = Done("", 0, [])
    texts = []
    for sentence, analysis in zip(chunk, predictor([s.forms for s in chunk]), strict=True):
        count = len(sentence.words)
        if analysis is None:
            done.left_out.append(f"sentence {sentence.name}: {count} words are too many for the encoder, left out")
            continue
        fill_in(sentence, analysis)
        texts.append(str(sentence))
        done.words += count
    done.text = "".join(texts)
    return done


def fill_in(sentence: Sentence, analysis: Analysis) -> None:
    """Writes an analysis into a sentence. Forms, lemmas, other comments and rows that are no words stay as they are."""
    sentence.comments = [c for c in sentence.comments if not c.startswith(("# conf = ", "# tagconf = "))]
    if analysis.heads is not None:
        sentence.comments.append(f"# conf = {analysis.confidence:.4f}")
    sentence.comments.append(f"# tagconf = {sum(analysis.tag_confidence) / max(1, len(analysis.tag_confidence)):.4f}")
    for i, row in enumerate(sentence.words):
        for tag in TAGS:
            row[COLUMN[tag]] = analysis.tags[tag][i]
        row[COLUMN["head"]] = row[COLUMN["deprel"]] = row[8] = "_"
        misc = [entry for entry in row[9].split("|") if entry != "_" and not entry.startswith("Conf=")]
        if analysis.heads is not None:
            row[COLUMN["head"]], row[COLUMN["deprel"]] = str(analysis.heads[i]), analysis.labels[i]
            misc.append(f"Conf={analysis.arc_confidence[i]:.3f}")
        row[9] = "|".join(misc) or "_"


def _annotated(
    speaker: Speaker, todo: Iterator[list[Sentence]], processes: int, stop: Callable[[], bool]
) -> Iterator[Done]:
    """Chunks in order; few of them are in memory at a time."""
    if processes <= 1:
        predictor = speaker.predictor()
        for chunk in todo:
            if stop():
                return
            yield work(predictor, chunk)
        return
    waiting: deque[Future[Done]] = deque()
    with ProcessPoolExecutor(processes, get_context("spawn"), _start, (speaker,)) as pool:
        while True:
            if not stop():
                waiting += [pool.submit(_work, chunk) for chunk in islice(todo, 2 * processes - len(waiting))]
            if not waiting:
                return
            yield waiting.popleft().result()


_predictor: Predictor | None = None
"""Of this process, if it is one of several."""


def _start(speaker: Speaker) -> None:
    import signal

    global _predictor
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    _predictor = speaker.predictor()


def _work(chunk: list[Sentence]) -> Done:
    assert _predictor is not None
    return work(_predictor, chunk)
