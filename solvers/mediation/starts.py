"""Where agents and mediator may start: selfish, fair, drawn or given policies."""

from enum import Enum

import numpy as np

from gametheory_core.arrays import freeze
from gametheory_core.mediation.fairness import Fairness
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import MediatedHistories
from gametheory_core.mediation.policies import MediatedProfile
from solvers.mediation.fairness_scores import fairness_scores
from solvers.mediation.ties import Indices


class InitialPolicies(Enum):
    """What agents do before their first update; ties go to the first action."""

    SELFISH = "what pays the leader most in this step"
    FAIR = "what is fairest in this step"
    RANDOM = "any action, drawn at every node, and any leader"


def greedy_actions(
    histories: MediatedHistories, initial: InitialPolicies, fairness: Fairness
) -> list[Indices]:
    """Return selfish or fair actions of every agent at every node, shape (n, N) for each layer."""
    game = histories.game
    by_row = _scores(game, initial, fairness)
    found: list[Indices] = []
    for layer in histories.layers:
        scores = np.where(layer.row >= 0, by_row[layer.row], min(by_row.tolist()) - 1)
        found.append(scores.argmax(axis=2))
    return found


def _scores(game: MediatedGame, initial: InitialPolicies, fairness: Fairness) -> Indices:
    """Return what each row of a game is worth to its leader, or how fair it is, as ranks."""
    rewards = game.scaled_rewards
    if initial is InitialPolicies.FAIR:
        scores = fairness_scores(fairness, rewards.numerators, denominator=rewards.denominator)
    else:
        scores = rewards.numerators[np.arange(len(game.row_key)), game.row_leader]
    _, ranks = np.unique(scores, return_inverse=True)
    return freeze(ranks.reshape(-1).astype(np.int64))


def given_tables(profile: MediatedProfile, players: int) -> tuple[list[Indices], list[Indices]]:
    """Return the actions and leaders of a profile as arrays."""
    actions = [np.array(layer, dtype=np.int64).reshape(-1, players) for layer in profile.actions]
    return actions, [np.array(layer, dtype=np.int64) for layer in profile.leaders]
