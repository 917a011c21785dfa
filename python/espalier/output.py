"""Documents and sentences as texts, files and pictures."""

from __future__ import annotations

import html
import os

from espalier.arguments import StrPath, checked


class Output:
    """The output functions of documents and sentences, which implement `_written` and `_saved`."""

    def _written(self, format: str) -> str:
        raise NotImplementedError

    def _saved(self, file: str, format: str) -> None:
        raise NotImplementedError

    @checked
    def to_format(self, format: str) -> str:
        """As a text in any of the formats that can be written (`espalier.formats`)."""
        return self._written(format)

    def to_conllu(self) -> str:
        return self._written("conllu")

    def to_json(self) -> str:
        """A line of JSON per sentence."""
        return self._written("json")

    def to_svg(self) -> str:
        return self._written("svg")

    def to_text_tree(self) -> str:
        """The trees, drawn with characters."""
        return self._written("text-tree")

    @checked
    def write(self, file: StrPath, format: str = "") -> None:
        """Writes a file, whose name tells the format unless it is given: ``doc.write("trees.conllu")``.

        ``.gz`` is compressed. The file gets its name when it is complete.
        """
        self._saved(os.fspath(file), format)

    def _repr_html_(self) -> str:
        """For notebooks: the picture, or why there is none."""
        try:
            return f'<div style="overflow-x:auto">{self.to_svg()}</div>'
        except Exception as error:
            return f"<pre>{html.escape(str(error))}</pre>"
