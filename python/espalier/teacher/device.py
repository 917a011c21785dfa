"""Where tensors live, and in which precision layers compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


class Device:
    """A GPU if there is one and nothing else is asked for, else the CPU. On CPUs results depend on nothing but the
    number of threads."""

    def __init__(self, name: str = "auto", threads: int = 0, precision: str = "bf16") -> None:
        self.device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        self.precision = precision
        if threads:
            torch.set_num_threads(threads)
        if self.device.type == "cpu":
            torch.use_deterministic_algorithms(True)
            torch.utils.deterministic.fill_uninitialized_memory = False

    def autocast(self) -> Any:
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bf16")

    def place(self, module: Any) -> Any:
        return module.to(self.device)

    def tensor(self, values: Sequence[Any]) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=self.device)
