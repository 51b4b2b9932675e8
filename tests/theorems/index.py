"""``python -m tests.theorems.index`` writes docs/theorems.md from the theorem tests."""

import importlib.util
from pathlib import Path

import tests.conftest  # noqa: F401 the profiles that theorem tests ask for

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "theorems.md"
HEAD = """# Theorems

Each is a property that tests check on generated games, in rational arithmetic; a test "without ..."
or "unless ..." is a counterexample that shows what a hypothesis is for. Written by
`python -m tests.theorems.index`.
"""


def page() -> str:
    """Return the page: statement and source, then the tests that prove it or show its limits."""
    tests: dict[tuple[str, str], list[str]] = {}
    for file in sorted(HERE.glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(f"theorem_{file.stem}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            for mark in getattr(function, "pytestmark", []) if name.startswith("test_") else []:
                if mark.name == "theorem":
                    key = (mark.kwargs["statement"], mark.kwargs["source"])
                    words = name.removeprefix("test_").replace("_", " ")
                    tests.setdefault(key, []).append(f"- {words} (`{file.name}`)")
    blocks = [
        f"**{statement}** {source}.\n\n" + "\n".join(lines)
        for (statement, source), lines in sorted(tests.items(), key=lambda item: item[0][1])
    ]
    return HEAD + "\n" + "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
