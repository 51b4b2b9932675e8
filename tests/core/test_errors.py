"""One root for all refusals, and messages that survive a trip to another process."""

import pickle

import pytest

from gametheory_core import errors
from gametheory_core.errors import CertificateRejected, InvalidArgument, NotConverged, not_installed

CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, Exception)
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_has_the_root_and_survives_pickling(kind):
    error = pickle.loads(pickle.dumps(kind("what is wrong")))
    assert isinstance(error, errors.GameTheoryError)
    assert type(error) is kind
    assert str(error) == "what is wrong"


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.InvalidGame, ValueError),
        (errors.InvalidStrategy, ValueError),
        (errors.InvalidArgument, ValueError),
        (errors.UnsupportedGame, ValueError),
        (errors.MalformedFile, ValueError),
        (errors.MissingDependency, ImportError),
    ],
)
def test_errors_are_caught_by_those_who_know_builtin_ones_only(kind, builtin):
    assert issubclass(kind, builtin)


def test_errors_keep_what_they_carry_when_pickled():
    error = pickle.loads(pickle.dumps(errors.MalformedFile("no number", line=3, column=7)))
    assert (error.line, error.column) == (3, 7)
    error = pickle.loads(pickle.dumps(errors.NotConverged("short of it", best=(1, 2))))
    assert error.best == (1, 2)


def test_a_missing_package_comes_with_commands_that_work():
    said = str(not_installed("to_frame", "pandas", extra="frames"))
    assert said.startswith("to_frame: needs pandas. Run: pip install 'gametheory-core[frames]' ")
    assert "pip install -e '.[frames]'" in said


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [(NotConverged, "Give a larger budget."), (CertificateRejected, "Do not use this answer.")],
)
def test_a_kind_with_a_usual_remedy_says_it_where_a_refusal_says_nothing_else(kind, remedy):
    assert str(kind(needs="an end", found="there is none")).endswith(f"there is none. {remedy}")
    assert kind(needs="an end", remedy="").remedy == ""
    assert kind("a whole text").remedy == ""
    assert InvalidArgument(needs="an end").changed(kind).remedy == ""
