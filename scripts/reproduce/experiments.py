"""What the experiments share: the program, treebanks, runs that are remembered, and the tables of docs/results.

A script asks Runs for results; what is not known yet is measured and kept in the work folder, so that a script can be
interrupted at any time. Tables go to docs/results/NAME.jsonl, one row per line, and from there into the pages (pages.py).
"""
import argparse
import gzip
import hashlib
import json
import math
import os
import pathlib
import statistics
import subprocess

import pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
EWT = "UD_English-EWT"


def options(description, name):
    """The options that every experiment has; a script adds its own."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("ESPALIER_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--work", type=pathlib.Path, help="folder of models and finished runs",
                        default=pathlib.Path(os.environ.get("ESPALIER_WORK", ROOT / "build/reproduce")) / name)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/espalier")
    parser.add_argument("--force", action="store_true", help="repeat runs that another build of the program made")
    return parser


def numbers(text):
    return [int(number) for number in text.split(",")]


def run(command):
    """Standard output, CPU seconds and largest memory in MB of a command."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed with exit code {process.returncode}: {' '.join(map(str, command))}")
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def set_to(settings):
    """--set arguments for {key: value} or ["key=value", ...]."""
    pairs = [f"{key}={value}" for key, value in settings.items()] if isinstance(settings, dict) else settings
    return [word for pair in pairs for word in ("--set", pair)]


class Program:
    def __init__(self, file):
        self.file = file
        self.version = hashlib.sha256(file.read_bytes()).hexdigest()[:16]

    def train(self, recipe, train, model, dev=None, settings=(), seed=1, threads=1, more=()):
        """CPU seconds and largest memory in MB."""
        command = [self.file, "train", "--recipe", recipe, "--train", train, "--model", model, "--seed", seed, "--threads", threads,
                   "--quiet", *set_to(settings), *more]
        return run(command + (["--dev", dev] if dev else []))[1:]

    def parse(self, model, file, output, *more):
        run([self.file, "parse", "--model", model, "--input", file, "--output", output, *more])
        return output

    def json(self, command, *more):
        return json.loads(run([self.file, command, *more, "--json"])[0])

    def score(self, gold, system, *more):
        return self.json("eval", "--gold", gold, "--system", system, *more)

    def speed(self, model, file, *more):
        """Tokens per second of CPU time on one thread."""
        return self.json("bench", "--model", model, "--input", file, *more)["tokens_per_second"]

    def about(self, model):
        return self.json("info", "--model", model)["metadata"]

    def p_value(self, gold, a, b, metric="las"):
        """How often chance makes two systems as different as they are (approximate randomisation)."""
        return self.json("compare", "--gold", gold, "--system", a, "--system", b, "--metric", metric, "--trials", 10000, "--resamples",
                         0)["p_value"]


class Runs:
    """Finished runs by name: a line of JSON each, with the build that made it."""

    def __init__(self, options, folder=""):
        self.program = Program(options.program)
        self.work, self.force = options.work / folder, options.force
        self.work.mkdir(parents=True, exist_ok=True)
        self.notes = self.work / "runs.jsonl"
        self.known = {}
        for line in self.notes.read_text().splitlines() if self.notes.exists() else []:
            result = json.loads(line)
            self.known[result["run"]] = result

    def get(self, name):
        """A finished run, or None."""
        result = self.known.get(name)
        return None if result and self.force and result["program"] != self.program.version else result

    def __call__(self, name, measure):
        """A finished run, or what measure() says now: a dictionary."""
        if not self.get(name):
            print(name, flush=True)
            self.known[name] = {"run": name, "program": self.program.version, "commit": pages.commit(), **measure()}
            with open(self.notes, "a", encoding="utf-8") as notes:
                notes.write(json.dumps(self.known[name]) + "\n")
        return self.known[name]


def part_of(treebank, part, stem=""):
    """The file of a treebank's train, dev or test part, or None."""
    return next((file for file in sorted(treebank.glob(f"{stem}*{part}.*")) if file.suffix in (".gz", ".conllu", ".ptb")), None)


def parts_of(treebank, stem=""):
    return [part_of(treebank, part, stem) for part in ("train", "dev", "test")]


def treebanks_of(data, names=""):
    """The folders of the named treebanks, or of all, the smallest first."""
    wanted = [name for name in names.split(",") if name]
    found = [t for t in (data / "ud").iterdir() if part_of(t, "train") and (not wanted or t.name in wanted)]
    if not found:
        raise SystemExit(f"there is no such treebank with a training part in {data / 'ud'}")
    return sorted(found, key=lambda t: part_of(t, "train").stat().st_size)


def sentences(file):
    """The sentences of a CoNLL-U file, as text."""
    opened = gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else open(file, encoding="utf-8")
    with opened:
        return [sentence for sentence in opened.read().split("\n\n") if sentence.strip()]


def write_sentences(file, kept):
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n\n".join(kept) + "\n\n", encoding="utf-8")
    return file


def some_words(file, words, target):
    """A file with about so many words, sentences taken at equal distances."""
    if target.exists():
        return target
    every = sentences(file)
    total = sum(line.split("\t")[0].isdigit() for sentence in every for line in sentence.split("\n"))
    kept = every if total <= words else [s for i, s in enumerate(every) if i * words // total != (i + 1) * words // total]
    return write_sentences(target, kept)


def mean(values):
    return statistics.mean(values)


def spread(values):
    """The mean, and lowest and highest where there are several."""
    middle = f"{mean(values):.2f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.2f}–{max(values):.2f})"


def both(scores):
    return f"{scores['uas']:.2f} / {scores['las']:.2f}" if scores else "–"


def line_plot(file, title, x_name, y_name, curves, log_x=False, log_y=False, points_only=False):
    """A plot of lines or of points as SVG: curves = {name: [(x, y), ...]}."""
    def axis(values, log):
        values = [math.log10(v) if log else v for v in values]
        low, high = min(values), max(values)
        return (lambda v: ((math.log10(v) if log else v) - low) / ((high - low) or 1)), low, high

    at_x, x0, x1 = axis([x for points in curves.values() for x, _ in points], log_x)
    at_y, y0, y1 = axis([y for points in curves.values() for _, y in points], log_y)
    px = lambda x: 70 + 480 * at_x(x)
    py = lambda y: 330 - 280 * at_y(y)
    colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#b8860b", "#17becf", "#e377c2", "#7f7f7f", "#8c564b", "#000000"]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 390" font-family="sans-serif" font-size="12">',
           f'<text x="310" y="24" text-anchor="middle" font-size="14">{title}</text>',
           '<path d="M70 40V330H560" fill="none" stroke="#888"/>',
           f'<text x="310" y="372" text-anchor="middle">{x_name}</text>',
           f'<text x="18" y="185" text-anchor="middle" transform="rotate(-90 18 185)">{y_name}</text>']
    for i in range(5):
        x, y = x0 + (x1 - x0) * i / 4, y0 + (y1 - y0) * i / 4
        out.append(f'<text x="{70 + 120 * i}" y="348" text-anchor="middle">{10 ** x if log_x else x:.3g}</text>')
        out.append(f'<text x="62" y="{334 - 70 * i}" text-anchor="end">{10 ** y if log_y else y:.4g}</text>')
    for i, (name, points) in enumerate(curves.items()):
        colour = colours[i % len(colours)]
        if points_only:
            out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="1.5" fill="{colour}"/>' for x, y in points]
        else:
            path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="575" y="{60 + 18 * i}" fill="{colour}">{name}</text>')
    pathlib.Path(file).write_text("\n".join(out + ["</svg>"]) + "\n", encoding="utf-8")
