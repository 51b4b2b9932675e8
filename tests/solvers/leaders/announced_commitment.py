"""What a leader earns who may announce things, by one linear program over all histories, in floats.

Independent of the library's bound: no frontiers, no prices. At each history the leader announces
an answer ``b`` for the follower and draws ``a``; a variable holds how likely both are. She must
like ``b`` no less than any other action that is followed by her minmax, itself found by scipy.
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix


def naive_minmax(view):
    """Return the function from (time, state) to what the follower is held down to."""
    known = {}

    def value(time, state):
        seen = int(view.leader_observation[state])
        if time == view.horizon or seen < 0:
            return 0.0
        if (time, state) not in known:
            known[time, state] = held_down(
                [
                    [instead(view, value, time, state, a, b) for b in answers(view, state)]
                    for a in view.leader_actions(seen)
                ]
            )
        return known[time, state]

    return value


def answers(view, state):
    return view.follower_actions(int(view.follower_observation[state]))


def instead(view, value, time, state, mine, theirs):
    """Return what the follower gets by a joint action and her minmax afterwards."""
    step = view.step(state, mine, theirs)
    later = sum(float(w) * value(time + 1, after) for after, w in step.next)
    return float(step.rewards[1]) + float(view.discount) * later


def held_down(payoffs):
    """Return ``min max`` of a matrix game in which the row player minimizes."""
    table = np.array(payoffs)
    rows, columns = table.shape
    solved = linprog(
        np.r_[np.zeros(rows), 1],
        A_ub=np.c_[table.T, -np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return solved.fun


def announced_value(view):
    """Return what the leader earns at most, in floats."""
    program = _Program(view)
    objective = {}
    for state, weight in view.initial:
        leader, _ = program.history(0, state, {}, float(weight))
        _add(objective, leader, 1.0)
    return program.solve(objective)


class _Program:
    def __init__(self, view):
        self.view, self.value = view, naive_minmax(view)
        self.size, self.promises, self.masses = 0, [], []

    def history(self, time, state, mass, constant):
        """Add a history of some mass; return what both get from it on, as linear forms."""
        view = self.view
        if time == view.horizon or view.leader_observation[state] < 0:
            return {}, {}
        total, leader, follower = {}, {}, {}
        for b in answers(view, state):
            chance = {}
            mine = {}
            for a in view.leader_actions(int(view.leader_observation[state])):
                chance[a] = self.size
                self.size += 1
                total[chance[a]] = 1.0
                step = view.step(state, a, b)
                _add(leader, {chance[a]: float(step.rewards[0])}, 1.0)
                _add(mine, {chance[a]: float(step.rewards[1])}, 1.0)
                for after, weight in step.next:
                    forms = self.history(time + 1, after, {chance[a]: float(weight)}, 0.0)
                    _add(leader, forms[0], float(view.discount))
                    _add(mine, forms[1], float(view.discount))
            for c in answers(view, state):
                row = {k: -x for k, x in mine.items()}
                for a, k in chance.items():
                    _add(row, {k: instead(view, self.value, time, state, a, c)}, 1.0)
                self.promises.append(row)
            _add(follower, mine, 1.0)
        _add(total, mass, -1.0)
        self.masses.append((total, constant))
        return leader, follower

    def solve(self, objective):
        if not self.size:
            return 0.0
        cost = np.zeros(self.size)
        for k, x in objective.items():
            cost[k] = -x
        solved = linprog(
            cost,
            A_ub=_matrix(self.promises, self.size),
            b_ub=np.zeros(len(self.promises)),
            A_eq=_matrix([row for row, _ in self.masses], self.size),
            b_eq=[constant for _, constant in self.masses],
        )
        return -solved.fun


def _add(form, other, factor):
    for k, x in other.items():
        form[k] = form.get(k, 0.0) + factor * x


def _matrix(rows, size):
    table = lil_matrix((len(rows), size))
    for i, row in enumerate(rows):
        for k, x in row.items():
            table[i, k] = x
    return table.tocsr()
