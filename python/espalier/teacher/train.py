"""Training a teacher, in epochs that can be stopped and resumed anywhere with the same result."""

from __future__ import annotations

import hashlib
import math
import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from espalier.errors import EspalierError
from espalier.teacher.batch import Batch, Item, batches, numbers
from espalier.teacher.console import Progress, duration, say
from espalier.teacher.data import Sentence, read
from espalier.teacher.device import Device
from espalier.teacher.encoder import load_encoder
from espalier.teacher.evaluate import Scores, evaluate
from espalier.teacher.model import Teacher
from espalier.teacher.predict import Predictor
from espalier.teacher.vocabulary import Vocabulary


@dataclass
class Settings:
    """All that a training depends on, besides the data itself."""

    encoder: str
    treebanks: dict[str, list[str]]
    """Training file and, if there is one, dev file, by name."""
    epochs: int = 3
    freeze: int = 4
    batch: int = 1000
    rate: float = 5e-5
    head_rate: float = 1e-3
    longest: int = 300
    max_train: int = 0
    max_dev: int = 0
    seed: int = 1
    precision: str = "bf16"


class Data:
    """Training sentences as numbers, dev sentences as they are."""

    def __init__(self, settings: Settings) -> None:
        self.train = {n: sample(files[0], settings.max_train, settings.seed) for n, files in settings.treebanks.items()}
        self.dev = {
            n: sample(f[1], settings.max_dev, settings.seed) for n, f in settings.treebanks.items() if len(f) > 1
        }
        self.items: list[Item] = []
        self.pieces = 0

    def prepare(self, teacher: Teacher, longest: int) -> None:
        """Fills `items`, and forgets the sentences."""
        for name, sentences in self.train.items():
            made = [numbers(s, name, teacher.vocabulary, teacher.pieces, longest) for s in sentences]
            kept = [item for item in made if item]
            words = sum(len(item.first) - 1 for item in kept)
            lost = f", {len(made) - len(kept)} too long for {longest} pieces, left out" if len(kept) < len(made) else ""
            columns = [column for column, classes in teacher.vocabulary.treebanks[name].classes.items() if classes]
            say(f"{name}: {len(kept)} sentences, {words} words ({' '.join(columns)}){lost}")
            self.items += kept
        for item in self.items:
            item.offset, self.pieces = self.pieces, self.pieces + len(item.ids)
        self.train.clear()
        say(f"{len(self.items)} sentences, {self.pieces} word pieces")

    def digest(self) -> str:
        digest = hashlib.sha256()
        for item in self.items:
            digest.update(repr((item.treebank, item.ids, item.gold)).encode())
        return digest.hexdigest()


def sample(path: str, most: int, seed: int) -> list[Sentence]:
    """The sentences of a file, or so many of them, drawn from all over it."""
    sentences = list(read(path))
    if not sentences:
        raise EspalierError(f"{path}: no sentences", 3)
    if not most or len(sentences) <= most:
        return sentences
    return [sentences[i] for i in sorted(random.Random(seed).sample(range(len(sentences)), most))]


class Trainer:
    """Its folder holds the best teacher so far; until training is over also a checkpoint and what frozen layers say."""

    def __init__(self, settings: Settings, folder: Path, device: Device, minutes: float = 10.0) -> None:
        self.settings, self.folder, self.device, self.every = settings, folder, device, 60 * minutes
        self.checkpoint = folder / "checkpoint.pt"
        self.states = folder / "frozen.bin"
        data = Data(settings)
        torch.manual_seed(settings.seed)
        self.teacher = device.place(
            Teacher(*load_encoder(settings.encoder), Vocabulary.of(data.train), settings.freeze)
        )
        data.prepare(self.teacher, settings.longest)
        self.data = data
        learned = [(name, p) for name, p in self.teacher.named_parameters() if p.requires_grad]
        self.learned = dict(learned)
        body = [p for name, p in learned if name.startswith("encoder.")]
        heads = [p for name, p in learned if not name.startswith("encoder.")]
        self.rates = (settings.rate, settings.rate, settings.head_rate)
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p for p in body if p.dim() > 1], "weight_decay": 0.01},
                {"params": [p for p in body if p.dim() < 2], "weight_decay": 0.0},
                {"params": heads, "weight_decay": 0.0},
            ],
            betas=(0.9, 0.98),
            fused=True,
        )
        self.epoch = self.batch = self.seen = 0
        self.scores: list[dict[str, Any]] = []
        self.identity: dict[str, Any] = {"settings": asdict(settings), "data": data.digest()}

    def run(self, resume: bool = False, stop: Callable[[], bool] = lambda: False) -> bool:
        """Trains to the end, or until `stop` says so: then false, and the checkpoint has everything."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self._begin(resume):
            return True
        states = self._frozen_states()
        begun, saved = self.seen, time.monotonic()
        total = self.data.pieces * self.settings.epochs
        progress = Progress()
        smooth = 0.0
        while self.epoch < self.settings.epochs:
            groups = self._groups()
            while self.batch < len(groups):
                if stop():
                    self._save_checkpoint()
                    progress.close()
                    say(f"stopped in epoch {self.epoch + 1}; --resume goes on")
                    return False
                loss = self._step(groups[self.batch], states)
                self.batch += 1
                self.seen += sum(len(self.data.items[i].ids) for i in groups[self.batch - 1])
                smooth = loss if not smooth else 0.98 * smooth + 0.02 * loss
                text = (
                    f"epoch {self.epoch + 1}/{self.settings.epochs} batch {self.batch}/{len(groups)} loss {smooth:.3f}"
                )
                progress.tell(text, (self.seen - begun) / (total - begun))
                if time.monotonic() - saved > self.every:
                    self._save_checkpoint()
                    saved = time.monotonic()
            self._end_epoch(progress)
        for path in (self.checkpoint, self.states):
            path.unlink(missing_ok=True)
        return True

    def _begin(self, resume: bool) -> bool:
        """Loads the checkpoint; false if training is over already."""
        done = self.folder / "weights.safetensors"
        if not resume:
            if self.checkpoint.exists():
                raise EspalierError(
                    f"{self.folder} holds a training that was stopped: --resume goes on, or remove it", 2
                )
            done.unlink(missing_ok=True)
            return True
        if not self.checkpoint.exists():
            if done.exists():
                say(f"{self.folder} is trained already")
            return not done.exists()
        state = torch.load(self.checkpoint, map_location=self.device.device, weights_only=True)
        if state["identity"] != self.identity:
            old, new = state["identity"]["settings"], self.identity["settings"]
            different = [key for key in new if old.get(key) != new[key]] or ["the data"]
            raise EspalierError(f"{self.checkpoint} was made with another {', '.join(different)}", 2)
        for name, parameter in self.learned.items():
            parameter.data.copy_(state["parameters"][name])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch, self.batch, self.seen, self.scores = (state[key] for key in ("epoch", "batch", "seen", "scores"))
        say(f"resumed in epoch {self.epoch + 1}, batch {self.batch}")
        return True

    def _groups(self) -> list[list[int]]:
        """The batches of this epoch: the same whenever it is asked for."""
        rng = random.Random(f"{self.settings.seed} {self.epoch}")
        return batches([len(item.ids) for item in self.data.items], self.settings.batch, rng)

    def _frozen_states(self) -> Tensor:
        """The mapped file of what the frozen layers say: the first epoch writes it, the others read it."""
        size = self.data.pieces * self.teacher.encoder.width
        if not self.seen:
            self.states.unlink(missing_ok=True)
        elif not self.states.exists() or self.states.stat().st_size != 2 * size:
            raise EspalierError(f"{self.states}, which belongs to the checkpoint, is gone or damaged: train anew", 3)
        return torch.from_file(str(self.states), shared=True, size=size, dtype=torch.bfloat16).view(
            self.data.pieces, -1
        )

    def _low(self, batch: Batch, states: Tensor) -> Tensor:
        places = [slice(item.offset, item.offset + len(item.ids)) for item in batch.items]
        if self.epoch == 0:
            with torch.no_grad(), self.device.autocast():
                low = self.teacher.low(batch).to(torch.bfloat16)
            for place, row in zip(places, low.cpu(), strict=True):
                states[place] = row[: place.stop - place.start]
            return low.float()
        rows = nn.utils.rnn.pad_sequence([states[place] for place in places], batch_first=True)
        return rows.to(self.device.device).float()

    def _step(self, group: list[int], states: Tensor) -> float:
        """One batch. Its dropout has a seed of its own, so that resuming needs no state of the generator."""
        batch = Batch([self.data.items[i] for i in group], self.teacher.pieces.pad, self.device.device)
        torch.manual_seed(self.settings.seed * 1_000_003 + self.epoch * 1_000_000 + self.batch)
        self.teacher.train()
        for rate, param_group in zip(self.rates, self.optimizer.param_groups, strict=True):
            param_group["lr"] = rate * self._slope()
        low = self._low(batch, states)
        with self.device.autocast():
            loss = self.teacher.loss(batch, low)
        value: float = loss.item()
        if not math.isfinite(value):
            raise EspalierError(
                f"the loss is {value} in epoch {self.epoch + 1}, batch {self.batch + 1}: try a lower --rate"
            )
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.learned.values(), 5.0)
        self.optimizer.step()
        return value

    def _slope(self) -> float:
        """Rates grow over the first tenth of the training and fall to nothing over the rest."""
        done = self.seen / (self.data.pieces * self.settings.epochs)
        return min(10 * done + 1e-3, (1 - done) / 0.9)

    def _end_epoch(self, progress: Progress) -> None:
        """Scores, the best teacher so far, and a checkpoint."""
        self.epoch, self.batch = self.epoch + 1, 0
        progress.close()
        scores = self._dev_scores()
        self.scores.append({name: s.figures() for name, s in scores.items()})
        for name, s in scores.items():
            say(f"epoch {self.epoch} {name}: {s}")
        means = [mean_las(epoch) for epoch in self.scores]
        if scores:
            say(f"epoch {self.epoch}: mean {means[-1]:.2f}")
        if means[-1] >= max(means):
            self.teacher.save(self.folder, {"settings": asdict(self.settings), "dev": self.scores})
        self._save_checkpoint()

    def _dev_scores(self) -> dict[str, Scores]:
        self.teacher.eval()
        start = time.monotonic()
        scores = {
            name: evaluate(Predictor([self.teacher], name, self.device), sentences)
            for name, sentences in self.data.dev.items()
        }
        if scores:
            say(f"epoch {self.epoch}: dev scored in {duration(time.monotonic() - start)}")
        return scores

    def _save_checkpoint(self) -> None:
        state = {
            "identity": self.identity,
            "epoch": self.epoch,
            "batch": self.batch,
            "seen": self.seen,
            "scores": self.scores,
            "parameters": {name: parameter.data for name, parameter in self.learned.items()},
            "optimizer": self.optimizer.state_dict(),
        }
        new = self.checkpoint.with_suffix(".new")
        torch.save(state, new)
        os.replace(new, self.checkpoint)


def mean_las(scores: dict[str, Any]) -> float:
    """Mean over the treebanks of LAS, or of UPOS where there are no trees; by it the best epoch is chosen."""
    values = [s.get("las", s.get("upos", 0.0)) for s in scores.values()]
    return sum(values) / len(values) if values else 0.0
