"""What the scripts of this folder share: command line, downloads, CPU time, the report.

A peer is a script  NAME --train T --dev D --test X --work DIR [--variant V]  (plain CoNLL-U files, or brackets with a tree
a line). It installs its program into DIR/NAME, trains, parses the test file, and leaves the trees in DIR/NAME-V.conllu (or
.ptb) and a report in DIR/NAME-V.json. Nothing outside DIR is touched.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import urllib.request


class Peer:
    def __init__(self, name, about, variants=("",)):
        parser = argparse.ArgumentParser(description=about)
        for option in ("train", "dev", "test", "work"):
            parser.add_argument("--" + option, required=True, type=lambda name: pathlib.Path(name).resolve())
        parser.add_argument("--limit", type=float, default=0, help="seconds of CPU that training may take; 0 = no limit")
        parser.add_argument("--variant", default="", choices=variants, help="another way to train or run the same program")
        self.options = parser.parse_args()
        self.name = name
        self.variant = self.options.variant
        self.row = name + ("-" + self.variant if self.variant else "")
        self.home = self.options.work / name  # the throw-away environment
        self.home.mkdir(parents=True, exist_ok=True)
        self.output = self.options.work / (self.row + self.options.test.suffix)

    def pip(self, *packages):
        """Installs wheels into the peer's own folder and makes them importable."""
        target = self.home / "packages"
        if not target.exists():
            partial = self.home / "packages.partial"
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--upgrade", "--target", partial,
                            *packages], check=True, stdout=sys.stderr)
            partial.rename(target)
        sys.path.insert(0, str(target))
        os.environ["PYTHONPATH"] = str(target)

    def maven(self, *artifacts):
        """Downloads group:artifact:version jars from Maven Central; returns the class path."""
        jars = []
        for group, artifact, version in (a.split(":") for a in artifacts):
            jar = self.home / f"{artifact}-{version}.jar"
            if not jar.exists():
                path = f"{group.replace('.', '/')}/{artifact}/{version}/{jar.name}"
                with urllib.request.urlopen("https://repo.maven.apache.org/maven2/" + path) as source:
                    jar.with_suffix(".partial").write_bytes(source.read())
                jar.with_suffix(".partial").rename(jar)
            jars.append(str(jar))
        return ":".join(jars)

    def trained(self, train, name="train"):
        """CPU seconds that train() says it took; if it was done before, those of then."""
        file = self.home / (name + ".json")
        if not file.exists():
            file.write_text(json.dumps(train()))
        return json.loads(file.read_text())

    def run(self, command, limit=0, input=None, output=None):
        """Runs a program, its output into the log or a file; returns its CPU seconds and peak memory in MB."""
        def set_limit():
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

        with open(self.home / "log", "a") as log, open(output or os.devnull, "w") as file, open(input or os.devnull) as source:
            process = subprocess.Popen([str(c) for c in command], stdin=source, stdout=file if output else log, stderr=log,
                                       cwd=self.home, preexec_fn=set_limit)
            _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{self.name}: {command[0]} failed (status {status}); see {self.home / 'log'}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def report(self, version, train_cpu, per_second, peak_mb, model, note, name=None):
        """per_second: tokens, of brackets sentences. model: file or folder that is needed to parse."""
        files = [model] if model.is_file() else [f for f in model.rglob("*") if f.is_file()]
        (self.options.work / (self.row + ".json")).write_text(json.dumps({
            "name": name or self.name, "version": version, "train_cpu_seconds": train_cpu, "per_second": per_second,
            "peak_rss_mb": peak_mb, "model_mb": sum(f.stat().st_size for f in files) / 1e6, "note": note}) + "\n")


def best_pass(work, passes=3):
    """CPU seconds of the fastest of several calls."""
    best = float("inf")
    for _ in range(passes):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def peak_rss_mb():
    """Not getrusage: what it says begins with the memory of the process that started this one."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def words(file):
    """The ten columns of every word, sentence by sentence; multiword tokens, empty nodes and comments left out."""
    sentence = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                sentence.append(columns)
            elif not line.strip() and sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def fine_tag(word):
    """XPOS; where the treebank has none, UPOS with FEATS, for programs that read a tag and no FEATS."""
    return word[4] if word[4] != "_" else word[3] if word[5] == "_" else f"{word[3]}|{word[5]}"


def raw_text(file):
    """The text of a treebank, a line for each paragraph."""
    paragraphs = [[]]
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(("# newpar", "# newdoc")) and paragraphs[-1]:
                paragraphs.append([])
            elif line.startswith("# text = "):
                paragraphs[-1].append(line[len("# text = "):].rstrip("\n"))
    return "".join(" ".join(p) + "\n\n" for p in paragraphs)


def write_conllx(sentences, file):
    """For programs that read words only: no comments, multiword tokens or empty nodes."""
    with open(file, "w", encoding="utf-8") as output:
        for sentence in sentences:
            for word in sentence:
                print(*word[:4], fine_tag(word), *word[5:8], "_", "_", sep="\t", file=output)
            print(file=output)


def write_parsed(sentences, arcs, file):
    """The words of the test file with the heads and labels that a peer found, sentence by sentence."""
    with open(file, "w", encoding="utf-8") as output:
        for sentence, found in zip(sentences, arcs, strict=True):
            for word, (head, label) in zip(sentence, found, strict=True):
                print(*word[:6], head, label, "_", "_", sep="\t", file=output)
            print(file=output)


LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


def plain_words(trees, file, sentences=0):
    """A line of words for every tree (of a file with a tree a line)."""
    lines = trees.read_text(encoding="utf-8").splitlines()
    text = (" ".join(word for _, word in LEAF.findall(line)) for line in lines[:sentences or None])
    file.write_text("".join(line + "\n" for line in text), encoding="utf-8")


def with_words_of(gold, parsed, file):
    """Writes a peer's trees with the words of the gold ones, since programs write brackets and quotes in their own ways.

    A tree that is missing or has another number of words becomes a flat one: whoever fails loses. Returns how many trees.
    """
    trees, lines = gold.read_text(encoding="utf-8").splitlines(), parsed.read_text(encoding="utf-8").splitlines()
    assert len(trees) == len(lines), f"{len(lines)} trees for {len(trees)} sentences"
    with open(file, "w", encoding="utf-8") as output:
        for tree, line in zip(trees, lines):
            words = [word for _, word in LEAF.findall(tree)]
            if len(LEAF.findall(line)) != len(words):
                line = "(ROOT " + " ".join(["(X x)"] * len(words)) + ")"
            rest = iter(words)
            print(LEAF.sub(lambda leaf: f"({leaf[1]} {next(rest)})", line), file=output)
    return len(trees)
