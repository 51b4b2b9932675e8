"""Count the files and named functions of our packages that a call enters.

``python -m tools.hops`` prints both for a few calls that users make; with ``--list``, their names.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from gametheory_core import NormalFormGame
from solvers import lemke_howson, minimax

ROOT = Path(__file__).parents[1]
PACKAGES = tuple(str(ROOT / package) for package in ("gametheory_core", "solvers", "learners"))


def hops(call: Callable[[], object]) -> set[tuple[str, str]]:
    """Return the (file, function) pairs entered by a call, but for comprehensions and lambdas."""
    entered: set[tuple[str, str]] = set()

    def note(frame: object, event: str, _: object) -> None:
        code = frame.f_code  # type: ignore[attr-defined]
        if event == "call" and code.co_filename.startswith(PACKAGES):
            name = code.co_qualname
            if not name.endswith(">"):
                entered.add((str(Path(code.co_filename).relative_to(ROOT)), name))

    call()  # so that imports and first looks are over
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def main() -> None:
    """Print a line a call."""
    rock = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    pays = [[(i * j + 2 * i + j) % 7 for j in range(5)] for i in range(5)]
    back = [[(3 * i * j + i + 4 * j) % 7 for j in range(5)] for i in range(5)]
    small, general = NormalFormGame.zero_sum(rock), NormalFormGame.bimatrix(pays, back)
    calls = {
        "minimax, 3 x 3": lambda: minimax(NormalFormGame.zero_sum(rock)),
        "minimax, 3 x 3, game at hand": lambda: minimax(small),
        "lemke_howson, 5 x 5, game at hand": lambda: lemke_howson(general),
    }
    for title, call in calls.items():
        entered = hops(call)
        print(f"{title}: {len({file for file, _ in entered})} files, {len(entered)} functions")
        if "--list" in sys.argv:
            for file, function in sorted(entered):
                print(f"    {file}: {function}")


if __name__ == "__main__":
    main()
