"""All equilibria of agents that plan for steps under a mediator that remembers, by exhaustion.

Written for games of one state and two players, over plain integers: for each pair of plans the
mediator's fairest picks at every node, and for each agent the best plan against them.
"""

from functools import cache
from itertools import product


def equilibria(rewards, rounds, *, rule, ties):
    """Return how many pairs of plans are equilibria, of how many, and how fair each is.

    ``rewards[leader][action]`` are pairs; ``rule`` is ``None``, ``"step"`` or ``"history"``;
    ``ties`` is ``"first"``, ``"last"`` or ``"poorest"``.
    """
    nodes = [{(0, 0)}]
    for _ in range(rounds - 1):
        nodes.append({plus(h, r) for h in nodes[-1] for own in rewards for r in own})
    plans = [list(product(range(len(own)), repeat=rounds)) for own in rewards]
    found, count = [], 0
    for pair in product(*plans):
        count += 1
        leaders, value = picks(rewards, pair, nodes, ties)
        if all(is_best(rewards, pair, leaders, i, rule) for i in range(2)):
            found.append((pair, value))
    return found, count


def plus(h, r):
    return (h[0] + r[0], h[1] + r[1])


def picks(rewards, pair, nodes, ties):
    """The mediator's leader at every node, and how fair play is."""
    final, leaders = None, {}
    for t in reversed(range(len(nodes))):
        here = {}
        for h in nodes[t]:
            ends = [plus(h, rewards[j][pair[j][t]]) for j in range(2)]
            if final is not None:
                ends = [final[end] for end in ends]
            a, b = min(ends[0]), min(ends[1])
            leader = int(b > a)
            if a == b:
                leader = {"first": 0, "last": 1, "poorest": int(h[1] < h[0])}[ties]
            leaders[t, h] = leader
            here[h] = ends[leader]
        final = here
    return leaders, min(final[0, 0])


def is_best(rewards, pair, leaders, agent, rule):
    """Tell whether no other plan of an agent gives it more; along a plan it knows the past."""
    rounds = len(pair[0])

    def payoff(t, h, free):
        leader = leaders[t, h]
        own = free and leader == agent
        actions = range(len(rewards[leader])) if own else (pair[leader][t],)
        best = None
        for action in actions:
            after = plus(h, rewards[leader][action])
            if t == rounds - 1:
                value = after[agent] + moved(rewards, rule, h, leader, action)[agent]
            else:
                value = payoff(t + 1, after, free)
            if best is None or value > best:
                best = value
        return best

    payoff = cache(payoff)
    return payoff(0, (0, 0), False) == payoff(0, (0, 0), True)


def moved(rewards, rule, h, leader, action):
    """What a last action costs the leader, and gives to the other."""
    if rule is None:
        return (0, 0)
    options = rewards[leader]
    vectors = options if rule == "step" else [plus(h, r) for r in options]
    if min(vectors[action]) == max(map(min, vectors)):
        return (0, 0)
    fine = max(options[action]) - min(options[action])
    return (-fine, fine) if leader == 0 else (fine, -fine)
