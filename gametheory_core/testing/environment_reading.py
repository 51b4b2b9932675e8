"""An environment in the terms of its model: which moment it shows, and what may be done."""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import AWAY, NULL
from gametheory_core.testing.environment_content import fingerprint, is_blank
from gametheory_core.testing.environment_contract import space_of
from gametheory_core.testing.environment_forecast import End, Forecast, Forecaster, Moment
from gametheory_core.testing.environment_laws import (
    EnvironmentLaw,
    broken,
    raised,
    readable,
    shown,
    shown_law,
)
from gametheory_core.testing.environment_look import Look, Table

Weighted: TypeAlias = tuple[tuple[Moment, Fraction], ...]


@dataclass(frozen=True)
class Reading:
    """How an environment is read in the model's terms.

    Attributes:
        forecaster: Of the model; None if there is none.
        legal_actions: Of player and observation, as the model says.
        read_observation, write_action: As in ``check_environment``; ``write_action`` may be None.
        reward_tolerance: In payoff units.
    """

    forecaster: Forecaster | None
    legal_actions: Callable[[int, Any], tuple[Any, ...]]
    read_observation: Callable[[str, Any], Hashable]
    write_action: Callable[[str, Any], Any] | None
    reward_tolerance: float
    max_moves: int


def plain_observation(agent: str, observation: Any) -> Hashable:
    """Read numbers as they are, arrays as nested tuples, of a mapping the ``"observation"``."""
    if isinstance(observation, Mapping):
        entries = cast("Mapping[str, Any]", observation)
        if "observation" not in entries:
            raise InvalidArgument(
                needs="read_observation to read mappings without an entry 'observation', such as "
                f"{shown(observation)} of {agent}"
            )
        return plain_observation(agent, entries["observation"])
    if isinstance(observation, np.ndarray | np.generic):
        return _nested(observation.tolist())
    return _nested(observation)


def _nested(value: Any) -> Hashable:
    if isinstance(value, list | tuple):
        return tuple(_nested(x) for x in cast("list[Any]", value))
    return value


def require_possible(
    reading: Reading, forecast: Forecast, table: Table, look: Look, gone: set[int]
) -> tuple[Moment, ...]:
    """Return the model's moment that an environment shows, part by part.

    Several ones are left where they differ in who is absent, or in what is not shown: to players
    who are gone, or at the end.
    """
    law = tuple(forecast.law.items())
    law = _narrow(law, EnvironmentLaw.END, table, *_ends(table, look, gone))
    if not look.movers:
        law = _without_choice(reading, table, law, _leaving_early(look))

    def staying(moment: Moment) -> tuple[int, ...]:
        return tuple(player for player in moment.movers if player not in gone)

    law = _narrow(law, EnvironmentLaw.ORDER, table, staying, look.movers)
    paid = look.rewards

    def distance(moment: Moment) -> float:
        return max(abs(float(r) - x) for r, x in zip(moment.rewards, paid, strict=True))

    close = tuple((m, w) for m, w in law if distance(m) <= reading.reward_tolerance)
    if not close:
        _refuse(EnvironmentLaw.REWARDS, table, law, lambda m: m.rewards, paid)
    for place, player in enumerate(look.movers):
        agent = table.agents[player]
        label = _read(reading, table, agent, look.observations[place])
        close = _narrow(
            close, EnvironmentLaw.OBSERVATIONS, table, _seen_by(player), label, who=agent
        )
    if not look.movers and all(moment.observations for moment, _ in close):
        for (player, _, _), given in zip(look.left, look.last, strict=True):
            agent = table.agents[player]
            label = NULL if is_blank(given) else _read(reading, table, agent, given)
            if label == NULL:  # some environments show nothing when all is over
                continue
            close = _narrow(
                close,
                EnvironmentLaw.LAST,
                table,
                lambda m, k=player, x=label: x if m.observations[k] is AWAY else m.observations[k],
                label,  # who leaves may be shown anything
                who=agent,
            )
    if gone:
        return tuple(moment for moment, _ in _without_choice(reading, table, close, gone))
    nearest = min(distance(moment) for moment, _ in close)
    return tuple(moment for moment, _ in close if distance(moment) == nearest)


def _ends(table: Table, look: Look, gone: set[int]) -> tuple[Callable[[Moment], Hashable], End]:
    """Return how the episode stands: players may leave before the others, who end together."""
    if look.movers:
        cut = [table.agents[player] for player, end, _ in look.left if end is not End.TERMINATED]
        if cut:
            broken(
                EnvironmentLaw.END,
                table.story,
                f"needs agents who leave while others play on to terminate, but {cut} are cut off.",
            )
        return (lambda moment: moment.end), End.RUNNING
    ends = {end for player, end, _ in look.left if player not in gone}
    if len(ends) == 2:  # some may leave for good in the very moment in which play is cut off
        ends.discard(End.TERMINATED)
    if len(ends) != 1:
        told = {table.agents[player]: end.value for player, end, _ in look.left}
        broken(
            EnvironmentLaw.END,
            table.story,
            "needs all agents who are left to end together, as the model's players do, but found "
            f"{told or 'no agent left, and none told of its end'}.",
        )
    found = next(iter(ends))
    if found in {End.TERMINATED, End.BOTH}:  # either will do where the model says both
        return (lambda moment: found if moment.end is End.BOTH else moment.end), found
    return (lambda moment: moment.end), found


def _seen_by(player: int) -> Callable[[Moment], Hashable]:
    return lambda moment: moment.observations[moment.movers.index(player)]


def _narrow(
    law: Weighted,
    broken_law: EnvironmentLaw,
    table: Table,
    part: Callable[[Moment], Hashable],
    found: Hashable,
    *,
    who: str = "",
) -> Weighted:
    kept = tuple((moment, weight) for moment, weight in law if part(moment) == found)
    if not kept:
        _refuse(broken_law, table, law, part, found, who=who)
    return kept


def _refuse(
    broken_law: EnvironmentLaw,
    table: Table,
    law: Weighted,
    part: Callable[[Moment], Hashable],
    found: Hashable,
    *,
    who: str = "",
) -> None:
    due: dict[Hashable, Fraction] = {}
    total = sum((weight for _, weight in law), ZERO)
    for moment, weight in law:
        due[part(moment)] = due.get(part(moment), ZERO) + weight / total
    if broken_law is EnvironmentLaw.ORDER:
        found, due = _named(table, found), {_named(table, x): w for x, w in due.items()}
    whose = f" for {who}" if who else ""
    broken(broken_law, table.story, f"needs {shown_law(due)}{whose}, but found {readable(found)}.")


def _named(table: Table, movers: Any) -> Hashable:
    return tuple(table.agents[player] for player in movers)


def _read(reading: Reading, table: Table, agent: str, observation: Any) -> Hashable:
    try:
        label = reading.read_observation(agent, observation)
        hash(label)
    except InvalidArgument:
        raise
    except Exception as error:  # noqa: BLE001 the caller's function
        broken(
            EnvironmentLaw.OBSERVATIONS,
            table.story,
            f"needs an observation of {agent} that read_observation turns into a label, but for "
            f"{shown(observation)} it {raised(error)}.",
            cause=error,
        )
    return label


def _leaving_early(look: Look) -> set[int]:
    """Return who terminates while others are cut off."""
    ends = {end for _, end, _ in look.left}
    terminated = {player for player, end, _ in look.left if end is End.TERMINATED}
    return terminated if len(ends) > 1 else set()


def _without_choice(reading: Reading, table: Table, law: Weighted, gone: set[int]) -> Weighted:
    """Keep the moments in which those who left have one action: the model may leave no choice."""

    def legal(moment: Moment, player: int) -> tuple[Any, ...]:
        if moment.end is not End.RUNNING:
            seen = moment.observations[player : player + 1]
        else:
            seen = [
                x for k, x in zip(moment.movers, moment.observations, strict=True) if k == player
            ]
        return reading.legal_actions(player, seen[0]) if seen else ()

    for player in sorted(gone):
        kept = tuple((m, weight) for m, weight in law if len(legal(m, player)) < 2)
        if not kept:
            broken(
                EnvironmentLaw.END,
                table.story,
                f"{table.agents[player]} left, but by the model it may do any of "
                f"{legal(law[0][0], player)!r}.",
            )
        law = kept
    return law


def label_of(reading: Reading, table: Table, player: int, glanced: Any) -> Hashable:
    """Return the label of what is seen off turn, which need not be one of the model's."""
    with suppress(Exception):
        label = reading.read_observation(table.agents[player], glanced)
        hash(label)
        return label
    return fingerprint(glanced)


def choices_of(
    reading: Reading, table: Table, player: int, label: Any, allowed: tuple[int, ...] | None
) -> list[tuple[Any, Any]]:
    """Return the model's legal actions, each with the environment's own."""
    agent = table.agents[player]
    legal = reading.legal_actions(player, label)
    space = space_of(table, agent, is_of_actions=True)
    if reading.write_action is not None:
        try:
            pairs = [(action, reading.write_action(agent, action)) for action in legal]
        except Exception as error:
            raise InvalidArgument(
                needs=f"write_action to write each of the legal actions {legal!r} of {agent}",
                found=f"at {label!r} it {raised(error)}",
            ) from error
        if allowed is not None and {wanted for _, wanted in pairs} != set(allowed):
            _refuse_mask(table, agent, [wanted for _, wanted in pairs], allowed)
        return pairs
    indices = allowed
    if indices is None:
        start = int(getattr(space, "start", 0))
        indices = tuple(range(start, start + int(getattr(space, "n", 0))))
    if set(legal) == set(indices):
        return [(action, action) for action in legal]
    if len(legal) == len(indices):
        return list(zip(legal, indices, strict=True))
    if allowed is not None:
        _refuse_mask(table, agent, list(legal), allowed)
    raise InvalidArgument(
        needs=f"write_action, since {agent} has the legal actions {legal!r} in the model at "
        f"{label!r}",
        found=f"{space} without an action mask in the environment",
    )


def _refuse_mask(table: Table, agent: str, legal: list[Any], allowed: tuple[int, ...]) -> None:
    broken(
        EnvironmentLaw.LEGAL,
        table.story,
        f"needs {agent} to have the legal actions {legal!r}, but the mask allows {list(allowed)}.",
    )
