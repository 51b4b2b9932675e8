"""The distribution that these packages are of: its version, and whether a package is its own.

Names such as ``solvers`` are anybody's: a file ``solvers.py`` beside a script, or a package that
another distribution installs, is found instead of ours where it stands first on Python's path.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from gametheory_core.errors import MissingDependency

NAME = "gametheory-core"
UNKNOWN = "0+unknown"  # of a copy of the sources that is not installed
HOME = Path(__file__).parents[1]


def package_version() -> str:
    """Return the version that is installed; ``"0+unknown"`` for sources that are not installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (slow)

    try:
        return version(NAME)
    except PackageNotFoundError:
        return UNKNOWN


def require_own(package: str) -> None:
    """Refuse a package that is found under the name of one of ours.

    Raises:
        MissingDependency: Says where it is, and what to do.

    >>> require_own("gametheory_core")
    """
    spec = sys.modules[package].__spec__ if package in sys.modules else find_spec(package)
    found = Path(spec.origin) if spec and spec.origin else None
    if found == HOME / package / "__init__.py":
        return
    what = f"{found} is found in its place" if found else "it is not found"
    raise MissingDependency(
        needs=f"the package {package!r} of {NAME}",
        found=what,
        remedy="Rename that file, or use an environment without that distribution."
        if found
        else f"Install {NAME} again.",
        where=package,
    )
