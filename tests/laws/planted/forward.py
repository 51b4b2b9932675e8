"""What a model says of a play, by forward simulation: how likely was what the agents saw?

The belief of somebody who sees what all agents see is carried along a play. At each moment the
model forecasts what comes next; what came must be possible. A right environment is also calibrated:
the likelihood of what came, less its expectation, sums to about 0 over many plays.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.games.rules import NULL, is_posg
from gametheory_core.games.tree_table import CHANCE
from tests.laws.planted.plays import ALONE, moments
from tests.laws.planted.records import Kind


class Surprise(Exception):
    """Something came that the model thinks impossible."""


class Forecast(NamedTuple):
    """One moment: how likely what came was, its expectation and its variance."""

    came: float
    mean: float
    variance: float


class Situated(NamedTuple):
    """A model with what its labels look like in the environment.

    Attributes:
        read, write: agent, observation -> label; agent, the model's action -> the environment's.
    """

    model: Any
    kind: Kind
    agents: tuple[Any, ...]
    read: Callable[[Any, Any], Any]
    write: Callable[[Any, Any], Any]

    def label(self, player: int, seen: Any, action: Any) -> Any:
        """Return the legal action of the model that stands for an action of the environment."""
        agent = self.agents[player]
        legal = self.model.legal_actions(player, seen)
        found = [label for label in legal if np.array_equal(self.write(agent, label), action)]
        if len(found) != 1:
            raise Surprise(f"{agent} did {action}, but after {seen} the model allows {legal}")
        return found[0]


class Sight(NamedTuple):
    """What there is to see at one moment; None where nothing is."""

    observations: tuple[Any, ...]
    rewards: tuple[Any, ...]
    end: str


def calibration(forecasts: list[Forecast]) -> float:
    """Return the sum of surprises in standard deviations."""
    spread = sum(f.variance for f in forecasts)
    return sum(f.came - f.mean for f in forecasts) / sqrt(spread) if spread else 0.0


def forecasts(env: Any, game: Situated, *, seed: int) -> list[Forecast]:
    """Play once and return the model's forecasts; raise ``Surprise`` at what is impossible."""
    rng = np.random.default_rng(seed)
    play = list(_copied(moments(env, game.kind, rng, seed=seed)))
    if is_posg(game.model):
        rounds = _rounds_of_turns(play, game) if game.kind is Kind.AEC else _rounds(play, game)
        return list(_posg(game, rounds))
    return list(_aec(game, play))


def _copied(play: Any) -> Iterator[Any]:
    for moment in play:
        yield moment._replace(
            rewards=dict(moment.rewards),
            terminations=dict(moment.terminations),
            truncations=dict(moment.truncations),
        )


def _told(distribution: dict[Any, Any], came: Any, where: Any) -> tuple[Any, Forecast]:
    """Return the part of a joint distribution (sight -> states) that came, and the forecast."""
    total = {sight: float(sum(states.values())) for sight, states in distribution.items()}
    if came not in total:
        raise Surprise(f"{where}: {came}, but the model has {list(total)[:6]}")
    mean = sum(p**2 for p in total.values())
    spread = sum(p**3 for p in total.values()) - mean**2
    states = distribution[came]
    weight = sum(states.values())
    belief = {state: p / weight for state, p in states.items()}
    return belief, Forecast(total[came], mean, max(0.0, spread))


def _add(distribution: dict[Any, Any], sight: Any, state: Any, weight: Fraction) -> None:
    states = distribution.setdefault(sight, {})
    states[state] = states.get(state, 0) + weight


# POSGs


class Round(NamedTuple):
    """The joint action that led to a sight, None for who is out, and who was live in it."""

    actions: dict[int, Any]
    sight: Sight
    live: tuple[int, ...]


def _rounds(play: list[Any], game: Situated) -> list[Round]:
    """Read a parallel or gymnasium play as rounds."""
    rounds = []
    agents = (ALONE,) if game.kind is Kind.GYMNASIUM else game.agents
    live = tuple(range(len(agents)))
    for moment in play:
        actions = {i: moment.before[agents[i]] for i in live if rounds}
        rewards = tuple(
            Fraction(float(moment.rewards[agent])) if agent in moment.rewards else None
            for agent in agents
        )
        cut = any(  # a wrapper's time limit also truncates what is over
            cut and not moment.terminations.get(agent) for agent, cut in moment.truncations.items()
        )
        over = bool(rounds) and not moment.agents
        end = "time" if cut else "over" if over else ""
        seen = tuple(
            game.read(agent, moment.observations[agent])
            if agent in moment.observations and end != "over"
            else None
            for agent in agents
        )
        rounds.append(Round(actions, Sight(seen, rewards, end), live))
        live = tuple(
            i
            for i in live
            if not moment.terminations.get(agents[i]) and not moment.truncations.get(agents[i])
        )
    return rounds


def _rounds_of_turns(play: list[Any], game: Situated) -> list[Round]:
    """Read an AEC play in which each acts once a round as rounds."""
    count = len(game.agents)
    none = (None,) * count
    rounds: list[Round] = []
    done: tuple[dict[int, Any], tuple[Any, ...]] = ({}, none)
    seen: dict[int, Any] = {}
    actions: dict[int, Any] = {}
    paid = [Fraction(0)] * count
    for moment in play:
        for agent, action in moment.before.items():
            if action is not None:
                actions[game.agents.index(agent)] = action
                paid = [
                    p + Fraction(float(moment.rewards.get(a, 0)))
                    for p, a in zip(paid, game.agents, strict=True)
                ]
        if len(actions) == count:
            done, actions, paid = (actions, tuple(paid)), {}, [Fraction(0)] * count
        if moment.mover is not None:
            mover = game.agents.index(moment.mover)
            seen[mover] = game.read(moment.mover, moment.observations[moment.mover])
        if len(seen) == count:
            end = "time" if any(moment.truncations.values()) else ""
            end = end or ("over" if any(moment.terminations.values()) else "")
            told = tuple(None if end == "over" else seen[i] for i in range(count))
            sight = Sight(told, done[1], end)
            rounds.append(Round(done[0], sight, tuple(range(count))))
            seen = {}
    return rounds


def _posg(game: Situated, rounds: list[Round]) -> Iterator[Forecast]:
    model = game.model
    begun: dict[Any, Any] = {}
    for state, weight in model.initial():
        for joint, odds in model.initial_observation(state):
            sight = Sight(joint, (None,) * len(joint), "")
            _add(begun, sight, (state, joint), weight * odds)
    belief, forecast = _told(begun, rounds[0].sight, "at the reset")
    yield forecast
    for number, (done, came, live) in enumerate(rounds[1:], start=1):
        following: dict[Any, Any] = {}
        before = rounds[number - 1].sight.observations
        actions = {i: game.label(i, before[i], done[i]) for i in live}
        for (state, joint), weight in belief.items():
            action = tuple(
                actions[i] if i in live else _only(model.legal_actions(i, joint[i]))
                for i in range(len(joint))
            )
            for after, odds in model.transition(state, action):
                rewards = model.reward(state, action, after)
                if any(rewards[i] for i in range(len(joint)) if i not in live):
                    raise Surprise("the model pays a player who is out")
                paid = tuple(Fraction(r) if i in live else None for i, r in enumerate(rewards))
                over = model.is_terminal(after)
                cut = not over and number == model.horizon
                end = "time" if cut else "over" if over else ""
                # In a terminal state nobody acts: what is seen there is not compared.
                blank = [((NULL,) * len(joint), Fraction(1))]
                for new, p in blank if over else model.observation(action, after):
                    seen = tuple(o if i in live and not over else None for i, o in enumerate(new))
                    _add(following, Sight(seen, paid, end), (after, new), weight * odds * p)
        belief, forecast = _told(following, came, f"round {number}")
        yield forecast


def _only(legal: tuple[Any, ...]) -> Any:
    if len(legal) != 1:
        raise Surprise(f"the model asks a player who is out to choose among {legal}")
    return legal[0]


# AEC games


def _aec(game: Situated, play: list[Any]) -> Iterator[Forecast]:
    model = game.model
    begun = _until_turn(model, {(model.initial_state, CHANCE, 0): Fraction(1)}, None)
    belief: Any = None
    before: Any = None
    for number, (moment, came) in enumerate(_turns(play, game)):
        following = begun
        if number:
            (agent, action), *_ = moment.before.items()
            mover, label = before.observations[0]
            if game.agents[mover] != agent:
                raise Surprise(f"turn {number}: {agent} acted, not {game.agents[mover]}")
            following = _until_turn(model, belief, (mover, game.label(mover, label, action)))
        before = came
        belief, forecast = _told(following, came, f"turn {number}")
        yield forecast


def _turns(play: list[Any], game: Situated) -> Iterator[tuple[Any, Sight]]:
    """Read an AEC play turn by turn, leaving out dead steps."""
    for moment in play:
        if any(action is None for action in moment.before.values()):
            continue
        live = [
            a
            for a in game.agents
            if a in moment.agents and not moment.terminations[a] and not moment.truncations[a]
        ]
        rewards = tuple(Fraction(float(moment.rewards.get(agent, 0))) for agent in game.agents)
        # After a death the one whose turn it is comes after dead steps.
        mover = moment.mover
        seen: Any = None
        if live:
            turn = moment if mover in live else _next_turn(play, moment, live)
            mover = turn.mover
            seen = (game.agents.index(mover), game.read(mover, turn.observations[mover]))
        cut = any(moment.truncations.values())
        yield moment, Sight((seen,), rewards, "" if live else "time" if cut else "over")


def _next_turn(play: list[Any], moment: Any, live: list[Any]) -> Any:
    after = play[[m is moment for m in play].index(True) :]
    return next(m for m in after if m.mover in live)


def _until_turn(model: Any, belief: dict[Any, Any], move: tuple[int, Any] | None) -> Any:
    """Return the joint distribution of what is seen next, and of (state, mover, moves)."""
    count = len(model.players)
    none = (Fraction(0),) * count
    open_: dict[Any, Any] = {}
    if move is None:
        open_ = {(state, mover, moves, none): w for (state, mover, moves), w in belief.items()}
    else:
        mover, action = move
        for (state, who, moves), weight in belief.items():
            if who != mover:
                continue
            after = model.move(mover, state, action)
            _moved(model, open_, (state, mover, action, after, moves, none), weight)
    told: dict[Any, Any] = {}
    while open_:
        (state, mover, moves, paid), weight = open_.popitem()
        if model.is_terminal(state) or moves == model.horizon:
            end = "over" if model.is_terminal(state) else "time"
            _add(told, Sight((None,), paid, end), (state, mover, moves), weight)
        elif mover == CHANCE:
            for after, odds in model.chance(state):
                _moved(model, open_, (state, CHANCE, NULL, after, moves, paid), weight * odds)
        else:
            for label, odds in model.observation(mover, state):
                sight = Sight(((mover, label),), paid, "")
                _add(told, sight, (state, mover, moves), weight * odds)
    return told


def _moved(model: Any, open_: dict[Any, Any], move: Any, weight: Fraction) -> None:
    state, mover, action, after, moves, paid = move
    over = model.is_terminal(after) or moves + 1 == model.horizon
    following = [(CHANCE, 1)] if over else model.next_player(state, mover, action, after)
    for rewards, odds in model.reward(state, mover, action, after):
        total = tuple(a + Fraction(b) for a, b in zip(paid, rewards, strict=True))
        for who, p in following:
            key = (after, who, moves + 1, total)
            open_[key] = open_.get(key, 0) + weight * odds * p
