"""The textbook's algorithms in plain Python, run over a record of what a learner saw and did."""

from dataclasses import dataclass

import numpy as np


class Recorded:
    """An environment that keeps what it showed, and what it was told to do."""

    def __init__(self, inner):
        self.inner = inner
        self.turns = []
        self.actions = []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def reset(self):
        self.turns.append(self.inner.reset())
        return self.turns[-1]

    def step(self, actions):
        self.actions.append(actions.copy())
        self.turns.append(self.inner.step(actions))
        return self.turns[-1]


@dataclass
class Move:
    """From one own turn to the next: what was seen, done, received, and seen then."""

    episode: int
    seen: int
    action: int
    reward: float
    factor: float
    after: int
    ending: str
    next_action: int | None


def moves_of(record, player, discount, last_actions):
    """The completed moves of a player, one list for each step of the environment."""
    actions = [*record.actions, last_actions]
    begun, out = {}, []
    for t, turn in enumerate(record.turns):
        made = []
        for e in range(turn.acts.shape[0]):
            if t and e in begun:
                begun[e][2].append(turn.rewards[e, player])
            ending = "terminal" if turn.is_terminal[e] else "cut" if turn.is_truncated[e] else "on"
            if t and e in begun and (turn.acts[e, player] or ending != "on"):
                seen, action, rewards = begun.pop(e)
                reward, factor = 0.0, 1.0
                for r in rewards:
                    reward += factor * r
                    factor *= discount
                after = int(turn.final_observations[e, player])
                following = int(actions[t][e, player]) if ending == "on" else None
                made.append(Move(e, seen, action, reward, factor, after, ending, following))
            if turn.acts[e, player]:
                begun[e] = [int(turn.observations[e, player]), int(actions[t][e, player]), []]
        if t:
            out.append(made)
    return out


def argmax(row, legal):
    """The first legal action of largest value."""
    best = None
    for action, value in enumerate(row):
        if legal[action] and (best is None or value > row[best]):
            best = action
    return best


def bootstraps(move, at_end):
    return move.ending == "on" or (at_end and move.ending == "cut")


def q_learning(moves, values, legal, rate, *, at_end):
    for move in (move for made in moves for move in made):
        ahead = 0.0
        if bootstraps(move, at_end):
            ahead = values[move.after][argmax(values[move.after], legal[move.after])]
        error = move.reward + move.factor * ahead - values[move.seen][move.action]
        values[move.seen][move.action] += rate * error


def sarsa(moves, values, rate):
    for move in (move for made in moves for move in made):
        ahead = 0.0
        if move.ending == "on":
            ahead = values[move.after][move.next_action]
        error = move.reward + move.factor * ahead - values[move.seen][move.action]
        values[move.seen][move.action] += rate * error


def expected_sarsa(moves, values, legal, rate, epsilon, *, at_end):
    """The mean is taken over the table as it was before the step, for all episodes."""
    for made in moves:
        before = [list(row) for row in values]
        for move in made:
            ahead = 0.0
            if bootstraps(move, at_end):
                best = argmax(before[move.after], legal[move.after])
                choices = sum(map(bool, legal[move.after]))
                for action, value in enumerate(values[move.after]):
                    if legal[move.after][action]:
                        chance = epsilon / choices
                        if action == best:
                            chance += 1 - epsilon
                        if chance:
                            ahead += chance * value
            error = move.reward + move.factor * ahead - values[move.seen][move.action]
            values[move.seen][move.action] += rate * error


def double_q_learning(moves, tables, legal, rate, coins):
    """``coins[step][episode]`` says which table learns."""
    for step, made in enumerate(moves):
        for move in made:
            own = tables[coins[step][move.episode]]
            other = tables[1 - coins[step][move.episode]]
            ahead = 0.0
            if move.ending == "on":
                ahead = other[move.after][argmax(own[move.after], legal[move.after])]
            error = move.reward + move.factor * ahead - own[move.seen][move.action]
            own[move.seen][move.action] += rate * error


def monte_carlo(moves, values, *, only_first):
    """Every cell is the mean of the returns from it, at every visit or the first of an episode."""
    running, counts = {}, np.zeros(np.shape(values))
    for made in moves:
        for move in made:
            running.setdefault(move.episode, []).append(move)
        for move in made:
            if move.ending == "on":
                continue
            episode = running.pop(move.episode)
            paid = 0.0
            for t in reversed(range(len(episode))):
                own = episode[t]
                paid = own.reward + own.factor * paid
                earlier = [(m.seen, m.action) for m in episode[:t]]
                if only_first and (own.seen, own.action) in earlier:
                    continue
                counts[own.seen, own.action] += 1
                error = paid - values[own.seen][own.action]
                values[own.seen][own.action] += error / counts[own.seen, own.action]


def hill_climbing(moves, values, legal, rate, winning, losing):
    """WoLF-PHC, table 4 of Bowling and Veloso, with legal actions; returns policy and average."""
    policy = [[own / sum(row) for own in row] for row in legal.astype(int).tolist()]
    average = [list(row) for row in policy]
    counts = [0] * len(policy)
    wins = 0
    for move in (move for made in moves for move in made):
        q_learning([[move]], values, legal, rate, at_end=False)
        s = move.seen
        allowed = [a for a in range(len(policy[s])) if legal[s][a]]
        counts[s] += 1
        for a in allowed:
            average[s][a] += (policy[s][a] - average[s][a]) / counts[s]
        now = sum(policy[s][a] * values[s][a] for a in allowed)
        usual = sum(average[s][a] * values[s][a] for a in allowed)
        wins += now > usual
        if len(allowed) == 1:
            continue
        delta = (winning if now > usual else losing) / (len(allowed) - 1)
        best = argmax(values[s], legal[s])
        for a in allowed:
            if a != best:
                moved = min(policy[s][a], delta)
                policy[s][a] -= moved
                policy[s][best] += moved
    return policy, average, wins
