"""Leaders who answer queries by one policy and play by another: what deception earns.

A follower who asks before play what the leader does after each observation, and best responds to
the answers, can be deceived by a leader who tells queries from play. Over answers ``w`` and ways to
play ``p`` such a leader gets ``max r_L(p, E(w))``; an honest one, ``p = w``, gets the Stackelberg
value. The difference is what the leader's invariance is worth to the follower.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias, cast

from gametheory_core.arguments import require_member
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.follower_problems import most_in_words
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    SimpleFollower,
    TimedFollower,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.layers import Layers, Pair, problem_size, view_led_by

MOST_POLICIES = 4096
MOST_WORK = 100_000_000  # multiplications of numbers of 64 bits, over all policies

TimedActions: TypeAlias = tuple[tuple[int, ...], ...]


class LeaderPlay(Enum):
    """What a deceiving leader's action may depend on in play.

    MEMORYLESS: its own observation, as in the answers. TIMED: time and state.
    """

    MEMORYLESS = "memoryless"
    TIMED = "timed"


@dataclass(frozen=True)
class Deception:
    """The best way to answer queries and to play, and what it earns beyond honesty.

    Attributes:
        answers: What the follower is told.
        response: Her best response to that.
        play: What the leader then does, by step and state; -1 where nobody acts.
        returns: The leader's and the follower's.
        honest_value: What the leader earns at most by playing as answered.
    """

    answers: DeterministicLeader
    response: SimpleFollower
    play: TimedActions
    returns: tuple[Fraction, Fraction]
    honest_value: Fraction

    @property
    def gain(self) -> Fraction:
        """What deception earns beyond honesty; at least 0."""
        return self.returns[0] - self.honest_value


def deceiving_leader(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    play: LeaderPlay = LeaderPlay.MEMORYLESS,
) -> Deception:
    """Find the best deterministic answers and play of a leader who need not play as answered.

    Args:
        game: Two players and a horizon; observations are functions of the state.
        leader: Who answers queries. Default: the view's leader, else player 0.
        ties: How the follower chooses among best responses to the answers, by what they would earn
            the leader if he were honest.

    Raises:
        UnsupportedGame: If there are more than ``MOST_POLICIES`` deterministic policies, or
            evaluating them, each against each response, would take too long; names the size.

    One dynamic program for each policy and each different response to one, and for memoryless play
    one for each pair of these.

    Source: :cite:`gerstgrasser2023oracles`, appendix C.2.

    >>> from gametheory_core.catalog import iterated_prisoners_dilemma
    >>> found = deceiving_leader(iterated_prisoners_dilemma(rounds=10))
    >>> int(found.honest_value), int(found.returns[0])
    (-11, -2)
    """
    view = view_led_by(game, leader)
    require_member(follower_class, FollowerClass, name="follower_class")
    require_member(ties, FollowerTies, name="ties")
    require_member(play, LeaderPlay, name="play")
    if (number := num_leader_policies(view)) > MOST_POLICIES:
        raise UnsupportedGame(
            needs=f"at most {MOST_POLICIES:,} deterministic leader policies",
            found=f"{view.game!r} has {number:,}",
            remedy="Take fewer observations; what leaders earn who do not deceive, "
            "commitment_upper_bound bounds.",
        )
    _refuse_long_work(view, number)
    plans = tuple(leader_policies(view))
    asked: dict[SimpleFollower, DeterministicLeader] = {}
    honest: list[Fraction] = []
    for answers in plans:
        found = follower_response(view, answers, follower_class=follower_class, ties=ties)
        asked.setdefault(cast("SimpleFollower", found.policy), answers)
        honest.append(found.returns[0])
    if play is LeaderPlay.MEMORYLESS:
        _refuse_long_work(view, number * len(asked))
    layers = Layers(view)
    tried: list[Deception] = []
    for response, answers in asked.items():
        if play is LeaderPlay.TIMED:
            actions, returns = _timed_play(layers, response)
        else:
            actions, returns = _memoryless_play(layers, plans, response)
        tried.append(Deception(answers, response, actions, returns, max(honest)))
    return max(tried, key=lambda one: one.returns[0])


def _refuse_long_work(view: LeaderView, programs: int) -> None:
    cells, words = problem_size(view)
    if programs * cells * words > MOST_WORK:
        raise UnsupportedGame(
            needs=f"at most {MOST_WORK:,} multiplications of 64-bit numbers",
            found=f"{view.game!r} takes {programs * cells * words:,}: {programs:,} dynamic "
            "programs "
            f"of {cells:,} cells of state, actions, next state and step, with numbers of "
            f"about {words:,} words",
            remedy=f"{most_in_words(view)} Stop the game earlier, by stop_posg(game, steps=...); "
            "LeaderPlay.TIMED takes fewer programs.",
        )


def _memoryless_play(
    layers: Layers, plans: Iterable[DeterministicLeader], response: SimpleFollower
) -> tuple[TimedActions, tuple[Fraction, Fraction]]:
    """Try all memoryless policies against a response."""
    view = layers.view
    tried = ((plan, leader_returns(view, plan, response)) for plan in plans)
    plan, returns = max(tried, key=lambda pair: pair[1][0])
    row = tuple((*plan.actions, -1)[seen] for seen in view.leader_observation.tolist())
    return (row,) * view.horizon, returns


def _timed_play(
    layers: Layers, response: SimpleFollower
) -> tuple[TimedActions, tuple[Fraction, Fraction]]:
    """Best respond to a response at every step and state, by dynamic programming."""
    view = layers.view
    after: dict[int, Pair] = {}
    rows: list[tuple[int, ...]] = []
    for time in reversed(range(view.horizon)):
        row, now = [-1] * view.num_states, dict[int, Pair]()
        for state in layers.leader_actions:
            theirs = _answer(view, response, time, state)
            totals = {
                mine: layers.played(after, time, (state, mine, theirs))
                for mine in layers.leader_actions[state]
            }
            row[state] = max(totals, key=lambda mine: totals[mine].leader)
            now[state] = totals[row[state]]
        rows.append(tuple(row))
        after = now
    returns = layers.at_start(after)
    return tuple(reversed(rows)), (returns.leader, returns.follower)


def _answer(view: LeaderView, response: SimpleFollower, time: int, state: int) -> int:
    if isinstance(response, TimedFollower):
        return response.actions[time][state]
    return response.actions[view.follower_observation[state]]
