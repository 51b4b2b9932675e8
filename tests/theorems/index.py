"""``python -m tests.theorems.index`` writes docs/theorems.md from the theorem tests.

The head of a test file is a title, paragraphs that explain, and a last one that begins "Why it
matters (topic):". A test is a counterexample if its docstring begins "Twin:" or its name says so
(``_is_twin``).
"""

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import tests.conftest  # noqa: F401 the profiles that theorem tests ask for

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
PAGE = DOCS / "theorems.md"
HEAD = """# Theorems

Each section is one file of tests: what is stated, why it matters, what is checked, and what fails
when a hypothesis is dropped. Statements are checked on generated games, in rational arithmetic
unless the text says otherwise, by solvers and by the definitions written out again; that is
evidence and no proof. The counterexamples are games, and settle what they are about.
Written from the tests by `python -m tests.theorems.index`.
"""
TOPICS = {
    "zero-sum": "Zero-sum games",
    "equilibria": "Nash equilibria of matrix games",
    "dominance": "Dominance",
    "correlation": "Correlation",
    "compact": "Compact games of many players",
    "trees": "Trees and refinements",
    "commitment": "Commitment",
    "markov": "Markov games",
    "models": "Game models and conversions",
    "regret": "Play without regret",
    "counterfactual": "Play without regret in trees",
    "dynamics": "Dynamics",
    "learning": "Learning by playing",
    "populations": "Populations and self-play",
    "followers": "Oracles & Followers",
    "mediation": "Fair leaders",
}
WHY = re.compile(r"Why it matters \(([\w-]+)\): (.*)", re.DOTALL)
OF_SEVERAL = {"auer2002": "auer2002nonstochastic", "farina2020": "farina2020polynomial"}


@dataclass(frozen=True)
class Theorem:
    """What one file of tests says.

    Attributes:
        file: Its name.
        topic: Key of ``TOPICS``.
        title, why: A sentence; a sentence or two.
        paragraphs: What explains it.
        statements: With their sources.
        checks, twins: Tests that it holds, and that it needs its hypotheses, in words.
    """

    file: str
    topic: str
    title: str
    why: str
    paragraphs: tuple[str, ...]
    statements: tuple[tuple[str, str], ...]
    checks: tuple[str, ...]
    twins: tuple[str, ...]


def theorems() -> list[Theorem]:
    """Return what each file says, by topic and then by file."""
    order = list(TOPICS)
    read = [_theorem(file) for file in sorted(HERE.glob("test_*.py"))]
    return sorted(read, key=lambda theorem: (order.index(theorem.topic), theorem.file))


def page() -> str:
    """Return the page."""
    keys = re.findall(r"^@\w+\{(\w+),", (DOCS / "references.bib").read_text("utf-8"), re.MULTILINE)
    found = theorems()
    lines = [HEAD]
    for topic, name in TOPICS.items():
        lines.append(f"## {name}\n")
        for theorem in found:
            lines += _section(theorem, keys) if theorem.topic == topic else ()
    return "\n".join(lines).rstrip() + "\n"


def _theorem(file: Path) -> Theorem:
    spec = importlib.util.spec_from_file_location(f"theorem_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    title, *paragraphs = (_one_line(part) for part in module.__doc__.strip().split("\n\n"))
    why = WHY.fullmatch(paragraphs.pop() if paragraphs else "")
    if why is None or why[1] not in TOPICS:
        raise ValueError(f"{file.name} says last why it matters: (one of {', '.join(TOPICS)})")
    statements: dict[tuple[str, str], None] = {}
    tests: dict[bool, list[str]] = {True: [], False: []}
    for name, function in vars(module).items():
        marks = getattr(function, "pytestmark", []) if name.startswith("test_") else []
        marked = [mark.kwargs for mark in marks if mark.name == "theorem"]
        statements |= dict.fromkeys((mark["statement"], mark["source"]) for mark in marked)
        if marked:
            tests[_is_twin(name, function)].append(_in_words(name, function))
    return Theorem(
        file.name, why[1], title.rstrip("."), why[2], tuple(paragraphs),
        tuple(statements), tuple(tests[False]), tuple(tests[True]),
    )  # fmt: skip


def _one_line(paragraph: str) -> str:
    """Join the lines of a paragraph, but for lists, and make ``code`` of two backticks `code`."""
    joined = re.sub(r"\n(?!- )\s*", " ", paragraph.strip())
    return joined.replace("\n- ", "\n\n- ", 1).replace("``", "`").replace("*" + "_", "\\*_")


def _is_twin(name: str, function: FunctionType) -> bool:
    text = (function.__doc__ or "").lstrip().lower()
    return re.search(
        r"twin|without|unless|need_not|not_enough|cannot|breaks", name
    ) is not None or text.startswith("twin")


def _in_words(name: str, function: FunctionType) -> str:
    words = re.sub(r"^test_|(?<=_)twin_|_twin$|^test_twin_", "", name).replace("_", " ")
    words = re.sub(r"^twin ", "", words)
    text = _one_line((function.__doc__ or "").strip().partition("\n\n")[0])
    text = re.sub(r"^Twin: (.)", lambda found: found[1].upper(), text)
    told = f" *{text}*" if text and "*" not in text else f" {text}" if text else ""
    return f"- {words[:1].upper()}{words[1:]}.{told}"


def _section(theorem: Theorem, keys: list[str]) -> Iterator[str]:
    yield f"### {theorem.title}\n"
    for statement, source in theorem.statements:
        sentence = statement[0].upper() + statement[1:].rstrip(".")
        yield f"> **{sentence}.** ({source.rstrip('.')})\n"
    yield from (f"{paragraph}\n" for paragraph in theorem.paragraphs)
    yield f"**Why it matters.** {theorem.why}\n"
    if theorem.checks:
        yield "**What is checked**\n"
        yield "\n".join(theorem.checks) + "\n"
    if theorem.twins:
        yield "**Counterexamples: what fails without a hypothesis**\n"
        yield "\n".join(theorem.twins) + "\n"
    test = f"[`{theorem.file}`](../tests/theorems/{theorem.file})"
    yield f"Test: {test}. {_reference(theorem, keys)}\n"


def _reference(theorem: Theorem, keys: list[str]) -> str:
    written = re.match(r"test_([a-z]+\d{4})", theorem.file)[1]
    key = OF_SEVERAL.get(written) or next(key for key in keys if key.startswith(written))
    return f"Source: [{key}](references.bib#{key})."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
