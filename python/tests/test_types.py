"""What type checkers see: a program of a user, checked as strictly as can be."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "typed_program.py"


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="needs mypy")
def test_strictly(tmp_path: Path) -> None:
    """From another folder, so that it is the installed package that is seen, by its marker ``py.typed``."""
    copy = tmp_path / "program.py"
    copy.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import espalier\nespalier.load('en')('Trees', k_best=3)\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--warn-unused-ignores",
        "--cache-dir",
        str(tmp_path / "cache"),
    ]
    done = subprocess.run([*command, copy.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([*command, wrong.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "k_best" in done.stdout
