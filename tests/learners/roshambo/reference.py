"""Context mixing in plain Python, from its formulas and sharing no code; slow, and short.

At throw ``t`` histories are ``x`` (own) and ``y`` (the other's); ``x[-k]`` is that of ``k`` ago.
"""

from collections import defaultdict
from itertools import product
from math import exp, log

MISSING = None
W0 = [0.005 * w for w in (0, 0.3, 0.6, 1, 1.5, 2)]


def update(cell, v, limit):
    p, n = cell
    r = 1 / (n + 1.6)
    p = [max(p[i] + r * ((i == v) - p[i]), 0.003) for i in range(3)]
    cell[0] = [q / sum(p) for q in p]
    cell[1] = min(n + 1, limit)


def bucket(n):
    return sum(n >= bound for bound in (1, 2, 4, 8, 20))


def canon(q, n):
    if n < 1 or max(q) - min(q) <= 1e-6:
        return 0, 0
    order = sorted(range(3), key=lambda i: -q[i])
    if q[order[0]] - q[order[1]] <= 1e-6:
        return 3, (order[2] + 1) % 3
    r = order[0]
    if q[order[1]] - q[order[2]] <= 1e-6:
        return 4, r
    if order[1] == (r + 1) % 3:
        return 1, r
    down = (r + 2) % 3
    return (5 if 2 * q[down] > q[r] + q[(r + 1) % 3] + 1e-6 else 2), r


def br(q):
    gains = [q[(a - 1) % 3] - q[(a + 1) % 3] for a in range(3)]
    best = 0
    for a in (1, 2):
        if gains[a] > gains[best] + 1e-9:
            best = a
    return best


def softmax(s):
    e = [exp(v - max(s)) for v in s]
    return [v / sum(e) for v in e]


def centered(p):
    logs = [log(v) for v in p]
    return [v - sum(logs) / 3 for v in logs]


def rot(s):
    return [s[(i - 1) % 3] for i in range(3)]


class Reference:
    """A mixer: ``forecast()``, then ``learn(x, y)``, and so on."""

    def __init__(self):
        self.x, self.y = [], []
        self.cells = defaultdict(lambda: [[1 / 3] * 3, 0])
        self.slopes = defaultdict(lambda: [0.0, 0.0])
        self.followers = defaultdict(list)
        self.shares = defaultdict(float)
        self.shifts = defaultdict(lambda: [0, 0, None])
        self.weights = defaultdict(lambda: list(W0))
        self.beliefs = {}
        self.V = [1 / 11] * 11

    # what histories show

    def ago(self, history, k):
        return history[-k] if k <= len(history) else MISSING

    def key(self, *values):
        """A context: the values, or that one is missing; many values share 2047 slots."""
        if MISSING in values:
            return "unseen"
        code = 0
        for v in values:
            code = 3 * code + v
        return code % 2047 if 3 ** len(values) > 2047 else values

    def bases(self):
        X, Y, t = (lambda k: self.ago(self.x, k)), (lambda k: self.ago(self.y, k)), len(self.x)
        found = {"0": ()}
        for k in range(1, 7):
            found[f"y{k}"] = self.key(*(Y(j) for j in range(1, k + 1)))
            found[f"x{k}"] = self.key(*(X(j) for j in range(1, k + 1)))
        for k in range(1, 6):
            found[f"xy{k}"] = self.key(*(v for j in range(1, k + 1) for v in (X(j), Y(j))))
        for k in (1, 2, 3, 5):
            found[f"o{k}"] = (
                "unseen" if t < k else (tuple((X(j) - Y(j)) % 3 for j in range(1, k + 1)), Y(1))
            )
        for k in (2, 3):
            found[f"Y{k}"], found[f"X{k}"] = self.key(Y(k)), self.key(X(k))
            found[f"XY{k}"] = self.key(X(k), Y(k))
        for m in (2, 3, 4, 5, 6, 7, 9):
            found[f"t{m}"] = t % m
        for m in (2, 3, 6):
            found[f"t{m}y"] = "unseen" if t < 1 else (t % m, Y(1))
        return found

    def outcomes(self, count):
        if len(self.x) < count:
            return "unseen"
        return tuple((self.x[-k] - self.y[-k]) % 3 for k in range(1, count + 1))

    def match(self, history, followed):
        """What followed the latest of the longest matches of the last throws, and how long."""
        t = len(history)
        if t == 0:
            return 0, 0
        best, at = -1, 0
        for end in range(t - 1, 0, -1):  # a match of history[:end] with history[:t]
            n = 0
            while n < end and history[end - 1 - n] == history[t - 1 - n]:
                n += 1
            if n > best:
                best, at = n, end
        return (followed[at], best) if best > 0 else (followed[-1], 0)

    # experts

    def tabled(self):
        """Yield name, key, reference and limit of each expert with a table."""
        Y = [self.ago(self.y, k) or 0 for k in (1, 2, 3)]
        X = [self.ago(self.x, k) or 0 for k in (1, 2, 3)]
        t, base = len(self.x), self.base
        for c, key in base.items():
            for limit in (200, 10):
                yield ("D", c, limit), key, 0, limit
        for c, key in base.items():
            for side, limit in product("DM", (200, 10)):
                k, r = canon(*self.cells[(side, c, limit), key])
                yield ("rank", side, c, limit), k, r, 30
        yield from self.matched()
        yield from self.counted()
        forms = {}
        for a, b, c, d in product(range(3), repeat=4):
            if 1 <= sum(v != 0 for v in (a, b, c, d)) <= 2:
                forms[a, b, c, d] = a * Y[0] + b * X[0] + c * Y[1] + d * X[1], not (c or d)
        for sign in (1, -1):
            forms["t", sign] = sign * t, False
            forms["yt", sign] = Y[0] + sign * t, True
            forms["xt", sign] = X[0] + sign * t, True
        for name, (f, is_short) in forms.items():
            for limit in (200, 20):
                yield ("form", name, limit), (), f % 3, limit
            if is_short:
                yield ("form by outcome", name), self.outcomes(1), f % 3, 60
                yield ("form by parity", name), t % 2, f % 3, 200
        for a, b in product(range(3), repeat=2):
            e = Y[0] - a * Y[1] - b * X[1]
            before = Y[1] - a * Y[2] - b * X[2]
            reference = (a * Y[0] + b * X[0] + e) % 3
            yield ("gear 1", a, b), self.outcomes(1), reference, 30
            last = self.outcomes(3)
            yield ("gear 3", a, b), last, reference, 60
            wins = "unseen" if last == "unseen" else (last.count(1), (e - before) % 3 == 0)
            yield ("gear wins", a, b), wins, reference, 60
        for name, v in self.votes.items():
            k, r = canon(v, sum(v))
            for limit in (200, 20):
                yield ("vote", name, limit), k, r, limit
        yield from self.following()
        yield from self.shifted(Y[0], X[0])

    def matched(self):
        both = list(zip(self.x, self.y, strict=True))
        found = {}
        for h, history in (("y", self.y), ("x", self.x), ("xy", both)):
            for w, followed in (("y", self.y), ("x", self.x)):
                symbol, n = self.match(history, followed)
                found[h, w] = symbol
                for limit in (5, 20, 200):
                    yield ("match", h, w, limit), (), symbol, limit
                length = sum(n >= bound for bound in (1, 3, 5, 8, 13, 26))
                yield ("match by length", h, w), length, symbol, 60
        self.found = found
        yy, xy, by, bx = found["y", "y"], found["x", "y"], found["xy", "y"], found["xy", "x"]
        for number, key in enumerate(((yy, xy), (yy, by), (by, bx), (yy, xy, by))):
            yield ("joint", number), key, 0, 25

    def counted(self):
        self.tops = {}
        for who, history in (("y", self.y), ("x", self.x)):
            for g in (1, 0.97, 0.85):
                q = [self.shares[who, g, i] for i in range(3)]
                k, r = canon(q, sum(q))
                self.tops[who, g] = r
                for limit in (8, 200):
                    yield ("share", who, g, limit), k, r, limit
            for window in (10, 20, 50):
                q = [history[-window:].count(i) for i in range(3)]
                k, r = canon(q, sum(q))
                self.tops[who, "of", window] = r
                top = max(q) / sum(q) if history else 0
                level = sum(top >= bound for bound in (0.4, 0.5, 0.65))
                yield ("window", who, window), (k, level), r, 60

    def following(self):
        for c in ("0", *(f"{h}{k}" for h in "yx" for k in range(1, 5)), "xy1", "xy2", "xy3"):
            for who in "yx":
                last = self.followers[c, who, self.base[c]][:4]
                near = [(v - last[0]) % 3 for v in last[1:]]
                key = (*near, "end") if last else "none"
                r = last[0] if last else 0
                yield ("follow", c, who), key, r, 60
                yield ("follow 2", c, who), key[:1] if last else key, r, 30

    def shifted(self, y, x):
        """Forms, matched throws and most frequent throws, shifted as they were of late."""
        last = {"form": {(a, b): (a * y + b * x) % 3 for a, b in product(range(3), repeat=2)}}
        last["match"] = {(h, w): self.found[h, w] for h, w in product(("y", "x", "xy"), "yx")}
        last["count"] = self.tops
        outcome = (self.x[-1] - self.y[-1]) % 3 if self.x else 0
        for speed, (kind, symbols) in product(("slow", "quick"), last.items()):
            for name, symbol in symbols.items():
                shift, score, doubted = self.shifts[speed, kind, name]
                key = (min(max(score, -3), 6), doubted is None, outcome)
                yield ("shift", speed, kind, name), key, (symbol + shift) % 3, 30

    def all_votes(self):
        chains = {h: ["0", *(f"{h}{k}" for k in range(1, 7))] for h in ("y", "x")}
        chains["xy"] = ["0", *(f"xy{k}" for k in range(1, 6))]
        sets = {f"{h} 3": dict.fromkeys(chain[:4], 1) for h, chain in chains.items()}
        sets["all"] = {c: 1 for chain in chains.values() for c in chain[:4]}
        for h, chain in chains.items():
            sets[f"{h} 4^k"] = {c: 4**k for k, c in enumerate(chain)}
        sets["xy 1-5"] = dict.fromkeys(chains["xy"][1:], 1)
        sets["short"] = {"0": 1, "y1": 1, "x1": 1}
        found = {}
        for side, (name, weights) in product("DM", sets.items()):
            v = [0.0] * 3
            for c, weight in weights.items():
                p, n = self.cells[(side, c, 200), self.base[c]]
                v = [v[i] + weight * n * p[i] for i in range(3)]
            found[side, name] = v
        return found

    def calibrated(self):
        for c, limit in product(self.base, (200, 10)):
            yield ("self", c, limit), centered(self.cells[("M", c, limit), self.base[c]][0])
        for name, v in self.votes.items():
            yield ("votes", name), centered([(w + 0.4) / (sum(v) + 1.2) for w in v])

    # mixing

    def contexts_of_beliefs(self):
        """What each Bayesian mixer gives back, and the context that it has shares for."""
        outcomes = [(a - b) % 3 for a, b in zip(self.x[:-9:-1], self.y[:-9:-1], strict=True)]
        length = next(key for name, key, *_ in self.used if name == ("match by length", "xy", "y"))
        return [
            *((rate, "all") for rate in (1e-9, 2e-4, 1e-3, 1e-2)),
            (1e-3, "last", (*outcomes, 0)[0]),
            (1e-3, "last two", (*outcomes, 0, 0)[:2]),
            (1e-3, "won", outcomes.count(1)),
            (1e-3, "length", length),
        ]

    def forecast(self):
        self.base = self.bases()
        self.votes = self.all_votes()
        self.P, self.b = {}, {}
        self.used = list(self.tabled())
        for name, key, z, _ in self.used:
            p, n = self.cells[name, key]
            self.P[name], self.b[name] = [p[(i - z) % 3] for i in range(3)], bucket(n)
        self.inputs = dict(self.calibrated())
        for name, s in self.inputs.items():
            a, b = self.slopes[name]
            self.P[name] = softmax([a * v + b * w for v, w in zip(s, rot(s), strict=True)])
            self.b[name] = bucket(len(self.x))
        self.s = {e: centered(p) for e, p in self.P.items()}
        self.mixed = []
        for eta in (0.001, 0.003, 0.01):
            W = {e: self.weights[e, eta][self.b[e]] for e in self.s}
            sums = [sum(W[e] * s[i] for e, s in self.s.items()) for i in range(3)]
            self.mixed.append(softmax(sums))
        self.contexts = self.contexts_of_beliefs()
        for context in self.contexts:
            share = self.beliefs.setdefault(context, {e: 1 / len(self.P) for e in self.P})
            self.mixed.append([sum(share[e] * p[i] for e, p in self.P.items()) for i in range(3)])
        return [sum(v * p[i] for v, p in zip(self.V, self.mixed, strict=True)) for i in range(3)]

    def learn(self, x, y):
        self.move_shifts(x, y)
        V = [v**0.98 * p[y] for v, p in zip(self.V, self.mixed, strict=True)]
        self.V = [0.98 * v / sum(V) + 0.02 / 11 for v in V]
        for eta, P in zip((0.001, 0.003, 0.01), self.mixed, strict=False):
            for e, s in self.s.items():
                self.weights[e, eta][self.b[e]] += eta * sum(
                    ((i == y) - P[i]) * s[i] for i in range(3)
                )
        for context in self.contexts:
            share = {e: v * self.P[e][y] for e, v in self.beliefs[context].items()}
            total, rate = sum(share.values()), context[0]
            self.beliefs[context] = {
                e: (1 - rate) * v / total + rate / len(share) for e, v in share.items()
            }
        for name, key, z, limit in self.used:
            update(self.cells[name, key], (y - z) % 3, limit)
        for name, s in self.inputs.items():
            error = [(i == y) - self.P[name][i] for i in range(3)]
            for which, v in enumerate((s, rot(s))):
                self.slopes[name][which] += 0.05 * sum(error[i] * v[i] for i in range(3))
        for c, key in self.base.items():
            for limit in (200, 10):
                update(self.cells[("M", c, limit), key], x, limit)
            for who, v in (("y", y), ("x", x)):
                self.followers[c, who, key].insert(0, v)
        for who, v in (("y", y), ("x", x)):
            for g, i in product((1, 0.97, 0.85), range(3)):
                self.shares[who, g, i] = g * self.shares[who, g, i] + (i == v)
        self.x.append(x)
        self.y.append(y)

    def move_shifts(self, x, y):
        won = (0, 1, -1)[(x - y) % 3]
        for name, _, reference, _ in self.used:
            if name[0] == "shift":
                state = self.shifts[name[1:]]
                shift = (state[0] + y - reference) % 3
                state[1] += won
                if shift == state[0]:
                    state[2] = None
                elif name[1] == "quick" or state[2] == shift or self.P[name][y] > 0.5:
                    self.shifts[name[1:]] = [shift, won, None]
                else:
                    state[2] = shift
