"""Terry et al. 2021, agents that are born and die: every conversion keeps who is there.

A player who is away sees ``AWAY``, so its information states say so, and every conversion keeps
them. On drawn games whose players join late and leave early: plays, returns and best responses are
kept by the way to turns, back to steps, to trees, tables and files, exactly; and what is converted
obeys the same laws: who is away idles, is paid nothing, and does not come back. Twins: with the
blank of those who wait for their turn instead, steps cannot be made of turns; and where turns do
not keep who is there, one is paid who has left.

Why it matters (models): Environments whose agents are born and die keep their meaning in every form
in which the library holds them.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import UnsupportedGame
from gametheory_core.conversions import (
    aec_to_extensive,
    aec_to_posg,
    aec_to_tabular,
    label_by_text,
    posg_to_aec,
    posg_to_aec_factored,
    posg_to_extensive,
    posg_to_tabular,
)
from gametheory_core.distributions import push_forward
from gametheory_core.errors import LawBroken
from gametheory_core.games import AWAY, IDLE, is_rules_of_posg
from gametheory_core.games.presence import late_players
from gametheory_core.testing import (
    aecs_with_absences,
    check_aec,
    check_conversion,
    check_posg,
    posgs_with_absences,
)
from tests.laws.test_presence_laws import aec, posg
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, section on agents that are born and die, made exact",
    statement="Conversions of games whose players come and go keep plays, values, best responses "
    "and who is there.",
)
STEPS = posgs_with_absences(num_players=(1, 2), horizons=(1, 2))
TURNS = aecs_with_absences(num_players=(1, 2), horizons=(3, 4))
SEEDS = st.integers(0, 2**16)


def seeded(seed=0):
    return np.random.default_rng(seed)


def obeys(game):
    check = check_posg if is_rules_of_posg(game) else partial(check_aec, moves=3)
    check(game, rng=seeded(), num_profiles=1)


@theorem
@examples(15)
@given(STEPS, SEEDS)
def test_turns_trees_and_tables_of_steps_are_the_game(game, seed):
    for convert in (posg_to_aec, posg_to_extensive, posg_to_tabular):
        check_conversion(convert(game), rng=seeded(seed), num_profiles=1)


@theorem
@examples(6)
@given(TURNS, SEEDS)
def test_steps_trees_and_tables_of_turns_are_the_game(game, seed):
    for convert in (aec_to_posg, aec_to_extensive, aec_to_tabular):
        check_conversion(convert(game), rng=seeded(seed), num_profiles=1)


@theorem
@examples(15)
@given(STEPS)
def test_who_is_there_is_the_same_in_turns_and_back_in_steps(game):
    turns = posg_to_aec(game).target
    steps = aec_to_posg(turns).target
    for made in (turns, steps):
        obeys(made)
        assert late_players(made) == late_players(game)


@theorem
@examples(15)
@given(aecs_with_absences(num_players=(2, 2), horizons=(3, 5)))  # one alone leaves an empty step
def test_steps_made_of_turns_obey_the_laws_of_absence(game):
    obeys(game)
    obeys(aec_to_posg(game).target)


@theorem
@examples(10)
@given(
    posgs_with_absences(num_players=(1, 2), horizons=(1, 2), factored=True, max_observations=2),
    SEEDS,
)
def test_smaller_turns_of_independent_players_are_the_game(game, seed):
    check_conversion(posg_to_aec_factored(game), rng=seeded(seed), num_profiles=1)


@theorem
@examples(10)
@given(STEPS, TURNS)
def test_files_keep_who_is_there(tmp_path_factory, steps, turns):
    path = tmp_path_factory.mktemp("files") / "game.json"
    for table in (posg_to_tabular(steps).target, aec_to_tabular(turns).target):
        plain = label_by_text(table).target
        gt.write_game(plain, path)
        read = gt.read_game(path)
        assert read == plain
        assert late_players(read) == late_players(table)


@dataclass(frozen=True)
class Idling:
    """An AEC game that shows those who are away what waiting players see."""

    game: object

    def __getattr__(self, name):
        return getattr(self.game, name)

    def observation(self, player, state):
        law = self.game.observation(player, state)
        return push_forward(law, lambda seen: IDLE if seen is AWAY else seen)

    def legal_actions(self, player, observation):
        return self.game.legal_actions(player, AWAY if observation is IDLE else observation)


@theorem
def test_without_a_blank_of_its_own_being_away_is_taken_for_waiting():
    assert aec_to_posg(aec()).target
    with pytest.raises(UnsupportedGame, match="observations other than IDLE"):
        aec_to_posg(Idling(aec()))


@theorem
def test_unless_it_is_paid_in_the_step_that_leads_away_a_player_is_paid_when_it_has_left():
    paid_on_leaving, paid_after = posg(rewards={1: (2, 0)}), posg(rewards={2: (2, 0)})
    obeys(posg_to_aec(paid_on_leaving).target)
    with pytest.raises(LawBroken, match="'Ann' has left and is paid 2"):
        obeys(posg_to_aec(paid_after).target)
