"""The exact distribution of whole plays of POSGs and AEC games, under history-dependent policies.

The rules are asked directly, so that conversions can be judged by these distributions. Weights
travel as unreduced pairs of integers and become rationals once, at the end of each play.

A player without memory acts on the last observation, so that states and joint observations suffice
where ``expected_returns`` must tell whole plays apart: time is linear in the number of steps.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeAlias, cast

from gametheory_core.arrays import ONE, ZERO, ExactArray, exact_array
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games import AEC, CHANCE, NULL, POSG, AecPlay, Move, PosgPlay, Step
from gametheory_core.games.checked_rules import checked_aec, checked_posg
from gametheory_core.games.rules import InformationState, Rules
from gametheory_core.strategies.policies import (
    Lottery,
    PolicyProfile,
    reactive,
    remembered,
    remembered_lotteries,
)

MAX_PLAYS = 200_000
Exact: TypeAlias = tuple[Fraction, ...]  # rewards, checked
MAX_LENGTH = 10_000  # of plays of games without a horizon


class _Weight(NamedTuple):
    numerator: int
    denominator: int

    def times(self, *factors: Fraction) -> "_Weight":
        numerator, denominator = self
        for factor in factors:
            numerator *= factor.numerator
            denominator *= factor.denominator
        return _Weight(numerator, denominator)


class _Branch(NamedTuple):
    """A way play may have gone.

    Attributes:
        turn: The joint observation on which players act next (POSG), or the mover (AEC game).
        pasts: What each player saw and did.
        events: Steps or moves.
    """

    weight: _Weight
    state: Any
    turn: Any
    pasts: tuple[InformationState, ...]
    events: tuple[Any, ...]


def posg_trajectories(
    game: POSG, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> Distribution[PosgPlay]:
    """Return the distribution of plays of a POSG: states, observations, actions, rewards.

    Args:
        game: With a horizon, or sure to end.
        max_plays: The largest number of different plays to follow.

    Raises:
        InvalidStrategy: If a policy says nothing where it is asked, or plays an illegal action.
        UnsupportedGame: If there are more than ``max_plays`` plays, or play does not end.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies")
    >>> len(posg_trajectories(game, uniform_policies(game)))
    4
    """
    game = remembered(checked_posg(game, "posg_trajectories"))
    lottery = remembered_lotteries(game, profile)
    branches = [
        _Branch(_Weight(1, 1).times(weight, share), state, seen, tuple((o,) for o in seen), ())
        for state, weight in game.initial()
        for seen, share in _seen(game, state, None, 0)
    ]
    return _followed(game, branches, lambda b: _posg_step(game, lottery, b), PosgPlay, max_plays)


def aec_trajectories(
    game: AEC, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> Distribution[AecPlay]:
    """Return the distribution of plays of an AEC game, move by move, as ``posg_trajectories``.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> game = RandomOrderTeam()
    >>> len(aec_trajectories(game, uniform_policies(game)))
    8
    """
    game = remembered(checked_aec(game, "aec_trajectories"))
    lottery = remembered_lotteries(game, profile)
    empty: tuple[InformationState, ...] = ((),) * len(game.players)
    branches = [_Branch(_Weight(1, 1), game.initial_state, CHANCE, empty, ())]
    return _followed(game, branches, lambda b: _aec_move(game, lottery, b), AecPlay, max_plays)


def _followed(
    game: Rules,
    branches: list[_Branch],
    advance: Callable[[_Branch], list[_Branch]],
    play: Callable[[tuple[Any, ...], Any], Any],
    max_plays: int,
) -> Distribution[Any]:
    """Advance branches until each has ended, and return the distribution of plays."""
    ends: dict[Any, Fraction] = {}
    while branches:
        following: list[_Branch] = []
        for branch in branches:
            if game.is_terminal(branch.state) or len(branch.events) == game.horizon:
                end = play(branch.events, branch.state)
                ends[end] = ends.get(end, ZERO) + Fraction(*branch.weight)
            else:
                following.extend(advance(branch))
        _limit(len(following) + len(ends), max_plays)
        if following and game.horizon is None:
            refuse_endless(len(following[0].events))
        branches = following
    return Distribution(tuple(ends.items()))


def _posg_step(game: POSG, lottery: Lottery, branch: _Branch) -> list[_Branch]:
    lotteries = [lottery(i, past) for i, past in enumerate(branch.pasts)]
    out: list[_Branch] = []
    for choice in product(*lotteries):
        actions = tuple(a for a, _ in choice)
        played = branch.weight.times(*(w for _, w in choice))
        for after, odds in game.transition(branch.state, actions):
            rewards = cast("Exact", game.reward(branch.state, actions, after))
            steps = (*branch.events, Step(branch.state, branch.turn, actions, rewards))
            moved = played.times(odds)
            for seen, share in _seen(game, after, actions, len(steps)):
                pasts = zip(branch.pasts, actions, seen, strict=True)
                known = tuple((*past, a, o) for past, a, o in pasts)
                out.append(_Branch(moved.times(share), after, seen, known, steps))
    return out


def _aec_move(game: AEC, lottery: Lottery, branch: _Branch) -> list[_Branch]:
    state, mover = branch.state, branch.turn
    if mover == CHANCE:
        options = [(NULL, NULL, after, (odds,)) for after, odds in game.chance(state)]
    else:
        options = [
            (seen, action, game.move(mover, state, action), (share, odds))
            for seen, share in game.observation(mover, state)
            for action, odds in lottery(mover, (*branch.pasts[mover], seen))
        ]
    out: list[_Branch] = []
    for seen, action, after, factors in options:
        pasts = branch.pasts
        if mover != CHANCE:
            own = (*pasts[mover], seen, action)
            pasts = (*pasts[:mover], own, *pasts[mover + 1 :])
        for paid, odds in game.reward(state, mover, action, after):
            move = Move(state, mover, seen, action, cast("Exact", paid))
            weight = branch.weight.times(*factors, odds)
            moves = (*branch.events, move)
            if game.is_terminal(after) or len(moves) == game.horizon:
                out.append(_Branch(weight, after, CHANCE, pasts, moves))
                continue
            out.extend(
                _Branch(weight.times(share), after, turn, pasts, moves)
                for turn, share in game.next_player(state, mover, action, after)
            )
    return out


def _seen(
    game: POSG, state: Any, actions: tuple[Any, ...] | None, steps: int
) -> Distribution[tuple[Any, ...]]:
    """Return the distribution of observations; nothing where nobody acts on them any more."""
    if game.is_terminal(state) or steps == game.horizon:
        return point_mass((NULL,) * len(game.players))
    if actions is None:
        return game.initial_observation(state)
    return game.observation(actions, state)


def _limit(count: int, max_plays: int) -> None:
    if count > max_plays:
        raise UnsupportedGame(
            needs=f"at most max_plays = {max_plays:,} plays",
            found=f"there are more than {count:,}, or play does not end",
            remedy=f"Give a shorter horizon ({named('stop_posg')}, {named('stop_aec')}), or raise "
            "max_plays.",
        )


def refuse_endless(length: int) -> None:
    """Refuse plays that never end in a game that has no horizon."""
    if length > MAX_LENGTH:
        raise UnsupportedGame(
            needs="plays that end",
            found=f"one has {length:,} moves and continues",
            remedy=f"Give a horizon with {named('stop_posg')} or {named('stop_aec')}.",
        )


ReactiveTable: TypeAlias = Mapping[Any, Distribution[Any]]
Place: TypeAlias = tuple[Any, tuple[Any, ...]]  # state, joint observation


def memoryless_returns(
    game: POSG, tables: Sequence[ReactiveTable], *, max_states: int = MAX_PLAYS
) -> ExactArray:
    """Return each player's expected discounted return, shape (num_players,), exact.

    Args:
        game: With a horizon, or sure to end.
        tables: For each player: last observation -> ``Distribution`` over actions.
        max_states: The most pairs of state and joint observation at a time.

    Raises:
        InvalidStrategy: If a table says nothing where it is asked, or plays an illegal action.
        UnsupportedGame: If there are too many pairs, or play does not end.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.distributions import uniform
    >>> from gametheory_core.games import NULL
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=1000, recall=0)
    >>> coin = {NULL: uniform(["cooperate", "defect"])}
    >>> [str(value) for value in memoryless_returns(game, [coin, coin])]
    ['2250', '2250']
    """
    rules = remembered(checked_posg(game, "memoryless_returns"))
    lottery = remembered_lotteries(rules, tuple(map(reactive, tables)))
    total = [ZERO] * len(rules.players)
    law = _first_places(rules)
    step, factor = 0, ONE
    while law:
        law, paid = _after_a_step(rules, lottery, law, goes_on=step + 1 != rules.horizon)
        total = [before + factor * own for before, own in zip(total, paid, strict=True)]
        if len(law) > max_states:
            raise UnsupportedGame(
                needs=f"at most {named('max_states')} = {max_states:,} pairs of state and joint "
                "observation at a time",
                found=f"after {step + 1} steps there are {len(law):,}",
                remedy=f"Give a shorter horizon ({named('stop_posg')}), or raise "
                f"{named('max_states')}.",
            )
        if law and rules.horizon is None:
            refuse_endless(step)
        step, factor = step + 1, factor * rules.discount
    return exact_array(total)


def _first_places(rules: POSG) -> dict[Place, Fraction]:
    law: dict[Place, Fraction] = {}
    for state, weight in rules.initial():
        if not rules.is_terminal(state) and rules.horizon != 0:
            for seen, share in rules.initial_observation(state):
                law[state, seen] = weight * share
    return law


def _after_a_step(
    rules: POSG, lottery: Lottery, law: dict[Place, Fraction], *, goes_on: bool
) -> tuple[dict[Place, Fraction], list[Fraction]]:
    """Return the distribution of the next state, and each player's expected payoff of the step."""
    following: dict[Place, Fraction] = {}
    total = [ZERO] * len(rules.players)
    for (state, seen), weight in law.items():
        for choice in product(*(lottery(i, (o,)) for i, o in enumerate(seen))):
            actions = tuple(a for a, _ in choice)
            played = prod((share for _, share in choice), start=weight)
            for after, odds in rules.transition(state, actions):
                moved = played * odds
                paid = cast("tuple[Fraction, ...]", rules.reward(state, actions, after))
                for i, reward in enumerate(paid):
                    total[i] += moved * reward
                if goes_on and not rules.is_terminal(after):
                    for new, share in rules.observation(actions, after):
                        key = (after, new)
                        following[key] = following.get(key, ZERO) + moved * share
    return following, total
