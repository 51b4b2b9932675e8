"""The code of the documentation passes a checker of types, as users write it: in basic mode."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.test_documentation import ROOT, blocks

ABSENT = "reportMissingImports"  # a library that is not installed here


def test_code_of_the_documentation_passes_pyright(tmp_path):
    """One file for each block; blocks about a library that is not installed are left out."""
    pytest.importorskip("pyright")
    for name, code in blocks("python"):
        (tmp_path / f"{name.replace('/', '_').replace('.', '_')}.py").write_text(code)
    settings = {
        "typeCheckingMode": "basic",
        "pythonVersion": "3.11",
        "extraPaths": [str(ROOT)],
        "include": ["."],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(blocks("python"))
    errors = [own for own in report["generalDiagnostics"] if own["severity"] == "error"]
    left_out = {own["file"] for own in errors if own.get("rule") == ABSENT}
    assert len(left_out) < len(blocks("python")) / 10
    found = [
        f"{Path(own['file']).name}, line {own['range']['start']['line'] + 1}: {own['message']}"
        for own in errors
        if own["file"] not in left_out
    ]
    assert not found, "\n".join(found)
