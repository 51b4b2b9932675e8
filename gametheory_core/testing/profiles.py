"""Profiles on which laws are tried, for games of every kind: random, uniform and pure ones.

Random policies remember everything, and each is told by one number.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NoReturn, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ExactArray
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.trajectories import aec_trajectories, posg_trajectories
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import (
    AEC,
    POSG,
    InformationState,
    Rules,
    is_posg,
    last_observation,
)
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile, pure_behavior, uniform_behavior
from gametheory_core.strategies.mixed import MixedProfile, pure_profile, uniform_profile
from gametheory_core.strategies.policies import PolicyProfile, uniform_policies

LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class SeededPolicy:
    """A policy drawn by hashing the seed with the information state.

    Seed 0 plays the first legal action always. With another seed, about every third information
    state has a pure choice, and the others weights in quarters, thirds and the like; what is
    played depends on all that the player has seen and done. The same on every machine, if labels
    have a repr that is.

    Attributes:
        game: Says what is legal; the repr calls it ``game``, as code that follows it may.
        seed: At least 0.
    """

    game: Rules
    player: int
    seed: int

    def __repr__(self) -> str:
        return f"SeededPolicy(game, player={self.player}, seed={self.seed})"

    def __getitem__(self, information_state: InformationState, /) -> Distribution[Any]:
        """Return the law of the next action."""
        legal = self.game.legal_actions(self.player, last_observation(information_state))
        if self.seed == 0:
            return Distribution(((legal[0], ONE),))
        text = repr((self.seed, self.player, information_state)).encode()
        drawn = list(hashlib.shake_128(text).digest(2 + len(legal)))
        pure, chosen = drawn[0] % 3 == 0, drawn[1] % len(legal)
        weights = [0 if pure else byte % 3 for byte in drawn[2:]]
        weights[chosen] += 1  # so the sum is positive
        total = sum(weights)
        return Distribution(
            tuple((a, Fraction(w, total)) for a, w in zip(legal, weights, strict=True) if w)
        )


def random_policies(game: Rules, *, rng: np.random.Generator) -> PolicyProfile:
    """Draw a policy for each player of a POSG or an AEC game: exact, history-dependent.

    >>> from gametheory_core import load_game
    >>> game = load_game("random_order_team")
    >>> profile = random_policies(game, rng=np.random.default_rng(0))
    >>> len(profile)
    2
    """
    return tuple(
        SeededPolicy(game, player, int(rng.integers(1, LARGEST_SEED)))
        for player in range(len(game.players))
    )


Game: TypeAlias = NormalFormGame | BayesianGame | ExtensiveFormGame | Rules
Choice: TypeAlias = tuple[int, Any, tuple[Any, ...]]  # player, what is known, what may be done


def random_profile(game: Game, *, rng: np.random.Generator) -> Any:
    """Draw an exact profile with small denominators; zeros are likely."""
    if isinstance(game, NormalFormGame | BayesianGame):
        return MixedProfile(tuple(_lottery(n, rng) for n in game.num_actions))
    if isinstance(game, ExtensiveFormGame):
        return BehavioralProfile(tuple(_lottery(n, rng) for n in _sizes(game)))
    return random_policies(game, rng=rng)


def balanced_profile(game: Game) -> Any:
    """Return the exact profile in which everything legal is equally likely everywhere."""
    if isinstance(game, NormalFormGame | BayesianGame):
        return uniform_profile(game)
    if isinstance(game, ExtensiveFormGame):
        return uniform_behavior(game)
    choices = _rule_choices(game)
    return _tables(game, choices, [uniform(legal) for _, _, legal in choices])


def pure_profiles(game: Game, *, rng: np.random.Generator, most: int) -> list[Any]:
    """Return all pure profiles, or ``most`` random ones if there are more."""
    if isinstance(game, NormalFormGame | BayesianGame):
        return [pure_profile(game, joint) for joint in _joints(game.num_actions, rng, most)]
    if isinstance(game, ExtensiveFormGame):
        return [pure_behavior(game, joint) for joint in _joints(_sizes(game), rng, most)]
    choices = _rule_choices(game)
    joints = _joints([len(legal) for _, _, legal in choices], rng, most)
    return [
        _tables(
            game, choices, [point_mass(own[k]) for (*_, own), k in zip(choices, joint, strict=True)]
        )
        for joint in joints
    ]


def _sizes(game: ExtensiveFormGame) -> list[int]:
    return [len(s.actions) for s in game.infosets[: game.num_decision_infosets]]


def _joints(sizes: Sequence[int], rng: np.random.Generator, most: int) -> list[tuple[int, ...]]:
    if math.prod(sizes) <= most:
        return list(product(*map(range, sizes)))
    return [tuple(int(rng.integers(n)) for n in sizes) for _ in range(most)]


class _Table(dict[InformationState, Distribution[Any]]):
    """Says what is played wherever play can get, and nothing elsewhere, as a user's table may."""

    def __missing__(self, information_state: InformationState) -> NoReturn:
        raise InvalidStrategy(
            needs="information states that play can reach",
            found=f"was asked for {information_state!r}",
            where="policy",
        )


def _tables(game: Rules, choices: list[Choice], played: list[Distribution[Any]]) -> PolicyProfile:
    tables = tuple(_Table() for _ in game.players)
    for (player, known, _), law in zip(choices, played, strict=True):
        tables[player][known] = law
    return tables


def _rule_choices(game: Rules) -> list[Choice]:
    """Return every information state that play can reach, with what is legal there."""
    known = dict.fromkeys(_posg_states(game) if is_posg(game) else _aec_states(cast("AEC", game)))
    return [(i, seen, game.legal_actions(i, last_observation(seen))) for i, seen in known]


def _posg_states(game: POSG) -> Iterator[tuple[int, InformationState]]:
    for play, _ in posg_trajectories(game, uniform_policies(game)):
        pasts: list[InformationState] = [() for _ in game.players]
        for step in play.steps:
            for i, past in enumerate(pasts):
                yield i, (*past, step.observations[i])
                pasts[i] = (*past, step.observations[i], step.actions[i])


def _aec_states(game: AEC) -> Iterator[tuple[int, InformationState]]:
    for play, _ in aec_trajectories(game, uniform_policies(game)):
        pasts: list[InformationState] = [() for _ in game.players]
        for move in play.moves:
            if move.mover != CHANCE:
                past = pasts[move.mover]
                yield move.mover, (*past, move.observation)
                pasts[move.mover] = (*past, move.observation, move.action)


def _lottery(count: int, rng: np.random.Generator) -> ExactArray:
    weights = [int(w) for w in rng.integers(0, 3, size=count)]
    weights[int(rng.integers(count))] += 1  # so the sum is positive
    vector = np.empty(count, dtype=object)
    vector[:] = [Fraction(w, sum(weights)) for w in weights]
    return vector
