"""Files that version 0.1 wrote, one of each kind of certificate and more: they verify still."""

import json
from pathlib import Path

import pytest

from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.solution_records import verified_certificates

FILES = sorted((Path(__file__).parent / "data_0_1").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_the_first_version_verifies(path):
    (certificate,) = verified_certificates(parse_json(path.read_text("utf-8"), name=path.name))
    assert certificate.kind == json.loads(path.read_text("utf-8"))["kind"]


def test_there_are_files_of_all_kinds_of_the_first_version():
    assert len({json.loads(path.read_text("utf-8"))["kind"] for path in FILES}) == 37
