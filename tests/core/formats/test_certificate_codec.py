"""Certificates whose fields may hold one of several records: files say which."""

import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

from gametheory_core import MalformedFile
from gametheory_core.catalog import load
from gametheory_core.certificates.claim import claim
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from gametheory_core.games import TabularPOSG


@dataclass(frozen=True)
class Sharp:
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Blurred:
    actions: tuple[tuple[Fraction, ...], ...]


def certify(game, plan, plans, spare):
    return Claim(game, plan, plans, spare)


@claim("either", measure=certify)
class Claim:
    game: TabularPOSG
    plan: Sharp | Blurred
    plans: tuple[Sharp | Blurred, ...]
    spare: Sharp | Blurred | None = None


SHARP, BLURRED = Sharp((1, 0)), Blurred(((Fraction(1, 3), Fraction(2, 3)), ()))


@pytest.fixture
def known():
    return posg_to_tabular(load("repeated_prisoners_dilemma")).target


def as_file(record):
    return parse_json(json.dumps(record), name="file")


@pytest.mark.parametrize("spare", [None, SHARP, BLURRED])
@pytest.mark.parametrize("plan", [SHARP, BLURRED, Sharp(()), Blurred(())])
def test_either_record_reads_back_as_itself(known, plan, spare):
    told = Claim(known, plan, (BLURRED, plan, SHARP), spare)
    assert certificate_from(as_file(certificate_record(told))) == told


def test_file_names_a_record_that_the_field_cannot_hold(known):
    record = certificate_record(Claim(known, SHARP, ()))
    record["plan"]["type"] = "Vague"
    with pytest.raises(MalformedFile, match="plan.type"):
        certificate_from(as_file(record))


@pytest.mark.parametrize("change", [{"statement": "all is well"}, {"plan": {"odd": 1}}])
def test_keys_that_nobody_reads_are_refused(known, change):
    record = certificate_record(Claim(known, SHARP, ()))
    for key, value in change.items():
        record[key] = {**record[key], **value} if key in record else value
    with pytest.raises(MalformedFile, match="needs no keys but '.*', but found the key '(st|odd)"):
        certificate_from(as_file(record))
