"""The program ``espalier``, which comes with the package: ``python -m espalier parse -m en text.txt``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from espalier.installed import FOLDER

PROGRAM = Path(__file__).parent / "bin" / ("espalier.exe" if os.name == "nt" else "espalier")


def main() -> NoReturn:
    """Replaces this process by the program, which also finds the package's models by name."""
    os.environ["ESPALIER_MODELS"] = os.pathsep.join(filter(None, [os.environ.get("ESPALIER_MODELS"), str(FOLDER)]))
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.run([PROGRAM, *sys.argv[1:]], check=False).returncode)
    os.execv(PROGRAM, ["espalier", *sys.argv[1:]])


if __name__ == "__main__":
    main()
