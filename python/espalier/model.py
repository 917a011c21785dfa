"""Models: load one, parse texts with it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict, Unpack

from espalier import _core
from espalier.doc import Candidate, Doc
from espalier.errors import EspalierError

StrPath = str | os.PathLike[str]
Settings = Mapping[str, object]

BUILT_IN = {"en": "en_ewt.esp"}
"""Models that come with the package: names and files."""
_FOLDER = Path(__file__).parent / "models"


def setting_pairs(settings: Settings | None) -> list[str]:
    """``{"beam": 64, "shuffle": False}`` as ``["beam=64", "shuffle=false"]``."""

    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [f"{key}={text(value)}" for key, value in (settings or {}).items()]


class Options(TypedDict, total=False):
    """What may be asked for when something is parsed; all are off unless given."""

    kbest: int
    """Also so many alternatives for each sentence (`Sent.candidates`)."""
    features: bool
    """Of each alternative (`Candidate.features`)."""
    confidence: bool
    """How sure the model is (`Sent.confidence`, `Token.confidence`), if it was calibrated (`espalier.calibrate`)."""
    trace: bool
    """How each tree came about (`Sent.trace`)."""
    keep: Literal["", "tags", "heads", "tags,heads"]
    """What sentences say already and is to stay; the model predicts the rest."""
    timeout: float
    """Seconds, counted from the call; then `Stopped` is raised."""
    language: str
    """An ICU locale, for texts whose words are found by rules."""
    rules: bool
    """Find words by rules even if the model has a tokenizer of its own."""


class ParsedFiles(NamedTuple):
    """What `Model.parse_files` did."""

    sentences: int
    tokens: int
    skipped: int
    failed: int


class Model:
    """A trained model. It may be used from any number of threads at once, and pickles as its file's name.

    >>> import espalier
    >>> nlp = espalier.load("en")
    >>> doc = nlp("Flying planes can be dangerous. I saw her duck.")
    >>> [sent.root.text for sent in doc.sents]
    ['dangerous', 'saw']
    >>> print(doc.sents[1])
      ╭───▶ I     PRON   nsubj
    ──┼───▶ saw   VERB   root
      │ ╭─▶ her   PRON   nmod:poss
      ├─┴─▶ duck  NOUN   obj
      ╰───▶ .     PUNCT  punct
    """

    path: str | None
    """The file it came from; none if it was made of bytes."""

    def __init__(self, path: StrPath, settings: Settings | None = None) -> None:
        self.path = os.fspath(path)
        self._settings = dict(settings or {})
        self._bytes: bytes | None = None
        self._core = _core.Model(self.path, setting_pairs(settings))

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "model", settings: Settings | None = None) -> Model:
        """The bytes of a model file."""
        model = cls.__new__(cls)
        model.path, model._settings, model._bytes = None, dict(settings or {}), data
        model._core = _core.Model.from_bytes(data, name, setting_pairs(settings))
        return model

    @property
    def info(self) -> dict[str, Any]:
        """What the model says about itself: recipe, settings, training data, scores, sections."""
        description: dict[str, Any] = json.loads(self._core.info())
        return description

    @property
    def kind(self) -> str:
        return self._core.kind()

    @property
    def language(self) -> str:
        """An ICU locale; empty if it was not said in training."""
        return self._core.language()

    @property
    def predicts(self) -> list[str]:
        """Any of tokens, tags, lemmas, heads, constituents."""
        return self._core.predicts()

    @property
    def abilities(self) -> list[str]:
        """Any of tokenize, kbest, features, trace, confidence, constrain (search among the trees with given heads)."""
        return self._core.abilities()

    def __call__(self, text: str, **options: Unpack[Options]) -> Doc:
        """Parses a text."""
        return Doc(self._core.parse_text(text, _core.Options(**options)))

    def tokenize(self, text: str, **options: Unpack[Options]) -> Doc:
        """Sentences and words only."""
        return Doc(self._core.tokenize(text, _core.Options(**options)))

    def parse_tokens(self, sentences: Iterable[Iterable[str]], **options: Unpack[Options]) -> Doc:
        """Parses sentences whose words are known.

        >>> nlp = load("en")
        >>> nlp.parse_tokens([["Time", "flies"]]).sents[0].root.text
        'flies'
        """
        if isinstance(sentences, str):
            raise TypeError("sentences are lists of words; for a text call the model itself")
        return Doc(self._core.parse_words([_words(sentence) for sentence in sentences], _core.Options(**options)))

    def parse_conllu(self, source: StrPath, **options: Unpack[Options]) -> Doc:
        """Parses the sentences of a CoNLL-U text or file; what the model does not predict stays as it is."""
        return self.parse_doc(read(source, format="conllu"), **options)

    def parse_doc(self, doc: Doc, **options: Unpack[Options]) -> Doc:
        """Parses sentences that are known: those of another model, or of a treebank (`read`); see also `Doc.given`."""
        return Doc(self._core.parse_document(doc._core, _core.Options(**options)))

    def parse_files(
        self,
        inputs: StrPath | Iterable[StrPath],
        output: StrPath,
        *,
        from_format: str = "",
        to_format: str = "",
        threads: int = 0,
        **options: Unpack[Options],
    ) -> ParsedFiles:
        """Files in, files out, in constant memory, as the command line does it."""
        files = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
        names = [os.fspath(file) for file in files]
        counts = self._core.parse_files(
            names, os.fspath(output), from_format, to_format, threads, _core.Options(**options)
        )
        return ParsedFiles(*counts)

    def kbest(self, text: str, k: int, *, features: bool = False) -> list[list[Candidate]]:
        """For each sentence of the text its k best analyses, best first.

        >>> nlp = load("en")
        >>> [[candidate.sent.root.text for candidate in best] for best in nlp.kbest("I saw her duck.", 2)]
        [['saw', 'saw']]
        """
        return [sent.candidates for sent in self(text, kbest=k, features=features).sents]

    def features(self, candidate: Candidate, k: int = 64) -> list[tuple[int, float, float]]:
        """(key, value, weight) of everything that a candidate's score is made of.

        The candidate must be among the k best of its sentence.
        """
        if candidate.features:
            return list(candidate.features)
        doc = self.parse_doc(candidate.sent.to_doc(), kbest=k, features=True)
        wanted = (candidate.sent.heads, candidate.sent.column("deprel"), str(candidate.sent.constituents))
        for other in doc.sents[0].candidates:
            if (other.sent.heads, other.sent.column("deprel"), str(other.sent.constituents)) == wanted:
                return list(other.features)
        raise ValueError(f"the candidate is not among the {k} best of its sentence")

    def pipe(
        self,
        texts: Iterable[str],
        *,
        threads: int = 0,
        batch: int = 0,
        errors: Literal["raise", "keep"] = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Doc]:
        """Parses many texts on several threads (0: one per core); the order is kept, memory is constant.

        ``batch``: how many texts are taken in advance; 0 leaves it to the library. ``errors="keep"``: a text that
        cannot be parsed gives an empty document whose ``error`` says why, instead of an exception.

        >>> nlp = load("en")
        >>> [doc.sents[0].root.text for doc in nlp.pipe(["Trees grow.", "Time flies."])]
        ['grow', 'flies']
        """
        if isinstance(texts, str):
            raise TypeError("pipe wants many texts, not one; for one text call the model itself")
        if errors not in ("raise", "keep"):
            raise ValueError(f"errors is raise or keep, not {errors!r}")
        return self._pipe(
            iter(texts), _core.Pipe(self._core, threads, _core.Options(**options)), batch, errors == "keep"
        )

    def _pipe(self, texts: Iterator[str], pipe: _core.Pipe, batch: int, keep: bool) -> Iterator[Doc]:
        under_way = 0
        more = True
        while more or under_way:
            while more and (under_way < batch if batch else not pipe.full()):
                try:
                    pipe.put(next(texts))
                    under_way += 1
                except StopIteration:
                    more = False
            if under_way:
                under_way -= 1
                try:
                    yield Doc(pipe.take())
                except EspalierError as error:
                    if not keep:
                        raise
                    yield _failed(error)

    def save(self, path: StrPath) -> None:
        """Writes the model file."""
        Path(path).write_bytes(self._bytes if self._bytes is not None else Path(str(self.path)).read_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        if self._bytes is not None:
            return Model.from_bytes, (self._bytes, "model", self._settings)
        return _loaded, (self.path, tuple(sorted(self._settings.items())))

    def __repr__(self) -> str:
        return f"<Model {self.path or self.kind!r}: {', '.join(self.predicts)}>"


def _words(sentence: Iterable[str]) -> list[str]:
    if isinstance(sentence, str):
        raise TypeError("a sentence is a list of words")
    return list(sentence)


def _failed(error: EspalierError) -> Doc:
    doc = Doc(_core.read_text("", "conllu"))
    doc.error = error
    return doc


@lru_cache(maxsize=4)
def _loaded(path: str, settings: tuple[tuple[str, object], ...]) -> Model:
    """One copy per process, for workers that get a model again and again."""
    return Model(path, dict(settings))


def load(name: StrPath = "en", settings: Settings | None = None) -> Model:
    """A model by its file, or by the language of one that comes with the package (``"en"``).

    ``settings`` are those of the model that can be changed after training, such as ``{"beam": 8}``.
    """
    return Model(builtin(os.fspath(name)), settings)


def builtin(name: str) -> str:
    """The file of a model that comes with the package; what is no such name is a file already."""
    return str(_FOLDER / BUILT_IN[name]) if name in BUILT_IN else name


def read(source: StrPath, format: str = "") -> Doc:
    """A treebank as a document: a file, or a text if ``source`` is a string with a line end.

    The format is told by the file's name unless it is given. The first bad sentence raises `EspalierError`.
    """
    if isinstance(source, str) and ("\n" in source or source == ""):
        return Doc(_core.read_text(source, format or "conllu"))
    return Doc(_core.read_file(os.fspath(source), format))
