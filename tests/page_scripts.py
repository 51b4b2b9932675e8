"""The scripts of pages, run by Node.js without a browser."""

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

NODE = shutil.which("node")


def run_scripts(package: str, names: list[str], script: str, given: object) -> object:
    """Return what an expression gives after the scripts; in it, ``given`` is what is given."""
    if NODE is None:
        pytest.skip("Node.js is not installed")
    sources = [
        (files(package) / "assets" / f"{name}.js").read_text(encoding="utf-8") for name in names
    ]
    told = f"const given = {json.dumps(given)};\nconsole.log(JSON.stringify({script}));"
    ran = subprocess.run(
        [NODE, "-"], input="\n".join([*sources, told]), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
