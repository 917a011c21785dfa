#!/usr/bin/env python3
"""Puts the tables of docs/results/*.jsonl into the pages that show them, and draws orderings.svg.

    scripts/reproduce/pages.py            writes the tables anew
    scripts/reproduce/pages.py --check    says which page differs from its results, and fails

A line of NAME.jsonl is a row of a table: {"table": ..., "row": {column: cell}, "commit": ..., "date": ..., "command": ...}.
A page shows a table between two comments, some columns of it if they are named:

    <!-- table cube updates: update | LAS | p against skip -->
    <!-- end -->
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs/results"
checking = False  # files are compared instead of written
BLOCK = re.compile(r"(<!-- table (?P<name>\S+) (?P<table>[^:\n]+?)(?:: (?P<columns>[^\n]*?))? -->\n)(?P<body>.*?)(?=<!-- end -->)", re.S)


def commit():
    return subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def lines_of(name):
    file = RESULTS / f"{name}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def write(name, lines):
    if checking and lines != lines_of(name):
        raise SystemExit(f"docs/results/{name}.jsonl differs from docs/results/runs.jsonl; run scripts/reproduce/paper --tables")
    if not checking:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (RESULTS / f"{name}.jsonl").write_text(text, encoding="utf-8")


def store(name, table, head, rows, command="", of=""):
    """Makes `rows` the table of this name; cells are text. `of`: the commit, if not that of the working tree."""
    if not rows:
        return
    made = {"commit": of or commit(), "date": datetime.date.today().isoformat(), "command": command}
    new = [{"table": table, "row": dict(zip(head, row, strict=True)), **made} for row in rows]
    known = lines_of(name)
    if [line["row"] for line in known if line["table"] == table] == [line["row"] for line in new]:
        return
    at = next((i for i, line in enumerate(known) if line["table"] == table), len(known))
    kept = [line for line in known if line["table"] != table]
    write(name, kept[:at] + new + kept[at:])


def append(name, line):
    """One more line of a file of results."""
    with open(RESULTS / f"{name}.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def decide(decided):
    """Writes figures and verdicts, {claim: (ours, verdict)}, into orderings.jsonl. A row keeps what is said of it in "also"."""
    lines = lines_of("orderings")
    for line in lines:
        if line["row"]["claim"] in decided:
            ours, line["row"]["verdict"] = decided[line["row"]["claim"]]
            line["row"]["ours"] = "; ".join(text for text in (ours, line.get("also")) if text)
    write("orderings", lines)


def markdown(head, rows):
    line = lambda row: "| " + " | ".join(row) + " |\n"
    return line(head) + "|---" * len(head) + "|\n" + "".join(map(line, rows))


def shown(block, page):
    """What stands between a block's comments."""
    lines = [line for line in lines_of(block["name"]) if line["table"] == block["table"]]
    if not lines:
        raise SystemExit(f"{page}: docs/results/{block['name']}.jsonl has no table \"{block['table']}\"")
    head = block["columns"].split(" | ") if block["columns"] else list(lines[0]["row"])
    missing = [column for column in head if column not in lines[0]["row"]]
    if missing:
        raise SystemExit(f"{page}: table \"{block['table']}\" has no column \"{missing[0]}\"")
    text = markdown(head, [[line["row"][column].replace(" / ", "/") for column in head] for line in lines])
    made = lines[-1]
    by = f": `{made['command']}`" if made.get("command") else ""
    return f"\n{text}\nCommit {made['commit']}, {made['date']}{by}\n" if made.get("commit") else f"\n{text}\n"


def verdict(text):
    """The class of a verdict, of which its first words decide."""
    if text.startswith("not yet"):
        return "not yet run"
    if text.startswith(("fails", "reversed", "contradicted")):
        return "fails"
    return "holds" if text.startswith("holds") and not re.search("fails|reversed", text) else "cannot be told, or mixed"


def picture():
    """The verdicts of all papers at a glance, as SVG: a square for each ordering."""
    colours = {"holds": "#2e8b57", "cannot be told, or mixed": "#d9a441", "fails": "#c0392b", "not yet run": "#c8cdd4"}
    papers = {}
    for line in lines_of("orderings"):
        papers.setdefault(line["table"], []).append(verdict(line["row"]["verdict"]))
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {60 + 30 * len(papers)}" font-family="sans-serif" font-size="13" role="img">',
           "<title>Orderings of the five papers: which hold here</title>", '<rect width="100%" height="100%" fill="#fff"/>']
    for row, (paper, verdicts) in enumerate(papers.items()):
        svg.append(f'<text x="150" y="{33 + 30 * row}" text-anchor="end">{paper}</text>')
        for column, each in enumerate(sorted(verdicts, key=list(colours).index)):
            svg.append(f'<rect x="{162 + 24 * column}" y="{18 + 30 * row}" width="20" height="20" rx="3" fill="{colours[each]}"/>')
    for x, (name, colour) in zip((30, 140, 360, 450), colours.items()):
        count = sum(each == name for verdicts in papers.values() for each in verdicts)
        svg.append(f'<rect x="{x}" y="{30 + 30 * len(papers)}" width="14" height="14" rx="3" fill="{colour}"/>'
                   f'<text x="{x + 20}" y="{42 + 30 * len(papers)}">{count} {name}</text>')
    return "\n".join(svg + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale, figure = [], RESULTS / "orderings.svg"
    for page in [*sorted((ROOT / "docs").glob("**/*.md")), figure]:
        before = page.read_text(encoding="utf-8") if page.exists() else ""
        after = picture() if page == figure else BLOCK.sub(lambda block: block[1] + shown(block, page.relative_to(ROOT)), before)
        if after != before and options.check:
            stale.append(page.relative_to(ROOT))
        elif after != before:
            page.write_text(after, encoding="utf-8")
    for page in stale:
        print(f"{page}: differs from docs/results/*.jsonl; run scripts/reproduce/pages.py", file=sys.stderr)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
