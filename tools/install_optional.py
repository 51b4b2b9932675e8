"""Install optional packages: ``python tools/install_optional.py [--build] EXTRA ...``.

Each requirement of the named extras of ``pyproject.toml`` is installed as a wheel. One that has no
wheel for this machine is left out, and one line says which tests are skipped and how to get it;
with ``--build``, it is built from source, which may need a compiler. The exit code is 0 either way.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
IMPORTS = {"open-spiel": "pyspiel", "stable-baselines3": "stable_baselines3"}


def listed(extras: list[str]) -> list[str]:
    """What the extras list, each once."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted({line for extra in extras for line in project["optional-dependencies"][extra]})


def pip_installs(requirements: list[str], *options: str) -> bool:
    """Whether pip could install all of them."""
    command = [*PIP, "--retries", "1", "--constraint", "constraints.txt", *options, *requirements]
    return subprocess.run(command, capture_output=True, check=False, cwd=ROOT).returncode == 0  # noqa: S603


def without_wheel(requirements: list[str]) -> list[str]:
    """Install wheels, halving a list that pip refuses, and return what none is found for."""
    if not requirements or pip_installs(requirements, "--only-binary", ":all:"):
        return []
    if len(requirements) == 1:
        return requirements
    middle = len(requirements) // 2
    return without_wheel(requirements[:middle]) + without_wheel(requirements[middle:])


def files_that_need(package: str) -> int:
    """How many files of tests name a package."""
    name = IMPORTS.get(package, package)
    return sum(
        re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")) is not None
        for path in (ROOT / "tests").rglob("test_*.py")
    )


def main() -> None:
    """Install what can be installed, and say what cannot."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--build", action="store_true", help="build from source where no wheel is")
    parser.add_argument("extras", nargs="+", metavar="EXTRA")
    arguments = parser.parse_args()
    reason, remedy = "no wheel for this machine", "`make peers` builds it with a C++ compiler"
    missing = without_wheel(listed(arguments.extras))
    if arguments.build:
        reason, remedy = "it could not be built", "`pip install` shows why"
        missing = [requirement for requirement in missing if not pip_installs([requirement])]
    for requirement in missing:
        package = re.split(r"[<>=!~ ]", requirement, maxsplit=1)[0]
        sys.stdout.write(
            f"make: {package} is left out ({reason}); tests in {files_that_need(package)} files"
            f" that need it are skipped; {remedy}.\n"
        )


if __name__ == "__main__":
    main()
