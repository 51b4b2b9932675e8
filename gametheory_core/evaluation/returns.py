"""Returns of policies in POSGs and AEC games, and what a player could gain by another policy.

Everything is asked of the rules directly and computed in rationals, without a conversion, so that
conversions can be judged by it.

For a best response, branches in which the player knows the same are decided together,
level by level of own decisions: no recursion, so long plays are no problem.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, cast

from gametheory_core.arrays import ONE, ZERO, ExactArray, exact_array, freeze
from gametheory_core.distributions import times
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.evaluation.trajectories import (
    MAX_PLAYS,
    aec_trajectories,
    posg_trajectories,
    refuse_endless,
)
from gametheory_core.games import AEC, CHANCE, NULL, POSG, AecPlay, PosgPlay
from gametheory_core.games.checked_rules import checked_rules
from gametheory_core.games.rules import InformationState, Rules, is_posg
from gametheory_core.strategies.policies import (
    Lottery,
    PolicyProfile,
    remembered,
    remembered_lotteries,
)


def best_response_returns(
    game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> ExactArray:
    """Return what each player could get at most against the others' policies, (num_players,).

    Args:
        max_plays: The largest number of branches to follow at once.

    Raises:
        InvalidStrategy: If another player's policy says nothing where it is asked, or plays an
            illegal action.
        UnsupportedGame: If there are too many branches, or play does not end.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies")
    >>> best_response_returns(game, uniform_policies(game)).tolist()
    [Fraction(0, 1), Fraction(0, 1)]
    """
    game = remembered(checked_rules(game, "best_response_returns"))
    lottery = remembered_lotteries(game, profile)
    return exact_array([_best(game, lottery, i, max_plays) for i in range(len(game.players))])


class _Branch(NamedTuple):
    """A way play may have gone.

    Attributes:
        weight: Chance's and the others' probabilities.
        state, mover (hashable, int): Where play stands; the mover is of use in AEC games only.
        pasts: Of all players; the responder's own is kept elsewhere.
        events: Steps or moves made.
        cycles: Steps completed, or chance moves completed, the first not counted.
    """

    weight: Fraction
    state: Any
    mover: int
    pasts: tuple[InformationState, ...]
    events: int
    cycles: int


class _Reached(NamedTuple):
    """Where an own action leads: rewards on the way, and the next decisions by observation."""

    paid: Fraction
    groups: dict[Any, list[_Branch]]


class _Moved(NamedTuple):
    """Where a move leads: what it pays, and the branches that continue."""

    paid: Fraction
    branches: list[_Branch]


def _limit(count: int, max_plays: int) -> None:
    if count > max_plays:
        raise UnsupportedGame(
            needs=f"at most max_plays = {max_plays:,} branches",
            found="there are more",
            remedy=f"Give a {named('shorter horizon')}, or raise max_plays.",
        )


def _best(game: Rules, lottery: Lottery, player: int, max_plays: int) -> Fraction:
    start = (
        _posg_start(game, player)
        if is_posg(game)
        else _aec_start(cast("AEC", game), lottery, player, max_plays)
    )
    # Each decision: per action, what is paid on the way and the decisions that may follow.
    decisions: list[list[tuple[Fraction, list[int]]]] = []
    level = list(start.groups.items())
    first = len(level)
    while level:
        _limit(sum(len(group) for _, group in level), max_plays)
        if game.horizon is None:
            refuse_endless(level[0][1][0].events)
        following: list[tuple[Any, list[_Branch]]] = []
        base = len(decisions) + len(level)
        for seen, group in level:
            options: list[tuple[Fraction, list[int]]] = []
            for action in game.legal_actions(player, seen):
                reached = (
                    _posg_advance(game, lottery, player, group, action)
                    if is_posg(game)
                    else _until_own_turn(
                        cast("AEC", game),
                        lottery,
                        player,
                        _aec_advance(cast("AEC", game), player, group, seen, action),
                        max_plays,
                    )
                )
                numbers = range(base + len(following), base + len(following) + len(reached.groups))
                options.append((reached.paid, list(numbers)))
                following.extend(reached.groups.items())
            decisions.append(options)
        level = following
    values = [ZERO] * len(decisions)
    for k in reversed(range(len(decisions))):
        values[k] = max(
            paid + sum((values[n] for n in after), ZERO) for paid, after in decisions[k]
        )
    return start.paid + sum(values[:first], ZERO)


def _posg_start(game: POSG, player: int) -> _Reached:
    groups: dict[Any, list[_Branch]] = {}
    for state, weight in game.initial():
        if game.is_terminal(state) or game.horizon == 0:
            continue
        for seen, share in game.initial_observation(state):
            pasts = tuple((o,) for o in seen)
            branch = _Branch(weight * share, state, player, pasts, 0, 0)
            groups.setdefault(seen[player], []).append(branch)
    return _Reached(ZERO, groups)


def _posg_advance(
    game: POSG, lottery: Lottery, player: int, group: list[_Branch], action: Any
) -> _Reached:
    paid = ZERO
    groups: dict[Any, list[_Branch]] = {}
    for branch in group:
        lotteries: list[Any] = [
            [(action, ONE)] if i == player else lottery(i, past)
            for i, past in enumerate(branch.pasts)
        ]
        for choice in product(*lotteries):
            actions = tuple(a for a, _ in choice)
            played = branch.weight
            for _, share in choice:
                played = times(played, share)
            for after, odds in game.transition(branch.state, actions):
                weight = times(played, odds)
                reward = game.reward(branch.state, actions, after)[player]
                if reward:
                    paid += weight * reward * _discounted(game.discount, branch.cycles)
                if game.is_terminal(after) or branch.events + 1 == game.horizon:
                    continue
                for seen, share in game.observation(actions, after):
                    pasts = tuple(
                        (*p, a, o) for p, a, o in zip(branch.pasts, actions, seen, strict=True)
                    )
                    step = _Branch(
                        times(weight, share),
                        after,
                        player,
                        pasts,
                        branch.events + 1,
                        branch.cycles + 1,
                    )
                    groups.setdefault(seen[player], []).append(step)
    return _Reached(paid, groups)


def _aec_start(game: AEC, lottery: Lottery, player: int, max_plays: int) -> _Reached:
    empty: tuple[InformationState, ...] = ((),) * len(game.players)
    if game.is_terminal(game.initial_state) or game.horizon == 0:
        return _Reached(ZERO, {})
    first = _Branch(ONE, game.initial_state, CHANCE, empty, 0, -1)
    return _until_own_turn(game, lottery, player, _Moved(ZERO, [first]), max_plays)


def _aec_advance(game: AEC, player: int, group: list[_Branch], seen: Any, action: Any) -> _Moved:
    paid = ZERO
    branches: list[_Branch] = []
    for branch in group:
        after = game.move(player, branch.state, action)
        paid += _follow(game, player, branch, seen, action, after, ONE, branches)
    return _Moved(paid, branches)


def _until_own_turn(
    game: AEC, lottery: Lottery, player: int, moved: _Moved, max_plays: int
) -> _Reached:
    paid, branches = moved
    groups: dict[Any, list[_Branch]] = {}
    while branches:
        following: list[_Branch] = []
        for branch in branches:
            state, mover = branch.state, branch.mover
            if mover == player:
                for seen, share in game.observation(player, state):
                    own = branch._replace(weight=times(branch.weight, share))
                    groups.setdefault(seen, []).append(own)
            elif mover == CHANCE:
                for after, odds in game.chance(state):
                    paid += _follow(game, player, branch, NULL, NULL, after, odds, following)
            else:
                for seen, share in game.observation(mover, state):
                    past = (*branch.pasts[mover], seen)
                    for action, odds in lottery(mover, past):
                        after = game.move(mover, state, action)
                        weight = times(odds, share)
                        paid += _follow(
                            game, player, branch, seen, action, after, weight, following
                        )
        _limit(len(following), max_plays)
        if following and game.horizon is None:
            refuse_endless(following[0].events)
        branches = following
    return _Reached(paid, groups)


def _follow(
    game: AEC,
    player: int,
    branch: _Branch,
    seen: Any,
    action: Any,
    after: Any,
    odds: Fraction,
    following: list[_Branch],
) -> Fraction:
    """Append the branches after a move, and return what it pays the responder."""
    state, mover = branch.state, branch.mover
    weight = times(branch.weight, odds)
    rewards = game.reward(state, mover, action, after)
    paid = sum((share * vector[player] for vector, share in rewards if vector[player]), ZERO)
    if paid:
        paid *= weight * _discounted(game.discount, max(0, branch.cycles))
    if game.is_terminal(after) or branch.events + 1 == game.horizon:
        return paid
    pasts = branch.pasts
    if mover != CHANCE:
        pasts = (*pasts[:mover], (*pasts[mover], seen, action), *pasts[mover + 1 :])
    cycles = branch.cycles + (mover == CHANCE)
    for turn, share in game.next_player(state, mover, action, after):
        following.append(
            _Branch(times(weight, share), after, turn, pasts, branch.events + 1, cycles)
        )
    return paid


def discounted_return(play: PosgPlay | AecPlay, discount: Fraction) -> tuple[Fraction, ...]:
    """Return what a play pays each player, discounted by steps or by completed chance moves."""
    if isinstance(play, PosgPlay):
        paid = [(t, step.rewards) for t, step in enumerate(play.steps)]
    else:
        paid = list(zip(_completed(play), (move.rewards for move in play.moves), strict=True))
    if not paid:
        return ()
    weights = [_discounted(discount, t) for t, _ in paid]
    columns = zip(*(rewards for _, rewards in paid), strict=True)
    return tuple(
        sum((times(r, w) for w, r in zip(weights, c, strict=True) if r), ZERO) for c in columns
    )


def _discounted(discount: Fraction, cycles: int) -> Fraction:
    return ONE if discount == 1 else discount**cycles


def _completed(play: AecPlay) -> Iterator[int]:
    chances = -1
    for move in play.moves:
        yield max(0, chances)
        chances += move.mover == CHANCE


def expected_returns(
    game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> ExactArray:
    """Return each player's expected discounted return, shape (num_players,), exact.

    Args:
        max_plays: The largest number of plays to follow.

    Raises:
        InvalidStrategy: If a policy says nothing where it is asked, or plays an illegal action.
        UnsupportedGame: If there are too many plays, or play does not end.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> game = RandomOrderTeam()
    >>> str(expected_returns(game, uniform_policies(game))[0])
    '1/4'
    """
    game = checked_rules(game, "expected_returns")
    law = (
        posg_trajectories(game, profile, max_plays=max_plays)
        if is_posg(game)
        else aec_trajectories(cast("AEC", game), profile, max_plays=max_plays)
    )
    total = [ZERO] * len(game.players)
    for play, weight in law:
        for i, value in enumerate(discounted_return(play, game.discount)):
            if value:
                total[i] += weight * value
    return exact_array(total)


def return_gains(game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS) -> ExactArray:
    """Return each player's deviation gain: best-response return minus own return.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> game = RandomOrderTeam()
    >>> str(return_gains(game, uniform_policies(game))[0])
    '0'
    """
    best = best_response_returns(game, profile, max_plays=max_plays)
    return freeze(best - expected_returns(game, profile, max_plays=max_plays))


def policy_nash_conv(
    game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> Fraction:
    """Return the sum of the players' deviation gains, ``NashConv``; zero for an equilibrium.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies")
    >>> policy_nash_conv(game, uniform_policies(game))
    Fraction(0, 1)
    """
    return sum(return_gains(game, profile, max_plays=max_plays).tolist(), ZERO)
