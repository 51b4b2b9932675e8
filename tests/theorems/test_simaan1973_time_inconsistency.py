"""Simaan and Cruz 1973: a leader who commits anew at each stage may earn less than one who binds.

What a leader promises for later stages moves the follower now; once later stages have come, the
leader would rather do something else. Stage by stage commitment cannot promise. (1) In iterated
games in which play of the stages is deterministic and the same at all times, the commitment that it
amounts to is one of those that a leader of the whole game may choose, so that binding earns at
least as much. (2) In the iterated prisoner's dilemma it earns strictly more: -11 instead of -20 in
ten rounds. The twins: with one round there is nothing to promise and both agree; without memory of
what was played, nothing that is promised can depend on it, and both agree too.

Why it matters (commitment): A leader who may think again at each stage loses what promises are
worth: the two notions of commitment must not be mixed up.
"""

from dataclasses import replace

import pytest

from gametheory_core.catalog import iterated
from gametheory_core.leaders import leader_view
from solvers.leaders import markov_stackelberg
from solvers.markov import stage_stackelberg_induction

theorem = pytest.mark.theorem(
    source="Simaan and Cruz 1973",
    statement="Commitment stage by stage may earn less than commitment to a whole policy.",
)
HALF_SEEN = "iterated_modified_prisoners_dilemma"  # not a Markov game: each sees half the state
SEVERAL = "iterated_public_goods"  # more than one follower
GAMES = [
    getattr(iterated, name)
    for name in sorted(dir(iterated))
    if name.startswith("iterated_") and name not in ("iterated_game", HALF_SEEN, SEVERAL)
]


def both(game):
    """Payoffs of the leader, stage by stage and bound to a policy; and the stages' profile."""
    stages, bound = stage_stackelberg_induction(game), markov_stackelberg(game)
    stages.certificate.verify()
    bound.certificate.verify()
    return stages.payoffs[0], bound.payoffs[0], stages.profile


def is_deterministic_and_constant(profile):
    own = {tuple(lotteries) for row in profile.lotteries for lotteries in row if lotteries}
    return len(own) == 1 and all(max(lottery) == 1 for lottery in next(iter(own)))


@theorem
@pytest.mark.parametrize("build", GAMES)
def test_binding_earns_at_least_as_much(build):
    stages, bound, profile = both(build(rounds=4))
    assert is_deterministic_and_constant(profile)
    assert stages <= bound


@theorem
def test_the_prisoners_dilemma_shows_what_a_promise_is_worth():
    stages, bound, _ = both(iterated.iterated_prisoners_dilemma(rounds=10))
    assert (stages, bound) == (-20, -11)


@theorem
def test_in_one_round_there_is_nothing_to_promise():
    stages, bound, _ = both(iterated.iterated_prisoners_dilemma(rounds=1))
    assert stages == bound == -2


@theorem
def test_without_memory_promises_move_nobody():
    dilemma = iterated.iterated_prisoners_dilemma(rounds=10)
    stages, bound, _ = both(leader_view(replace(dilemma, recall=0)))
    assert stages == bound == -20
