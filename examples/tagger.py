"""A part-of-speech tagger by learning to search: python examples/tagger.py train.conllu dev.conllu"""

import sys
import time

import espalier
from espalier.search import Features, Learner


class Tagger:
    def run(self, search, sent):
        tags = [-1, -1]  # the two tags before, as context
        for looks, word, gold in sent:
            features = [looks, f"{word} {tags[-1]}"] if search.needs_features else ()
            tags.append(search.predict(features, reference=gold, condition=tags[:-3:-1]))
            search.loss(tags[-1] != gold)
        return tags[2:]


def look(words, i):
    """What a word looks like: itself, its neighbours, its beginning and end, its shape."""
    near = ["", "", *words, "", ""][i : i + 5]
    word, lower = words[i], words[i].lower()
    looks = [f"{at}={near[at].lower()}" for at in range(5)]
    looks += [f"12={near[1]} {lower}".lower(), f"23={lower} {near[3]}".lower()]
    looks += [f"p{k}={lower[:k]}" for k in range(1, 5)] + [f"s{k}={lower[-k:]}" for k in range(1, 5)]
    shape = f"{word[:1].isupper()}{word[1:].islower()}{any(map(str.isdigit, word))}{'-' in word}"
    return Features([*looks, shape, f"{shape}{i == 0}"])


def examples(file):
    for sent in espalier.read(file).sents:
        words, tags = sent.column("form"), sent.column("upos")
        yield [(look(words, i), word.lower(), TAGS.setdefault(tags[i], len(TAGS))) for i, word in enumerate(words)]


TAGS = {}
start = time.process_time()
train, dev = list(examples(sys.argv[1])), list(examples(sys.argv[2]))
learner = Learner(Tagger(), actions=len(TAGS))
learner.train(train, callback=lambda epoch, loss: print(f"epoch {epoch}: loss {loss:.0f}"))
print(f"{time.process_time() - start:.1f} s of CPU")
right = sum(tag == gold for sent in dev for tag, (_, _, gold) in zip(learner.predict(sent), sent, strict=True))
print(f"{100 * right / sum(map(len, dev)):.2f} % of the tags on dev are right")
