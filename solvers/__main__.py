"""``python -m solvers``: see ``solvers.command_line``, which is imported when it is run."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; one line tells of interrupted imports."""
    try:
        from solvers.command_line import main as run  # noqa: PLC0415 loads every solver
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
