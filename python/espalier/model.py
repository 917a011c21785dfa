"""Models: load one, parse texts with it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, Unpack, overload

from espalier import _core
from espalier.arguments import Count, StrPath, checked
from espalier.doc import Doc
from espalier.installed import model_file
from espalier.options import Options, Settings, core_options, setting_pairs
from espalier.pipe import run_pipe, threads_of
from espalier.sent import Candidate
from espalier.texts import text_of

Context = TypeVar("Context")


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
    >>> print(doc.sents[1].to_text_tree().rstrip())
      ╭───▶ I     PRON   nsubj
    ──┼───▶ saw   VERB   root
      │ ╭─▶ her   PRON   nmod:poss
      ├─┴─▶ duck  NOUN   obj
      ╰───▶ .     PUNCT  punct
    """

    path: str | None
    """The file it came from; none if it was made of bytes."""

    @checked
    def __init__(self, path: StrPath, set: Settings | None = None) -> None:
        self.path = model_file(path)
        self._settings = dict(set or {})
        self._bytes: bytes | None = None
        self._core = _core.Model(self.path, setting_pairs(set))

    @classmethod
    @checked
    def from_bytes(cls, data: bytes, name: str = "model", set: Settings | None = None) -> Model:
        """The bytes of a model file."""
        model = cls.__new__(cls)
        model.path, model._settings, model._bytes = None, dict(set or {}), data
        model._core = _core.Model.from_bytes(data, name, setting_pairs(set))
        return model

    @property
    def info(self) -> dict[str, Any]:
        """The description of the model: recipe, settings, training data, scores, sections."""
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

    @checked
    def __call__(self, text: str, **options: Unpack[Options]) -> Doc:
        """Parses a text."""
        return Doc(self._core.parse_text(text_of(text, "what is parsed"), core_options(options)))

    @checked
    def tokenize(self, text: str, **options: Unpack[Options]) -> Doc:
        """Sentences and words only."""
        return Doc(self._core.tokenize(text_of(text, "what is cut into words"), core_options(options)))

    @checked
    def parse_tokens(self, sentences: Iterable[Iterable[str]], **options: Unpack[Options]) -> Doc:
        """Parses sentences given as words.

        >>> nlp = load("en")
        >>> nlp.parse_tokens([["Time", "flies"]]).sents[0].root.text
        'flies'
        """
        if isinstance(sentences, str):
            raise TypeError("sentences are lists of words; for a text call the model itself")
        return Doc(self._core.parse_words([_words(sentence) for sentence in sentences], core_options(options)))

    @checked
    def parse_conllu(self, source: StrPath, **options: Unpack[Options]) -> Doc:
        """Parses the sentences of a CoNLL-U text or file; what the model does not predict stays as it is."""
        return self.parse_doc(read(source, format="conllu"), **options)

    @checked
    def parse_doc(self, doc: Doc, **options: Unpack[Options]) -> Doc:
        """Parses the sentences of another document, such as a treebank (`read`); see also `Doc.given`."""
        return Doc(self._core.parse_document(doc._core, core_options(options)))

    @checked
    def parse_files(
        self,
        inputs: StrPath | Iterable[StrPath],
        output: StrPath,
        *,
        from_format: str = "",
        to_format: str = "",
        threads: Count = 0,
        **options: Unpack[Options],
    ) -> ParsedFiles:
        """Parses files into files in constant memory, like the command line."""
        files = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
        names = [os.fspath(file) for file in files]
        counts = self._core.parse_files(
            names, os.fspath(output), from_format, to_format, threads, core_options(options)
        )
        return ParsedFiles(*counts)

    @checked
    def kbest(self, text: str, k: Count, *, features: bool = False) -> list[list[Candidate]]:
        """For each sentence of the text its k best analyses, best first.

        >>> nlp = load("en")
        >>> [[candidate.sent.root.text for candidate in best] for best in nlp.kbest("I saw her duck.", 2)]
        [['saw', 'saw']]
        """
        return [sent.candidates for sent in self(text, kbest=k, features=features).sents]

    @checked
    def features(self, candidate: Candidate, k: Count = 64) -> list[tuple[int, float, float]]:
        """(key, value, weight) of the features that make up a candidate's score.

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

    @overload
    def pipe(
        self,
        texts: Iterable[str | None],
        *,
        as_tuples: Literal[False] = False,
        threads: int = ...,
        n_process: int | None = ...,
        batch_size: int = ...,
        errors: Literal["raise", "keep"] = ...,
        **options: Unpack[Options],
    ) -> Iterator[Doc]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str | None, Context]],
        *,
        as_tuples: Literal[True],
        threads: int = ...,
        n_process: int | None = ...,
        batch_size: int = ...,
        errors: Literal["raise", "keep"] = ...,
        **options: Unpack[Options],
    ) -> Iterator[tuple[Doc, Context]]: ...
    @checked
    def pipe(
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        threads: Count = 0,
        n_process: int | None = None,
        batch_size: Count = 0,
        errors: Literal["raise", "keep"] = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Any]:
        """Parses many texts on several threads (0: one per core); the order is kept, memory is constant.

        ``as_tuples``: of pairs (text, anything) it makes pairs (document, the same thing). ``n_process``: spaCy's name
        for ``threads``; they are threads, and -1 is one per core. ``batch_size``: number of texts taken in advance;
        0 leaves it to the library. ``errors="keep"``: a text that cannot be parsed, or None, gives an empty document
        whose ``error`` says why, instead of an exception.

        >>> nlp = load("en")
        >>> [doc.sents[0].root.text for doc in nlp.pipe(["Trees grow.", "Time flies."])]
        ['grow', 'flies']
        >>> [(doc.sents[0].root.text, page) for doc, page in nlp.pipe([("Trees grow.", 7)], as_tuples=True)]
        [('grow', 7)]
        """
        if isinstance(texts, (str, bytes)):
            raise TypeError("pipe wants many texts, not one; for one text call the model itself")
        pipe = _core.Pipe(self._core, threads_of(threads, n_process), core_options(options))
        return run_pipe(pipe, iter(texts), as_tuples=as_tuples, batch_size=batch_size, keep=errors == "keep")

    @checked
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
    return [text_of(word, "a word") for word in sentence]


@lru_cache(maxsize=4)
def _loaded(path: str, settings: tuple[tuple[str, object], ...]) -> Model:
    """One copy per process, for workers that unpickle a model many times."""
    return Model(path, dict(settings))


@checked
def load(name: StrPath = "en", set: Settings | None = None) -> Model:
    """Loads a model by its file, or an installed one by name or language (`espalier.models`).

    ``set``: settings of the model that can be changed after training, such as ``{"beam": 8}``.
    """
    return Model(name, set)


@checked
def read(source: StrPath, format: str = "") -> Doc:
    """A treebank as a document: a file, or a text if ``source`` is a string with a line end.

    The format is told by the file's name unless it is given. The first bad sentence raises `EspalierError`.
    """
    if isinstance(source, str) and ("\n" in source or source == ""):
        return Doc(_core.read_text(source, format or "conllu"))
    return Doc(_core.read_file(os.fspath(source), format))
