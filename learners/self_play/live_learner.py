"""The live learner: any that plays batches, put into one seat among frozen policies."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import described, require_integer, shown
from gametheory_core.distributions import Distribution, push_forward
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import BatchedEnvironment
from learners.experiments.registry import learner_class, read_options
from learners.protocol import Learner, Plays, declaration_of
from learners.self_play.draws import Draws
from learners.self_play.live_play import LivePlay
from learners.self_play.opponents import MOST_BYTES, Opponents
from learners.self_play.views import SeatViews
from learners.training import require_learner

Live: TypeAlias = Mapping[str, Any] | Callable[..., Learner]


def seated_play(
    environment: BatchedEnvironment,
    draws: Draws,
    *,
    views: SeatViews | None,
    seat: int | None,
    rng: np.random.Generator,
    most_bytes: int = MOST_BYTES,
) -> LivePlay:
    """Return play of one seat against whom draws say, at first an even policy.

    Raises:
        InvalidArgument: If there is no such seat, or nobody to meet.
    """
    players = len(environment.players)
    if players < 2:
        raise InvalidArgument(needs="a game of two players or more", found=f"it has {players}")
    if seat is not None:
        require_integer(seat, name="seat", low=0, high=players - 1)
    shape = (views.num_observations if views else 0, max(environment.num_actions))
    lanes = environment.num_episodes * players
    opponents = Opponents(shape, lanes=lanes, most_bytes=most_bytes)
    opponents.put(1, np.full(shape, 1 / shape[1]))  # whom a reset meets
    return LivePlay(
        environment, views=views, opponents=opponents, draw=draws.places, seat=seat, rng=rng
    )


def made_live(live: Live, play: BatchedEnvironment, rng: np.random.Generator) -> Learner:
    """Make the learner that trains one seat.

    Raises:
        InvalidArgument: If there is no such learner, or it does not play batches.
    """
    if isinstance(live, Mapping):
        made = _by_name(live, play, rng)
    elif callable(live):
        _require_maker(live, play, rng)
        made = live(play, rng=rng)
        require_learner(made)
    else:
        raise InvalidArgument(
            needs='a table such as {"name": "PPO"} or a function that makes a learner',
            found=f"got {shown(live)}",
            where="live",
        )
    if len(made.policies()) != 1:
        raise InvalidArgument(
            needs="a learner of one seat", found=f"got one of {len(made.policies())}", where="live"
        )
    return made


def _require_maker(live: Callable[..., Any], play: BatchedEnvironment, rng: Any) -> None:
    """Refuse a function that cannot be called as live learners are made."""
    try:
        inspect.signature(live).bind(play, rng=rng)
    except TypeError as error:
        raise InvalidArgument(
            needs="a function of the environment and rng=",
            found=f"got {described(live)}: {error}",
            remedy="Give lambda environment, *, rng: QLearning(environment, rng=rng), for one.",
            where="live",
        ) from None
    except ValueError:  # written in C, which does not say what it takes
        return


def _by_name(
    live: Mapping[str, Any], play: BatchedEnvironment, rng: np.random.Generator
) -> Learner:
    options = dict(live)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise InvalidArgument(
            needs='the name of a learner, such as {"name": "PPO"}',
            found=f"got {shown(dict(live))}",
            where="live.name",
        )
    kind = learner_class(name, path="live.name")
    declared = declaration_of(kind)
    if declared.plays is not Plays.BATCHES or declared.batch is not None:
        plays = declared.plays.value if declared.batch is None else "batches of its own kind"
        raise InvalidArgument(
            needs="a learner that plays one seat in batches, such as PPO or QLearning",
            found=f"{kind.__name__} plays {plays}",
            where="live.name",
        )
    return kind(play, **read_options(kind, options, path="live"), rng=rng)


def seated_policies(play: LivePlay, live: Learner) -> PolicyProfile:
    """Return the policy of one player of ``play`` as exact policies of the game's seats."""
    (policy,) = live.policies()
    return tuple(_seated(play, seat, policy) for seat in range(len(play.environment.players)))


def _seated(play: LivePlay, seat: int, policy: Policy) -> Policy:
    labels = play.environment.action_labels[seat]
    views = play.views

    def act(information_state: InformationState) -> Distribution[Any]:
        seen = play.environment.observe(seat, information_state)
        if views is not None:
            past: list[Any] = views.numbers[seat][seen].tolist()
        else:
            past = [tuple(row) for row in play.marked(seen, seat).tolist()]
        known: list[Any] = [past[0]]
        for action, number in zip(information_state[1::2], past[1:], strict=True):
            known += [labels.index(action), number]
        return push_forward(policy[tuple(known)], lambda number: labels[number])

    return policy_from(act)
