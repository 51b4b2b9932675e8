"""What is changed past a constructor, or in what a record remembers, does not verify.

Python lets whoever insists change anything; these are the ways that need no insisting.
"""

import json
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.arrays import ScaledIntegers
from gametheory_core.catalog import load
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.formats import Checked, certificate_from
from gametheory_core.games.extensive_form import ExtensiveFormGame

PENNIES = [[1, -1], [-1, 1]]
OFF = (Fraction(3, 4), Fraction(1, 4))


def arrays_in(value, way):
    """Find the arrays in nested tuples and records, by the way to them."""
    if isinstance(value, np.ndarray):
        return {way: value}
    entries = enumerate(value) if isinstance(value, tuple) else ()
    if is_dataclass(value):
        entries = [(f.name, getattr(value, f.name)) for f in fields(value)]
    return {w: a for k, entry in entries for w, a in arrays_in(entry, f"{way}[{k}]").items()}


def arrays_of(record):
    """Return all arrays that a record hands out, and those that it holds."""
    names = [name for name in dir(type(record)) if not name.startswith("_")]
    handed = {name: getattr(record, name) for name in names}
    held = {**vars(record), **handed}
    return {w: a for name, value in held.items() for w, a in arrays_in(value, name).items()}


RECORDS = {
    "exact matrix": lambda: gt.NormalFormGame.zero_sum(PENNIES),
    "float matrix": lambda: gt.NormalFormGame.zero_sum(np.array(PENNIES, dtype=float)),
    "tree": lambda: load("kuhn_poker"),
    "exact mixed profile": lambda: gt.uniform_profile(load("matching_pennies")),
    "float mixed profile": lambda: gt.uniform_profile(load("matching_pennies")).to_float(),
    "behavioral profile": lambda: gt.uniform_behavior(load("kuhn_poker")),
    "Bayesian game": lambda: load("house_patrol"),
    "security game": lambda: load("guarded_targets"),
    "table": lambda: posg_to_tabular(load("iterated_prisoners_dilemma:rounds=2")).target,
}


@pytest.mark.parametrize("name", RECORDS)
def test_arrays_handed_out_cannot_be_made_writable(name):
    found = arrays_of(RECORDS[name]())
    assert found
    for way, array in found.items():
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array
        assert not array.flags.writeable, way


def test_arrays_given_stay_the_callers():
    given = np.array(PENNIES, dtype=float)
    game = gt.NormalFormGame.zero_sum(given)
    given[0, 0] = 7
    assert game.given_payoffs[0, 0, 0] == 1


def nash():
    game = gt.NormalFormGame.zero_sum(PENNIES)
    return gt.certify_nash(game, gt.uniform_profile(game))


def rejected(certificate):
    with pytest.raises(gt.CertificateRejected, match="nash certificate: "):
        certificate.verify()


@pytest.mark.parametrize(
    "strategies", [(OFF, OFF), ((2, -1), (Fraction(1, 2), Fraction(1, 2))), ((), ()), None]
)
def test_a_profile_changed_past_its_constructor_is_rejected(strategies):
    certificate = nash()
    certificate.verify()
    changed = None if strategies is None else tuple(np.array(s, dtype=object) for s in strategies)
    object.__setattr__(certificate.profile, "strategies", changed)
    rejected(certificate)


@pytest.mark.parametrize("factor", [2, -1])
def test_payoffs_changed_past_the_constructor_are_measured(factor):
    certificate = gt.certify_nash(
        gt.NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]]),
        gt.MixedProfile(([Fraction(1), Fraction(0)],) * 2),
    )
    certificate.verify()
    object.__setattr__(certificate.game, "given_payoffs", certificate.game.given_payoffs * factor)
    rejected(certificate)


@pytest.mark.parametrize("name", ["exact_payoffs", "scaled_payoffs", "scaled_floats", "payoffs"])
def test_what_a_matrix_remembers_is_not_believed(name):
    """The certificate is made from the false memory, and says what is false."""
    game, zeros = gt.NormalFormGame.zero_sum(PENNIES), gt.NormalFormGame.zero_sum([[0, 0], [0, 0]])
    game.__dict__[name] = getattr(zeros, name)
    certificate = gt.certify_nash(game, gt.MixedProfile((OFF, OFF)))
    if certificate.epsilon:  # it did not look there
        certificate.verify()
    else:
        rejected(certificate)


def test_some_memory_of_a_matrix_would_mislead_if_it_was_believed():
    game, zeros = gt.NormalFormGame.zero_sum(PENNIES), gt.NormalFormGame.zero_sum([[0, 0], [0, 0]])
    for name in ("exact_payoffs", "scaled_payoffs", "scaled_floats", "payoffs"):
        game.__dict__[name] = getattr(zeros, name)
    certificate = gt.certify_nash(game, gt.MixedProfile((OFF, OFF)))
    assert certificate.epsilon == 0
    rejected(certificate)


def test_a_tree_changed_past_its_constructor_is_measured():
    def offer(*, pay):
        ends = {a: gt.Terminal([pay if a == "take" else 0]) for a in ("take", "leave")}
        return gt.from_sketch(gt.Decision(0, "", ends), players=("A",))

    game = offer(pay=0)
    certificate = gt.certify_nash(game, gt.uniform_behavior(game))
    certificate.verify()
    object.__setattr__(game, "outcomes", offer(pay=1).outcomes)
    rejected(certificate)


def test_what_a_tree_remembers_is_not_believed():
    certificate = gt.certify_nash(load("kuhn_poker"), gt.uniform_behavior(load("kuhn_poker")))
    names = [n for n, v in vars(ExtensiveFormGame).items() if type(v).__name__ == "cached_property"]
    assert names
    for name in names:
        certificate.game.__dict__[name] = None
    certificate.verify()


def test_what_a_kernel_inside_a_table_remembers_is_not_believed():
    """The certificate is true; with weights of half the size it would be rejected."""
    path = Path(__file__).parents[1] / "formats/data_0_1/markov-perfect.json"
    record = json.loads(path.read_text("utf-8"))
    certificate = certificate_from(Checked(record, "", "file"))
    inside = certificate.game.transition_kernel
    scaled = inside.scaled
    halved = ScaledIntegers(scaled.numerators, 2 * scaled.denominator)
    for memory in (halved, None):
        inside.__dict__["scaled"] = memory
        certificate.verify()


KEPT = Path(__file__).parents[1] / "formats"
JUNK = (None, 0, -1, 7, 0.5, Fraction(1, 3), True, "z", (), (0,), float("nan"))


def records_in(value, seen):
    """Find the records of the library inside another one, by fields and by what they remember."""
    if id(value) in seen or isinstance(value, Enum):  # a member is everybody's
        return
    seen.add(id(value))
    if isinstance(value, tuple | list):
        for entry in value:
            yield from records_in(entry, seen)
    elif type(value).__module__.startswith("gametheory_core") and hasattr(value, "__dict__"):
        yield value
        for entry in list(vars(value).values()):
            yield from records_in(entry, seen)


@pytest.mark.parametrize("path", sorted(KEPT.glob("data*/*.json")), ids=lambda path: path.stem)
def test_junk_inside_a_certificate_breaks_nothing(path):
    """It is rejected, or says something else that holds; the error is always the library's."""
    rng = np.random.default_rng(sum(path.stem.encode()))
    record = json.loads(path.read_text())
    for _ in range(25):
        certificate = certificate_from(Checked(record, "", path.name))
        changed = [own for own in records_in(certificate, set()) if vars(own)]
        own = changed[int(rng.integers(len(changed)))]
        name = sorted(vars(own))[int(rng.integers(len(vars(own))))]
        object.__setattr__(own, name, JUNK[int(rng.integers(len(JUNK)))])
        with suppress(gt.CertificateRejected):
            certificate.verify()
