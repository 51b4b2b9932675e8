"""Compare a PettingZoo environment with a reference model, by laws that any right copy obeys.

Episodes are played with random legal actions. What the environment shows must have positive
probability under the model, given all it showed before: a wrong reward, turn, observation or end is
found when it is first met, with certainty. What has positive probability must come as often as the
model says: exact binomial tests, so that a right environment fails with at most the level stated.
What the model says that a player cannot tell apart must look the same, byte for byte; and the same
seed must give the same episode to the end, on a fresh copy and on a used one.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.errors import InvalidArgument, LawBroken
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.testing.environment_chances import ChanceCounts, check_chances
from gametheory_core.testing.environment_episode import (
    Findings,
    Reading,
    cut_short,
    follow,
    plain_observation,
    replay,
)
from gametheory_core.testing.environment_forecast import (
    EnvironmentLaw,
    Forecaster,
    JointMoments,
    Moments,
    TurnMoments,
    broken,
)
from gametheory_core.testing.environment_play import Table, is_turn_based, table_of

ReadObservation: TypeAlias = Callable[[str, Any], Hashable]
WriteAction: TypeAlias = Callable[[str, Any], Any]

DOUBTS = 40  # more fresh copies, before a difference is laid to anything but the seed


@dataclass(frozen=True)
class EnvironmentReport:
    """What was played until nothing broke.

    Attributes:
        episodes, moves: Whole episodes, and moves (joint ones count once), replays not counted.
        information_states: Different information states of players that were met.
        chances_tested: Binomial tests made.
        least_p_value: The smallest among them, not corrected for their number; 1 if none was made.
    """

    episodes: int
    moves: int
    information_states: int
    chances_tested: int
    least_p_value: float


def check_environment(
    make_env: Callable[[], Any],
    model: POSG | AEC,
    *,
    rng: np.random.Generator,
    read_observation: ReadObservation | None = None,
    write_action: WriteAction | None = None,
    episodes: int = 2000,
    replays: int = 40,
    first_seed: int = 0,
    level: float = 1e-6,
    reward_tolerance: float = 1e-6,
    max_moves: int = 1000,
) -> EnvironmentReport:
    """Check that a PettingZoo environment plays the game that a model says.

    Args:
        make_env: Without arguments; returns a fresh ``ParallelEnv`` or ``AECEnv`` each time. Its
            possible agents are the model's players, in their order.
        model: A POSG for a ``ParallelEnv``; either for an ``AECEnv``, where a POSG's players are
            asked in their order and paid when all have moved.
        rng: Draws the actions.
        read_observation: Agent's name and observation -> the model's label. Default: numbers as
            they are, arrays as nested tuples, and of a mapping its entry ``"observation"``.
        write_action: Agent's name and the model's action -> the environment's. Default: the model's
            action itself if the allowed indices are the model's legal actions; otherwise the k-th
            allowed index for the k-th legal action. Allowed is what ``action_mask`` says, in the
            observation or the info, or else the whole ``Discrete`` space.
        episodes: Seeds ``first_seed``, ``first_seed + 1``, ... are played. A chance that is wrong
            by ``d`` at a point that all episodes reach is found from about ``15 / d**2`` episodes
            on.
        replays: Of these, how many are played again, on a fresh copy, on a used one, and while
            writing into every observation.
        level: Most probability with which a right environment fails, all tests together.
        reward_tolerance: Largest rounding of one reward, in payoff units.
        max_moves: Episodes are left there.

    Raises:
        LawBroken: With the law, the seed and actions that show it, what the model expects and what
            was found.
        InvalidArgument: If environment and model are of different kinds, an action cannot be
            written, or an option has a value it cannot have.

    Not checked: the observation that comes with the end, beyond its space, since no action rests on
    it; what ``observe`` tells agents who are not on turn; ``infos``, other than action masks;
    situations that random play does not reach.

    An environment made of a game is compared with it; players see nothing. A page of the
    documentation, "Test your own environment", goes through one that is written by hand.

    >>> from gametheory_core.adapters import parallel_env
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.games import NULL
    >>> game = RepeatedGame.of("matching_pennies", rounds=2, recall=0)
    >>> check_environment(
    ...     lambda: parallel_env(game),
    ...     game,
    ...     rng=np.random.default_rng(0),
    ...     read_observation=lambda agent, observation: NULL,
    ...     episodes=50,
    ... ).moves
    100
    """
    _check_options(rng, episodes, replays, max_moves, level, reward_tolerance)
    _check_model(model)
    used = _checked_table(make_env, model)
    reading = Reading(
        Forecaster(_moments(model, used.env)),
        model.legal_actions,
        read_observation or plain_observation,
        write_action,
        reward_tolerance,
        max_moves,
    )
    actions = rng.spawn(1)[0]  # another stream than that of an environment with the same seed
    findings = Findings(ChanceCounts(used.agents))
    for seed in range(first_seed, first_seed + episodes):
        if seed < first_seed + replays:
            _follow_and_replay(reading, findings, make_env, used, seed, rng=actions)
        else:
            follow(reading, findings, used, seed, rng=actions)
    tests, least = check_chances(findings.counts, level=level)
    _close(used)
    return EnvironmentReport(episodes, findings.moves, len(findings.looks), tests, least)


def _follow_and_replay(
    reading: Reading,
    findings: Findings,
    make_env: Callable[[], Any],
    used: Table,
    seed: int,
    *,
    rng: np.random.Generator,
) -> None:
    tables = [table_of(make_env()) for _ in range(3)]
    episode = follow(reading, findings, tables[0], seed, rng=rng)
    replay(episode, tables[1], law=EnvironmentLaw.SEEDED, where="another fresh copy")
    try:
        cut_short(episode, used)
        replay(episode, used, law=EnvironmentLaw.FORGOTTEN, where="a copy used before")
        for _ in range(2):  # the second time finds what is kept for later episodes
            replay(
                episode,
                tables[2],
                law=EnvironmentLaw.OWN_COPY,
                where="a copy whose observations were written into",
                spoiling=True,
            )
    except LawBroken:
        # Without a seed two copies may agree by chance: name the simpler cause if it is one.
        for _ in range(DOUBTS):
            another = table_of(make_env())
            replay(episode, another, law=EnvironmentLaw.SEEDED, where="another fresh copy")
            _close(another)
        raise
    for table in tables:
        _close(table)


def _check_options(
    rng: Any, episodes: int, replays: int, max_moves: int, level: float, reward_tolerance: float
) -> None:
    if not isinstance(rng, np.random.Generator):
        raise InvalidArgument(
            needs="a numpy Generator as rng",
            found=f"got {rng!r}",
            remedy="Give numpy.random.default_rng(0).",
        )
    for name, count, least in (
        ("episodes", episodes, 1),
        ("replays", replays, 0),
        ("max_moves", max_moves, 1),
    ):
        if isinstance(count, bool) or not isinstance(count, int) or count < least:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs=f"{name} to be a whole number of at least {least}", found=f"got {count!r}"
            )
    if not 0 < level < 1:
        raise InvalidArgument(needs="a level between 0 and 1", found=f"got {level!r}")
    if not 0 <= reward_tolerance < math.inf:
        raise InvalidArgument(
            needs="a finite reward_tolerance of at least 0", found=f"got {reward_tolerance!r}"
        )


def _check_model(model: Any) -> None:
    is_rules = hasattr(model, "transition") or hasattr(model, "next_player")
    if is_rules and not isinstance(model, type):
        return
    shown = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
    mend = "Give an object with the methods of one."
    if isinstance(model, ExtensiveFormGame):
        mend = "Give extensive_to_aec(game).target."
    elif isinstance(model, NormalFormGame):
        mend = "Give normal_to_posg(game).target."
    raise InvalidArgument(
        needs="the rules of a POSG or an AEC game as model", found=f"got {shown}", remedy=mend
    )


def _checked_table(make_env: Callable[[], Any], model: POSG | AEC) -> Table:
    if not callable(make_env):
        raise InvalidArgument(
            needs="a function that makes fresh environments",
            found=f"got {type(make_env).__name__}",
            remedy="Pass the class, or lambda: YourEnv(...).",
        )
    env = make_env()
    if not hasattr(env, "possible_agents"):
        raise InvalidArgument(
            needs="a PettingZoo environment with possible_agents",
            found=f"make_env gives {type(env).__name__}",
        )
    _check_is_fresh(make_env, env)
    table = table_of(env)
    if len(table.agents) != len(model.players):
        broken(
            EnvironmentLaw.AGENTS,
            "possible_agents",
            f"needs one for each of the players {model.players}, but found {table.agents}.",
        )
    return table


def _check_is_fresh(make_env: Callable[[], Any], env: Any) -> None:
    """Refuse one and the same environment twice: its episodes would be compared with themselves."""
    another = make_env()
    if getattr(another, "unwrapped", another) is getattr(env, "unwrapped", env):
        raise InvalidArgument(
            needs="a fresh environment from each call of make_env",
            found=f"two calls give one and the same {type(env).__name__}",
            remedy="Write lambda: YourEnv(...).",
        )
    if hasattr(another, "close"):
        another.close()


def _moments(model: POSG | AEC, env: Any) -> Moments:
    is_aec = hasattr(model, "next_player")
    if is_turn_based(env):
        return TurnMoments(
            cast("AEC", model) if is_aec else posg_to_aec(cast("POSG", model)).target
        )
    if is_aec:
        raise InvalidArgument(
            needs="a POSG to compare a ParallelEnv with",
            found=f"{model.title!r} is an AEC game",
            remedy="Give its POSG, or the environment as an AECEnv.",
        )
    return JointMoments(cast("POSG", model))


def _close(table: Table) -> None:
    if hasattr(table.env, "close"):
        table.env.close()
