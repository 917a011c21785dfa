#!/usr/bin/env python3
"""A loss for taggers: what a parser gets wrong under each of the taggings (docs/objectives.md, "Your own loss").

    espalier train --recipe tagger --train treebank.conllu --model tagger.esp --set objective.0.data=trees.conllu \
        --set 'objective.0.loss=command: python3 examples/tagging_cost.py espalier parser.esp'

The objective's sentences have trees; nobody has to know their tags. The parser runs beside this program for as long as the
training does, and parses every candidate as a sentence of its own.
"""
import json
import subprocess
import sys

if len(sys.argv) != 3:
    sys.exit(__doc__)
program, model = sys.argv[1:]
parser = subprocess.Popen([program, "parse", "--model", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          encoding="utf-8")


def tagged(words, candidate):
    """The sentence with a candidate's tags, as CoNLL-U; columns that no tagger fills are those of the sentence."""
    lines = []
    for i, word in enumerate(words):
        tags = [candidate[name][i] if name in candidate else word[name] for name in ("upos", "xpos", "feats")]
        lines.append("\t".join([str(i + 1), word["form"], "_", *tags, "_", "_", "_", "_"]))
    return "\n".join(lines) + "\n\n"


def read_tree():
    """Heads and labels of the next sentence that the parser writes."""
    arcs = []
    while (line := parser.stdout.readline().rstrip("\n")) or not arcs:
        if not line and parser.poll() is not None:
            raise SystemExit("the parser has ended")
        if line and not line.startswith("#"):
            columns = line.split("\t")
            arcs.append((int(columns[6]), columns[7]))
    return arcs


for line in sys.stdin:
    asked = json.loads(line)
    words, candidates = asked["words"], asked["candidates"]
    parser.stdin.write("".join(tagged(words, candidate) for candidate in candidates))
    parser.stdin.flush()
    costs = []
    for _ in candidates:
        arcs = read_tree()
        costs.append(sum((word["head"], word["deprel"]) != arc for word, arc in zip(words, arcs) if "head" in word))
    print(costs, flush=True)
