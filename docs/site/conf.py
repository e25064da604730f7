"""How Sphinx makes the site from the pages that tools/build_docs has laid out. Nothing is loaded from a network."""

import html
import re
from pathlib import Path

from docutils import nodes

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent

project = "Trammel"
author = "the Trammel developers"
release = re.search(r"project\(\s*trammel\s+VERSION\s+([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.I).group(1)
copyright = "the Trammel developers, Apache-2.0"

extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
root_doc = "index"
highlight_language = "none"
smartquotes = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_prompt_text = "$ "

html_math_renderer = "katex"
html_theme = "furo"
html_title = f"Trammel {release}"
html_logo = str(SOURCE / "docs" / "pictures" / "emblem.svg")
html_favicon = html_logo
html_static_path = [str(HERE / "static")]
html_css_files = ["katex.min.css", "site.css"]
html_js_files = ["katex.min.js", "site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1b6aa5", "color-brand-content": "#1b6aa5"},
    "dark_css_variables": {"color-brand-primary": "#7fbdf0", "color-brand-content": "#7fbdf0"},
}


def inline_math(visitor, node):
    visitor.body.append(f'<span class="math">{html.escape(node.astext())}</span>')
    raise nodes.SkipNode


def block_math(visitor, node):
    visitor.body.append(f'<div class="math">{html.escape(node.astext())}</div>')
    raise nodes.SkipNode


def add_katex(app, config):
    config.html_static_path.append(str(Path(app.srcdir) / "katex"))


def setup(app):
    app.add_html_math_renderer("katex", (inline_math, None), (block_math, None))
    app.connect("config-inited", add_katex)
