"""``python -m solvers GAME ...`` is the command ``gametheory solve GAME ...``."""

import sys
from functools import partial

from gametheory_core.commands.verbs import run_verb

main = partial(run_verb, "solve", prog="python -m solvers")

if __name__ == "__main__":
    sys.exit(main())
