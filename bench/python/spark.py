"""Spark's speed beside that of two processes of the command line: python bench/python/spark.py TREEBANK ESPALIER [WORDS]

The same texts (documents of twenty sentences), the same minute: two programs with half of the texts each, then a job with
two workers that parses them and throws the trees away; three times, by turns. Words per second of the clock and of CPU, that
of Java included.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import espalier
import espalier.spark
from speed import texts_of


def cpu() -> float:
    """Seconds that this process and all below it have used."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(entry.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine and pid not in mine}:
        mine |= more
    return sum(ticks[pid] for pid in mine) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    treebank, program = sys.argv[1:3]
    texts, words = texts_of(treebank, 10**9)
    times = -(-int((sys.argv[3:] or ["1000000"])[0]) // words)
    texts, words = texts * times, words * times
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "2g").config("spark.log.level", "ERROR").getOrCreate()
    model = str(espalier.load("en").path)
    with tempfile.TemporaryDirectory() as folder:
        rows = session.createDataFrame(list(enumerate(texts)), "id long, text string")
        rows.repartition(8).write.parquet(f"{folder}/texts")
        for half in (0, 1):
            Path(folder, f"{half}.txt").write_text("".join(texts[half::2]), encoding="utf-8")

        def programs() -> None:
            runs = [
                subprocess.Popen([program, "parse", "--model", model, "--input", f"{folder}/{half}.txt", "--to", "conllu",
                                  "--threads", "1", "--output", os.devnull], stderr=subprocess.DEVNULL)
                for half in (0, 1)
            ]
            assert [run.wait() for run in runs] == [0, 0]

        def job(count: int = 0) -> None:
            frame = session.read.parquet(f"{folder}/texts")
            frame = frame.limit(count) if count else frame
            espalier.spark.parse(frame, "text").write.format("noop").mode("overwrite").save()

        job(10)  # the workers start
        for _ in range(3):
            speeds = []
            for name, run in (("two programs", programs), ("Spark, two workers", job)):
                start, start_cpu = time.perf_counter(), cpu()
                run()
                speeds.append((words / (time.perf_counter() - start), words / (cpu() - start_cpu)))
                print("{:20} {:10.0f} words/s {:10.0f} words/s of CPU".format(name, *speeds[-1]), flush=True)
            ratios = [there / here for here, there in zip(*speeds, strict=True)]
            print("{:20} {:10.2f}         {:10.2f}".format("ratio", *ratios), flush=True)
    session.stop()


main()
