"""What a long run tells while it works."""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Progress:
    """A line with the time that is left: rewritten in a terminal, written now and then into a file."""

    def __init__(self, every: float = 60.0) -> None:
        self.terminal = sys.stderr.isatty()
        self.every = 0.5 if self.terminal else every
        self.start = self.last = time.monotonic()

    def tell(self, text: str, done: float) -> None:
        """`done`: the share of this run's work that is behind us."""
        now = time.monotonic()
        if now - self.last < self.every:
            return
        self.last = now
        left = (now - self.start) * (1 - done) / done if done > 0 else 0
        line = f"{text}, {duration(left)} left"
        print(
            f"\r{line}\x1b[K" if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr, flush=True
        )

    def close(self) -> None:
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """
    >>> duration(4000)
    '1 h 7 min'
    """
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


class Stop:
    """True after the first Ctrl-C or SIGTERM: work ends where nothing is lost. The second ends it at once."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        say("\nstopping …")
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)

    def __bool__(self) -> bool:
        return self.asked
