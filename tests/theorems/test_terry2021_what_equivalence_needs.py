"""What an equivalence of games must preserve: joint laws, joint rewards, and the right clock.

The printed criterion compares laws of states, of each player's observations, and rewards. Two games
may agree on all of these and differ for players who act on what they see. Rewards drawn alone for
each player have the right means and the wrong joint law. Discounting counts cycles. Proved on
random games; each twin is the game that shows the printed reading wrong, with its number.

Why it matters (models): A test of equivalence that looks at means and at one player at a time
accepts games that differ for those who play them.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction

import pytest

from gametheory_core import expected_returns, policy_from, uniform_policies
from gametheory_core.catalog import FAIR, SURE, SteadyPay, private_coins, public_coin
from gametheory_core.catalog.counterexamples import Payment
from gametheory_core.conversions import aec_to_posg, posg_to_aec
from gametheory_core.distributions import product, push_forward
from gametheory_core.evaluation import aec_trajectories, posg_trajectories
from gametheory_core.games import stop_aec, stop_posg
from tests.theorems.random_rules import RandomAEC, RandomPOSG, drawn_law, seeded_policies


def theorem(statement):
    return pytest.mark.theorem(source="Terry et al. 2021, corrected", statement=statement)


joint_laws = theorem("Equivalent games have one joint law of all that players see and do.")
joint_rewards = theorem("Rewards of an AEC game are one joint law, and survive as such.")
cycles_count = theorem("The AEC game of a POSG discounts by cycles, not by moves.")


def marginals(game, player, profile):
    """Return the law of states, own observations and own rewards of one player."""
    return dict(
        push_forward(
            posg_trajectories(game, profile),
            lambda play: tuple(
                (step.state, step.observations[player], step.rewards[player]) for step in play.steps
            ),
        )
    )


@joint_laws
def test_players_agree_as_often_in_both_games():
    """Agreement depends on the joint law of observations; the policies look at all they know."""
    met = set()
    for seed in range(20):
        game = stop_posg(RandomPOSG(seed), steps=1)
        profile = seeded_policies(game, seed=seed)
        agreed = agreement(game, profile)
        assert agreement_in_turns(posg_to_aec(game).target, profile) == agreed
        met.add(agreed)
    assert len(met) > 10


def agreement(game, profile):
    law = posg_trajectories(game, profile)
    return sum(w for play, w in law if len(set(play.steps[0].actions)) == 1)


def agreement_in_turns(game, profile):
    law = aec_trajectories(game, profile)
    return sum(w for play, w in law if play.moves[1].action == play.moves[2].action)


@joint_laws
def test_marginals_agree_where_the_joint_law_does_not():
    copies = tuple(policy_from(lambda seen: drawn_law([seen[-1]], "copy")) for _ in range(2))
    public, private = public_coin(), private_coins()
    for player in range(2):
        assert marginals(public, player, copies) == marginals(private, player, copies)
    assert agreement(public, copies) == 1
    assert agreement(private, copies) == Fraction(1, 2)


@dataclass(frozen=True)
class RewardsDrawnAlone:
    """An AEC game read as printed: one reward law for each player, independent of the others'."""

    game: object

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "game"), name)

    def reward(self, state, mover, action, next_state):
        law = self.game.reward(state, mover, action, next_state)
        parts = [push_forward(law, lambda r, i=i: r[i]) for i in range(len(self.game.players))]
        return product(parts)


def chance_of_imbalance(game, law):
    return sum(w for play, w in law if any(sum(move.rewards) for move in play.moves))


@joint_rewards
def test_joint_rewards_travel_to_the_posg():
    for seed in range(8):
        game = stop_aec(RandomAEC(seed), moves=3)
        profile = seeded_policies(game, seed=seed)
        conversion = aec_to_posg(game)
        lifted = conversion.correspondence.to_target(profile)
        paid = push_forward(
            posg_trajectories(conversion.target, lifted),
            lambda play: tuple(step.rewards for step in play.steps),
        )
        wanted = push_forward(
            aec_trajectories(game, profile), lambda play: tuple(move.rewards for move in play.moves)
        )
        assert dict(paid) == dict(wanted)


@joint_rewards
def test_unless_each_reward_is_drawn_alone():
    """A fair payment is no payment between the two half of the time."""
    game = Payment(FAIR)
    profile = uniform_policies(game)
    assert chance_of_imbalance(game, aec_trajectories(game, profile)) == 0
    alone = RewardsDrawnAlone(game)
    assert chance_of_imbalance(alone, aec_trajectories(alone, profile)) == Fraction(1, 2)


@joint_rewards
def test_unless_the_index_is_the_printed_one():
    """The product over ``j`` of ``R_j(..., r'_i)`` has no mass where players get unlike rewards."""
    parts = [push_forward(SURE, lambda r, j=j: r[j]) for j in range(2)]
    vectors = list(itertools.product((-1, 1), repeat=2))
    corrected = sum(parts[0][r[0]] * parts[1][r[1]] for r in vectors)
    printed = sum(parts[0][r[0]] * parts[1][r[0]] for r in vectors)
    assert (corrected, printed) == (1, 0)


@cycles_count
def test_returns_are_discounted_alike():
    for seed in range(8):
        for discount in (Fraction(1, 2), Fraction(0), Fraction(1)):
            game = stop_posg(RandomPOSG(seed, discount=discount), steps=2)
            profile = seeded_policies(game, seed=seed)
            paid = expected_returns(game, profile).tolist()
            assert expected_returns(posg_to_aec(game).target, profile).tolist() == paid


@cycles_count
def test_unless_moves_are_counted():
    """Two steps of pay, halved by the step: 3/2; halved by the move: 9/64."""
    game = SteadyPay()
    turns = posg_to_aec(game).target
    profile = uniform_policies(game)
    assert expected_returns(game, profile).tolist() == [Fraction(3, 2)] * 2
    assert expected_returns(turns, profile).tolist() == [Fraction(3, 2)] * 2
    assert by_moves(turns, profile, game.discount) == [Fraction(9, 64)] * 2


@cycles_count
def test_unless_the_root_is_taken():
    """A factor of ``gamma ** (1/(N+1))`` a move gives exactly ``gamma`` times the return."""
    root = Fraction(1, 2)  # of 1/8: two players and chance make three moves a cycle
    for seed in range(6):
        game = stop_posg(RandomPOSG(seed, discount=root**3), steps=2)
        profile = seeded_policies(game, seed=seed)
        paid = expected_returns(game, profile).tolist()
        turns = posg_to_aec(game).target
        assert by_moves(turns, profile, root) == [value / 8 for value in paid]


def by_moves(game, profile, factor):
    """Return what is paid if every move, the first chance move not counted, discounts."""
    total = [Fraction(0)] * len(game.players)
    for play, weight in aec_trajectories(game, profile):
        for number, move in enumerate(play.moves):
            for i, reward in enumerate(move.rewards):
                total[i] += weight * reward * factor**number
    return total
