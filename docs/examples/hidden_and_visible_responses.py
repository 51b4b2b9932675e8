"""REINFORCE against a best-responding follower, with hidden queries and with visible ones.

``python docs/examples/hidden_and_visible_responses.py PICTURE`` draws the picture of
``docs/policy-gradients.md``: seeds 0 to 2, batches of 32 episodes of ten rounds, step 0.02. Without
PICTURE the beginning of one seed is printed.
"""

import sys
from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

from gametheory_core.catalog import Shown, iterated_game, modified_prisoners_dilemma
from gametheory_core.leaders import StochasticLeader, follower_response, leader_problem, leader_view
from learners import TabularReinforce, batched
from learners.advantages import returns_to_go
from learners.gradients import reinforce_gradient, softmax_policy
from learners.gradients.learner import play_episodes
from learners.gradients.updates import Samples
from solvers.leaders import contextual_queries

EPISODES, STEP, ROUNDS = 32, 0.02, 10
VIEW = leader_view(iterated_game(modified_prisoners_dilemma(), rounds=ROUNDS, memory=Shown.OTHERS))


def hidden(seed, *, iterations):
    """Return the probabilities of D over time; the follower answers the current policy unseen."""
    play = batched(VIEW.game, episodes=EPISODES, seed=seed)
    rng, logits, path = np.random.default_rng(seed), np.zeros((3, 2)), []
    for _ in range(iterations):
        table = softmax_policy(logits, np.ones((3, 2), dtype=bool))
        path.append(table[:, 1])
        chances = [Fraction(p).limit_denominator(10**6) for p in table[:, 1].tolist()]
        leader = StochasticLeader(tuple((1 - p, p) for p in chances))
        plan = follower_response(VIEW, leader).policy.actions[0]
        # outside the region of cooperation the answer is to defect throughout
        answer = np.eye(2)[[max(plan[VIEW.initial[0][0]], 0)] * 3]
        rollout = play_episodes(play, [table, answer], rng=rng)
        worths = returns_to_go(rollout.rewards[:, :, 0], discount=1.0)
        seen = rollout.observations[:, :, 0].ravel()
        samples = Samples(seen, rollout.actions[:, :, 0].ravel(), worths.ravel())
        logits = logits + STEP * reinforce_gradient(table, samples, episodes=EPISODES)
    return np.array(path)


def visible(seed, *, iterations):
    """Return the probabilities of D over time; the follower's queries are part of play."""
    problem = leader_problem(VIEW, contextual_queries(VIEW)).target
    play = batched(problem, episodes=EPISODES, seed=seed)
    learner, path = TabularReinforce(play, step_size=STEP, rng=np.random.default_rng(seed)), []
    for _ in range(iterations):
        path.append(learner.table()[:, 1])
        learner.improve()
    return np.array(path)


def draw(runs, target):
    """Draw the probabilities after C and after D, hidden and visible."""
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (title, paths) in zip(panels, runs.items(), strict=True):
        for k, (name, color) in enumerate((("after C", "tab:blue"), ("after D", "tab:red")), 1):
            for path in paths:
                axes.plot(path[:, k], color=color, lw=1, label=name if path is paths[0] else None)
        axes.set(title=title, xlabel="iterations", ylim=(-0.02, 1.02))
    panels[0].set_ylabel("probability that the leader defects")
    panels[0].legend(frameon=False)
    figure.savefig(target, dpi=80)


if __name__ == "__main__":
    iterations, seeds = (600, 3) if len(sys.argv) > 1 else (60, 1)
    runs = {
        "hidden best responses": [hidden(seed, iterations=iterations) for seed in range(seeds)],
        "queries in play": [visible(seed, iterations=iterations) for seed in range(seeds)],
    }
    for name, paths in runs.items():
        ends = np.array([path[-1] for path in paths])
        for place, chances in zip(("start", "after C", "after D"), ends.T, strict=True):
            print(f"{name}, {place}: probability of D {chances.round(3).tolist()}")
    if len(sys.argv) > 1:
        draw(runs, sys.argv[1])
