"""The table of solvers in ``docs/choosing-a-solver.md``: ``python -m solvers.table`` writes it."""

from pathlib import Path

from solvers.solver import Declaration, declarations

START, END = "<!-- table of solvers -->", "<!-- end of the table -->"
PAGE = Path("docs/choosing-a-solver.md")


def table_of_solvers() -> str:
    """Return the table in Markdown: what each solver finds, for which games, and its page."""
    listed = sorted(declarations(), key=lambda declared: (declared.page, declared.name))
    head = ("| what it does | games | function | `--concept` | page |", "|---|---|---|---|---|")
    return "\n".join([*head, *map(_row, listed)])


def _row(declared: Declaration) -> str:
    concepts = dict.fromkeys(f"`{answers.concept}`" for answers in declared.answers)
    more = {answers.takes for answers in declared.answers}
    besides = more.pop() if len(more) == 1 else ()
    games = ", ".join(needed.needs for needed in (*declared.takes, *besides))
    page = f"[{declared.page}]({declared.page}.md)" if declared.page else ""
    cells = (declared.summary, games, f"`{declared.name}`", ", ".join(concepts), page)
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the table between its marks."""
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    text = f"{before}{start}\n\n{table_of_solvers()}\n\n{end}{after}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
