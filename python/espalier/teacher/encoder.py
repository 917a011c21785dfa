"""A transformer encoder of the BERT family, layer by layer, and the word pieces that it reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer
from transformers.utils import logging

from espalier.errors import EspalierError

logging.set_verbosity_error()
logging.disable_progress_bar()

KINDS = ("bert", "camembert", "roberta", "xlm-roberta")
"""Encoders whose layers are known to follow one another with nothing in between."""


class Encoder(nn.Module):
    """Embeddings and layers. The lowest can be run by themselves: frozen, they always say the same of a sentence."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.embeddings, self.layers = body.embeddings, body.encoder.layer
        self.width: int = body.config.hidden_size

    def low(self, ids: Tensor, mask: Tensor, end: int) -> Tensor:
        """What the embeddings and the layers below `end` make of word pieces."""
        hidden = self.embeddings(input_ids=ids)
        for layer in self.layers[:end]:
            hidden = _run(layer, hidden, mask)
        return hidden

    def high(self, hidden: Tensor, mask: Tensor, begin: int) -> list[Tensor]:
        """Outputs of the layers from `begin` on."""
        outputs = []
        for layer in self.layers[begin:]:
            hidden = _run(layer, hidden, mask)
            outputs.append(hidden)
        return outputs


def _run(layer: nn.Module, hidden: Tensor, mask: Tensor) -> Tensor:
    length = mask.shape[1]
    output = layer(hidden, None if mask.all() else mask[:, None, None, :].expand(-1, 1, length, -1))
    return output[0] if isinstance(output, tuple) else output


class Pieces:
    """Word pieces of words, with a memory. A word gets `most` pieces at the most: its beginning tells enough."""

    def __init__(self, tokenizer: Any, longest: int) -> None:
        self.tokenizer, self.longest, self.most = tokenizer, longest, 8
        self.pad: int = tokenizer.pad_token_id
        self.known: dict[str, list[int]] = {}

    def __call__(self, words: Sequence[str], longest: int = 1 << 30) -> tuple[list[int], list[int]] | None:
        """Piece numbers, and where each word begins, from the artificial root at 0 on.

        None if there are more than `longest`, or more than the encoder can read, even with a single piece per word.
        """
        new = sorted({word for word in words if word not in self.known})
        if new:
            for word, ids in zip(new, self.tokenizer(new, add_special_tokens=False)["input_ids"], strict=True):
                self.known[word] = list(ids[: self.most]) or [self.tokenizer.unk_token_id]
        longest = min(longest, self.longest)
        for most in (self.most, 4, 2, 1):
            ids, first = [self.tokenizer.cls_token_id], [0]
            for word in words:
                first.append(len(ids))
                ids += self.known[word][:most]
            if len(ids) < longest:
                return [*ids, self.tokenizer.sep_token_id], first
        return None


def load_encoder(name: str) -> tuple[Encoder, Pieces, Any]:
    """Encoder, word pieces and configuration, from a folder or by a Hugging Face name."""
    try:
        config = AutoConfig.from_pretrained(name)
        _check_kind(name, config)
        # Attention without dropout has a much faster kernel on CPUs, and a treebank is learned as well without.
        body = AutoModel.from_pretrained(
            name,
            add_pooling_layer=False,
            attn_implementation="sdpa",
            attention_probs_dropout_prob=0.0,
            dtype=torch.float32,
        )
        return Encoder(body), _pieces(name, config), config
    except OSError as error:
        raise EspalierError(f"no encoder '{name}': {error}", 2) from error


def save_encoder(folder: Path, pieces: Pieces, config: Any) -> None:
    """Everything but the weights."""
    config.save_pretrained(folder)
    pieces.tokenizer.save_pretrained(folder)


def empty_encoder(folder: Path) -> tuple[Encoder, Pieces]:
    """What `save_encoder` has saved, its weights to be filled in."""
    config = AutoConfig.from_pretrained(folder, attention_probs_dropout_prob=0.0)
    body = AutoModel.from_config(config, add_pooling_layer=False, attn_implementation="sdpa")
    return Encoder(body), _pieces(folder, config)


def _check_kind(name: str, config: Any) -> None:
    if config.model_type not in KINDS:
        raise EspalierError(f"'{name}' is a {config.model_type}; encoders can be: {', '.join(KINDS)}", 2)


def _pieces(name: str | os.PathLike[str], config: Any) -> Pieces:
    # Byte-level pieces of a word are those behind a space; other tokenizers have no such option.
    options = {"add_prefix_space": True} if config.model_type == "roberta" else {}
    # RoBERTa counts positions from behind the number of the padding.
    spare = config.pad_token_id + 1 if config.model_type != "bert" else 0
    return Pieces(AutoTokenizer.from_pretrained(name, **options), config.max_position_embeddings - spare)
