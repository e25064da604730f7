"""Lays out the pages of the repository as the source of the site.

docs/ becomes the root of the site, examples/ its gallery; links between pages follow them. Folders of pages
get an overview with pictures, and all pages a place in the navigation: a page nobody thought of stands under "More".
"""

import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import equations

# The navigation: captions and what stands below them. A folder stands for its overview.
NAVIGATION = {
    "Start": ["tutorials/*", "gallery", "coming_from", "notation"],
    "Use": ["model_file", "expressions", "assemblies", "couplings", "drives", "sensors", "command_line", "report",
            "results", "trust"],
    "Catalogue": ["joints/planar", "joints/spatial", "forces"],
    "Methods": ["theory/*", "integrators", "stabilisation", "solvers"],
    "More": ["*"],
    "Develop": ["embedding", "api", "own_parts", "architecture", "coverage", "references", "contributing", "changelog"],
}
# The first pages of a folder; the others follow by name.
FIRST = ["tutorials/ten_minutes", "tutorials/engineers_day", "tutorials/first_mechanism"]
OVERVIEWS = {
    "joints/planar": ("Planar joints", "Connections of bodies in the plane."),
    "joints/spatial": ("Spatial joints", "Connections of bodies in space."),
    "forces": ("Forces", "What pushes, pulls and brakes: loads, springs, contact, friction, controllers."),
    "integrators": ("Integrators", "Methods that carry a mechanism through time."),
    "stabilisation": ("Stabilisation", "Ways to keep the constraints of position and velocity together."),
    "solvers": ("Linear solvers", "How the linear equations of a step are solved."),
}
ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md",
             "examples/README.md": "gallery/index.md"}

CODE = r"^([ \t]*)(?P<fence>```+|~~~+).*?^[ \t]*(?P=fence)[ \t]*$|`[^`\n]+`|^(?: {4}|\t)[^\n]*$"
LINK = r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\](?:\([^)]*\))?)*\])\((?P<target>[^)\s]+)\)"
TOKEN = re.compile(f"{CODE}|{LINK}", re.MULTILINE | re.DOTALL)


def site_path(name):
    """Where the file `name` of the repository stands in the source of the site."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    example = re.fullmatch(r"examples/(\w+)/README\.md", name)
    if example:
        return f"gallery/{example.group(1)}.md"
    further = re.fullmatch(r"examples/(\w+)/(\w+)\.md", name)
    if further:
        return f"gallery/{further.group(1)}/{further.group(2)}.md"
    return name[len("docs/"):] if name.startswith("docs/") else name


class Pages:
    """The source of the site, in a folder of its own."""

    def __init__(self, root, folder):
        self.root, self.folder = Path(root), Path(folder)
        self.written = set()
        table = (self.root / "docs" / "references.md").read_text()
        self.keys = re.findall(r"^\| \[(\w+)\] \|", table, re.MULTILINE)
        self.citation = re.compile(rf"\[(?:{'|'.join(self.keys)})\b[^\[\]]*\](?!\()") if self.keys else None

    def write(self, path, text):
        """Writes a page, unless it is there already: Sphinx reads again what is newer than before."""
        self.written.add(path)
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)

    def take(self, name):
        """A page of the repository, with its links following the pages."""
        self.write(site_path(name), self.translated((self.root / name).read_text(), name, site_path(name)))

    def translated(self, text, name, path):
        """The text of page `name` as it must read at `path`."""
        text = TOKEN.sub(lambda match: self.link(match, name, path), text)
        text = equations.typeset(re.sub(r"^```math$", "```{math}", text, flags=re.MULTILINE))
        if path == "references.md":
            return re.sub(r"^\| \[(\w+)\] \|", r'| <a id="\1"></a>[\1] |', text, flags=re.MULTILINE)
        return self.cited(text, path)

    def link(self, match, name, path):
        target = match.group("target")
        if target is None or re.match(r"[a-z][a-z0-9+.-]*:", target):
            return match.group()
        file_part, mark, anchor = target.partition("#")
        source = os.path.normpath(os.path.join(os.path.dirname(name), unquote(file_part))) if file_part else name
        goal = site_path(source)
        if anchor and f'<a id="{anchor}">' in (self.root / source).read_text():  # Sphinx knows headings only
            page = os.path.relpath(goal, os.path.dirname(path) or ".")[:-len(".md")] + ".html" if file_part else ""
            return f'<a href="{page}#{anchor}">{match.group("text")[1:-1]}</a>'
        if not file_part:
            return match.group()
        if not source.endswith(".md"):
            self.bring(source, goal)
        relative = os.path.relpath(goal, os.path.dirname(path) or ".")
        text = match.group("text")
        if not text.startswith("!"):  # a picture as the text of a link
            text = "[" + TOKEN.sub(lambda inner: self.link(inner, name, path), text[1:-1]) + "]"
        return f"{text}({relative}{mark}{anchor})"

    def bring(self, source, goal):
        """A file that is no page: a picture, a model, the licence."""
        self.written.add(goal)
        target = self.folder / goal
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.stat().st_mtime < (self.root / source).stat().st_mtime:
            shutil.copyfile(self.root / source, target)

    def cited(self, text, path):
        """[Bruls2010, eq. 12] leads to its row in the list of references."""
        if self.citation is None:
            return text
        up = os.path.relpath("references.html", os.path.dirname(path) or ".")
        key = re.compile(rf"\b({'|'.join(self.keys)})\b")

        def cite(match):
            if match.group().startswith("`") or not match.group().startswith("["):
                return match.group()
            if text[:match.start()].rpartition("\n")[2].startswith("#"):  # titles stand in the navigation, too
                return match.group()
            if not self.citation.fullmatch(match.group()):
                return match.group()
            linked = key.sub(rf'<a href="{up}#\1">\1</a>', match.group()[1:-1])
            return f"\\[{linked}\\]"

        return re.sub(f"{CODE}|{LINK}|{self.citation.pattern}", cite, text, flags=re.MULTILINE | re.DOTALL)

    # --- overviews and navigation ---------------------------------------------------------------------

    def card(self, page, below):
        """Picture, name and first sentence of a page, for an overview in the folder `below`."""
        text = (self.folder / page).read_text()
        title = re.search(r"^# (.+)$", text, re.MULTILINE).group(1)
        paragraphs = [" ".join(part.split()) for part in text.split("\n\n")[1:]]
        words = next((part for part in paragraphs if re.match(r"[A-Z*`]", part)), "")
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]+>|\\(?=[\[\]])", "", words))
        picture = re.search(r"!\[([^\]]*)\]\(([^)]+)\)", text)
        if picture:
            place = os.path.normpath(os.path.join(os.path.dirname(page), picture.group(2)))
            picture = (picture.group(1), os.path.relpath(place, below))
        return card(os.path.relpath(page, below), title, first_sentence(words), picture)

    def overview(self, folder):
        pages = sorted(p for p in self.written if os.path.dirname(p) == folder and p.endswith(".md"))
        title, words = OVERVIEWS.get(folder, (folder.split("/")[-1].replace("_", " ").capitalize(), ""))
        cards = "".join(self.card(page, folder) for page in pages)
        names = "\n".join(Path(page).stem for page in pages)
        self.write(f"{folder}/index.md", f"# {title}\n\n{words}\n\n{cards_block(cards)}\n{toctree(names)}")

    def navigate(self):
        """Overviews of the folders, and the navigation at the end of the front page."""
        pages = [p for p in sorted(self.written) if p.endswith(".md") and p != "index.md"]
        folders = sorted({os.path.dirname(p) for p in pages} - {""})
        spread = {entry[:-2] for entries in NAVIGATION.values() for entry in entries if entry.endswith("/*")}
        for folder in folders:
            if folder not in spread and f"{folder}/index.md" not in pages:
                self.overview(folder)
        front = self.translated((self.root / "docs" / "index.md").read_text(), "docs/index.md", "index.md")
        front = re.sub(r"<!-- cards ([^>]+) -->", lambda match: cards_block(
            "".join(self.card(f"{page}.md", ".") for page in match.group(1).split())), front)
        self.write("index.md", f"{front}\n{navigation(pages, [f for f in folders if f not in spread])}")

    def sweep(self):
        """Removes what earlier builds left behind."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path.relative_to(self.folder).as_posix() not in self.written:
                path.unlink()


def navigation(pages, folders):
    """The toctrees of the front page."""
    entries = {Path(p).with_suffix("").as_posix() for p in pages if os.path.dirname(p) not in folders}
    entries |= {f"{folder}/index" for folder in folders}
    named, sections = set(), {}
    for caption, names in NAVIGATION.items():
        found = []
        for name in names:
            if name.endswith("/*"):
                inside = sorted((e for e in entries if os.path.dirname(e) == name[:-2]),
                                key=lambda e: (FIRST.index(e) if e in FIRST else len(FIRST), e))
                found += inside
            elif name != "*":
                found += [e for e in (name, f"{name}/index") if e in entries]
        sections[caption] = found
        named |= set(found)
    sections["More"] = sorted(entries - named)
    return "\n".join(toctree("\n".join(found), caption) for caption, found in sections.items() if found)


def toctree(entries, caption=None):
    head = f":caption: {caption}\n" if caption else ""
    return f"```{{toctree}}\n:hidden:\n:titlesonly:\n{head}\n{entries}\n```\n"


def card(target, title, words, picture):
    shown = f"[![{picture[0]}]({picture[1]})]({target})\n\n" if picture else ""
    return f":::{{container}} card\n{shown}**[{title}]({target})**\n\n{words}\n:::\n"


def cards_block(cards):
    return f"::::{{container}} cards\n{cards}::::\n"


def first_sentence(words):
    return re.split(r"(?<=[.;])\s", words)[0].rstrip(".:;")
