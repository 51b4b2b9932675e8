"""The explicit rules of the grid: laws, placing, and what does not fit.

Moves and collections are tested beside the simulator, in ``tests/learners/mediation``.
"""

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.games import stop_posg
from gametheory_core.mediation import ResourceGridRules
from gametheory_core.mediation.catalog import COLLECT, WAIT
from gametheory_core.testing import check_posg


def test_placing_is_lawful():
    rules = stop_posg(ResourceGridRules(size=3, has_both_colors=False), steps=1)
    check_posg(rules, rng=np.random.default_rng(0))


def test_explicit_rules_place_one_thing_a_step_then_ask_the_mediator():
    rules = ResourceGridRules(size=3)
    state = rules.initial().items[0][0]
    sizes = []
    while not rules.is_placed(state):
        law = rules.transition(state, (WAIT,) * 3)
        sizes.append(len(law))
        assert len({weight for _, weight in law}) == 1
        state = law.items[0][0]
    assert sizes == [36, 32, 7, 6, 5]
    assert rules.legal_actions(2, state) == ("Player 1", "Player 2")
    assert rules.legal_actions(0, state) == (WAIT,)
    led = rules.transition(state, (WAIT, WAIT, "Player 2")).items[0][0]
    assert led.leader == 1
    assert COLLECT in rules.legal_actions(1, led)
    assert COLLECT not in rules.legal_actions(0, led)
    assert rules.legal_actions(2, led) == (WAIT,)


def test_rules_that_do_not_fit_are_refused():
    with pytest.raises(InvalidArgument, match="ResourceGridRules"):
        ResourceGridRules(num_agents=16, size=4)
