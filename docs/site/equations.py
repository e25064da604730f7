"""Equations of the pages as LaTeX, for the site; pages keep them as plain text, which reads well in a terminal.

    r = M(q) v' + G^T lambda - f = 0          ->    r = M(q)\\,\\dot{v} + G^{T}\\,\\lambda - f = 0

A block that is set in by four blanks becomes a formula when every part of it can be read as one; otherwise it stays text:
commands, output of programs and matrices drawn with brackets over several lines are left alone. Parts of a line stand apart
by two blanks or more; parts that are words stay words.
"""

import re

GREEK = {name: "\\" + name for name in (
    "alpha beta gamma delta eta theta lambda mu nu xi pi rho sigma tau psi omega kappa zeta chi "
    "Gamma Omega Psi Phi Delta").split()} | {"eps": "\\varepsilon", "phi": "\\varphi", "inf": "\\infty"}
FUNCTIONS = {"sin", "cos", "tan", "exp", "log", "min", "max"}
NAMED = {"atan2", "asinh", "sign", "clamp", "diag", "rank", "skew", "move", "grad", "distance", "sym", "const", "O"}
BIG = {"sum": "\\sum", "int": "\\int", "integral": "\\int"}
RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": "\\le", ">=": "\\ge", "->": "\\to", "<-": "\\leftarrow",
             "=>": "\\Rightarrow", "!=": "\\ne"}
SMALL_WORDS = {"a", "an", "and", "as", "at", "by", "each", "else", "for", "from", "in", "is", "no", "of", "on", "or", "over",
               "so", "the", "then", "to", "two", "until", "where", "while", "with", "subject", "both", "one", "row", "rows"}
TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<number>\d+\.?\d*(?:e[+-]?\d+)?)
  | (?P<name>[A-Za-z][A-Za-z0-9]*)
  | (?P<relation><=|>=|->|<-|=>|!=|=|<|>)
  | (?P<dots>\.\.\.)
  | (?P<other>[-+*/^_'~(){}\[\]|,;:.])
""", re.VERBOSE)
COMMAND = re.compile(r"^\s*(?:\$|#|>>>|\./|trammel\b|cmake\b|pip\b|build/|tests/|docs/|for seed|export |simulation:|note\b|LD_)"
                     r"|\.yaml|--\w|://|\"|`|\\|%|\d+ (?:kg|J|Hz|iterations|velocities)\b|'[a-z]\w+'")


class NoFormula(Exception):
    """What cannot be read as a formula."""


def tokens(text):
    """(kind, text) with blanks kept, since u+ and u + differ."""
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise NoFormula(text[at])
        found.append((match.lastgroup, match.group()))
        at = match.end()
    return found


def is_word(name):
    """A word of English rather than a symbol."""
    if name in GREEK or name in FUNCTIONS or name in NAMED or name in BIG or name == "sqrt":
        return False
    return name in SMALL_WORDS or (len(name) > 3 and name.islower())


def symbol(name):
    """r, k1, dlambda, L2W2, angle"""
    if name in GREEK:
        return GREEK[name]
    if name in NAMED:
        return f"\\operatorname{{{name}}}"
    pairs = re.fullmatch(r"([A-Z]\d)([A-Z]\d)", name)  # L2W2, a product of two numbers
    if pairs:
        return symbol(pairs.group(1)) + symbol(pairs.group(2))
    indexed = re.fullmatch(r"([A-Za-z]+)(\d+)", name)
    if indexed and (len(indexed.group(1)) == 1 or indexed.group(1) in GREEK):
        return f"{symbol(indexed.group(1))}_{{{indexed.group(2)}}}"
    second = re.fullmatch(r"d2(\w+)", name)
    if second:
        return f"\\mathrm{{d}}^2{symbol(second.group(1))}"
    if len(name) > 1 and name[0] == "d" and (len(name) == 2 or name[1:] in GREEK):
        return f"\\mathrm{{d}}{symbol(name[1:])}"
    return name if len(name) == 1 else f"\\mathrm{{{name}}}"


class Reader:
    """Reads one part of a line."""

    def __init__(self, text):
        self.tokens = tokens(text) + [("end", "")]
        self.at = 0
        self.bars = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def blanks(self):
        while self.peek()[0] == "space":
            self.at += 1

    def is_next(self, *texts):
        return self.peek()[1] in texts and self.peek()[0] != "end"

    def whole(self):
        latex = self.terms("")
        if self.peek()[0] != "end":
            raise NoFormula(self.peek()[1])
        return latex

    def terms(self, closing):
        """Everything up to one of the closing signs."""
        parts = []
        while True:
            spaced = self.peek()[0] == "space"
            self.blanks()
            kind, text = self.peek()
            if kind == "end" or text in closing or (text == "|" and "|" in closing):
                return " ".join(parts)
            if kind == "relation":
                self.take()
                parts.append(RELATIONS[text])
            elif text in "+-" and kind == "other":
                self.take()
                parts.append(text)
            elif text in (",", ";", ":"):
                self.take()
                parts.append(text + "\\ ")
            elif kind == "dots":
                self.take()
                parts.append("\\dots")
            elif text == "." and spaced:
                self.take()
                parts.append("\\cdot" if self.peek()[0] == "space" else ".")
            elif text == "." and self.peek(1)[0] in ("end", "space"):
                self.take()
                parts.append(".")
            elif text == "*" and spaced:
                self.take()
                parts.append("\\,")
            elif text == "x" and self.is_cross(parts):
                self.take()
                parts.append("\\times")
            else:
                words = self.words()
                parts.append(words if words else self.quotient(parts))

    def is_cross(self, parts):
        """l x f: between two vectors, with blanks around it. A factor x stands before a sign or at the end."""
        before = parts and parts[-1][-1] in "})'" + "abcdefghijklmnopqrstuvwzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        if not before or parts[-1] in ("\\times", "=") or self.peek(1)[0] != "space":
            return False
        after = self.peek(2)
        return after[0] == "name" and not is_word(after[1]) and after[1] not in BIG

    def words(self):
        """A run of words, or nothing. A single one is a name: lower, radius."""
        start, run = self.at, []
        while self.peek()[0] == "name" and is_word(self.peek()[1]) and self.peek(1)[1] not in ("_", "(", "^"):
            if self.peek()[1] == "a" and not (self.peek(2)[0] == "name" and is_word(self.peek(2)[1])):
                break  # the symbol
            run.append(self.take()[1])
            if self.peek()[0] == "space" and self.peek(1)[0] == "name" and is_word(self.peek(1)[1]):
                self.blanks()
        if not run or (len(run) == 1 and run[0] not in SMALL_WORDS):
            self.at = start
            return ""
        return f"\\ \\text{{{' '.join(run)}}}\\ "

    def quotient(self, parts):
        """A factor, with what divides it."""
        latex = self.factor()
        if parts and parts[-1][-1] not in "=+-( " and not parts[-1].startswith(("\\le", "\\ge", "\\to", "\\cdot", "\\times")):
            parts.append("\\,")
        while True:
            ahead = 1 if self.peek()[0] == "space" else 0
            if self.peek(ahead)[1] != "/":
                return latex
            self.at += ahead + 1
            self.blanks()
            below = self.factor()
            if latex.startswith("\\mathrm{d}^2"):  # d2g/dc_i dc_j
                while self.peek()[0] == "space" and re.match(r"d[a-zA-Z]", self.peek(1)[1]):
                    self.blanks()
                    below += "\\," + self.factor()
            latex = f"\\frac{{{bare(latex)}}}{{{bare(below)}}}"

    def factor(self):
        if self.is_next("-"):
            self.take()
            return "-" + self.factor()
        latex = self.atom()
        dots, sub, sup = 0, "", ""
        while True:
            kind, text = self.peek()
            if text == "'":
                dots += 1
                self.take()
            elif text == "~":
                self.take()
                latex = f"\\tilde{{{latex}}}"
            elif text == "_":
                self.take()
                sub += self.script()
            elif text == "^":
                self.take()
                sup += self.script()
            elif text in ("*", "+", "-") and kind == "other" and (
                    self.peek(1)[0] in ("space", "end") or self.peek(1)[1] in ("'", ")", ",", "/", "]")):
                self.take()
                sup += text
            else:
                break
        if dots == 1:
            latex = f"\\dot{{{latex}}}" if len(latex) < 14 else f"{latex}'"
        elif dots:
            latex = f"\\ddot{{{latex}}}" if dots == 2 else latex + "'" * dots
        if sub and re.search(r"_\{[^{}]*\}$", latex):
            latex = f"{{{latex}}}"
        latex += f"_{{{sub}}}" if sub else ""
        latex += f"^{{{sup}}}" if sup else ""
        if self.is_next("(") and re.match(r"\\?[A-Za-z]", latex):  # of a function
            latex += "\\!" + self.atom()
            if self.is_next("^"):
                self.take()
                latex += f"^{{{self.script()}}}"
        return latex

    def script(self):
        """After _ or ^."""
        kind, text = self.peek()
        if text == "{":
            self.take()
            inside = self.terms("}")
            self.closed("}")
            return inside
        if text == "(":
            return bare(self.atom())
        if text == "-":
            self.take()
            return "-" + self.script()
        if kind in ("number", "name"):
            self.take()
            return GREEK.get(text, text if len(text) == 1 or kind == "number" else f"\\mathrm{{{text}}}")
        if text in ("+", "-", "*"):
            return self.take()[1]
        raise NoFormula(text)

    def atom(self):
        kind, text = self.take()
        if kind == "number":
            return text
        if kind == "name":
            if text in BIG:
                return BIG[text]
            if text == "sqrt" and self.is_next("("):
                return f"\\sqrt{{{bare(self.atom())}}}"
            if text in FUNCTIONS:
                return "\\" + text
            return symbol(text)
        if text in "([" and kind == "other":
            closing = ")" if text == "(" else "]"
            inside = self.terms(closing)
            self.closed(closing)
            return f"\\left{text}{inside}\\right{closing}"
        if text == "|":
            if self.bars:
                raise NoFormula("bars within bars")
            self.bars += 1
            inside = self.terms("|")
            self.closed("|")
            self.bars -= 1
            return f"\\left|{inside}\\right|"
        raise NoFormula(text)

    def closed(self, sign):
        if self.take()[1] != sign:
            raise NoFormula(f"no {sign}")


def bare(latex):
    """Without parentheses around the whole."""
    if latex.startswith("\\left(") and latex.endswith("\\right)"):
        depth = 0
        for match in re.finditer(r"\\left[(\[|]|\\right[)\]|]", latex):
            depth += 1 if match.group().startswith("\\left") else -1
            if depth == 0:
                return latex[6:-7] if match.end() == len(latex) else latex
    return latex


def part(text):
    """One part of a line: words, or a formula."""
    names = [name for kind, name in tokens(text) if kind == "name"]
    words = sum(is_word(name) and name != "a" for name in names)
    if text.endswith(":") or re.match(r"\[[A-Z]\w+\d{4}", text) or (words > 0 and words * 2 >= len(names) and "=" not in text):
        return f"\\text{{{text}}}", False
    if words > 6 and words * 2 > len(names):
        raise NoFormula("a sentence")
    return Reader(text).whole(), "=" in text or "->" in text


def formula(lines):
    """LaTeX of a block, or None when it is none."""
    text = "\n".join(lines)
    if COMMAND.search(text) or re.search(r"^\s*\[ ", text, re.MULTILINE) or any(COMMAND.search(line) for line in lines):
        return None
    rows, equations = [], 0
    try:
        for line in filter(str.strip, lines):
            pieces = [part(piece) for piece in re.split(r"\s{2,}", line.strip())]
            equations += any(relation for _, relation in pieces)
            rows.append("&" + " \\qquad ".join(latex for latex, _ in pieces))
    except NoFormula:
        return None
    if not rows or equations * 2 < len(rows):
        return None
    if len(rows) == 1:
        return rows[0][1:]
    return "\\begin{aligned}\n" + " \\\\[0.4em]\n".join(rows) + "\n\\end{aligned}"


BLOCK = re.compile(r"(?:(?<=\n\n)|\A)(?: {4}[^\n]*(?:\n|\Z)|\n(?= {4}))+")
FENCE = re.compile(r"^([ \t]*)(```+|~~~+).*?^[ \t]*\2[ \t]*$", re.MULTILINE | re.DOTALL)


def typeset(text):
    """A page with its equations as formulas."""
    def replace(match):
        latex = formula([line[4:] for line in match.group().splitlines()])
        return match.group() if latex is None else f"```{{math}}\n{latex}\n```\n"

    done, at = [], 0
    for fence in FENCE.finditer(text):
        done.append(BLOCK.sub(replace, text[at:fence.start()]))
        done.append(fence.group())
        at = fence.end()
    return "".join(done) + BLOCK.sub(replace, text[at:])
