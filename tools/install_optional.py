"""Install optional packages one by one: ``python tools/install_optional.py [--build] EXTRA ...``.

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


def requirements(extras: list[str]) -> list[str]:
    """What the extras list, each once."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted({line for extra in extras for line in project["optional-dependencies"][extra]})


def install(requirement: str, *, build: bool) -> bool:
    """Whether pip could install it."""
    wheels_only = () if build else ("--only-binary", ":all:")
    done = subprocess.run(  # noqa: S603
        [*PIP, "--retries", "1", "--constraint", "constraints.txt", *wheels_only, requirement],
        capture_output=True,
        check=False,
        cwd=ROOT,
    )
    return done.returncode == 0


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
    for requirement in requirements(arguments.extras):
        if install(requirement, build=arguments.build):
            continue
        package = re.split(r"[<>=!~ ]", requirement, maxsplit=1)[0]
        reason, remedy = "no wheel for this machine", "`make peers` builds it with a C++ compiler"
        if arguments.build:
            reason, remedy = "it could not be built", f"see `{PIP[0]} -m pip install {package}`"
        sys.stdout.write(
            f"make: {package} is left out ({reason}); tests in {files_that_need(package)} files"
            f" that need it are skipped; {remedy}.\n"
        )


if __name__ == "__main__":
    main()
