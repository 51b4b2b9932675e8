"""JAM-Q-learning written down step by step in plain Python, on the uniform numbers of the loops.

Nodes are labels (step, state, returns), values are dictionaries, nothing is shared with
``learners.mediation`` but the order in which chance is asked.
"""

from fractions import Fraction

from gametheory_core import mediation
from gametheory_core.mediation.fairness import ends_play


class PlainJam:
    """Agents and a mediator on one game; both know what the stage lets them know."""

    def __init__(
        self,
        game: mediation.MediatedGame,
        incentives: mediation.MediatorIncentives,
        *,
        step_size: float,
        all_explore: bool = True,
    ):
        self.game = game
        self.incentives = incentives
        self.step_size = step_size
        self.all_explore = all_explore
        self.is_naive = incentives.stage is mediation.MediatorStage.NAIVE
        self.agents = {}  # (agent, node) -> list of values of actions
        self.mediator = {}  # (node, leader) -> list of values of players
        self.moved = {}  # transfers, by node and leader

    def node(self, step, state, returns):
        return (step, state) if self.is_naive else (step, state, returns)

    def agent_values(self, agent, node):
        return self.agents.setdefault((agent, node), [0.0] * self.game.max_actions)

    def mediator_values(self, node, leader):
        return self.mediator.setdefault((node, leader), [0.0] * self.game.num_players)

    def best(self, agent, node):
        values = self.agent_values(agent, node)
        return max(self.game.legal(node[1], agent), key=lambda action: values[action])

    def fairest(self, node):
        players = range(self.game.num_players)
        scores = []
        for leader in players:
            later = self.mediator_values(node, leader)
            if self.is_naive:
                vector = [0.0 + 1.0 * q for q in later]
            else:
                weight = float(self.game.discount) ** node[0]
                vector = [float(h) + weight * q for h, q in zip(node[2], later, strict=True)]
            scores.append(measured(self.incentives.fairness, vector))
        return scores.index(max(scores))

    def transfers(self, step, state, returns, leader, action):
        row = self.game.row(state, leader, action)
        full = self.incentives.stage is mediation.MediatorStage.FULL
        if not full or not ends_play(self.game, step, row):
            return [0.0] * self.game.num_players
        key = (step, state, returns, leader)
        if key not in self.moved:
            self.moved[key] = mediation.end_transfers(
                self.game,
                fairness=self.incentives.fairness,
                rule=self.incentives.end_rule,
                step=step,
                state=state,
                returns=returns,
                leader=leader,
            )
        return [float(part) for part in self.moved[key][action]]

    def drawn(self, kernel, row, number):
        places = kernel.row(row)
        total = 0.0
        outcomes = kernel.outcome[places].tolist()
        for outcome, weight in zip(outcomes, kernel.weight[places].tolist(), strict=True):
            total += float(weight)
            if number < total:
                return outcome
        return outcomes[-1]

    def episode(self, rate, numbers, learning):
        """Play one episode; ``learning`` is a learner, or -1 for all."""
        game, players = self.game, self.game.num_players
        chances = [
            rate if self.all_explore or learning in (-1, who) else 0.0 for who in range(players + 1)
        ]
        state = self.drawn(game.initial_kernel, 0, numbers[0][0])
        returns = (Fraction(0),) * players
        waiting = {}  # agent -> [node, action, gathered, factor]
        discount = float(game.discount)
        for step in range(game.horizon):
            if game.is_terminal(state):
                break
            draws = numbers[step + 1]
            node = self.node(step, state, returns)
            tries = draws[1] < chances[players]
            leader = int(draws[2] * players) if tries else self.fairest(node)
            if leader in waiting and learning in (-1, leader):
                expected = self.agent_values(leader, node)[self.best(leader, node)]
                self.learn(leader, waiting[leader], expected)
            if draws[3] >= chances[leader]:
                action = self.best(leader, node)
            else:
                legal = game.legal(state, leader)
                action = legal[int(draws[4] * len(legal))]
            waiting[leader] = [node, action, 0.0, 1.0]
            row = game.row(state, leader, action)
            paid = [float(r) for r in game.rewards[row].tolist()]
            moved = self.transfers(step, state, returns, leader, action)
            for agent, kept in waiting.items():
                kept[2] += kept[3] * (paid[agent] + moved[agent])
                kept[3] *= discount
            weight = game.discount**step
            returns = tuple(
                h + weight * r for h, r in zip(returns, game.rewards[row].tolist(), strict=True)
            )
            state = self.drawn(game.transition_kernel, row, draws[0])
            if learning in (-1, players):
                over = step == game.horizon - 1 or game.is_terminal(state)
                self.learn_picks(
                    node, leader, paid, None if over else self.node(step + 1, state, returns)
                )
        for agent, kept in waiting.items():
            if learning in (-1, agent):
                self.learn(agent, kept, 0.0)
        return returns

    def learn(self, agent, kept, later):
        node, action, gathered, factor = kept
        values = self.agent_values(agent, node)
        values[action] += self.step_size * (gathered + factor * later - values[action])

    def learn_picks(self, node, leader, paid, child):
        values = self.mediator_values(node, leader)
        later = None if child is None else self.mediator_values(child, self.fairest(child))
        for player, reward in enumerate(paid):
            target = reward
            if later is not None:
                target += float(self.game.discount) * later[player]
            values[player] += self.step_size * (target - values[player])


def measured(fairness: mediation.Fairness, vector: list[float]) -> float:
    """Return how fair a vector of floats is."""
    if fairness.weights:
        return sum(float(w) * u for w, u in zip(fairness.weights, sorted(vector), strict=True))
    if fairness.kind.name == "MINIMUM":
        return min(vector)
    least = fairness.disagreement or (0,) * len(vector)
    gains = [u - float(d) for u, d in zip(vector, least, strict=True)]
    if min(gains) < 0:
        return min(gains)
    product = 1.0
    for gain in gains:
        product *= gain
    return product
