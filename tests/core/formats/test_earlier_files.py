"""Files of earlier versions, one of each kind of certificate and more: they verify still."""

import json
from pathlib import Path

import pytest

from gametheory_core.certificates.claim import former_kinds
from gametheory_core.formats import certificate_record, parse_json, verified_certificates

FILES = sorted(Path(__file__).parent.glob("data_*/*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_an_earlier_version_verifies_and_is_written_anew(path):
    (certificate,) = verified_certificates(parse_json(path.read_text("utf-8"), name=path.name))
    kind = json.loads(path.read_text("utf-8"))["kind"]
    assert certificate.kind == kind or kind in former_kinds()
    again = json.dumps(certificate_record(certificate))
    assert verified_certificates(parse_json(again, name="again")) == (certificate,)
