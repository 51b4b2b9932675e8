"""Every embedded bot in plain Python, from what it is said to do and sharing no code.

A bot is a function of own throws ``x``, the other's ``y``, what it has drawn with so far, and its
parameters; most count everything anew each time.
"""

from collections import defaultdict
from fractions import Fraction
from math import cos, exp, log, pi, sqrt

MASK = 2**64 - 1


class Stream:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed * 0xD1342543DE82EF95 & MASK

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return ((z ^ (z >> 31)) >> 11) / 2**53


def pick(rng, weights):
    number, low = rng() * sum(weights), 0
    for throw, weight in enumerate(weights[:2]):
        low += weight
        if number < low:
            return throw
    return 2


def best(rng, scores):
    top = [i for i in range(3) if scores[i] >= max(scores) - 1e-9]
    return top[0] if len(top) == 1 else top[int(rng() * len(top))]


def anything(rng):
    return pick(rng, [1, 1, 1])


def payoff(a, b):
    return {0: 0, 1: 1, 2: -1}[(a - b) % 3]


def would_pay(y):
    return [payoff(a, y) for a in range(3)]


def softmax(values):
    powers = [exp(v - max(values)) for v in values]
    return [p / sum(powers) for p in powers]


def last(history, count):
    return tuple(history[len(history) - count :])


def faded(throws, decay):
    weights = [0.0] * 3
    for throw in throws:
        weights = [decay * w for w in weights]
        weights[throw] += 1
    return weights


# distributions of those that are automata


def at_turn(sequence):
    return lambda x, y: [int(sequence[len(x) % len(sequence)] == a) for a in range(3)]


def relative(x, y, own, other, plus, lag=1):
    before = (x[-lag], y[-lag]) if len(x) >= lag else (0, 0)
    return [int((own * before[0] + other * before[1] + plus - a) % 3 == 0) for a in range(3)]


def by_outcome(x, y, tie, win, loss):
    if not x:
        return [Fraction(1, 3)] * 3
    chances = {0: tie, 1: win, -1: loss}[payoff(x[-1], y[-1])]
    row = [0] * 3
    for shift in range(3):
        row[(x[-1] + shift) % 3] = Fraction(chances[shift])
    return row


def against_repeats(x, y, recall, share):
    weights = [Fraction(1)] * 3
    for throw in x[-recall:]:
        weights[throw] *= share
    return [w / sum(weights) for w in weights]


def latest_majority(x, y, *, window, turn, own=False):
    seen = (x if own else y)[-window:]
    top = [i for i in range(3) if seen.count(i) == max(map(seen.count, range(3)))]
    return [Fraction(int((a - 1 - turn) % 3 in top), len(top)) for a in range(3)]


DISTRIBUTIONS = {
    "relative to the last throws": relative,
    "shift by outcome": by_outcome,
    "against repeats": against_repeats,
    "latest majority": latest_majority,
    "mixture": lambda x, y, chances: list(chances),
    "sequence": lambda x, y, throws: at_turn(throws)(x, y),
}


def throw_by(row, rng):
    """Draw nothing where a throw is certain."""
    if max(row) == 1:
        return list(row).index(1)
    number = rng()
    return 0 if number < float(row[0]) else 1 if number < float(row[0] + row[1]) else 2


# those that remember more


def counts(x, y, rng, *, own=0, other=0, decay=1.0, counts_own=False, turn=0, draws=False, noise=0):
    first = max(own, other)
    if len(x) < first:
        return anything(rng)
    followed = [
        (x if counts_own else y)[s]
        for s in range(first, len(x))
        if last(x[:s], own) == last(x, own) and last(y[:s], other) == last(y, other)
    ]
    weights = faded(followed, decay)
    if noise and rng() < noise:
        return anything(rng)
    guess = pick(rng, weights) if draws and followed else best(rng, weights)
    return (guess + 1 + turn) % 3


def window(x, y, rng, window, turn=0):
    seen = y[-window:]
    return (best(rng, [seen.count(i) for i in range(3)]) + 1 + turn) % 3


def matching(x, y, rng, *, own, other, longest, shortest=1, forecasts_own=False, turn=0):
    def same(a, b):
        return (not own or x[a] == x[b]) and (not other or y[a] == y[b])

    t, found = len(x), (0, 0)
    for end in range(1, t):
        length = 0
        while length < min(end, longest) and same(end - 1 - length, t - 1 - length):
            length += 1
        found = max(found, (length, end))
    if found[0] < shortest:
        return anything(rng)
    return ((x if forecasts_own else y)[found[1]] + 1 + turn) % 3


def back_off(x, y, rng, *, order, joint, least, decay=1.0, draws=False):
    for k in range(order, -1, -1):
        if k > len(x):
            continue
        weights = faded(
            [
                y[s]
                for s in range(k, len(x))
                if last(y[:s], k) == last(y, k) and (not joint or last(x[:s], k) == last(x, k))
            ],
            decay,
        )
        if sum(weights) >= least:
            return ((pick if draws else best)(rng, weights) + 1) % 3
    return anything(rng)


def context_tree(x, y, rng, order, joint):
    """Mix the estimates along a path: half of all weight is a node's own, by Bayes' rule."""
    seen, odds = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: 1.0)

    def path(t):
        return [(last(y[:t], k), last(x[:t], k) * joint) for k in range(min(order, t) + 1)]

    def forecasts(nodes):
        mixed = []
        for node in reversed(nodes):
            n = seen[node]
            own = [(n[i] + 0.5) / (sum(n) + 1.5) for i in range(3)]
            if mixed:
                b = odds[node]
                mixed.append(
                    (own, [(b * p + q) / (b + 1) for p, q in zip(own, mixed[-1][1], strict=True)])
                )
            else:
                mixed.append((own, own))
        return mixed[::-1]

    for t, throw in enumerate(y):
        nodes = path(t)
        found = forecasts(nodes)
        for depth, node in enumerate(nodes):
            seen[node][throw] += 1
            if depth + 1 < len(nodes):
                odds[node] *= found[depth][0][throw] / found[depth + 1][1][throw]
                odds[node] = min(exp(30), max(exp(-30), odds[node]))
    return (best(rng, forecasts(path(len(y)))[0][1]) + 1) % 3


def regret_matching(x, y, rng, *, clips=False, optimism=0.0, decay=1.0):
    p, regret = [1 / 3] * 3, [0.0] * 3
    for other in y:
        u = would_pay(other)
        mean = sum(chance * v for chance, v in zip(p, u, strict=True))
        regret = [decay * r + v - mean for r, v in zip(regret, u, strict=True)]
        if clips:
            regret = [max(r, 0.0) for r in regret]
        p = [max(r + optimism * (v - mean), 0.0) for r, v in zip(regret, u, strict=True)]
        p = [v / sum(p) for v in p] if sum(p) > 0 else [1 / 3] * 3
    return pick(rng, p)


def hedge(x, y, rng, rate, optimism=0.0, decay=1.0):
    earned = [0.0] * 3
    for other in y:
        earned = [decay * e + v for e, v in zip(earned, would_pay(other), strict=True)]
    recent = would_pay(y[-1]) if y else [0] * 3
    return pick(
        rng, softmax([rate * (e + optimism * v) for e, v in zip(earned, recent, strict=True)])
    )


def ascent(x, y, rng, rate):
    p = [1 / 3] * 3
    for other in y:
        moved = [v + rate * u for v, u in zip(p, would_pay(other), strict=True)]
        low, high = min(moved) - 1, max(moved)
        for _ in range(100):  # the shift that makes the positive parts sum to 1
            shift = (low + high) / 2
            if sum(max(v - shift, 0) for v in moved) > 1:
                low = shift
            else:
                high = shift
        p = [max(v - high, 0) for v in moved]
    return pick(rng, p)


def earnings(x, y, decay):
    tried, earned = [0.0] * 3, [0.0] * 3
    for own, other in zip(x, y, strict=True):
        tried, earned = [decay * v for v in tried], [decay * v for v in earned]
        tried[own] += 1
        earned[own] += payoff(own, other)
    return tried, earned


def ucb(x, y, rng, width, decay=1.0):
    if len(x) < 3:
        return len(x)
    tried, earned = earnings(x, y, decay)
    total = log(sum(tried))
    return best(rng, [earned[i] / tried[i] + sqrt(width * total / tried[i]) for i in range(3)])


def exp3(x, y, rng, exploration):
    earned = [0.0] * 3

    def policy():
        greedy = softmax([exploration / 3 * e for e in earned])
        return [(1 - exploration) * p + exploration / 3 for p in greedy]

    for own, other in zip(x, y, strict=True):
        earned[own] += (1 + payoff(own, other)) / 2 / policy()[own]
    return pick(rng, policy())


def thompson(x, y, rng, decay=1.0):
    tried, earned = earnings(x, y, decay)
    drawn = []
    for n, e in zip(tried, earned, strict=True):
        size = sqrt(-2 * log(1 - rng()))
        drawn.append(e / (n + 1) + size * cos(2 * pi * rng()) / sqrt(n + 1))
    return best(rng, drawn)


def gradient(x, y, rng, rate):
    preferences, average = [0.0] * 3, 0.0
    for t, (own, other) in enumerate(zip(x, y, strict=True), start=1):
        p, gain = softmax(preferences), payoff(own, other) - average
        average += gain / t
        preferences = [h + rate * gain * ((i == own) - p[i]) for i, h in enumerate(preferences)]
    return pick(rng, softmax(preferences))


def states(x, y, own, other):
    """The context before each throw and the one to come; None where there is none."""
    first = max(own, other)
    return [
        (last(x[:t], own), last(y[:t], other)) if t >= first else None for t in range(len(x) + 1)
    ]


def values_of(x, y, met, step, discount):
    values = defaultdict(lambda: [0.0] * 3)
    for t, state in enumerate(met[:-1]):
        if state is not None:
            target = payoff(x[t], y[t]) + discount * max(values[met[t + 1]])
            values[state][x[t]] += step * (target - values[state][x[t]])
            yield state, values
    yield None, values


def q_learning(x, y, rng, own, other, step, discount=0.0, exploration=0.05):
    met = states(x, y, own, other)
    *_, (_, values) = values_of(x, y, met, step, discount)
    if met[-1] is None or rng() < exploration:
        return anything(rng)
    return best(rng, values[met[-1]])


def wolf(x, y, rng, own, other, step, winning, losing, exploration):
    met = states(x, y, own, other)
    policy, average = (defaultdict(lambda: [1 / 3] * 3) for _ in range(2))
    visits = defaultdict(int)
    for s, values in values_of(x, y, met, step, 0.0):
        if s is None:
            break
        visits[s] += 1
        average[s] = [a + (p - a) / visits[s] for a, p in zip(average[s], policy[s], strict=True)]
        worth, usual = (sum(map(float.__mul__, p[s], values[s])) for p in (policy, average))
        rate = winning if worth > usual else losing
        top = values[s].index(max(values[s]))
        for i in {0, 1, 2} - {top}:
            moved = min(policy[s][i], rate / 2)
            policy[s][i] -= moved
            policy[s][top] += moved
    if met[-1] is None or rng() < exploration:
        return anything(rng)
    return pick(rng, policy[met[-1]])


def attraction(x, y, rng, rate, phi, rho, delta):
    experience, attractions = 1.0, [0.0] * 3
    for own, other in zip(x, y, strict=True):
        grown = rho * experience + 1
        attractions = [
            (phi * experience * a + (1 if i == own else delta) * payoff(i, other)) / grown
            for i, a in enumerate(attractions)
        ]
        experience = grown
    return pick(rng, softmax([rate * a for a in attractions]))


def reinforcement(x, y, rng, forgetting, experimentation):
    q = [1.0] * 3
    for own, other in zip(x, y, strict=True):
        reward = 1 + payoff(own, other)
        q = [
            (1 - forgetting) * v
            + reward * (1 - experimentation if i == own else experimentation / 2)
            for i, v in enumerate(q)
        ]
    return pick(rng, q)


def memories(x, y, rng, lag, power, span):
    strength = [0.0] * 3
    for s in range(lag, len(y)):
        if len(y) - s <= span and last(y[:s], lag) == last(y, lag):
            strength[y[s]] += (len(y) - s) ** -power
    return (best(rng, strength) + 1) % 3


def rotations(x, y, rng, contexts, turns=6, memory=0.95, decay=0.95, floor=0.0, *, memo):
    def candidates(t):
        if t in memo:
            return memo[t]
        found = memo[t] = []
        for own, other in contexts:
            if t < max(own, other):
                found += [0, 1, 2, 0, 1, 2]
                continue
            now = last(x[:t], own), last(y[:t], other)
            times = [
                s
                for s in range(max(own, other), t)
                if (last(x[:s], own), last(y[:s], other)) == now
            ]
            theirs, ours = (faded([h[s] for s in times], memory) for h in (y, x))
            guess, own_guess = theirs.index(max(theirs)), ours.index(max(ours))
            found += [(guess + k) % 3 for k in (1, 2, 3)]
            found += [(own_guess + k) % 3 for k in (2, 3, 4)]
        return found

    scores = [0.0] * 6 * len(contexts)
    for t, other in enumerate(y):
        paid = [payoff(c, other) for c in candidates(t)]
        scores = [decay * s + p for s, p in zip(scores, paid, strict=True)]
    known = [j for j in range(len(scores)) if j % 6 < turns and scores[j] > floor]
    if not known:
        return anything(rng)
    return candidates(len(y))[max(known, key=lambda j: (scores[j], -j))]


def by_habit(habit, x, y, t):
    a, b, c, d = habit
    before = (x[t - 1], y[t - 1]) if t else (0, 0)
    return (a * before[0] + b * before[1] + c * t + d) % 3


def weighed_habits(x, y, rng, habits, rate, decay):
    scores = [0.0] * len(habits)
    for t, other in enumerate(y):
        paid = [payoff(by_habit(h, x, y, t), other) for h in habits]
        scores = [decay * s + p for s, p in zip(scores, paid, strict=True)]
    powers = [exp(rate * (s - max(scores))) for s in scores]
    number = rng() * sum(powers)
    for habit, power in zip(habits, powers, strict=True):
        number -= power
        if number < 0:
            return by_habit(habit, x, y, len(x))
    return by_habit(habits[-1], x, y, len(x))


def changing_habits(x, y, rng, habits, change, most_lost, memo):
    if x:
        memo["lost"] = max(0, memo.get("lost", 0) - payoff(x[-1], y[-1]))
        whim = change > 0 and rng() < change
        if whim or memo["lost"] >= most_lost:
            memo["lost"] = 0
            memo["habit"] = (memo.get("habit", 0) + 1) % len(habits)
    return by_habit(habits[memo.get("habit", 0)], x, y, len(x))


def drifting(x, y, rng, change, pull, memo):
    if rng() < change:
        memo["to"] = anything(rng)
    p = memo.get("p", [1 / 3] * 3)
    memo["p"] = [v + pull * ((i == memo.get("to", 0)) - v) for i, v in enumerate(p)]
    return pick(rng, memo["p"])


def regression(x, y, rng, recall, rate):
    weights = defaultdict(lambda: [0.0] * 3)

    def features(t):
        found = ["one"]
        for k in range(1, min(recall, t) + 1):
            found += [("x", k, x[t - k]), ("y", k, y[t - k])]
        return found

    def forecast(t):
        return softmax([sum(weights[f][i] for f in features(t)) for i in range(3)])

    for t, other in enumerate(y):
        p = forecast(t)
        for f in features(t):
            weights[f] = [w + rate * ((i == other) - p[i]) for i, w in enumerate(weights[f])]
    return (best(rng, forecast(len(y))) + 1) % 3


def periods(x, y, rng, longest, decay):
    scores = defaultdict(float)
    rules = [
        (lag, who, turn) for lag in range(1, longest + 1) for who in (0, 1) for turn in range(3)
    ]
    for t, other in enumerate(y):
        for lag, who, turn in rules:
            if t >= lag:
                right = ((y, x)[who][t - lag] + turn) % 3 == other
                scores[lag, who, turn] = decay * scores[lag, who, turn] + (1 if right else -0.5)
    known = [r for r in rules if r[0] <= len(y) and scores[r] > 0]
    if not known:
        return anything(rng)
    lag, who, turn = max(known, key=lambda r: scores[r])
    return ((y, x)[who][-lag] + turn + 1) % 3


THROWS = {
    "counts": counts,
    "window": window,
    "matching": matching,
    "back-off": back_off,
    "context tree": context_tree,
    "regret matching": regret_matching,
    "Hedge": hedge,
    "gradient ascent": ascent,
    "UCB": ucb,
    "Exp3": exp3,
    "Thompson sampling": thompson,
    "gradient bandit": gradient,
    "Q-learning": q_learning,
    "policy hill-climbing": wolf,
    "attraction": attraction,
    "reinforcement": reinforcement,
    "memories": memories,
    "rotations": rotations,
    "weighed habits": weighed_habits,
    "changing habits": changing_habits,
    "drifting": drifting,
    "regression": regression,
    "periods": periods,
}
REMEMBERING = {"changing habits", "drifting", "rotations"}  # from throw to throw, in a memo
