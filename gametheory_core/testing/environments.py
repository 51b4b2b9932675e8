"""Compare an environment with a reference model, by laws that any right copy obeys.

Episodes are played with random legal actions. What the environment shows must have positive
probability under the model, given all it showed before: a wrong reward, turn, observation or end is
found when it is first met, with certainty. What has positive probability must come as often as the
model says, whatever came before: exact binomial tests and betting against the model, so that a
right environment fails with at most the level stated. What the model says that a player cannot tell
apart must look the same, byte for byte; and the same seed must give the same episode to the end, on
a fresh copy and a used one, beside others, and whatever is done with what was returned.

Without a model, the laws remain that hold for every game.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.errors import refusing_as
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.testing.environment_arguments import (
    check_model,
    check_options,
    checked_table,
    moments_of,
)
from gametheory_core.testing.environment_chances import ChanceCounts, check_chances
from gametheory_core.testing.environment_dependences import Dependences
from gametheory_core.testing.environment_episode import OFF_TURN, Episode, Findings, follow
from gametheory_core.testing.environment_evidence import coincidence
from gametheory_core.testing.environment_forecast import Forecaster
from gametheory_core.testing.environment_laws import EnvironmentLaw, broken
from gametheory_core.testing.environment_look import Table
from gametheory_core.testing.environment_play import table_of
from gametheory_core.testing.environment_reading import Reading, plain_observation
from gametheory_core.testing.environment_replay import agrees, close, play_again
from gametheory_core.testing.environment_secrets import Secrets
from gametheory_core.testing.environment_thoughts import KeptMoments, Thoughts

ReadObservation: TypeAlias = Callable[[str, Any], Hashable]
WriteAction: TypeAlias = Callable[[str, Any], Any]

PAIRS = 24  # of episodes of different seeds, or without one, that are compared
SEED_STEPS = (1, 2, 3, 10, 256)  # between the seeds of a pair
UNSEEDED = 4  # times fewer episodes are played without a seed
SHARES = 12  # of the level: six to chances move by move, one to each of the six other tests


@dataclass(frozen=True)
class EnvironmentReport:
    """What was played until nothing broke.

    Attributes:
        episodes, moves: Whole episodes, and moves (joint ones count once), replays not counted.
        information_states: Different information states of players that were met.
        compared: How often one was met again, so that what it looked like could be compared.
        chances_tested: Binomial tests made.
        least_p_value: The smallest among them, not corrected for their number; 1 if none was made.
        dependences_tested: Groups of draws by a feature of the past.
        secrets_tested: Groups of what was shown beyond a player's label, or off turn, by others'
            secrets.
        off_turn_shown: How often players were shown something new off turn, in the episodes that
            were looked at for it.
        off_turn_compared: How often that could be compared with others' secrets: not where too many
            hidden situations were possible, or no turn followed.
        smallest_effect: By how much a chance of one half, at a point that all episodes reach, had
            to be off to be found for sure (with probability 0.999); None without a model.
    """

    episodes: int
    moves: int
    information_states: int
    compared: int
    chances_tested: int
    least_p_value: float
    dependences_tested: int
    secrets_tested: int
    off_turn_shown: int
    off_turn_compared: int
    smallest_effect: float | None

    def episodes_for(self, effect: float) -> int | None:
        """Return how many episodes find a chance that is off by so much; None without a model."""
        if self.smallest_effect is None:
            return None
        return math.ceil(self.episodes * (self.smallest_effect / effect) ** 2)


def check_environment(
    make_env: Callable[[], Any],
    model: POSG | AEC | None,
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
    last_observations: bool = True,
) -> EnvironmentReport:
    """Check that a PettingZoo or Gymnasium environment plays the game that a model says.

    Args:
        make_env: Without arguments; returns a fresh ``ParallelEnv``, ``AECEnv`` or Gymnasium
            environment each time. Its possible agents are the model's players, in their order; a
            Gymnasium environment has one, called ``"agent"``.
        model: A POSG for a ``ParallelEnv`` or Gymnasium; either for an ``AECEnv``, where a POSG's
            players are asked in their order and paid when all have moved. None checks what holds
            for every game: agents may leave on their own then.
        rng: Draws the actions.
        read_observation: Agent's name and observation -> the model's label. Default: numbers as
            they are, arrays as nested tuples, and of a mapping its entry ``"observation"``.
        write_action: Agent's name and the model's action -> the environment's. Default: the model's
            action itself if the allowed indices are the model's legal actions; otherwise the k-th
            allowed index for the k-th legal action. Allowed is what ``action_mask`` says, in the
            observation or the info, or else the whole ``Discrete`` space.
        episodes: Seeds ``first_seed``, ``first_seed + 1``, ... are played; then a fourth as many
            without a seed. A chance that is wrong by ``d`` at a point that all episodes reach is
            found from about ``15 / d**2`` episodes on; the report says what is found for sure.
        replays: Of these, how many are played again: on a fresh copy, on a used one, while writing
            into everything returned, asking for every observation twice, drawing from the
            generators that all share, and beside another copy.
        level: Most probability with which a right environment fails, all tests together.
        reward_tolerance: Largest rounding of one reward, in payoff units.
        max_moves: Episodes are left there.
        last_observations: Whether a POSG also says what is observed at the end.

    Raises:
        LawBroken: With the law, the seed and actions that show it, what the model expects and what
            was found; caused by what the environment or ``read_observation`` raised, if anything.
        InvalidArgument: If environment and model are of different kinds, an action cannot be
            written, or an option has a value it cannot have.

    Not checked: situations that random play does not reach; what ``observe`` tells an agent off
    turn where the report counts no comparison, or of the hidden state alone; Gymnasium's infos, but
    that a seed gives the same.

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
    with refusing_as("check_environment"):
        check_options(rng, episodes, replays, max_moves, level, reward_tolerance)
        if model is not None:
            check_model(model)
    used = checked_table(make_env, model)
    moments = None if model is None else moments_of(model, used.env, shows_last=last_observations)
    legal_actions = _none_legal if model is None else model.legal_actions
    reading = Reading(
        None if moments is None else Forecaster(moments),
        legal_actions,
        read_observation or plain_observation,
        write_action,
        reward_tolerance,
        max_moves,
    )
    actions = rng.spawn(1)[0]  # another stream than that of an environment with the same seed
    findings = _nothing_yet(used, moments, legal_actions)
    before: Episode | None = None
    for seed in range(first_seed, first_seed + episodes):
        if seed < first_seed + replays:
            table = table_of(make_env())
            episode = follow(reading, findings, table, seed, rng=actions)
            close(table)
            play_again(episode, before, used, lambda: table_of(make_env()))
            before = episode
        else:
            follow(reading, findings, used, seed, rng=actions)
    tests, least = _judge(findings, level / 2, level / SHARES)
    if moments is not None:
        unseeded = replace(_nothing_yet(used, moments, legal_actions), looks=findings.looks)
        for _ in range(episodes // UNSEEDED):
            follow(reading, unseeded, used, None, rng=actions)
        _judge(unseeded, level / SHARES, level / SHARES)
        _require_other_episodes(reading, make_env, first_seed, actions, level / SHARES)
    close(used)
    return EnvironmentReport(
        episodes,
        findings.moves,
        sum(OFF_TURN not in state for _, state in findings.looks),
        findings.compared,
        tests,
        least,
        0 if findings.dependences is None else findings.dependences.tested,
        0 if findings.secrets is None else len(findings.secrets.evidence.groups),
        0 if findings.secrets is None else findings.secrets.glances,
        0 if findings.secrets is None else findings.secrets.compared,
        None if moments is None else _smallest_effect(episodes, tests, findings, level),
    )


def _nothing_yet(
    table: Table, moments: KeptMoments | None, legal_actions: Callable[[int, Any], tuple[Any, ...]]
) -> Findings:
    if moments is None:
        return Findings(ChanceCounts(table.agents))
    secrets = Secrets(Thoughts(moments, table.agents, legal_actions))
    return Findings(ChanceCounts(table.agents), Dependences(table.agents), secrets)


def _judge(findings: Findings, level: float, share: float) -> tuple[int, float]:
    """Refuse what a right environment shows with at most the probability ``level + 2 share``."""
    tests, least = check_chances(findings.counts, level=level)
    if findings.dependences is not None and findings.secrets is not None:
        findings.dependences.require(share)
        findings.secrets.require(share)
    return tests, least


def _require_other_episodes(
    reading: Reading,
    make_env: Callable[[], Any],
    first_seed: int,
    rng: np.random.Generator,
    level: float,
) -> None:
    """Require episodes of other seeds, and without a seed, to agree only as often as by chance."""
    one, other = table_of(make_env()), table_of(make_env())
    findings = Findings(ChanceCounts(one.agents))
    follow(reading, findings, one, first_seed, rng=rng)
    kinds: list[tuple[EnvironmentLaw, str, int | None]] = [
        (EnvironmentLaw.UNSEEDED, "reset without a seed, twice on one copy,", 0),
        (EnvironmentLaw.UNSEEDED, "reset without a seed on two fresh copies", None),
    ]
    kinds += [(EnvironmentLaw.UNPAIRED, f"seeds that differ by {n}", n) for n in SEED_STEPS]
    for law, what, step in kinds:
        pairs: list[tuple[float, bool]] = []
        for number in range(PAIRS):
            seed = None if not step else first_seed + number
            if step is None:
                close(one)
                close(other)
                one, other = table_of(make_env()), table_of(make_env())
            episode = follow(reading, findings, one, seed, rng=rng)
            again = one if step == 0 else other
            findings.last.clear()
            agreed = agrees(episode, again, seed if seed is None or not step else seed + step)
            pairs.append((episode.log_chance, agreed))
        evidence = coincidence(pairs)
        if evidence >= math.log(len(kinds) / level):
            agreed = sum(agrees_ for _, agrees_ in pairs)
            due = sum(math.exp(log_p) for log_p, _ in pairs)
            broken(
                law,
                what,
                f"of {PAIRS} pairs of episodes with the same actions {agreed} were the same, where "
                f"the model expects {due:.2g}.",
            )
    close(one)
    close(other)


def _none_legal(_player: int, _observation: Any) -> tuple[Any, ...]:
    return ()


def _smallest_effect(episodes: int, tests: int, findings: Findings, level: float) -> float:
    """Return how far from one half a chance at every episode has to be, to be found for sure.

    By Hoeffding's bound, the share is nearer than ``a`` to a right chance but with probability
    ``2 exp(-2 n a a)``; it is judged as the last move's are, and found but with 1/1000.
    """
    last = max(findings.counts.groups, default=0)
    judged = 4 * max(tests, 1) * (last + 1) * (last + 2) / level
    return sum(math.sqrt(math.log(odds) / (2 * episodes)) for odds in (judged, 1000))
