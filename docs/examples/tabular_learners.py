"""Tabular learners at work, judged by the core: optima, the maximization bias, and pennies.

``python docs/examples/tabular_learners.py`` prints the ends of short runs;
``python docs/examples/tabular_learners.py PICTURE`` runs the whole, under a minute, and draws it.
Seeds: 0 to 9 for decision problems, 0 to 99 for the bias, 0 to 4 for pennies.
"""

import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from gametheory_core import expected_returns, uniform_policies
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import posg_from_tables
from gametheory_core.evaluation import best_response_returns, policy_nash_conv
from learners import (
    DoubleQLearning,
    EpsilonGreedy,
    Exponential,
    Linear,
    MonteCarloControl,
    PerVisit,
    QLearning,
    Sarsa,
    Sees,
    Steps,
    WolfPHC,
    batched,
)

Curve = list[float]
Judge = Callable[[Any], Any]
PENNIES = RepeatedGame.of("matching_pennies", rounds=1, recall=0)


def decision_problem(seed: int) -> Any:
    """Four states seen, three actions, four steps, rewards from -8 to 8."""
    rng = np.random.default_rng(seed)
    states, actions = tuple("abcd"), ("x", "y", "z")
    transitions: dict[Any, Any] = {}
    rewards: dict[Any, Any] = {}
    for state, action in product(states, actions):
        first, second = (int(k) for k in rng.permutation(4)[:2])
        if action == "x":  # around in a circle, so that every state can be reached
            first = (states.index(state) + 1) % 4
            second = (first + 1) % 4
        share = int(rng.integers(1, 4))
        transitions[state, (action,)] = {
            states[first]: f"{share}/4",
            states[second]: f"{4 - share}/4",
        }
        paid = int(rng.integers(-8, 9))
        for after in (states[first], states[second]):
            rewards[(state, (action,), after)] = (paid,)
    return posg_from_tables(
        players=["decider"],
        actions=[actions],
        initial={"a": 1},
        initial_observations={"a": {("a",): 1}},
        observations={
            (joint, after): {(after,): 1}
            for (_, joint), law in transitions.items()
            for after in law
        },
        transitions=transitions,
        rewards=rewards,
        terminal=[],
        horizon=4,
    )


def mean_curve(judged: Callable[[int], tuple[Any, Judge]], *, seeds: int, iterations: int) -> Curve:
    """What the core says before the first and after each iteration: the mean over seeds.

    Args:
        judged: Makes a learner of a seed, and what judges its policies.
    """
    curves: list[Curve] = []
    for learner, judge in map(judged, range(seeds)):
        curves.append([float(judge(learner.policies()))])
        for _ in range(iterations):
            learner.improve()
            curves[-1].append(float(judge(learner.policies())))
    return np.mean(curves, axis=0).tolist()


def shortfalls(kind: Any, *, seeds: int, iterations: int, **options: Any) -> Curve:
    """What greedy policies lack of the optimum, after each iteration of 10 steps; the mean."""

    def judged(seed: int) -> tuple[Any, Judge]:
        game = decision_problem(seed)
        best = best_response_returns(game, uniform_policies(game))[0]
        learner = kind(
            batched(game, episodes=4, seed=seed, sees=Sees.TIMED),
            rng=np.random.default_rng(seed),
            step_size=PerVisit(0.8),
            exploration=EpsilonGreedy(Linear(1.0, 0.0, 10 * iterations)),
            iteration=Steps(10),
            **options,
        )
        return learner, lambda policies: best - expected_returns(game, policies)[0]

    return mean_curve(judged, seeds=seeds, iterations=iterations)


def bias_problem() -> Any:
    """Go right for nothing, or left, where eight actions pay 1 or -1, -1/10 on average."""
    eight = tuple("12345678")
    gambles = {("left", (a,)): {"won": "9/20", "lost": "11/20"} for a in eight}
    return posg_from_tables(
        players=["decider"],
        actions=[eight],
        initial={"start": 1},
        initial_observations={"start": {("start",): 1}},
        legal_actions={(0, "start"): ("1", "2")},
        observations={(("2",), "left"): {("left",): 1}},
        transitions={("start", ("1",)): {"right": 1}, ("start", ("2",)): {"left": 1}} | gambles,
        rewards={
            ("left", (a,), end): (1 if end == "won" else -1,)
            for a in eight
            for end in ("won", "lost")
        },
        terminal=["right", "won", "lost"],
    )


def shares_of_left(kind: Any, *, seeds: int, iterations: int) -> Curve:
    """How many learners would go left, after each iteration of 10 steps."""
    game = bias_problem()

    def judged(seed: int) -> tuple[Any, Judge]:
        play, rng = batched(game, episodes=1, seed=seed), np.random.default_rng(seed)
        learner = kind(play, rng=rng, iteration=Steps(10))
        return learner, lambda policies: policies[0]["start",].items[0][0] == "2"

    return mean_curve(judged, seeds=seeds, iterations=iterations)


def gains_in_pennies(kind: Any, *, seeds: int, iterations: int, **options: Any) -> Curve:
    """What deviations gain in all, after each iteration of 100 steps; the mean."""

    def judged(seed: int) -> tuple[Any, Judge]:
        learner = kind(
            batched(PENNIES, episodes=8, seed=seed),
            rng=np.random.default_rng(seed),
            initial={i: np.array([[1.0, 0.0]]) for i in (0, 1)},
            iteration=Steps(100),
            **options,
        )
        return learner, lambda policies: policy_nash_conv(PENNIES, policies)

    return mean_curve(judged, seeds=seeds, iterations=iterations)


def climbers(ratio: float, iterations: int) -> dict[str, Any]:
    """Paces that fade; while losing they are ``ratio`` times as fast."""
    steps = 100 * iterations
    return {
        "winning": Exponential(0.004, 0.00004, steps),
        "losing": Exponential(0.004 * ratio, 0.00004 * ratio, steps),
        "exploration": 0.1,
    }


def panels(*, small: bool) -> dict[str, dict[str, Curve]]:
    """Return all curves."""
    seeds, iterations = (2, 5) if small else (10, 60)
    runs, length = (2, 5) if small else (100, 40)
    plays, rounds = (1, 3) if small else (5, 60)
    return {
        "optimum less value, by 10 steps": {
            name: shortfalls(kind, seeds=seeds, iterations=iterations, **options)
            for name, kind, options in (
                ("Q-learning", QLearning, {}),
                ("double Q-learning", DoubleQLearning, {}),
                ("SARSA", Sarsa, {}),
                ("expected SARSA", Sarsa, {"expected": True}),
                ("Monte-Carlo control", MonteCarloControl, {}),
            )
        },
        "share misled by noise, by 10 steps": {
            name: shares_of_left(kind, seeds=runs, iterations=length)
            for name, kind in (("Q-learning", QLearning), ("double Q-learning", DoubleQLearning))
        },
        "gains from deviating in pennies, by 100 steps": {
            "Q-learning": gains_in_pennies(QLearning, seeds=plays, iterations=rounds),
            "one pace": gains_in_pennies(
                WolfPHC, seeds=plays, iterations=rounds, **climbers(1, rounds)
            ),
            "WoLF-PHC": gains_in_pennies(
                WolfPHC, seeds=plays, iterations=rounds, **climbers(4, rounds)
            ),
        },
    }


def draw(found: dict[str, dict[str, Curve]], path: str) -> None:
    """Draw all curves."""
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    for axes, (title, curves) in zip(figure.subplots(1, 3), found.items(), strict=True):
        for name, points in curves.items():
            axes.plot(points, label=name, linewidth=1.2)
        axes.set_title(title, fontsize=9)
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=7)
    figure.savefig(path, dpi=75)


if __name__ == "__main__":
    results = panels(small=len(sys.argv) == 1)
    for title, curves in results.items():
        for name, points in curves.items():
            print(f"{title}: {name} from {points[0]:.3f} to {points[-1]:.3f}")
    if len(sys.argv) > 1:
        draw(results, sys.argv[1])
