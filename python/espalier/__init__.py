"""Espalier: train and run syntactic parsers.

>>> import espalier
>>> nlp = espalier.load("en")
>>> doc = nlp("Flying planes can be dangerous.")
>>> [(token.text, token.deprel, token.head.text) for token in doc][:2]
[('Flying', 'amod', 'planes'), ('planes', 'nsubj', 'dangerous')]
"""

from espalier import search
from espalier._core import version as _version
from espalier.constituent import Constituent
from espalier.doc import Doc
from espalier.errors import EspalierError, Stopped
from espalier.explanation import Explanation, Reason, explain
from espalier.installed import models
from espalier.matches import Match, query
from espalier.model import Model, load, read
from espalier.sent import Candidate, Sent
from espalier.span import Span
from espalier.token import Morph, Token
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
    "Explanation",
    "Match",
    "Model",
    "Morph",
    "Objective",
    "Problem",
    "Progress",
    "Reason",
    "Scores",
    "Sent",
    "Span",
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
    "explain",
    "folds",
    "formats",
    "grid",
    "load",
    "models",
    "query",
    "read",
    "recipe_settings",
    "recipe_source",
    "recipes",
    "search",
    "train",
]
