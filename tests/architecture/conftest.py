"""Examples declare solvers, claims and games; what they declare is forgotten after each."""

import pytest

from gametheory_core import extensions
from gametheory_core.certificates import claim
from learners import protocol
from solvers import solver

REGISTRIES = (
    solver._DECLARED,
    claim._DECLARED,
    claim._FORMER,
    extensions._KINDS,
    extensions._BUILDERS,
    extensions._PICTURES,
    protocol.LEARNERS,
    protocol.FINDINGS,
)


@pytest.fixture(scope="session")
def _ours():
    """Load all of ours first, so that none of it is declared inside a test and then forgotten."""
    protocol.load_rooms()
    return solver.declarations(), claim.declarations()


@pytest.fixture(autouse=True)
def _forget_what_examples_declare(_ours):
    kept = [dict(registry) for registry in REGISTRIES]
    yield
    for registry, before in zip(REGISTRIES, kept, strict=True):
        registry.clear()
        registry.update(before)
