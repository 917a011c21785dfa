"""What the scripts of this folder share: command line, downloads, CPU time, the report.

A peer is a script  NAME --train T --dev D --test X --work DIR  (plain CoNLL-U files). It installs its program into
DIR/NAME, trains with gold tags, parses the test file, and leaves DIR/NAME.conllu and DIR/NAME.json. Nothing outside DIR
is touched.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time
import urllib.request


class Peer:
    def __init__(self, name, about):
        parser = argparse.ArgumentParser(description=about)
        for option in ("train", "dev", "test", "work"):
            parser.add_argument("--" + option, required=True, type=lambda name: pathlib.Path(name).resolve())
        parser.add_argument("--limit", type=float, default=0, help="seconds of CPU that training may take; 0 = no limit")
        self.options = parser.parse_args()
        self.name = name
        self.home = self.options.work / name  # the throw-away environment
        self.home.mkdir(parents=True, exist_ok=True)
        self.output = self.options.work / (name + ".conllu")

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

    def run(self, command, limit=0):
        """Runs a program; returns its CPU seconds and peak memory in MB."""
        def set_limit():
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

        with open(self.home / "log", "a") as log:
            process = subprocess.Popen([str(c) for c in command], stdout=log, stderr=log, cwd=self.home, preexec_fn=set_limit)
            _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{self.name}: {command[0]} failed (status {status}); see {self.home / 'log'}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def report(self, version, train_cpu, tokens_per_second, peak_mb, note):
        (self.options.work / (self.name + ".json")).write_text(json.dumps({
            "name": self.name, "version": version, "train_cpu_seconds": train_cpu,
            "tokens_per_second": tokens_per_second, "peak_rss_mb": peak_mb, "note": note}) + "\n")


def best_pass(work, passes=3):
    """CPU seconds of the fastest of several calls."""
    best = float("inf")
    for _ in range(passes):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def peak_rss_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


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
