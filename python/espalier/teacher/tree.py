"""The best dependency tree with exactly one root, by scores of single arcs. Needs numpy alone.

Chu & Liu (1965) and Edmonds (1967) give the best tree, which may have several words under the artificial root. A tree
with one is then looked for root by root, the most promising first, until no other root can be better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Scores = np.ndarray[Any, np.dtype[np.float64]]
Heads = np.ndarray[Any, np.dtype[np.int64]]


def best_tree(score: Scores) -> Heads:
    """Heads of the best tree with one root; ``score[d, h]`` is of the arc from h to d, finite; node 0 is no word.

    >>> best_tree(np.log([[1, 1, 1], [0.6, 1, 0.4], [0.5, 0.5, 1]])).tolist()
    [0, 0, 1]
    """
    score = np.asarray(score, np.float64)
    heads = spanning_tree(score, 0)
    if np.count_nonzero(heads[1:] == 0) <= 1:
        return heads
    # The arc to the root and, for every other word, its best head: no tree with this root has more.
    inner = score[1:, 1:].copy()
    np.fill_diagonal(inner, -np.inf)
    best = inner.max(1)
    bound = score[1:, 0] + best.sum() - best
    found, total = heads, -np.inf
    for root in np.argsort(-bound, kind="stable"):
        if bound[root] <= total:
            break
        tree = spanning_tree(inner, int(root))
        arcs = np.arange(len(tree)) != root
        value = score[root + 1, 0] + inner[arcs, tree[arcs]].sum()
        if value > total:
            total, found = value, np.concatenate([[0], tree + 1])
            found[root + 1] = 0
    return found


def spanning_tree(score: Scores, root: int) -> Heads:
    """Heads of the best tree below `root`, which is its own head. The diagonal and the root's row say nothing."""
    score = score.copy()
    np.fill_diagonal(score, -np.inf)
    heads: Heads = score.argmax(1)
    heads[root] = root
    cycle = find_cycle(heads, root)
    if not len(cycle):
        return heads
    # The cycle becomes one node, the last. Whoever enters it replaces one of its arcs; whoever leaves it may leave
    # from any of its words.
    inside = np.zeros(len(score), bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    last = len(outside)
    gain = score[np.ix_(cycle, outside)] - score[cycle, heads[cycle]][:, None]
    enter = gain.argmax(0)
    leave_scores = score[np.ix_(outside, cycle)]
    leave = leave_scores.argmax(1)
    small = np.full((last + 1, last + 1), -np.inf)
    small[:last, :last] = score[np.ix_(outside, outside)]
    small[last, :last] = gain.max(0)
    small[:last, last] = leave_scores.max(1)
    tree = spanning_tree(small, int(np.searchsorted(outside, root)))
    for i, node in enumerate(outside):
        heads[node] = cycle[leave[i]] if tree[i] == last else outside[tree[i]]
    heads[cycle[enter[tree[last]]]] = outside[tree[last]]
    return heads


def find_cycle(heads: Heads, root: int) -> Heads:
    """The nodes of one cycle, or none."""
    visited = np.zeros(len(heads), np.int64)
    visited[root] = -1
    for start in range(len(heads)):
        node = start
        while visited[node] == 0:
            visited[node] = start + 1
            node = int(heads[node])
        if visited[node] == start + 1:
            cycle = [node]
            while heads[cycle[-1]] != node:
                cycle.append(int(heads[cycle[-1]]))
            return np.array(cycle)
    return np.array([], np.int64)
