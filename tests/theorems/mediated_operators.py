"""Operators on values of a mediated game without end, in rationals, written from their definitions.

The horizon of the games is not looked at: discounts below 1 end play in expectation.
"""

from fractions import Fraction
from itertools import product

from gametheory_core.mediation import fairness_value


def row_law(game, row):
    """The chance of each next state."""
    entries = game.transition_kernel.row(row)
    outcomes = game.transition_kernel.outcome[entries].tolist()
    return dict(zip(outcomes, game.transition_kernel.weight[entries].tolist(), strict=True))


def mediator_operator(game, fairness, actions, values):
    """``(T Q)(s, i) = E[r(s, i, a_i) + gamma Q(s', i*)]``, ``i*`` the first of the fairest in s'.

    ``values[s][i]`` is a vector of returns if ``i`` leads in ``s``; ``actions[s][i]`` what it does.
    """
    chosen = {s: fairest(fairness, values[s]) for s in live_states(game)}
    after = {s: values[s][i] for s, i in chosen.items()}
    updated = {}
    for s in live_states(game):
        updated[s] = []
        for i in range(game.num_players):
            row = game.row(s, i, actions[s][i])
            law = row_law(game, row)
            updated[s].append(
                tuple(
                    game.rewards[row, j]
                    + game.discount * sum(w * after[n][j] for n, w in law.items() if n in after)
                    for j in range(game.num_players)
                )
            )
    return updated


def fairest(fairness, by_leader):
    """The first leader with the fairest returns."""
    scores = [fairness_value(fairness, returns) for returns in by_leader]
    return scores.index(max(scores))


def live_states(game):
    return [s for s in range(game.num_states) if not game.is_terminal(s)]


def distance(first, second):
    """The largest difference between two tables of numbers or vectors, keys alike."""
    if isinstance(first, dict):
        return max(distance(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return max(distance(a, b) for a, b in zip(first, second, strict=True))
    return abs(first - second)


def agent_operator(game, agent, leaders, actions, values):
    """The operator of an agent: rewards until it leads again, then its best value there.

    ``(T Q)(s, a) = E[sum_{l < k} gamma^l r_i(t + l) + gamma^k max_a' Q(s_{t+k}, a')]`` with ``k``
    the first time from 1 on at which the mediator picks the agent, for every live state ``s``.
    """
    best = {s: max(values[s].values()) for s in live_states(game) if leaders[s] == agent}
    others = [s for s in live_states(game) if leaders[s] != agent]
    rows = {s: game.row(s, leaders[s], actions[s][leaders[s]]) for s in others}
    waiting = solved(game, agent, others, rows, best)
    ahead = {**best, **waiting}
    return {
        s: {a: lookahead(game, agent, game.row(s, agent, a), ahead) for a in game.legal(s, agent)}
        for s in live_states(game)
    }


def lookahead(game, agent, row, ahead):
    """One step, then what is ahead; nothing where play ends."""
    law = row_law(game, row)
    later = sum((w * ahead[n] for n, w in law.items() if n in ahead), Fraction(0))
    return game.rewards[row, agent] + game.discount * later


def solved(game, agent, unknown, rows, known):
    """Values of states in which certain rows are played, until states whose value is known."""
    matrix = []
    for s in unknown:
        law = row_law(game, rows[s])
        line = [Fraction(int(s == n)) - game.discount * law.get(n, 0) for n in unknown]
        later = sum((w * known[n] for n, w in law.items() if n in known), Fraction(0))
        matrix.append([*line, game.rewards[rows[s], agent] + game.discount * later])
    return dict(zip(unknown, eliminated(matrix), strict=True))


def eliminated(matrix):
    """The solution of a square system, the right side last in each row."""
    size = len(matrix)
    for k in range(size):
        pivot = next(r for r in range(k, size) if matrix[r][k])
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        matrix[k] = [x / matrix[k][k] for x in matrix[k]]
        for r in range(size):
            if r != k and matrix[r][k]:
                matrix[r] = [
                    x - matrix[r][k] * y for x, y in zip(matrix[r], matrix[k], strict=True)
                ]
    return [line[-1] for line in matrix]


def best_values(game, agent, leaders, actions):
    """The best values of the agent that acts where it leads, by trying all its plans."""
    states = live_states(game)
    own = [s for s in states if leaders[s] == agent]
    fixed = {s: actions[s][leaders[s]] for s in states if s not in own}
    best = None
    for plan in product(*(game.legal(s, agent) for s in own)):
        done = {**fixed, **dict(zip(own, plan, strict=True))}
        rows = {s: game.row(s, leaders[s], done[s]) for s in states}
        found = solved(game, agent, states, rows, {})
        best = {s: max(v, best[s]) for s, v in found.items()} if best else found
    return best
