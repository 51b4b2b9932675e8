"""Leaders by vote: everybody votes for itself at each step, and lots are drawn."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.evaluation.end_transfers import Vector
from gametheory_core.evaluation.fairness import MINIMUM, Fairness, fairness_value
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import HistoryLayer, Memory, mediated_histories
from solvers.mediated.play_requirements import require_nothing_drawn

Chances: TypeAlias = dict[tuple[int, Vector], Fraction]  # of a node, -1 at an end, and returns


@dataclass(frozen=True)
class VotedPlay:
    """What comes of votes in which everybody votes for itself and lots are drawn.

    Attributes:
        returns: Expected.
        expected_fairness: The mean of how fair the returns of single plays are.
        fairness_of_expected: How fair the expected returns are, which may be far more.
    """

    returns: tuple[Fraction, ...]
    expected_fairness: Fraction
    fairness_of_expected: Fraction


def voted_leaders(game: MediatedGame, *, fairness: Fairness = MINIMUM) -> VotedPlay:
    """Let every player vote for itself at each step, and draw the leader among them.

    Args:
        game: In which nothing else is drawn.

    Raises:
        UnsupportedGame: If states are drawn, or the histories are too many to list.

    To vote for itself is at least as good as any vote where it pays to lead. All ways of leading
    are followed, merged where state and returns are the same.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> found = voted_leaders(mediated_chicken())
    >>> str(found.expected_fairness), str(found.fairness_of_expected)
    ('57/4', '18')
    """
    require_nothing_drawn(game, fairness, function="voted_leaders")
    players = range(game.num_players)
    chances = _final_chances(game, _actions_under_lots(game))
    total = sum((chance * fairness_value(fairness, h) for h, chance in chances.items()), ZERO)
    returns = tuple(sum((chance * h[i] for h, chance in chances.items()), ZERO) for i in players)
    return VotedPlay(returns, total, fairness_value(fairness, returns))


def _actions_under_lots(game: MediatedGame) -> list[list[list[int]]]:
    """Return everybody's best action at each step and state if each step's leader is drawn."""
    histories = mediated_histories(game, memory=Memory.STEP)
    share = ONE / game.num_players
    found: list[list[list[int]]] = []
    after: list[list[Fraction]] = []
    for layer in reversed(histories.layers):
        chosen: list[list[int]] = []
        values: list[list[Fraction]] = []
        for node, state in enumerate(layer.states.tolist()):
            own: list[int] = []
            mean = [ZERO] * game.num_players
            for leader in range(game.num_players):
                options = {
                    action: _after_step(game, layer, (node, leader, action), after)
                    for action in game.legal(state, leader)
                }
                best = max(options, key=lambda action: options[action][leader])
                own.append(best)
                mean = [m + share * v for m, v in zip(mean, options[best], strict=True)]
            chosen.append(own)
            values.append(mean)
        found.append(chosen)
        after = values
    return found[::-1]


def _after_step(
    game: MediatedGame,
    layer: HistoryLayer,
    where: tuple[int, int, int],
    after: list[list[Fraction]],
) -> list[Fraction]:
    rewards = game.rewards[layer.row[where]].tolist()
    child = int(layer.child[where][0])
    if child < 0:
        return rewards
    return [r + game.discount * v for r, v in zip(rewards, after[child], strict=True)]


def _final_chances(game: MediatedGame, actions: list[list[list[int]]]) -> dict[Vector, Fraction]:
    """Return how likely the returns of all steps are if each step's leader is drawn."""
    steps = mediated_histories(game, memory=Memory.STEP)
    here: Chances = {(steps.start[0], (ZERO,) * game.num_players): ONE}
    ended: dict[Vector, Fraction] = {}
    for t, layer in enumerate(steps.layers):
        later: Chances = {}
        for (node, past), chance in here.items():
            for leader, action in enumerate(actions[t][node]):
                rewards = game.rewards[layer.row[node, leader, action]].tolist()
                weight = game.discount**t
                total = tuple(h + weight * r for h, r in zip(past, rewards, strict=True))
                child = int(layer.child[node, leader, action, 0])
                share = chance / game.num_players
                if child < 0:
                    ended[total] = ended.get(total, ZERO) + share
                else:
                    later[child, total] = later.get((child, total), ZERO) + share
        here = later
    return ended or {past: chance for (_, past), chance in here.items()}
