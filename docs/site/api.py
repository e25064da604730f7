"""Pages of the C++ headers that stay, from their own comments.

A header of Trammel begins with what it is for, its equations and units, and documents what it declares where that stands. A
page shows the first as text and the rest as it is written, so that it cannot disagree with the code.
"""

import re

import equations

UMBRELLA = "src/trammel/trammel.h"
INCLUDE = re.compile(r'^#include "(trammel/[^"]+)"$', re.MULTILINE)


def headers(root):
    """(group, header) of all headers that stay, in the order of the umbrella; groups are its comments."""
    text = (root / UMBRELLA).read_text()
    text = text[text.index("begin_exports"):]
    group = ""
    for line in text.splitlines():
        if line.startswith("// ") and "pragma" not in line:
            group = line[3:].rstrip(".")
        include = INCLUDE.match(line)
        if include:
            yield group, include.group(1)


def parts(text):
    """The comment at the head of a header, without its slashes, and the code below it."""
    lines = text.splitlines()
    count = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    head = [line[3:] if line.startswith("// ") else line[2:] for line in lines[:count]]
    code = "\n".join(lines[count:]).strip()
    code = re.sub(r"^#pragma once\n+", "", code)
    return "\n".join(head), code


def prose(head):
    """The comment as Markdown: lines that are set in by blanks are equations and tables, and stay as they are."""
    blocks, text = [], []
    for line in head.splitlines() + [""]:
        if line.startswith("  ") and line.strip():
            if text and not text[-1].startswith("    "):
                text.append("")
            text.append("    " + line.strip() if not line.startswith("    ") else line)
        else:
            if text and text[-1].startswith("    ") and line.strip():
                text.append("")
            text.append(line.replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;") if line.strip() else "")
    blocks.append("\n".join(text))
    return "\n\n".join(blocks).strip()


def page_name(header):
    return header[len("trammel/"):].replace("/", "_").removesuffix(".h")


def write_pages(pages):
    """One page for each header and their overview, into the source of the site."""
    listed, group_of = [], None
    for group, header in headers(pages.root):
        head, code = parts((pages.root / "src" / header).read_text())
        first = re.split(r"(?<=[.:])\s", " ".join(head.split()))[0].rstrip(".:")
        pages.write(f"api/{page_name(header)}.md",
                    f"# {header}\n\n{equations.typeset(prose(head))}\n\n    #include <{header}>\n\n```cpp\n{code}\n```\n")
        if group != group_of:
            listed.append(f"\n## {group}\n")
            group_of = group
        listed.append(f"- [`{header}`]({page_name(header)}.md): {first.replace('*', chr(92) + '*').replace('_', chr(92) + '_')}")
    names = "\n".join(page_name(header) for _, header in headers(pages.root))
    pages.write("api/index.md", "# C++ headers that stay\n\nWhat `#include <trammel/trammel.h>` brings; "
                "[how to use them](../embedding.md).\n" + "\n".join(listed) +
                f"\n\n```{{toctree}}\n:hidden:\n:titlesonly:\n\n{names}\n```\n")
