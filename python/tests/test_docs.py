"""The pages about Python: every cell runs, in order, in a folder with two small treebanks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import GOLD

DOCS = Path(__file__).parents[2] / "docs"


def cells(page: str) -> list[tuple[int, str]]:
    """Line numbers and texts of the cells ```python."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 2, m[1]) for m in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S)]


@pytest.mark.parametrize("page", ["python.md"])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("train.conllu", "dev.conllu"):
        Path(name).write_text(GOLD * 20, encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    found = cells(page)
    assert found
    for line, code in found:
        exec(compile("\n" * (line - 1) + code, str(DOCS / page), "exec"), names)
