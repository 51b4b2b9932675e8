"""Race conditions are found, exactly and by sampling: the toy Cleanup corridor of PettingZoo."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, testing
from gametheory_core.catalog import Cleanup, Corridor, Resolution, clean_in_order, relabel
from gametheory_core.catalog.cleanup import CLEAN, WAIT
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.errors import LawBroken

START = Corridor((0, 1), frozenset({3, 6}), (0, 0))
BOTH = (CLEAN, CLEAN)


def fire(player, corridor, action):
    """One agent's beam, resolved by itself."""
    alone = tuple(action if agent == player else WAIT for agent in range(len(corridor.positions)))
    after = clean_in_order(corridor, alone, (player,))
    cleaned = tuple(map(sum, zip(corridor.cleaned, after.cleaned, strict=True)))
    return replace(after, cleaned=cleaned)


def simulator(game):
    """Draw steps of a POSG."""

    def simulate(state, joint_action, rng):
        law = game.transition(state, joint_action)
        k = rng.choice(len(law), p=[float(weight) for _, weight in law])
        following = law.items[k][0]
        return following, game.reward(state, joint_action, following)

    return simulate


@pytest.mark.parametrize("agents", [2, 3])
def test_fixed_order_is_a_race_with_a_witness(agents):
    race = testing.find_race(Cleanup(Resolution.FIXED, agents), relabel=relabel)
    assert race is not None
    assert race.joint_action.count(CLEAN) >= 2
    assert list(race.expected.values()) == list(race.found.values()) == [1]
    assert race.expected != race.found


def test_witness_of_the_fixed_order_says_both_laws():
    with pytest.raises(
        LawBroken,
        match=r"at state Corridor\(positions=.*\) with actions \('clean', 'clean'\), agents "
        r"renamed \(1, 0\), the law of next state, rewards and end is .* with 1 with agents "
        r"renamed after the step, and .* with 1 with agents renamed before",
    ):
        testing.check_equivariance(Cleanup(Resolution.FIXED), relabel=relabel)


@pytest.mark.parametrize("agents", [2, 3])
@pytest.mark.parametrize("resolution", [Resolution.RANDOM, Resolution.SIMULTANEOUS])
def test_random_order_and_all_at_once_are_no_races(resolution, agents):
    testing.check_equivariance(Cleanup(resolution, agents), relabel=relabel)


def test_tables_race_as_their_rules_do():
    table = posg_to_tabular(Cleanup(Resolution.FIXED)).target
    assert testing.find_race(table, relabel=relabel) is not None
    testing.check_equivariance(posg_to_tabular(Cleanup(Resolution.RANDOM)).target, relabel=relabel)


def test_no_draws_are_refused():
    with pytest.raises(InvalidArgument, match="at least 1 draw, but got 0"):
        testing.check_simulator_equivariance(
            simulator(Cleanup(Resolution.RANDOM)),
            [(START, BOTH)],
            relabel=relabel,
            rng=np.random.default_rng(0),
            draws=0,
        )


def test_one_agent_cannot_race():
    assert testing.find_race(Cleanup(Resolution.FIXED, 1), relabel=relabel) is None


@pytest.mark.parametrize("agents", [2, 3])
def test_beams_are_not_confluent(agents):
    corridor = Corridor(tuple(range(agents)), frozenset({3, 6}), (0,) * agents)
    with pytest.raises(
        LawBroken, match=r"the order \(.*\) leads to Corridor\(.*\), and \(.*\) to Corridor\(.*\)"
    ):
        testing.check_confluence(fire, [(corridor, (CLEAN,) * agents)])
    lonely = [(corridor, acts) for acts in product([CLEAN, WAIT], repeat=agents)]
    testing.check_confluence(fire, [case for case in lonely if case[1].count(CLEAN) < 2])


def test_confluence_looks_at_ends_and_not_on_the_way():
    """Who has moved differs on the way, and not in the end."""
    testing.check_confluence(
        lambda player, done, action: done | {player}, [(frozenset(), (0, 0, 0))]
    )
    with pytest.raises(LawBroken, match=r"\(0, 1\) leads to \(0, 1\), and \(1, 0\) to \(1, 0\)"):
        testing.check_confluence(lambda player, queue, action: (*queue, player), [((), (0, 0))])


def test_sampling_finds_no_difference_where_nothing_is_drawn():
    (test,) = testing.check_simulator_equivariance(
        simulator(Cleanup(Resolution.SIMULTANEOUS)),
        [(START, BOTH)],
        relabel=relabel,
        rng=np.random.default_rng(0),
    )
    assert (test.samples.statistic, test.samples.effect, test.corrected_p_value) == (0, 0, 1)


def test_sampling_finds_the_fixed_order_and_says_how_large_the_effect_is():
    cases = [(START, acts) for acts in product([CLEAN, WAIT], repeat=2)]
    with pytest.raises(
        LawBroken,
        match=r"actions \('clean', 'clean'\).*chi-square 800.0 with 1 degrees of freedom, "
        r"p = .*e-1\d\d corrected for 4 tests, effect size 1.00",
    ):
        testing.check_simulator_equivariance(
            simulator(Cleanup(Resolution.FIXED)),
            cases,
            relabel=relabel,
            rng=np.random.default_rng(0),
        )


def test_sampling_lets_the_random_order_pass_on_many_seeds():
    for seed in range(20):
        (test,) = testing.check_simulator_equivariance(
            simulator(Cleanup(Resolution.RANDOM)),
            [(START, BOTH)],
            relabel=relabel,
            rng=np.random.default_rng(seed),
            draws=100,
        )
        assert test.samples.degrees == 1
        assert 0 < test.corrected_p_value <= 1


@dataclass(frozen=True)
class Crier:
    """In each step one agent is told who cried, by number. Crying pays."""

    title = "crier"
    players = ("a", "b", "c")
    horizon = 2
    discount = 1
    early_bird: bool = False

    def initial(self):
        return point_mass("silence")

    def initial_observation(self, state):
        return point_mass(("hush",) * 3)

    def legal_actions(self, player, observation):
        return (0, 1)

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return point_mass(joint_action)

    def observation(self, joint_action, state):
        first_weight = "1/2" if self.early_bird else "1/3"
        last_weight = "1/6" if self.early_bird else "1/3"
        return distribution(
            {
                tuple(state if agent == who else None for agent in range(3)): weight
                for who, weight in enumerate((first_weight, "1/3", last_weight))
            }
        )

    def reward(self, state, joint_action, next_state):
        return joint_action


def relabel_cries(permutation, cries):
    return cries if cries == "silence" else testing.rename_agents(permutation, cries)


def relabel_told(permutation, told):
    return testing.rename_agents(permutation, told) if isinstance(told, tuple) else told


def test_observations_that_name_agents_are_renamed():
    testing.check_equivariance(Crier(), relabel=relabel_cries, relabel_observation=relabel_told)
    race = testing.find_race(Crier(), relabel=relabel_cries)
    assert race is not None
    assert race.what.startswith("observations on entering")


def test_uneven_observations_are_a_race():
    with pytest.raises(LawBroken, match="the law of observations on entering"):
        testing.check_equivariance(
            Crier(early_bird=True), relabel=relabel_cries, relabel_observation=relabel_told
        )


def test_actions_that_name_agents_are_renamed():
    """Pointing at an agent by number."""

    class Pointing(Crier):
        def legal_actions(self, player, observation):
            return (0, 1, 2)

        def reward(self, state, joint_action, next_state):
            return tuple(joint_action.count(agent) for agent in range(3))

        def observation(self, joint_action, state):
            return point_mass((None,) * 3)

    def relabel_pointing(permutation, pointed):
        if pointed == "silence":
            return pointed
        return testing.rename_agents(permutation, [permutation[a] for a in pointed])

    pointing = Pointing()
    testing.check_equivariance(pointing, relabel=relabel_pointing, relabel_action=lambda p, a: p[a])
    assert testing.find_race(pointing, relabel=relabel_cries) is not None


def test_too_many_states_are_refused():
    with pytest.raises(UnsupportedGame, match=r"at most max_states = 1 .*'crier' has more"):
        testing.check_equivariance(
            Crier(), relabel=relabel_cries, relabel_observation=relabel_told, max_states=1
        )
