"""``python -m learners`` is the command ``gametheory``, and ``--list`` lists the learners."""

import sys
from collections.abc import Sequence

from gametheory_core.commands.verbs import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return run(["list", "learners"] if given == ["--list"] else given, prog="python -m learners")


if __name__ == "__main__":
    sys.exit(main())
