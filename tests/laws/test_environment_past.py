"""Chance that looks back is found, and secrets where no history comes twice; right ones pass."""

import math
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pettingzoo")

from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv

from gametheory_core.distributions import point_mass, uniform
from gametheory_core.distributions import product as joint
from gametheory_core.errors import LawBroken
from gametheory_core.testing import EnvironmentLaw, environments
from gametheory_core.testing.environment_evidence import Draws, Evidence, coincidence
from gametheory_core.testing.environment_thoughts import begun, remembered
from tests.laws.seeded_check import check_environment

ROUNDS = 12
SIGNALS = 3


@dataclass(frozen=True)
class Signals:
    """In each round both get a signal of three, drawn anew, and guess the other's."""

    horizon: int = ROUNDS
    title = "signals"
    players = ("left", "right")
    discount = Fraction(1)

    def drawn(self, number):
        return joint([point_mass(number), uniform(range(SIGNALS)), uniform(range(SIGNALS))])

    def initial(self):
        return self.drawn(0)

    def transition(self, state, joint_action):
        return self.drawn(state[0] + 1)

    def initial_observation(self, state):
        return point_mass(((state[0], state[1]), (state[0], state[2])))

    def observation(self, joint_action, state):
        return self.initial_observation(state)

    def legal_actions(self, player, observation):
        return tuple(range(SIGNALS))

    def is_terminal(self, state):
        return False

    def reward(self, state, joint_action, next_state):
        return tuple(int(joint_action[k] == state[2 - k]) for k in (0, 1))


class Bug(Enum):
    COPIES_SIGNAL = auto()  # a signal is what the other saw two rounds before, one time in two
    COPIES_ACTION = auto()  # a signal is the other's last guess
    REPEATS_FIRST = auto()  # a signal is the other's first one
    ALTERNATES = auto()  # a signal is never what it was before
    AVOIDS_EPISODE = auto()  # unless seeded, a signal is seldom what it was there an episode before
    TELLS_LATE = auto()  # in the last two rounds the other's signal is shown
    TELLS_LAST_ACTION = auto()  # the other's last guess is shown
    TELLS_NEXT = auto()  # the next signal is shown


class SignalsEnv(ParallelEnv):
    """Shows the round, the own signal, all own guesses so far in one number, and room for a bug."""

    metadata = {"name": "signals_v0"}  # noqa: RUF012

    def __init__(self, bug=None, rounds=ROUNDS):
        self.bug, self.rounds = bug, rounds
        self.possible_agents = ["left", "right"]
        self.spaces = {
            agent: Box(-1, 3.0**ROUNDS, (4,), np.float64) for agent in self.possible_agents
        }
        self.past = []
        self.choices = {agent: Discrete(SIGNALS) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.spaces[agent]

    def action_space(self, agent):
        return self.choices[agent]

    def draw(self, guesses):
        own = self.following if self.bug is Bug.TELLS_NEXT and self.round else None
        self.following = self.rng.integers(SIGNALS, size=2).tolist()
        signals = own or self.rng.integers(SIGNALS, size=2).tolist()
        if self.bug is Bug.COPIES_SIGNAL and len(self.past) > 1 and self.rng.random() < 0.5:
            signals[0] = self.past[-2][1]
        if self.bug is Bug.COPIES_ACTION and guesses:
            signals[0] = guesses[1]
        if self.bug is Bug.REPEATS_FIRST and self.past and self.rng.random() < 0.5:
            signals[0] = self.past[0][1]
        if self.bug is Bug.ALTERNATES and self.past:
            signals[0] = (self.past[-1][0] + 1 + int(self.rng.integers(2))) % SIGNALS
        if self.bug is Bug.AVOIDS_EPISODE and len(self.past) < len(self.before):
            before = self.before[len(self.past)][0]
            if signals[0] == before and self.rng.random() < 0.6:
                signals[0] = (before + 1 + int(self.rng.integers(2))) % SIGNALS
        self.past.append(signals)

    def seen(self, guesses):
        found = {}
        for me, agent in enumerate(self.possible_agents):
            extra = -1
            if self.bug is Bug.TELLS_LATE and self.round >= self.rounds - 2:
                extra = self.past[-1][1 - me]
            if self.bug is Bug.TELLS_LAST_ACTION and guesses:
                extra = guesses[1 - me]
            if self.bug is Bug.TELLS_NEXT:
                extra = self.following[me]
            array = np.array([self.round, self.past[-1][me], self.guessed[me], extra], np.float64)
            found[agent] = array
        return found

    def reset(self, seed=None, options=None):
        if seed is not None or not hasattr(self, "rng"):
            self.rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.before = self.past if seed is None else []
        self.round, self.past, self.guessed = 0, [], [0, 0]
        self.draw(())
        return self.seen(()), {agent: {} for agent in self.agents}

    def step(self, actions):
        guesses = [int(actions[agent]) for agent in self.possible_agents]
        paid = {
            agent: float(guesses[me] == self.past[-1][1 - me])
            for me, agent in enumerate(self.possible_agents)
        }
        self.guessed = [3 * old + new for old, new in zip(self.guessed, guesses, strict=True)]
        self.round += 1
        self.draw(guesses)
        over = self.round == self.rounds
        results = (
            self.seen(guesses),
            paid,
            dict.fromkeys(self.agents, False),
            dict.fromkeys(self.agents, over),
            {agent: {} for agent in self.agents},
        )
        if over:
            self.agents = []
        return results


def read(agent, observation):
    return int(observation[0]), int(observation[1])


BREAKS = {
    Bug.COPIES_SIGNAL: EnvironmentLaw.INDEPENDENCE,
    Bug.COPIES_ACTION: EnvironmentLaw.INDEPENDENCE,
    Bug.REPEATS_FIRST: EnvironmentLaw.INDEPENDENCE,
    Bug.ALTERNATES: EnvironmentLaw.INDEPENDENCE,
    Bug.AVOIDS_EPISODE: EnvironmentLaw.INDEPENDENCE,
    Bug.TELLS_LATE: EnvironmentLaw.SECRETS,
    Bug.TELLS_LAST_ACTION: EnvironmentLaw.SECRETS,
    Bug.TELLS_NEXT: EnvironmentLaw.SECRETS,
}


def check(bug=None, rounds=ROUNDS, **options):
    return check_environment(
        lambda: SignalsEnv(bug, rounds),
        Signals(rounds),
        read_observation=read,
        replays=3,
        **options,
    )


@pytest.mark.parametrize("bug", BREAKS, ids=lambda bug: bug.name)
def test_what_looks_back_or_tells_is_found(bug):
    with pytest.raises(LawBroken, match=BREAKS[bug].value):
        check(bug, episodes=250)


def test_what_shows_own_past_beyond_the_label_is_right():
    report = check(episodes=150)
    assert report.dependences_tested > 1000
    assert report.secrets_tested > 100
    assert report.compared < report.information_states  # histories hardly come twice


def test_right_environments_fail_no_more_often_than_the_level(monkeypatch):
    """At a level of 1/2, 20 fresh batches hardly fail 16 times, whatever the number of pairs."""
    monkeypatch.setattr(environments, "PAIRS", 8)
    failed = 0
    for batch in range(20):
        try:
            check(rounds=3, episodes=40, first_seed=40 * batch, seed=batch, level=0.5)
        except LawBroken:
            failed += 1
    assert failed < 16


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)), min_size=1, max_size=6))
def test_evidence_is_one_on_average_however_probabilities_follow_from_the_past(choices):
    """Each draw has one of two probabilities, by the draw before."""
    total = 0.0
    for hits in product((False, True), repeat=len(choices)):
        draws, weight, before = Draws(0, ""), 1.0, False
        for hit, pair in zip(hits, choices, strict=True):
            p = pair[before]
            draws.add(p, hit=hit)
            weight *= p if hit else 1 - p
            before = hit
        total += weight * math.exp(draws.log_evidence)
    assert total == pytest.approx(1, rel=1e-9)


@given(st.lists(st.floats(-60, 0), max_size=6))
def test_coincidences_are_one_on_average(log_chances):
    total = 0.0
    for agree in product((False, True), repeat=len(log_chances)):
        weight = math.prod(
            math.exp(x) if hit else -math.expm1(x)
            for x, hit in zip(log_chances, agree, strict=True)
        )
        if weight:
            total += weight * math.exp(coincidence(zip(log_chances, agree, strict=True)))
    assert total == pytest.approx(1, rel=1e-6)


def test_players_are_remembered_by_first_and_last_label_and_last_action():
    one, both, last = ((1,), ("a",)), ((0, 1), ("b", "c")), ((0,), ("d",))
    memory = remembered(begun(one), one, ("x",), both)
    assert memory == ((0, "b", "b", None), (1, "a", "c", "x"))
    memory = remembered(memory, both, ("y", "z"), last)
    assert memory == ((0, "b", "d", "y"), (1, "a", "c", "z"))


def test_groups_met_later_need_more_evidence():
    evidence = Evidence()
    for group in range(50):
        for draw in range(30):
            evidence.add(group, 0.5, "", hit=group in {20, 40} or bool(draw % 2))
    assert evidence.strongest(1e-3)[0] == 20
    assert evidence.strongest(1e-6) is None
    evidence.add("sure", 1.0, "", hit=False)
    assert "sure" not in evidence.groups
