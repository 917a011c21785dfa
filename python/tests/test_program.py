"""The program that comes with the package."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import espalier

COMMANDS = [[sys.executable, "-m", "espalier"], [str(Path(sysconfig.get_path("scripts")) / "espalier")]]
pytestmark = pytest.mark.skipif(
    not (Path(espalier.__file__).parent / "bin").exists(), reason="sources, not an installed package"
)


def run(command: list[str], *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "ESPALIER_MODELS"}
    return subprocess.run(
        [*command, *arguments], input=text, capture_output=True, text=True, env=environment, check=False
    )


@pytest.mark.parametrize("command", COMMANDS, ids=["-m", "script"])
def test_program(nlp: espalier.Model, command: list[str], tmp_path: Path) -> None:
    done = run(command, "--version")
    assert done.returncode == 0 and espalier.__version__ in done.stdout
    done = run(command, "parse", "-m", "en", "--from", "text", text="Trees grow.\n")
    assert done.returncode == 0 and done.stdout == nlp("Trees grow.\n").to_conllu()
    done = run(command, "parse", "-m", "de", "--from", "text")
    assert done.returncode == 2 and "en_ewt" in done.stderr
    assert run(command, "check", str(tmp_path / "missing.conllu")).returncode not in (0, 2)


def test_signals_reach_it() -> None:
    with subprocess.Popen(
        [*COMMANDS[0], "parse", "-m", "en", "--from", "text"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdin and child.stdout
        child.stdin.write(b"Trees grow.\n\n" * 10000)
        child.stdin.flush()
        assert child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        child.communicate()
        assert child.returncode in (1, -signal.SIGTERM)
