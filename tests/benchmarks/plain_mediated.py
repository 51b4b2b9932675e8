"""Rounds of updates in a mediated game as one would first write them: recursion over dictionaries.

Everything is a ``Fraction``, a node is ``(step, state, returns)``, and each update asks the game
anew. It serves as a check and as something to be faster than.
"""

from fractions import Fraction

from gametheory_core.mediation import MINIMUM, EndRule, MediatorStage, fairness_value


class PlainRounds:
    """Agents keep their action among equals, the mediator picks the first of the fairest."""

    def __init__(
        self,
        game,
        *,
        fairness=MINIMUM,
        stage=MediatorStage.FULL,
        end_rule=EndRule.HISTORY_IDEAL,
        fair_start=False,
    ):
        self.game, self.fairness = game, fairness
        self.stage, self.end_rule = stage, end_rule
        self.players = range(game.num_players)
        self.nodes = self._nodes()
        self.actions = {
            (i, node): self._first_action(node[1], i, fair=fair_start)
            for node in self.nodes
            for i in self.players
        }
        self.leaders = {}
        self.update_mediator()

    def starts(self):
        nothing = tuple(Fraction(0) for _ in self.players)
        kernel = self.game.initial_kernel
        return [
            (weight, (0, state, nothing))
            for state, weight in zip(kernel.outcome.tolist(), kernel.weight.tolist(), strict=True)
        ]

    def goes_on(self, node):
        return node[0] < self.game.horizon and not self.game.is_terminal(node[1])

    def outcomes(self, node, leader, action):
        step, state, past = node
        row = self.game.row(state, leader, action)
        rewards = self.game.rewards[row].tolist()
        if self.stage is not MediatorStage.NAIVE:
            weight = self.game.discount**step
            past = tuple(h + weight * r for h, r in zip(past, rewards, strict=True))
        kernel = self.game.transition_kernel
        entries = kernel.row(row)
        after = zip(kernel.outcome[entries].tolist(), kernel.weight[entries].tolist(), strict=True)
        return rewards, [(weight, (step + 1, later, past)) for later, weight in after]

    def _nodes(self):
        found, waiting = {}, [node for _, node in self.starts()]
        while waiting:
            node = waiting.pop()
            if node in found or not self.goes_on(node):
                continue
            found[node] = True
            for i in self.players:
                for action in self.game.legal(node[1], i):
                    waiting += [after for _, after in self.outcomes(node, i, action)[1]]
        return sorted(found)

    def _first_action(self, state, i, *, fair):
        def worth(action):
            rewards = self.game.rewards[self.game.row(state, i, action)].tolist()
            return fairness_value(self.fairness, rewards) if fair else rewards[i]

        return max(self.game.legal(state, i), key=worth)

    def transfer(self, node, leader, action):
        rewards, after = self.outcomes(node, leader, action)
        nothing = [Fraction(0) for _ in self.players]
        if self.stage is not MediatorStage.FULL or any(self.goes_on(x) for _, x in after):
            return nothing
        total = after[0][1][2]
        if self.end_rule is EndRule.EQUALIZE_CUMULATIVE:
            mean = sum(total) / len(total)
            return [(mean - own) / self.game.discount ** node[0] for own in total]

        def worth(other):
            paid, later = self.outcomes(node, leader, other)
            if any(self.goes_on(x) for _, x in later):
                return None
            by_step = self.end_rule is EndRule.STEP_IDEAL
            return fairness_value(self.fairness, paid if by_step else later[0][1][2])

        values = [worth(other) for other in self.game.legal(node[1], leader)]
        if worth(action) == max(value for value in values if value is not None):
            return nothing
        fine = max(rewards) - min(rewards)
        share = fine / max(1, len(rewards) - 1)
        return [-fine if j == leader else share for j in self.players]

    def update_agent(self, i):
        values = {}

        def value_of(node):
            if not self.goes_on(node):
                return Fraction(0)
            return values[node]

        def worth(node, leader, action):
            rewards, after = self.outcomes(node, leader, action)
            paid = rewards[i] + self.transfer(node, leader, action)[i]
            return paid + self.game.discount * sum(w * value_of(x) for w, x in after)

        for node in reversed(self.nodes):
            legal = self.game.legal(node[1], i)
            own = {action: worth(node, i, action) for action in legal}
            if own[self.actions[i, node]] < max(own.values()):
                self.actions[i, node] = max(legal, key=own.get)
            leader = self.leaders[node]
            values[node] = worth(node, leader, self.actions[leader, node])

    def mediator_values(self, node, values):
        found = []
        for j in self.players:
            rewards, after = self.outcomes(node, j, self.actions[j, node])
            total = list(rewards)
            for weight, later in after:
                if self.goes_on(later):
                    factor = self.game.discount * weight
                    total = [r + factor * v for r, v in zip(total, values[later], strict=True)]
            found.append(total)
        return found

    def update_mediator(self):
        values = {}
        for node in reversed(self.nodes):
            found = self.mediator_values(node, values)
            weight = 1 if self.stage is MediatorStage.NAIVE else self.game.discount ** node[0]
            worth = [
                fairness_value(
                    self.fairness, [h + weight * v for h, v in zip(node[2], own, strict=True)]
                )
                for own in found
            ]
            self.leaders[node] = worth.index(max(worth))
            values[node] = found[self.leaders[node]]

    def fairness_now(self):
        values = {}
        for node in reversed(self.nodes):
            values[node] = self.mediator_values(node, values)[self.leaders[node]]
        nothing = [Fraction(0) for _ in self.players]
        return sum(
            weight * fairness_value(self.fairness, values.get(node, nothing))
            for weight, node in self.starts()
        )

    def run(self):
        """Go round until nothing changes; return the fairness after each update."""
        trace = []
        while True:
            before = dict(self.actions), dict(self.leaders)
            row = []
            for i in self.players:
                self.update_agent(i)
                row.append(self.fairness_now())
            self.update_mediator()
            trace.append((*row, self.fairness_now()))
            if (self.actions, self.leaders) == before:
                return tuple(trace)
