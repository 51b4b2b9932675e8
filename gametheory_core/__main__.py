"""``python -m gametheory_core`` is the command ``gametheory``: see ``commands.verbs``."""

import sys
from functools import partial

from gametheory_core.commands.verbs import run

main = partial(run, prog="python -m gametheory_core")

if __name__ == "__main__":
    sys.exit(main())
