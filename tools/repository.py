"""What the checks in this folder share: the files of the repository, and how a finding is told."""

import argparse
import subprocess
import sys
from pathlib import Path

CPP_SUFFIXES = {".cpp", ".h"}


def parse_arguments(description, **extra):
    """--root and the tool's own arguments, given as name=help; flags begin with "--"."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the repository (default: the one this tool lies in)")
    for name, text in extra.items():
        parser.add_argument(name, help=text, **({"action": "store_true"} if name.startswith("--") else {}))
    arguments = parser.parse_args()
    arguments.root = arguments.root.resolve()
    return arguments


def files(root, *folders):
    """Tracked and new files (not the ignored ones) below the folders; the whole repository if none is named."""
    try:
        listing = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
            check=True, capture_output=True, text=True).stdout
        found = {root / name for name in listing.split("\0") if name}
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive, without git
        starts = [root / folder for folder in folders] or [root]
        found = {path for start in starts for path in start.rglob("*")
                 if "build" not in path.relative_to(root).parts[:1] and "__pycache__" not in path.parts}
    return sorted(path for path in found if path.is_file())


def cpp_files(root, *folders):
    return [path for path in files(root, *folders) if path.suffix in CPP_SUFFIXES]


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def finish(tool, findings, checked):
    """Prints the findings and ends the program: 1 when there are any."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"{tool}: {len(findings)} finding(s) in {checked}", file=sys.stderr)
        sys.exit(1)
    print(f"{tool}: {checked}, all well")
