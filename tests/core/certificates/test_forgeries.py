"""Forgeries of every kind of certificate are rejected: what is forged follows from declarations."""

import copy
import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from gametheory_core import (
    CertificateRejected,
    MalformedFile,
    MixedProfile,
    NormalFormGame,
    certify_nash,
)
from gametheory_core.arrays import exact_array
from gametheory_core.certificates.claim import SEATS, declaration, declarations, former_kinds
from gametheory_core.formats import Checked, certificate_from, certificate_record
from gametheory_core.testing import forged_claims, forged_givens, forged_records, forged_types

FILES = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "formats").glob("data_*/*.json"))
}
MOST = 60  # forgeries of one certificate, spread over all


def read(record):
    return certificate_from(Checked(record, "", "file"))


def spread(forgeries, count=MOST):
    """Pick forgeries evenly, the same ones each time."""
    everything = list(forgeries)
    return list(islice(everything, 0, None, max(1, len(everything) // count)))


@pytest.fixture(params=FILES)
def certificate(request):
    return read(FILES[request.param])


def is_in_a_room(certificate):
    """Whether it is ours, and not of a docstring's example."""
    module = sys.modules[certificate.__module__]
    is_ours = module.__name__.startswith("gametheory_core.")
    return is_ours and getattr(module, certificate.__name__, None) is certificate


def test_there_is_a_sample_of_every_kind():
    """A new kind needs a file in tests/core/formats/data_later; a former one keeps its file."""
    ours = {kind for kind, declared in declarations().items() if is_in_a_room(declared.certificate)}
    assert {*ours, *former_kinds()} - {record["kind"] for record in FILES.values()} == set()


def test_players_who_do_not_play_are_rejected(certificate):
    for name in SEATS & set(declaration(certificate).given):
        for number in (-1, len(certificate.game.players)):
            with pytest.raises(CertificateRejected, match=rf"needs a {name} from 0 to \d"):
                replace(certificate, **{name: number}).verify()


def test_changed_claims_are_rejected(certificate):
    certificate.verify()
    for where, forged in spread(forged_claims(certificate)):
        with pytest.raises(CertificateRejected, match=r"\w"):
            assert forged.verify(), where


def test_values_of_other_types_are_rejected_by_name(certificate):
    for where, forged in spread(forged_types(certificate)):
        path = re.escape(where.partition(" as ")[0])
        with pytest.raises(CertificateRejected, match=f" as {path}, but it "):
            assert forged.verify(), where


def test_changed_inputs_are_rejected_or_prove_the_same(certificate):
    """Else it would be the crash of a check that trusts what it is given."""
    rejected = 0
    forgeries = spread(forged_givens(certificate))
    for _, forged in forgeries:
        try:
            forged.verify()
            assert forged.statement
        except CertificateRejected:
            rejected += 1
    assert rejected or not forgeries


def test_profiles_with_less_than_a_hair_are_forged_too():
    game = NormalFormGame.from_payoffs([[1, 1]])
    rare = Fraction(1, 10**60)
    profile = MixedProfile((exact_array([rare, 1 - rare]),))
    forged = [proof.profile for _, proof in forged_givens(certify_nash(game, profile))]
    assert len(forged) == 4
    assert profile not in forged


@pytest.mark.parametrize("name", FILES)
def test_changed_files_are_refused_or_true(name):
    for _, record in spread(forged_records(copy.deepcopy(FILES[name])), 120):
        try:
            forged = read(record)
            forged.verify()
        except (MalformedFile, CertificateRejected):
            continue
        read(json.loads(json.dumps(certificate_record(forged)))).verify()
