"""Espalier: train and run syntactic parsers.

>>> import espalier
>>> nlp = espalier.load("en")
>>> doc = nlp("Flying planes can be dangerous.")
>>> [(token.text, token.deprel, token.head.text) for token in doc][:2]
[('Flying', 'amod', 'planes'), ('planes', 'nsubj', 'dangerous')]
"""

from espalier import search
from espalier._core import version as _version
from espalier.doc import Candidate, Constituent, Doc, Sent, Token
from espalier.errors import EspalierError, Stopped
from espalier.model import Model, load, read
from espalier.training import Objective, Progress, Trained, calibrate, recipe_settings, recipe_source, recipes, train
from espalier.treebanks import Check, Problem, Scores, check, compare, convert, draw, evaluate, formats
from espalier.trials import CrossValidation, crossval, folds, grid

__version__ = _version()

__all__ = [
    "Candidate",
    "Check",
    "Constituent",
    "CrossValidation",
    "Doc",
    "EspalierError",
    "Model",
    "Objective",
    "Problem",
    "Progress",
    "Scores",
    "Sent",
    "Stopped",
    "Token",
    "Trained",
    "calibrate",
    "check",
    "compare",
    "convert",
    "crossval",
    "draw",
    "evaluate",
    "folds",
    "formats",
    "grid",
    "load",
    "read",
    "recipe_settings",
    "recipe_source",
    "recipes",
    "search",
    "train",
]
