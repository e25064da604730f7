"""The gallery: one page for each example, with its report, its model and how it compares with its reference."""

import csv
import json
import re
import subprocess
from pathlib import Path

from pages import card, cards_block, toctree

TABLE = re.compile(r"\| channel \| time \| value \| tolerance \|\n\|[-|]+\|\n(?:\|.*\n)+")


def example_names(root):
    return sorted(path.name for path in (root / "examples").iterdir() if (path / f"{path.name}.yaml").is_file())


def study_names(root):
    """Folders with pages, but without a model of their own name: several runs, compared."""
    return sorted(path.parent.name for path in (root / "examples").glob("*/README.md")
                  if not (path.parent / f"{path.parent.name}.yaml").exists())


# --- the run ------------------------------------------------------------------------------------------------


class Run:
    """What an example's run gives: its report, what it printed, and values at the times of the reference."""

    def __init__(self, program, root, name, folder):
        self.model = root / "examples" / name / f"{name}.yaml"
        self.expected = json.loads((root / "examples" / name / "expected.json").read_text())
        self.report, self.table = folder / f"{name}.html", folder / f"{name}.csv"
        self.words = folder / f"{name}.txt"
        age = max(path.stat().st_mtime for path in (self.model, Path(program), self.model.parent / "expected.json"))
        if not all(path.exists() and path.stat().st_mtime > age for path in (self.report, self.table, self.words)):
            self.make(program, folder, name)

    def make(self, program, folder, name):
        results = f"{name}.h5"
        said = subprocess.run([program, "run", str(self.model), "-o", results, "-f"], cwd=folder, check=True,
                              capture_output=True, text=True)
        channels = ",".join(sorted({entry["channel"] for entry in self.expected}))
        subprocess.run([program, "export", results, "-c", channels, "-o", self.table.name, "-f"], cwd=folder,
                       check=True, capture_output=True)
        (folder / results).unlink()
        self.words.write_text(said.stdout.split("\n\nresults:")[0].rstrip() + "\n")

    def comparison(self):
        """Entries of expected.json with the value of the run and the difference."""
        with open(self.table) as file:
            rows = [{key: float(value) for key, value in row.items() if value}
                    for row in csv.DictReader(line for line in file if not line.startswith("#"))]
        for entry in self.expected:
            row = min(rows, key=lambda row: abs(row["time"] - entry["time"]))
            if abs(row["time"] - entry["time"]) > 1e-9:
                raise ValueError(f"{self.model.name}: no result at {entry['time']} s")
            value = row[entry["channel"]]
            yield {**entry, "run": value, "difference": value - entry["value"]}


def beyond(entries):
    """Those that differ by more than their tolerance."""
    return [entry for entry in entries if abs(entry["difference"]) > entry["tolerance"]]


# --- the page -----------------------------------------------------------------------------------------------


def comparison_table(entries):
    head = ("| channel | time | reference | this run | difference | tolerance | used |\n"
            "|---|---|---|---|---|---|---|\n")
    rows = ""
    for e in entries:
        share = abs(e["difference"]) / e["tolerance"] if e["tolerance"] else 0.0
        mark = "share beyond" if share > 1 else "share"
        bar = f'<span class="{mark}" style="--share: {min(share, 1):.3f}" title="{share:.0%} of the tolerance"></span>'
        rows += (f"| `{e['channel']}` | {e['time']:g} s | {e['value'] + 0.0:.8g} | {e['run'] + 0.0:.8g} | {e['difference']:.1e} "
                 f"| {e['tolerance']:g} | {bar} |\n")
    worst = max((abs(e["difference"]) / e["tolerance"] for e in entries if e["tolerance"]), default=0.0)
    verdict = (f"The run of this page stays within every tolerance; the largest difference uses {worst:.0%} of its own."
               if worst <= 1 else "**The run of this page leaves a tolerance.**")
    return f"{verdict}\n\n:::{{container}} comparison\n{head}{rows}:::\n"


def report_block(name, title):
    return (f'\n<div class="report"><iframe data-report="../reports/{name}.html" src="../reports/{name}.html#embed" '
            f'title="Animation of {title}" loading="lazy" allowfullscreen></iframe>\n'
            f'<p><a href="../reports/{name}.html">Open the whole report</a>: plots, energy balance, all numbers.</p>'
            f"</div>\n")


def example_page(pages, name, run):
    """Page of an example; `run` is None where it was not run."""
    source = f"examples/{name}/README.md"
    text = pages.translated((pages.root / source).read_text(), source, f"gallery/{name}.md")
    model = (pages.root / "examples" / name / f"{name}.yaml").read_text()
    pages.bring(f"examples/{name}/{name}.yaml", f"gallery/{name}.yaml")
    findings = []
    if run:
        entries = list(run.comparison())
        findings = [f"{name}: {e['channel']} at {e['time']:g} s is {e['run']:.8g}, {e['difference']:.1e} from its reference"
                    for e in beyond(entries)]
        text = TABLE.sub(lambda _: comparison_table(entries), text, count=1)
        title = re.search(r"^# (.+)$", text, re.MULTILINE).group(1)
        text = re.sub(r"(^!\[[^\n]+\n)", lambda m: m.group(1) + report_block(name, title), text, count=1,
                      flags=re.MULTILINE)
    text = text.rstrip() + f"\n\n## The model file\n\n[{name}.yaml]({name}.yaml)\n\n```yaml\n{model.rstrip()}\n```\n"
    if run:
        text += f"\n## What the run says\n\n```text\n{run.words.read_text().rstrip()}\n```\n"
    pages.write(f"gallery/{name}.md", text)
    return findings


def study_pages(pages, name):
    for path in sorted((pages.root / "examples" / name).glob("*.md")):
        pages.take(path.relative_to(pages.root).as_posix())
    further = sorted(path.stem for path in (pages.root / "examples" / name).glob("*.md") if path.stem != "README")
    if further:
        page = pages.folder / "gallery" / f"{name}.md"
        pages.write(f"gallery/{name}.md",
                    page.read_text() + "\n" + toctree("\n".join(f"{name}/{stem}" for stem in further)))


# --- the index ----------------------------------------------------------------------------------------------


def topics(text):
    """{topic: {example: what it shows}} of the tables in examples/README.md."""
    found = {}
    for topic, table in re.findall(r"^\| ([^|]+) \| shows \|\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE):
        found[topic] = dict(re.findall(r"^\| \[(\w+)\]\([^)]*\) \| (.+) \|$", table, re.MULTILINE))
    return found


def index_page(pages, names):
    text = (pages.root / "examples" / "README.md").read_text()
    grouped = topics(text)
    listed = {name for entries in grouped.values() for name in entries}
    if set(names) - listed:
        grouped["further examples"] = {name: "" for name in names if name not in listed}
    page = ("# Gallery\n\nEvery mechanism here is a short model file with a known answer. Its page shows it moving, the "
            "equations behind it, the file, and\nthe values of a run beside those of a reference that was computed "
            "without Trammel.\n")
    for topic, entries in grouped.items():
        cards = "".join(gallery_card(pages, name, shows) for name, shows in entries.items() if name in names)
        page += f"\n## {topic[0].upper() + topic[1:]}\n\n{cards_block(cards)}"
    tail = text[text.index("A new example is a folder"):]
    page += f"\n## Adding one\n\n{pages.translated(tail, 'examples/README.md', 'gallery/index.md')}\n"
    pages.write("gallery/index.md", page + "\n" + toctree("\n".join(
        [name for entries in grouped.values() for name in entries if name in names])))


def gallery_card(pages, name, shows):
    text = (pages.folder / "gallery" / f"{name}.md").read_text()
    title = re.search(r"^# (.+)$", text, re.MULTILINE).group(1)
    picture = re.search(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    return card(f"{name}.md", title, shows[:1].upper() + shows[1:], picture and picture.groups())
