"""One episode of an environment, followed by its model move by move, and played again."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidArgument, LawBroken
from gametheory_core.testing.environment_chances import ChanceCounts
from gametheory_core.testing.environment_forecast import (
    End,
    EnvironmentLaw,
    Forecast,
    Forecaster,
    Moment,
    broken,
    readable,
    shown,
    shown_law,
)
from gametheory_core.testing.environment_play import Look, Table, fingerprint, spoil

Weighted: TypeAlias = tuple[tuple[Moment, Fraction], ...]


@dataclass(frozen=True)
class Reading:
    """How an environment is read in the model's terms.

    Attributes:
        legal_actions: Of player and observation, as the model says.
        read_observation, write_action: As in ``check_environment``; ``write_action`` may be None.
        reward_tolerance: In payoff units.
    """

    forecaster: Forecaster
    legal_actions: Callable[[int, Any], tuple[Any, ...]]
    read_observation: Callable[[str, Any], Hashable]
    write_action: Callable[[str, Any], Any] | None
    reward_tolerance: float
    max_moves: int


@dataclass
class Findings:
    """What all episodes together have shown.

    Attributes:
        looks: (Player, information state) -> what it looked like, and where it was first met.
    """

    counts: ChanceCounts
    looks: dict[tuple[int, tuple[Any, ...]], tuple[Hashable, Any, str]] = field(
        default_factory=dict[tuple[int, tuple[Any, ...]], tuple[Hashable, Any, str]]
    )
    moves: int = 0


@dataclass(frozen=True)
class Episode:
    """What was done and shown.

    Attributes:
        actions: As the environment got them.
        looks: One more than actions.
    """

    seed: int
    actions: list[tuple[Any, ...]]
    looks: list[Look]


def follow(
    reading: Reading, findings: Findings, table: Table, seed: int, *, rng: np.random.Generator
) -> Episode:
    """Play an episode with random legal actions, and require what the model allows."""
    episode = Episode(seed, [], [_told(table, lambda: table.reset(seed))])
    known: list[tuple[Any, ...]] = [()] * len(table.agents)
    forecast, situation = reading.forecaster.first(), ()
    while True:
        look = episode.looks[-1]
        moment = _require_possible(reading, forecast, table, look)
        move = len(episode.actions)
        findings.counts.add(move, situation, forecast, moment, str(table.story))
        if moment.end is not End.RUNNING or move == reading.max_moves:
            break
        chosen: list[Any] = []
        written: list[Any] = []
        for place, player in enumerate(moment.movers):
            known[player] = (*known[player], moment.observations[place])
            _require_same_look(findings, table, player, known[player], look, place)
            choices = _choices(reading, table, player, known[player][-1], look.allowed[place])
            action, wanted = choices[int(rng.integers(len(choices)))]
            known[player] = (*known[player], action)
            chosen.append(action)
            written.append(wanted)
        belief = forecast.beliefs[moment]
        situation = (belief.number, tuple(chosen))
        forecast = reading.forecaster.after(belief, tuple(chosen))
        episode.actions.append(tuple(written))
        episode.looks.append(_told(table, lambda: table.step(episode.actions[-1])))
    findings.moves += len(episode.actions)
    _require_kept(episode, table)
    return episode


def _told(table: Table, play: Callable[[], Look]) -> Look:
    """Play on; where the environment itself fails, say where."""
    try:
        return play()
    except LawBroken:
        raise
    except Exception as error:
        error.add_note(f"check_environment: raised by the environment. {table.story}.")
        raise


def replay(
    episode: Episode, table: Table, *, law: EnvironmentLaw, where: str, spoiling: bool = False
) -> None:
    """Play the same actions from the same seed, and require the same episode to its end."""
    for move, before in enumerate(episode.looks):
        try:
            look = table.step(episode.actions[move - 1]) if move else table.reset(episode.seed)
        except LawBroken as error:  # the first play broke none, so this one differs
            broken(law, table.story, f"{where} continues otherwise than the first time. {error}")
        if look.content != before.content:
            due, found = _difference(before, look)
            broken(
                law,
                table.story,
                f"needs {due}, as shown the first time, but {where} shows {found}.",
            )
        if spoiling:
            for given in look.given:
                spoil(given)


def cut_short(episode: Episode, table: Table) -> None:
    """Play the first half of an episode and leave it."""
    table.reset(episode.seed)
    for actions in episode.actions[: (len(episode.actions) + 1) // 2]:
        table.step(actions)


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


def _require_possible(reading: Reading, forecast: Forecast, table: Table, look: Look) -> Moment:
    """Return the model's moment that an environment shows, part by part."""
    law = tuple(forecast.law.items())
    law = _narrow(law, EnvironmentLaw.END, table, _end_of, look.end)
    law = _narrow(law, EnvironmentLaw.ORDER, table, _movers_of, look.movers)
    paid = look.rewards

    def distance(moment: Moment) -> float:
        return max(abs(float(r) - x) for r, x in zip(moment.rewards, paid, strict=True))

    close = tuple((m, w) for m, w in law if distance(m) <= reading.reward_tolerance)
    if not close:
        _refuse(EnvironmentLaw.REWARDS, table, law, lambda m: m.rewards, paid)
    for place, player in enumerate(look.movers):
        agent = table.agents[player]
        label = _read(reading, table, agent, look.observations[place])
        close = _narrow(close, EnvironmentLaw.OBSERVATIONS, table, _entry(place), label, who=agent)
    return min((moment for moment, _ in close), key=distance)


def _end_of(moment: Moment) -> Hashable:
    return moment.end


def _movers_of(moment: Moment) -> Hashable:
    return moment.movers


def _entry(place: int) -> Callable[[Moment], Hashable]:
    return lambda moment: moment.observations[place]


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
    except (LookupError, ValueError, TypeError) as error:
        if isinstance(error, InvalidArgument):
            raise
        broken(
            EnvironmentLaw.OBSERVATIONS,
            table.story,
            f"needs an observation of {agent} that read_observation turns into a label, but for "
            f"{shown(observation)} it raised {type(error).__name__}: {error}.",
        )
    return label


def _require_same_look(
    findings: Findings,
    table: Table,
    player: int,
    information_state: tuple[Any, ...],
    look: Look,
    place: int,
) -> None:
    here = (look.prints[place], look.observations[place], str(table.story))
    there = findings.looks.setdefault((player, information_state), here)
    if there[0] != here[0]:
        broken(
            EnvironmentLaw.SECRETS,
            table.story,
            f"by the model {table.agents[player]} knows no more than {information_state!r}, as "
            f"before ({there[2]}) when it saw {shown(there[1])}, but now it sees {shown(here[1])}. "
            "The observation tells what the model keeps hidden.",
        )


def _choices(
    reading: Reading, table: Table, player: int, label: Any, allowed: tuple[int, ...] | None
) -> list[tuple[Any, Any]]:
    """Return the model's legal actions, each with the environment's own."""
    agent = table.agents[player]
    legal = reading.legal_actions(player, label)
    space = table.env.action_space(agent)
    if reading.write_action is not None:
        pairs = [(action, reading.write_action(agent, action)) for action in legal]
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


def _require_kept(episode: Episode, table: Table) -> None:
    for look in episode.looks:
        for player, given, before in zip(look.movers, look.given, look.prints, strict=True):
            if fingerprint(given) != before:
                index = look.movers.index(player)
                broken(
                    EnvironmentLaw.KEPT,
                    table.story,
                    f"needs what {table.agents[player]} was given to stay "
                    f"{shown(look.observations[index])}, but it now is {shown(given)}. Return a "
                    "new array each time.",
                )


def _difference(before: Look, now: Look) -> tuple[str, str]:
    for name in ("end", "movers", "rewards", "allowed"):
        due, found = getattr(before, name), getattr(now, name)
        if due != found:
            return f"{name} {readable(due)}", f"{name} {readable(found)}"
    return f"observations {shown(before.observations)}", shown(now.observations)
