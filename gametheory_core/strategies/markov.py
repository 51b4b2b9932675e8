"""Markov strategies: behavior that looks at the state alone, or at the time and the state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.arguments import counted, shown
from gametheory_core.arrays import ONE, ZERO, are_rationals
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import InformationState, last_observation
from gametheory_core.strategies.correlated import CorrelatedDistribution
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from

Lottery = tuple[Fraction, ...]


@dataclass(frozen=True)
class MarkovProfile:
    """A distribution of each player in each state, the same at all times or one for each time.

    Attributes:
        lotteries: ``lotteries[t][state][player][action]``: probabilities of all actions of the
            player, 0 where illegal. Where nobody acts then, ``lotteries[t][state]`` is empty.
        is_stationary: Whether ``lotteries`` has one entry, for all times; else one for each time.
    """

    lotteries: tuple[tuple[tuple[Lottery, ...], ...], ...]
    is_stationary: bool

    def at(self, time: int) -> tuple[tuple[Lottery, ...], ...]:
        """Return the distributions of all states at a time."""
        return self.lotteries[0 if self.is_stationary else time]


@dataclass(frozen=True)
class MarkovCorrelation:
    """A distribution over joint actions for each time and state: a mediator who sees the state.

    Attributes:
        distributions: ``distributions[t][state]``, over the joint actions of all players' actions;
            None where nobody acts then.
    """

    distributions: tuple[tuple[CorrelatedDistribution | None, ...], ...]


def check_markov_profile(view: MarkovView, profile: MarkovProfile) -> None:
    """Refuse a profile that is not one of the game."""
    times = _times(view, len(profile.lotteries), stationary=profile.is_stationary)
    for time, acting in enumerate(times):
        row = profile.lotteries[time]
        _check_places(view, [bool(own) for own in row], acting, time)
        for state in acting.tolist():
            where = f"at time {time} in state {view.game.states[state]!r}"
            if len(row[state]) != view.num_players:
                raise InvalidStrategy(
                    needs=f"a lottery of each of {view.num_players} players {where}",
                    found=f"has {len(row[state])}",
                )
            for player, own in enumerate(row[state]):
                _check_lottery(view, state, player, own, where)


def check_markov_correlation(view: MarkovView, correlation: MarkovCorrelation) -> None:
    """Refuse a correlation that is not one of the game."""
    shape = tuple(map(len, view.game.actions))
    rows = correlation.distributions
    for time, acting in enumerate(_times(view, len(rows), stationary=False)):
        _check_places(view, [own is not None for own in rows[time]], acting, time)
        for state in acting.tolist():
            law = rows[time][state]
            if law is None or law.num_actions != shape:
                raise InvalidStrategy(
                    needs=f"joint actions of shape {shape} at time {time} in state "
                    f"{view.game.states[state]!r}",
                    found=f"has {law!r}",
                )
            for joint in law.joint_actions:
                for player, action in enumerate(joint):
                    if action not in view.legal[state][player]:
                        raise InvalidStrategy(
                            needs="legal actions",
                            found=f"at time {time} in state {view.game.states[state]!r} it may "
                            f"tell {view.game.players[player]!r} to play "
                            f"{view.game.actions[player][action]!r}",
                        )


def _times(view: MarkovView, count: int, *, stationary: bool) -> Sequence[Any]:
    """Return where somebody acts at each time for which there is a row."""
    if stationary:
        if count != 1:
            raise InvalidStrategy(needs="one row of lotteries for all times", found=f"has {count}")
        return [view.acting]
    if count != view.num_times:  # before the layers of a long game are made
        raise InvalidStrategy(
            needs=f"a row of lotteries for each of {counted(view.num_times)} times",
            found=f"has {count}",
        )
    return view.layers


def _check_places(view: MarkovView, given: list[bool], acting: Any, time: int) -> None:
    needed = [False] * view.num_states
    for state in acting.tolist():
        needed[state] = True
    if len(given) != len(needed):
        raise InvalidStrategy(
            needs=f"an entry for each of {len(needed)} states at time {time}",
            found=f"has {len(given)}",
        )
    for state, (has, needs) in enumerate(zip(given, needed, strict=True)):
        if has != needs:
            found = "has nothing there" if needs else "has some"
            who = "lotteries where somebody acts" if needs else "nothing where nobody acts then"
            raise InvalidStrategy(
                needs=who, found=f"at time {time} in state {view.game.states[state]!r} it {found}"
            )


def _check_lottery(view: MarkovView, state: int, player: int, own: Lottery, where: str) -> None:
    labels = view.game.actions[player]
    name = view.game.players[player]
    if len(own) != len(labels) or not are_rationals(own) or sum(own) != 1 or min(own) < 0:
        raise InvalidStrategy(
            needs=f"{len(labels)} probabilities that sum to 1 for {name!r} {where}",
            found=f"has {shown(own)}",
        )
    for action, weight in enumerate(own):
        if weight and action not in view.legal[state][player]:
            raise InvalidStrategy(
                needs="legal actions", found=f"{name!r} plays {labels[action]!r} {where}"
            )


def uniform_markov_profile(view: MarkovView) -> MarkovProfile:
    """Return the stationary profile that plays all legal actions equally often.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> view = markov_view(RepeatedGame.of("matching_pennies"))
    >>> uniform_markov_profile(view).lotteries[0][0][0]
    (Fraction(1, 2), Fraction(1, 2))
    """
    row = tuple(
        tuple(
            _lottery(view, player, {action: Fraction(1, len(own)) for action in own})
            for player, own in enumerate(legal)
        )
        for legal in view.legal
    )
    return MarkovProfile((row,), is_stationary=True)


def markov_profile(
    view: MarkovView,
    tables: Sequence[Mapping[Any, Distribution[Any]]]
    | Sequence[Sequence[Mapping[Any, Distribution[Any]]]],
) -> MarkovProfile:
    """Make a profile of tables of labels.

    Args:
        tables: For each player a mapping from state to the distribution of the action; or for each
            time such a sequence, which gives a profile that looks at the time too.

    Raises:
        InvalidStrategy: If a state in which somebody acts is missing, or a distribution is not one
            over legal actions.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> from gametheory_core.distributions import uniform, point_mass
    >>> view = markov_view(RepeatedGame.of("matching_pennies"))
    >>> tables = [{(): uniform(["heads", "tails"])}, {(): point_mass("tails")}]
    >>> markov_profile(view, tables).lotteries[0][0]
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(0, 1), Fraction(1, 1)))
    """
    rounds: Any = tables
    stationary = all(isinstance(own, Mapping) for own in tables)
    acting = _times(view, 1 if stationary else len(rounds), stationary=stationary)
    profile = MarkovProfile(
        tuple(
            _row(view, own, states.tolist())
            for own, states in zip([rounds] if stationary else rounds, acting, strict=True)
        ),
        is_stationary=stationary,
    )
    check_markov_profile(view, profile)
    return profile


def _row(view: MarkovView, tables: Any, acting: list[int]) -> Any:
    row: list[tuple[Lottery, ...]] = [()] * view.num_states
    for state in acting:
        label = view.game.states[state]
        own: list[Lottery] = []
        for player, table in enumerate(tables):
            if label not in table:
                raise InvalidStrategy(
                    needs=f"a law of {view.game.players[player]!r} in state {label!r}",
                    found="has none",
                    remedy="Add it to the table.",
                )
            numbers = {a: k for k, a in enumerate(view.game.actions[player])}
            for action, _ in table[label]:
                if action not in numbers:
                    raise InvalidStrategy(
                        needs=f"actions of {view.game.players[player]!r}",
                        found=f"in state {label!r} {action!r} is not one",
                        remedy=f"Actions are {tuple(numbers)!r}.",
                    )
            own.append(_lottery(view, player, {numbers[a]: w for a, w in table[label]}))
        row[state] = tuple(own)
    return tuple(row)


def _lottery(view: MarkovView, player: int, weights: Mapping[int, Fraction]) -> Lottery:
    return tuple(weights.get(action, ZERO) for action in range(len(view.game.actions[player])))


def markov_policies(view: MarkovView, profile: MarkovProfile) -> PolicyProfile:
    """Return the same behavior as policies of the POSG.

    Args:
        profile: Stationary, or by time and state.

    Raises:
        InvalidStrategy: If the profile is not one of the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> view = markov_view(RepeatedGame.of("matching_pennies"))
    >>> markov_policies(view, uniform_markov_profile(view))[0][((),)]["heads"]
    Fraction(1, 2)
    """
    check_markov_profile(view, profile)
    return tuple(_policy(view, profile, player) for player in range(view.num_players))


def _policy(view: MarkovView, profile: MarkovProfile, player: int) -> Policy:
    labels = view.game.actions[player]
    states = view.states_seen(player)

    def act(seen: InformationState) -> Distribution[Any]:
        state = states[last_observation(seen)]
        own = profile.at(len(seen) // 2)[state][player]
        return Distribution(
            tuple((a, weight) for a, weight in zip(labels, own, strict=True) if weight > 0)
        )

    return policy_from(act)


def pure_lottery(action: int, count: int) -> Lottery:
    """Return the distribution over ``count`` actions that plays one surely."""
    return tuple(ONE if a == action else ZERO for a in range(count))
