"""Leaders that no learning mediator picks: the fairest play there is, fixed orders, and votes.

The fairest play is found by exhaustion: no mediator can reach more. Under a fixed order of leaders
nobody is rewarded for fairness: agents pursue their own returns, and know that the order does not
depend on what they do. Under votes everybody votes for itself at each step, and lots are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.fairness import (
    MINIMUM,
    Fairness,
    MediatorStage,
    Vector,
    check_fairness,
    fairness_value,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    HistoryLayer,
    MediatedHistories,
    Memory,
    mediated_histories,
)
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives, mediated_fairness, mediated_returns
from solvers.mediation.state import (
    InitialPolicies,
    Policies,
    agent_nodes,
    greedy_actions,
    profile_of,
    with_agent_update,
)
from solvers.mediation.tables import fairness_scores, integer_tables
from solvers.mediation.updates import kept
from solvers.requirements import as_tuple, require_instance, require_integer


def require_nothing_drawn(game: MediatedGame, fairness: Fairness) -> None:
    """Refuse games that draw states, and measures for other numbers of players.

    Raises:
        InvalidArgument, UnsupportedGame: Names what does not fit.
    """
    require_instance(game, MediatedGame, name="game")
    check_fairness(fairness, game.num_players)
    if not game.is_deterministic:
        raise UnsupportedGame(
            needs="a game in which nothing is drawn",
            found=f"{game!r} draws states",
            remedy="Use jam_value_iteration, which says how fair expected returns are.",
        )


Integers: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class FairPlay:
    """The fairest play there is, if everybody did as told.

    Attributes:
        leaders, actions: Who leads, and what the leader does, step by step.
        fairness: No sequence of leaders and actions is fairer.
    """

    leaders: tuple[int, ...]
    actions: tuple[int, ...]
    returns: tuple[Fraction, ...]
    fairness: Fraction


def fair_optimum(game: MediatedGame, *, fairness: Fairness = MINIMUM) -> FairPlay:
    """Find the fairest sequence of leaders and actions, whatever anybody wants.

    Args:
        game: In which nothing is drawn.

    Raises:
        InvalidArgument: If the measure cannot judge some returns that are possible.
        UnsupportedGame: If states are drawn, or the histories are too many to list.

    Exhaustive over all sequences, merged where state and returns are the same.

    >>> from gametheory_core.mediation import mediated_prisoners_dilemma
    >>> found = fair_optimum(mediated_prisoners_dilemma())
    >>> str(found.fairness), found.leaders
    ('6', (0, 0, 1, 1))
    """
    require_nothing_drawn(game, fairness)
    histories = mediated_histories(game)
    best = _best_scores(histories, fairness)
    node, leaders, actions = histories.start[0], list[int](), list[int]()
    returns = [ZERO] * game.num_players
    for t, layer in enumerate(histories.layers):
        if node < 0:
            break
        leader, action = divmod(int(best[t][node].argmax()), game.max_actions)
        leaders.append(leader)
        actions.append(action)
        step = game.rewards[layer.row[node, leader, action]].tolist()
        returns = [h + game.discount**t * r for h, r in zip(returns, step, strict=True)]
        node = int(layer.child[node, leader, action, 0])
    found = tuple(returns)
    return FairPlay(tuple(leaders), tuple(actions), found, fairness_value(fairness, found))


def _best_scores(histories: MediatedHistories, fairness: Fairness) -> list[Integers]:
    """Return the best score after each leader and action of each node, shape (n, N * A)."""
    game = histories.game
    found: list[Integers] = []
    after: Integers = np.zeros(0, dtype=object)
    for t in reversed(range(len(histories.layers))):
        layer = histories.layers[t]
        legal = layer.row >= 0
        ends = legal & (layer.child[..., 0] < 0)
        goes_on = layer.child[..., 0] >= 0
        # where play ends now returns are judged, else what can be reached is taken from later
        scores = np.full(legal.shape, None, dtype=object)
        if ends.any():
            totals = _totals(game, layer, t)[ends]
            scores[ends] = fairness_scores(fairness, totals, denominator=histories.denominator)
        scores[goes_on] = after[layer.child[..., 0][goes_on]]
        lowest = min(scores[legal].tolist()) - 1
        scores[~legal] = lowest
        flat = scores.reshape(len(scores), -1)
        found.append(flat)
        after = flat.max(axis=1)
    return found[::-1]


def _totals(game: MediatedGame, layer: HistoryLayer, t: int) -> Integers:
    """Return the returns so far and of step ``t``, after each leader and action."""
    scale = game.discount.numerator**t * game.discount.denominator ** (game.horizon - 1 - t)
    rewards = game.scaled_rewards.numerators[layer.row] * scale
    return layer.returns.astype(object)[:, None, None, :] + rewards


@dataclass(frozen=True)
class OrderedPlay:
    """What comes of an order of leaders that is fixed beforehand.

    Attributes:
        profile: The order, and agents that are in equilibrium under it; all know step and state.
        fairness: Expected over the first states.
    """

    profile: MediatedProfile
    returns: tuple[Fraction, ...]
    fairness: Fraction


def ordered_leaders(
    game: MediatedGame, *, order: Sequence[int], fairness: Fairness = MINIMUM
) -> OrderedPlay:
    """Let players lead in an order, again and again, each for its own good.

    Args:
        order: ``(0,)``: player 0 always leads; ``(0, 1)``: players 0 and 1 take turns.

    Raises:
        InvalidArgument: If the order is empty or names no player, or the measure cannot judge the
            returns.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> game = mediated_chicken()
    >>> [str(ordered_leaders(game, order=order).fairness) for order in ((0,), (0, 1))]
    ['8', '18']
    """
    require_instance(game, MediatedGame, name="game")
    turns = as_tuple(order, name="order", remedy="Give players, (0, 1) or so.")
    require_integer(len(turns), name="the length of order", low=1)
    for leader in turns:
        require_integer(leader, name="leaders in order", low=0, high=game.num_players - 1)
    tables = integer_tables(game, MediatorIncentives(fairness, MediatorStage.NAIVE))
    actions = greedy_actions(tables.histories, InitialPolicies.SELFISH, fairness)
    leaders = [
        np.full(len(step.past), turns[t % len(turns)], dtype=np.int64)
        for t, step in enumerate(tables.steps)
    ]
    policies = Policies(Memory.STEP, actions, leaders, agent_nodes(tables, Memory.STEP))
    for _ in range(game.horizon):  # each round settles one more step, from the last one back
        for agent in range(game.num_players):
            policies = with_agent_update(tables, policies, agent, kept, freezes=False)
    profile = profile_of(tables, policies)
    return OrderedPlay(
        profile, mediated_returns(game, profile), mediated_fairness(game, profile, fairness)
    )


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

    >>> from gametheory_core.mediation import mediated_chicken
    >>> found = voted_leaders(mediated_chicken())
    >>> str(found.expected_fairness), str(found.fairness_of_expected)
    ('57/4', '18')
    """
    require_nothing_drawn(game, fairness)
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
            for leader in range(game.num_players):  # each is drawn with the same chance
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
        later: Chances = {}  # of each node and returns so far
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
