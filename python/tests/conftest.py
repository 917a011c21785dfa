from __future__ import annotations

from pathlib import Path

import pytest

import espalier

GOLD = """\
# text = Trees grow.
1\tTrees\ttree\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tgrow\tgrow\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# text = I don't see the old dog.
1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsee\tsee\tVERB\tVB\t_\t0\troot\t_\t_
5\tthe\tthe\tDET\tDT\t_\t7\tdet\t_\t_
6\told\told\tADJ\tJJ\t_\t7\tamod\t_\t_
7\tdog\tdog\tNOUN\tNN\tNumber=Sing\t4\tobj\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


@pytest.fixture(scope="session")
def nlp() -> espalier.Model:
    return espalier.load("en")


@pytest.fixture
def gold() -> espalier.Doc:
    return espalier.read(GOLD)


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """A treebank that can be learned by heart."""
    file = tmp_path / "toy.conllu"
    file.write_text(GOLD * 20, encoding="utf-8")
    return file
