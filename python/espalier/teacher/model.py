"""The teacher: an encoder, a classifier per column of tags, and biaffine arcs and labels (Dozat & Manning 2017).

All treebanks share the classifiers. A treebank sees the classes that it has, and a vector of its own is added to every
word, so that conventions can differ where names do not.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from espalier.errors import EspalierError
from espalier.teacher.batch import Batch
from espalier.teacher.data import TAGS
from espalier.teacher.encoder import Encoder, Pieces, empty_encoder, save_encoder
from espalier.teacher.vocabulary import COLUMNS, Vocabulary

TOP = 4
"""So many of the highest layers are mixed, each task with weights of its own."""
NEVER = -1e9


class Biaffine(nn.Module):
    """x' W y for each of some classes, a constant 1 behind x and y."""

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(classes, width + 1, width + 1))
        nn.init.xavier_uniform_(self.weight)

    def all_pairs(self, x: Tensor, y: Tensor) -> Tensor:
        """Of all pairs of a sentence, for the only class."""
        return torch.einsum("bid,de,bje->bij", _with_one(x), self.weight[0], _with_one(y))

    def each(self, x: Tensor, y: Tensor) -> Tensor:
        """Of pairs row by row, for all classes."""
        return torch.einsum("nce,ne->nc", torch.einsum("nd,cde->nce", _with_one(x), self.weight), _with_one(y))


def _with_one(x: Tensor) -> Tensor:
    return torch.cat([x, torch.ones_like(x[..., :1])], -1)


class Words(NamedTuple):
    """What the encoder says about the words of a batch, for tags and for trees; sentences, words, width."""

    tags: Tensor
    tree: Tensor


class Teacher(nn.Module):
    """Layers up to `freeze`, and the embeddings, stay as they are."""

    def __init__(
        self,
        encoder: Encoder,
        pieces: Pieces,
        config: Any,
        vocabulary: Vocabulary,
        freeze: int,
        tag: int = 256,
        arc: int = 500,
        label: int = 100,
    ) -> None:
        super().__init__()
        self.encoder, self.pieces, self.config = encoder, pieces, config
        self.vocabulary, self.freeze = vocabulary, freeze
        if not 0 <= freeze < len(encoder.layers):
            raise EspalierError(f"of {len(encoder.layers)} layers {freeze} cannot be frozen", 2)
        width, drop = encoder.width, 0.3
        self.drop = nn.Dropout(drop)
        mixed = min(TOP, len(encoder.layers) - freeze)
        self.mix = nn.ParameterDict({task: nn.Parameter(torch.zeros(mixed)) for task in ("tags", "tree")})
        self.treebank = nn.Embedding(len(vocabulary.treebanks), width)
        nn.init.zeros_(self.treebank.weight)
        sizes = {column: len(vocabulary.names[column]) for column in COLUMNS}
        self.tag = nn.ModuleDict(
            {
                column: nn.Sequential(nn.Linear(width, tag), nn.GELU(), nn.Dropout(drop), nn.Linear(tag, sizes[column]))
                for column in TAGS
                if sizes[column]
            }
        )

        def branch(size: int) -> nn.Sequential:
            return nn.Sequential(nn.Linear(width, size), nn.LeakyReLU(0.1), nn.Dropout(drop))

        self.arc_head, self.arc_dependent = branch(arc), branch(arc)
        self.label_head, self.label_dependent = branch(label), branch(label)
        self.arc, self.label = Biaffine(arc, 1), Biaffine(label, sizes["deprel"])
        self.scale = 1 / math.sqrt(arc)
        for column in COLUMNS:
            allowed = torch.zeros(len(vocabulary.treebanks), sizes[column], dtype=torch.bool)
            for i, treebank in enumerate(vocabulary.treebanks.values()):
                allowed[i, treebank.classes[column]] = True
            self.register_buffer("allowed_" + column, allowed, persistent=False)
        for parameter in [*encoder.embeddings.parameters(), *encoder.layers[:freeze].parameters()]:
            parameter.requires_grad = False

    def train(self, mode: bool = True) -> Teacher:
        """Frozen layers never drop anything: what they say is computed once."""
        super().train(mode)
        self.encoder.embeddings.eval()
        self.encoder.layers[: self.freeze].eval()
        return self

    def low(self, batch: Batch) -> Tensor:
        """What the frozen layers say."""
        return self.encoder.low(batch.ids, batch.mask, self.freeze)

    def words(self, batch: Batch, low: Tensor) -> Words:
        layers = self.encoder.high(low, batch.mask, self.freeze)[-TOP:]
        index = batch.first.unsqueeze(-1).expand(-1, -1, self.encoder.width)
        states = torch.stack([layer.gather(1, index) for layer in layers])
        own = self.treebank(batch.treebank)[:, None, :]

        def mixed(task: str) -> Tensor:
            return self.drop((torch.softmax(self.mix[task], 0).view(-1, 1, 1, 1) * states).sum(0) + own)

        return Words(mixed("tags"), mixed("tree"))

    def tags(self, column: str, states: Tensor) -> Tensor:
        """Scores of all classes of a column for words row by row."""
        return self.tag[column](states).float()

    def arcs(self, words: Words, there: Tensor) -> Tensor:
        """Scores of all heads (the last dimension) of all words."""
        scores = self.arc.all_pairs(self.arc_dependent(words.tree), self.arc_head(words.tree)).float() * self.scale
        itself = torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)
        return scores.masked_fill(itself | ~there[:, None, :], NEVER)

    def labels(self, words: Words, where: Tensor, head: Tensor) -> Tensor:
        """Scores of all labels for the arcs of the words `where` (a mask) to their `head`."""
        dependent, heads = self.label_dependent(words.tree), self.label_head(words.tree)
        sentence = where.nonzero()[:, 0]
        return self.label.each(dependent[where], heads[sentence, head[where]]).float()

    def loss(self, batch: Batch, low: Tensor) -> Tensor:
        """Sum over tags, arcs and labels of the mean over the words that have them."""
        words = self.words(batch, low)
        head = batch.gold("head")
        total = functional.cross_entropy(
            self.arcs(words, batch.there)[head >= 0], head[head >= 0], reduction="sum"
        ) / max(1, int((head >= 0).sum()))
        for column in COLUMNS:
            gold = batch.gold(column)
            known = gold >= 0
            if not known.any():
                continue
            scores = self.labels(words, known, head) if column == "deprel" else self.tags(column, words.tags[known])
            allowed = getattr(self, "allowed_" + column)[batch.treebank[known.nonzero()[:, 0]]]
            total = total + functional.cross_entropy(scores.masked_fill(~allowed, NEVER), gold[known])
        return total

    def save(self, folder: Path, about: dict[str, Any]) -> None:
        """A folder that `load` reads; `about` is kept beside it for people."""
        folder.mkdir(parents=True, exist_ok=True)
        save_encoder(folder / "encoder", self.pieces, self.config)
        state = {
            name: value.to(torch.bfloat16) if name.startswith("encoder.") and value.dim() > 1 else value
            for name, value in self.state_dict().items()
        }
        save_file({name: value.contiguous() for name, value in state.items()}, folder / "weights.new")
        text = json.dumps(
            {"freeze": self.freeze, "about": about, "vocabulary": self.vocabulary.to_json()}, ensure_ascii=False
        )
        (folder / "teacher.new").write_text(text + "\n", encoding="utf-8")
        os.replace(folder / "teacher.new", folder / "teacher.json")
        os.replace(folder / "weights.new", folder / "weights.safetensors")

    @staticmethod
    def load(folder: Path) -> Teacher:
        """A trained teacher, ready to annotate."""
        try:
            about = json.loads((folder / "teacher.json").read_text(encoding="utf-8"))
            weights = load_file(folder / "weights.safetensors")
        except FileNotFoundError as error:
            raise EspalierError(f"{folder} holds no teacher: {error.filename or error} is missing", 2) from error
        encoder, pieces = empty_encoder(folder / "encoder")
        teacher = Teacher(encoder, pieces, None, Vocabulary.from_json(about["vocabulary"]), about["freeze"])
        teacher.load_state_dict(weights)
        teacher.eval()
        return teacher
