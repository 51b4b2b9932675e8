"""One episode of an environment, followed by its model move by move."""

import copy
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from gametheory_core.errors import LawBroken
from gametheory_core.games.rules import AWAY, IDLE
from gametheory_core.testing.environment_chances import ChanceCounts
from gametheory_core.testing.environment_content import Prints, fingerprint
from gametheory_core.testing.environment_contract import space_of
from gametheory_core.testing.environment_dependences import Dependences
from gametheory_core.testing.environment_forecast import End, Forecast, Forecaster, Moment
from gametheory_core.testing.environment_laws import EnvironmentLaw, broken, raised, shown
from gametheory_core.testing.environment_look import Look, Table
from gametheory_core.testing.environment_past import Past
from gametheory_core.testing.environment_reading import (
    Reading,
    choices_of,
    label_of,
    require_possible,
)
from gametheory_core.testing.environment_secrets import Secrets

T = TypeVar("T")
OFF_TURN = "off turn"


@dataclass
class Findings:
    """What all episodes together have shown.

    Attributes:
        dependences, secrets: Of chance and of what is shown; None where they are not looked for.
        looks: (Player, information state) -> what it looked like, and where it was first met.
        compared: How often one was met again.
        moves: That were made.
        last: What was played last on each table.
    """

    counts: ChanceCounts
    dependences: Dependences | None = None
    secrets: Secrets | None = None
    looks: dict[tuple[int, tuple[Any, ...]], tuple[Prints, Any, str]] = field(
        default_factory=dict[tuple[int, tuple[Any, ...]], tuple[Prints, Any, str]]
    )
    compared: int = 0
    moves: int = 0
    last: dict[int, "Episode"] = field(default_factory=dict[int, "Episode"])


@dataclass
class Episode:
    """What was done and shown.

    Attributes:
        actions: As the environment got them.
        looks: One more than actions.
        log_chance: Logarithm of the model's probability of what was shown, given what was done.
    """

    seed: int | None
    actions: list[tuple[Any, ...]]
    looks: list[Look]
    log_chance: float = 0.0


def follow(
    reading: Reading,
    findings: Findings,
    table: Table,
    seed: int | None,
    *,
    rng: np.random.Generator,
) -> Episode:
    """Play an episode with random legal actions, and require what the model allows."""
    episode = Episode(seed, [], [told(table, lambda: table.reset(seed))])
    before = findings.last.pop(id(table), None)
    if before is not None:
        _require_kept(before, table)
    if reading.forecaster is None:
        _follow_freely(reading, table, episode, rng)
    else:
        _follow_model(reading, reading.forecaster, findings, table, episode, rng)
    findings.moves += len(episode.actions)
    _require_kept(episode, table)
    findings.last[id(table)] = episode
    return episode


def _follow_freely(
    reading: Reading, table: Table, episode: Episode, rng: np.random.Generator
) -> None:
    samplers: dict[str, Any] = {}
    while episode.looks[-1].movers and len(episode.actions) < reading.max_moves:
        look = episode.looks[-1]
        chosen: list[Any] = []
        for player, allowed in zip(look.movers, look.allowed, strict=True):
            agent = table.agents[player]
            if allowed is not None:
                chosen.append(int(allowed[int(rng.integers(len(allowed)))]))
                continue
            if agent not in samplers:  # a copy: drawing from the environment's own would change it
                samplers[agent] = copy.deepcopy(space_of(table, agent, is_of_actions=True))
                samplers[agent].seed(int(rng.integers(2**31)))
            chosen.append(samplers[agent].sample())
        _play(table, episode, tuple(chosen))


def _follow_model(
    reading: Reading,
    forecaster: Forecaster,
    findings: Findings,
    table: Table,
    episode: Episode,
    rng: np.random.Generator,
) -> None:
    known: list[tuple[Any, ...]] = [()] * len(table.agents)
    forecast, situation = forecaster.first(), ()
    past: Past | None = Past(episode.seed)
    gone: set[int] = set()
    early: dict[int, int] = {}
    off_turn: dict[int, tuple[Any, ...]] = {}
    while True:
        look = episode.looks[-1]
        gone.update(player for player, _, _ in look.left if look.movers)
        moments = require_possible(reading, forecast, table, look, gone)
        moment = _drawn(forecast, moments, rng)
        episode.log_chance += math.log(sum(forecast.law[each] for each in moments))
        move = len(episode.actions)
        _require_presence(table, look, moments, move, early)
        findings.counts.add(move, situation, forecast, moment, str(table.story))
        if past is not None:
            _remember(findings, past, forecast, moment, look, table)
            if gone or moment.end is not End.RUNNING or move == reading.max_moves:
                if findings.secrets is not None:
                    findings.secrets.compare(past, table.story)
                past = None
        if moment.end is not End.RUNNING or move == reading.max_moves:
            break
        chosen: list[Any] = []
        written: list[Any] = []
        for player in moment.away:
            known[player] = (*known[player], AWAY, IDLE)
        for player, label in zip(moment.movers, moment.observations, strict=True):
            if player in gone:
                chosen.extend(reading.legal_actions(player, label))
                continue
            place = look.movers.index(player)
            known[player] = (*known[player], label)
            here = (look.prints[place], look.observations[place], str(table.story))
            _require_same_look(findings, table, player, known[player], here)
            off_turn.pop(player, None)
            choices = choices_of(reading, table, player, label, look.allowed[place])
            action, wanted = choices[int(rng.integers(len(choices)))]
            known[player] = (*known[player], action)
            chosen.append(action)
            written.append(wanted)
        glances: dict[int, Hashable] = {}
        for player, glanced in told(table, table.glance).items():
            label = glances[player] = label_of(reading, table, player, glanced)
            off_turn[player] = (*off_turn.get(player, ()), (look.movers, label))
            when = (*known[player], OFF_TURN, off_turn[player])
            here = (fingerprint(glanced), glanced, str(table.story))
            _require_same_look(findings, table, player, when, here)
        if past is not None:
            past.actions.append(tuple(chosen))
            past.glances.append(glances)
        belief = forecaster.believed(forecast, moments)
        situation = (belief.number, tuple(chosen))
        forecast = forecaster.after(belief, tuple(chosen))
        _play(table, episode, tuple(written))


def _remember(
    findings: Findings, past: Past, forecast: Forecast, moment: Moment, look: Look, table: Table
) -> None:
    """Count what was shown by the past, and make it part of that."""
    if findings.dependences is not None and findings.secrets is not None:
        extras = findings.secrets.extras
        findings.dependences.count(past, forecast, moment, table.story, extras)
        findings.secrets.look_for_extras(len(past.looks), moment, look)
    past.looks.append((moment, look))


def _drawn(forecast: Forecast, moments: tuple[Moment, ...], rng: np.random.Generator) -> Moment:
    """Draw one of the moments that cannot be told apart: its law stays the model's."""
    if len(moments) == 1:
        return moments[0]
    weights = np.array([float(forecast.law[moment]) for moment in moments])
    return moments[int(rng.choice(len(moments), p=weights / weights.sum()))]


def _play(table: Table, episode: Episode, actions: tuple[Any, ...]) -> None:
    episode.actions.append(copy.deepcopy(actions))
    episode.looks.append(told(table, lambda: table.step(actions)))


def told(table: Table, play: Callable[[], T]) -> T:
    """Play on; where the environment itself fails, say where."""
    try:
        return play()
    except LawBroken:
        raise
    except Exception as error:  # noqa: BLE001 whatever it is, the environment should not raise it
        broken(EnvironmentLaw.FORM, table.story, f"it {raised(error)}.", cause=error)


def _require_presence(
    table: Table, look: Look, moments: tuple[Moment, ...], move: int, early: dict[int, int]
) -> None:
    """Require agents to be listed and to leave when the model's players are there and leave.

    Args:
        early: Who has left before the model says so, and after how many moves; is added to.
    """
    for player in look.listed if move else ():
        if all(player in moment.absent for moment in moments):
            broken(
                EnvironmentLaw.LEAVING,
                table.story,
                f"{table.agents[player]} is among the agents, but by the model is not there.",
            )
    for player, _, _ in look.left if look.movers else ():
        if not any(player in moment.absent for moment in moments):
            early[player] = move
    for player, left in early.items():
        if left < move and all(player in moment.absent for moment in moments):
            broken(
                EnvironmentLaw.LEAVING,
                table.story,
                f"{table.agents[player]} left after {left} moves, but by the model leaves now, "
                f"after {move}.",
            )


def _require_same_look(
    findings: Findings,
    table: Table,
    player: int,
    information_state: tuple[Any, ...],
    here: tuple[Prints, Any, str],
) -> None:
    there = findings.looks.setdefault((player, information_state), here)
    findings.compared += there is not here
    if there[0] != here[0]:
        broken(
            EnvironmentLaw.SECRETS,
            table.story,
            f"by the model {table.agents[player]} knows no more than {information_state!r}, as "
            f"before ({there[2]}) when it saw {shown(there[1])}, but now it sees {shown(here[1])}. "
            "The observation, or what comes with it, tells what the model keeps hidden.",
        )


def _require_kept(episode: Episode, table: Table) -> None:
    for look in episode.looks:
        for lent in look.lent:
            if fingerprint(lent.given) != lent.content:
                broken(
                    EnvironmentLaw.KEPT,
                    table.story,
                    f"needs the {lent.name} that was returned to stay as it was, but it now is "
                    f"{shown(lent.given)}. Return a new object each time.",
                )
