"""Gerstgrasser and Parkes 2023, definition 2 with several followers: an equilibrium among them.

A leader's commitment leaves his followers a game, and the oracle says what they play in it. They
play an equilibrium if and only if none of them regrets hers, the leader and the others being as
they are, which is what learned followers are judged by. Where followers do not meet - none is paid
for what another does, nor has a say in where play goes - that splits: each regrets exactly what she
would if she were alone with the leader, and learners who take turns respond as they do alone.

Why it matters (followers): Several followers need no new notion of response; what is new is that
what one learns depends on what the others have learned.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.conversions import normal_to_posg
from gametheory_core.leaders import (
    StationaryFollower,
    followers_view,
    leader_policies,
    leader_returns,
    leader_view,
)
from gametheory_core.leaders.several_followers import met_follower
from learners.leaders import (
    ContextualQOptions,
    LearnedCommitment,
    MetaStackelberg,
    judge_commitment,
    judge_followers,
)
from tests.core.leaders.shared_games import (
    ACTIONS,
    STATES,
    drawn_followers,
    drawn_leader,
    random_tables,
    to_game,
    to_pair,
)
from tests.sample_sizes import examples

SOURCE = "Gerstgrasser and Parkes 2023"
SEEDS = st.integers(0, 2**32)
equilibrium = pytest.mark.theorem(
    source=SOURCE, statement="Followers play an equilibrium if and only if none has a regret."
)
apart = pytest.mark.theorem(
    source=SOURCE, statement="Followers who do not meet regret what each would alone."
)


def gains(view, leader, policies):
    """The most that each follower gains by another stationary policy, all of them tried."""
    found = []
    for k, follower in enumerate(view.followers):
        seen = range(len(view.game.observations[follower]))
        own = view.paid_as(follower)
        now = leader_returns(own, leader, view.together(policies))[1]
        best = max(
            leader_returns(own, leader, view.together((*policies[:k], other, *policies[k + 1 :])))[
                1
            ]
            for other in map(
                StationaryFollower, product(*(view.actions(follower, o) or (-1,) for o in seen))
            )
        )
        found.append(best - now)
    return tuple(found)


@equilibrium
@examples(15)
@given(seed=SEEDS, leader=st.integers(0, 2))
def test_regrets_are_the_gains_of_unilateral_deviations(seed, leader):
    rng = np.random.default_rng(seed)
    paid, chances, _, _ = random_tables(rng)
    view = followers_view(to_game(paid, chances, leader=leader), leader=leader)
    plan, policies = drawn_leader(view.merged, rng), drawn_followers(view, rng)
    judged = judge_followers(view, LearnedCommitment(plan, view.together(policies)))
    assert judged.regrets_stationary == gains(view, plan, policies)
    assert all(
        aware >= own
        for aware, own in zip(judged.regrets_time_aware, judged.regrets_stationary, strict=True)
    )


@equilibrium
def test_the_merged_players_regret_is_another_twin():
    """Both doing their second is best for them together, and each would rather leave it."""
    temptation = [[[1, 3], [0, 2]]] * 2  # Ann's, by her action and Bob's: a dilemma
    view = followers_view(
        normal_to_posg(
            NormalFormGame.from_payoffs(
                [[[[0, 0], [0, 0]]] * 2, temptation, [[[1, 0], [3, 2]]] * 2]
            )
        ).target
    )
    plan = next(iter(leader_policies(view.merged)))
    together = LearnedCommitment(plan, view.together([StationaryFollower((1,))] * 2))
    assert judge_commitment(view.merged, together).regret_stationary == 0
    assert judge_followers(view, together).regrets_stationary == (1, 1)


@apart
@examples(15)
@given(seed=SEEDS)
def test_followers_who_do_not_meet_regret_what_each_would_alone(seed):
    rng = np.random.default_rng(seed)
    paid, chances, alone, led = random_tables(rng, apart=True)
    view = followers_view(to_game(paid, chances))
    plan, policies = drawn_leader(view.merged, rng), drawn_followers(view, rng)
    judged = judge_followers(view, LearnedCommitment(plan, view.together(policies)))
    earned = Fraction(0)
    for k, policy in enumerate(policies):
        pair = leader_view(to_pair(chances, alone, led, k + 1))
        own = judge_commitment(pair, LearnedCommitment(plan, met_follower(pair, policy)))
        assert judged.returns[1 + k] == own.returns[1]
        assert judged.regrets_stationary[k] == own.regret_stationary
        assert judged.regrets_time_aware[k] == own.regret_time_aware
        earned += own.returns[0]
    assert judged.returns[0] == earned


@apart
def test_followers_who_meet_twin():
    """Bob stands in Ann's way: alone she would not regret what she does."""
    paid, chances, alone, led = random_tables(np.random.default_rng(0), apart=True)
    for s, joint in product(STATES, product(*ACTIONS)):
        lea, ann, bob = paid[s, joint]
        paid[s, joint] = (lea, -10 if joint[1:] == ("a", "x") else ann, bob)
        alone[s, 1, joint[:2]] = int(joint[1] == "a")
        if joint[1:] != ("a", "x"):
            paid[s, joint] = (lea, int(joint[1] == "a"), bob)
    view = followers_view(to_game(paid, chances))
    plan = next(iter(leader_policies(view.merged)))
    policies = (StationaryFollower((0, 0)), StationaryFollower((0, 0)))
    judged = judge_followers(view, LearnedCommitment(plan, view.together(policies)))
    pair = leader_view(to_pair(chances, alone, led, 1))
    single = judge_commitment(pair, LearnedCommitment(plan, policies[0]))
    assert single.regret_stationary == 0
    assert judged.regrets_stationary[0] > 0


@apart
@examples(5)
@given(seed=SEEDS)
def test_learners_who_do_not_meet_respond_best_to_every_leader(seed):
    """In one round: what one learns is then exact, with whomever."""
    rng = np.random.default_rng(seed)
    paid, chances, _, _ = random_tables(rng, apart=True)
    view = followers_view(to_game(paid, chances, horizon=1))
    options = ContextualQOptions(iterations=6, step_size=1.0, discount=0.0)
    learner = MetaStackelberg(view, follower=options, rng=np.random.default_rng(seed))
    for _ in range(learner._follower.pretraining):
        learner.improve()
    for plan in leader_policies(view.merged):
        judged = judge_followers(view, learner.response_to(plan))
        assert judged.regrets_time_aware == (0, 0)


@equilibrium
def test_learners_who_take_turns_settle_on_an_equilibrium_for_every_leader():
    """Where the followers' game is one of common interest, as a better response lifts them all."""
    rng = np.random.default_rng(5)
    for _ in range(10):
        common = rng.integers(0, 9, size=(2, 2, 2)).tolist()
        payoffs = [rng.integers(0, 9, size=(2, 2, 2)).tolist(), common, common]
        view = followers_view(normal_to_posg(NormalFormGame.from_payoffs(payoffs)).target)
        learner = MetaStackelberg(view, rng=np.random.default_rng(1))
        for _ in range(learner._follower.pretraining):
            learner.improve()
        for plan in leader_policies(view.merged):
            judged = judge_followers(view, learner.response_to(plan))
            assert judged.regrets_time_aware == (0, 0)


@equilibrium
def test_matching_pennies_among_followers_twin():
    """Without an equilibrium in pure policies no learner who is greedy is without regret."""
    pennies = [[[1, -1], [-1, 1]]] * 2
    payoffs = [[[[0, 0], [0, 0]]] * 2, pennies, [[[-1, 1], [1, -1]]] * 2]
    view = followers_view(normal_to_posg(NormalFormGame.from_payoffs(payoffs)).target)
    learner = MetaStackelberg(view, rng=np.random.default_rng(1))
    for _ in range(learner._follower.pretraining):
        learner.improve()
    for plan in leader_policies(view.merged):
        assert sum(judge_followers(view, learner.response_to(plan)).regrets_time_aware) == 2
