"""Models by name: those of the package and those installed on the machine."""

from __future__ import annotations

import os
from pathlib import Path

from espalier import _core
from espalier.arguments import StrPath

FOLDER = Path(__file__).parent / "models"
"""The package's own."""


def models() -> dict[str, str]:
    """The names and files of models that `load` knows by name: those of the package, of ``$ESPALIER_MODELS``, of
    ``~/.local/share/espalier/models`` and of an installed ``espalier``.

    >>> "en_ewt" in models()
    True
    """
    return dict(_core.installed_models(str(FOLDER)))


def model_file(name: StrPath) -> str:
    """The file that a name stands for: ``"en"`` is the shortest name that begins with ``en_``. A file is itself."""
    return _core.model_file(os.fspath(name), str(FOLDER))


def comes_along(name: StrPath) -> bool:
    """Whether it is a model of the package, which every machine with the package has."""
    return Path(model_file(name)).parent == FOLDER
