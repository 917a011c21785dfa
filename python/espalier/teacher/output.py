"""A file that is written chunk by chunk, so that a stop loses no chunk that is complete.

It grows as ``NAME.part``, compressed if the name ends in ``.gz``, and gets its name at the end. ``NAME.ends`` beside it
has a line per chunk: where it ends.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from espalier.errors import EspalierError


class Output:
    """A context whose `write` takes chunks; `chunks` of them are there already if an earlier run is resumed."""

    def __init__(self, path: Path, resume: bool) -> None:
        self.path = path
        self.part, self.ends = (path.with_name(path.name + suffix) for suffix in (".part", ".ends"))
        self.finished = resume and path.exists()
        self.chunks = 0
        if self.finished:
            return
        if not resume and self.part.exists():
            raise EspalierError(
                f"{self.part} is what a run that was stopped has left: --resume goes on, or remove it", 2
            )
        if self.ends.exists():
            # The last line may be cut off: what it would say is then done again.
            ends = [int(line) for line in self.ends.read_text().splitlines(keepends=True) if line.endswith("\n")]
            self.chunks = len(ends)
            os.truncate(self.part, ends[-1] if ends else 0)
            self.ends.write_text("".join(f"{end}\n" for end in ends))
        self.file = open(self.part, "ab")  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Self:
        return self

    def write(self, chunk: str) -> None:
        data = chunk.encode()
        self.file.write(gzip.compress(data, 6, mtime=0) if self.path.suffix == ".gz" else data)
        self.file.flush()
        with open(self.ends, "a") as ends:
            ends.write(f"{self.file.tell()}\n")

    def finish(self) -> None:
        self.file.close()
        os.replace(self.part, self.path)
        self.ends.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.finished:
            self.file.close()
