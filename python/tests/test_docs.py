"""The pages about Python: every cell runs, in order, in a folder with two small treebanks.

A cell that is marked with packages (```python pyspark) needs them and time: it runs if they are there and
ESPALIER_SLOW=1 is set.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest
from conftest import GOLD

DOCS = Path(__file__).parents[2] / "docs"


def cells(page: str) -> list[tuple[int, str]]:
    """Line numbers and texts of the cells that can run here."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.finditer(r"^```python( \w+)*\n(.*?)^```", text, re.M | re.S)
    return [(text[: m.start()].count("\n") + 2, m[2]) for m in found if runs_here((m[1] or "").split())]


def runs_here(packages: list[str]) -> bool:
    slow = os.environ.get("ESPALIER_SLOW")
    return not packages or (bool(slow) and all(importlib.util.find_spec(name) for name in packages))


@pytest.mark.filterwarnings("ignore:train and dev are the same")
@pytest.mark.parametrize("page", ["python.md", "scale.md", "from-spacy.md", "from-stanza.md"])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    for name in ("train.conllu", "dev.conllu"):
        Path(name).write_text(GOLD * 20, encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    for line, code in cells(page):
        exec(compile("\n" * (line - 1) + code, str(DOCS / page), "exec"), names)


def test_pages_have_cells() -> None:
    assert len(cells("python.md")) >= 8
