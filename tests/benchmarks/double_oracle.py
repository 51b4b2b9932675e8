"""Growing populations of best responses: ours beside OpenSpiel's PSRO with exact best responses.

Both run until NashConv, measured exactly by each on its own side, is at most a given number.
OpenSpiel's ``psro_v2`` has its compiled best-response oracle; its meta-game, which it samples, is
computed by its own exact traversal, and solved by our program in floats, so that neither noise nor
a missing solver stops it. Ours includes the certificate.

The other rows are a meta-game that grows by one policy of each player at a time, each solved from
the one before and each solved anew; and games whose tables no memory holds.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gametheory_core import ExtensiveFormGame
from gametheory_core.arrays import FloatArray
from gametheory_core.catalog import goofspiel, kuhn_poker, leduc_poker
from gametheory_core.games import ImplicitGame
from solvers.trees import sequence_form_double_oracle
from solvers.zero_sum import implicit_double_oracle
from solvers.zero_sum.float_matrix_game import by_kernel, solve_matrix_in_floats
from solvers.zero_sum.growing_matrix import GrowingMatrix
from tests.benchmarks.measure import Row, cpu_seconds, interleaved

SEED = 5
MOST_ROUNDS = 400
SPIEL = "OpenSpiel psro_v2, exact best responses"
GOOFSPIEL = (
    "turn_based_simultaneous_game(game="
    "goofspiel(num_cards=4,imp_info=True,points_order=descending,players=2))"
)
CONTESTS: dict[str, tuple[Callable[[], ExtensiveFormGame], str, float]] = {
    "Kuhn poker": (kuhn_poker, "kuhn_poker", 0.01),
    "goofspiel, 4 cards": (partial(goofspiel, cards=4), GOOFSPIEL, 0.1),
    "Leduc poker": (leduc_poker, "leduc_poker", 2.0),
}


def ours(tree: ExtensiveFormGame, target: float) -> float:
    """Return the certified NashConv that is reached."""
    return float(sequence_form_double_oracle(tree, tolerance=target).solution.certificate.epsilon)


def by_open_spiel(name: str, target: float) -> float:
    """Return the NashConv that is reached."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability, policy_aggregator
    from open_spiel.python.algorithms.psro_v2 import best_response_oracle, psro_v2

    class Exact(psro_v2.PSROSolver):
        """Its meta-game without noise."""

        def sample_episodes(self, policies: Any, num_episodes: int) -> Any:
            del num_episodes
            return np.array(expected_game_score.policy_value(game.new_initial_state(), policies))

    def nash(solver: Any, **_options: Any) -> Any:
        """Solve the meta-game in floats; its own program asks for a solver that is not there."""
        found = solve_matrix_in_floats(np.array(solver.get_meta_game()[0]))
        assert found is not None
        both = [found.row_strategy, found.column_strategy]
        return both, np.outer(*both).ravel()

    game = pyspiel.load_game(name)
    np.random.seed(SEED)  # noqa: NPY002 the peer draws from it
    solver = Exact(
        game,
        best_response_oracle.BestResponseOracle(game=game, policy=None),
        initial_policies=[policy.TabularPolicy(game), policy.TabularPolicy(game)],
        sims_per_entry=1,
        meta_strategy_method=nash,
        training_strategy_selector="probabilistic",
    )
    found = np.inf
    for _ in range(MOST_ROUNDS):
        solver.iteration()
        mixed = policy_aggregator.PolicyAggregator(game).aggregate(
            range(2), solver.get_policies(), solver.get_meta_strategies()
        )
        found = float(exploitability.nash_conv(game, mixed))
        if found <= target:
            break
    return found


def population(size: int, *, skill: float = 0.0) -> FloatArray:
    """Draw an antisymmetric meta-game, (size, size): noise, and skill that grows in proportion."""
    rng = np.random.default_rng(SEED)
    noise = rng.standard_normal((size, size))
    ranks = np.linspace(0.0, skill, size)
    return (noise - noise.T) / 2 + ranks[:, None] - ranks


def growing(payoffs: FloatArray) -> float:
    """Return the sum of the values of all games of the first policies, each from the one before."""
    game, total = GrowingMatrix(), 0.0
    for count in range(len(payoffs)):
        game.append_row(payoffs[count, :count])
        game.append_column(payoffs[: count + 1, count])
        found = game.solve()
        assert found is not None
        total += float((found.row_strategy @ game.payoffs).min())
    return total


def anew(payoffs: FloatArray) -> float:
    """Return the same, each solved by itself."""
    total = 0.0
    for count in range(1, len(payoffs) + 1):
        found = by_kernel(payoffs[:count, :count], None)
        assert found is not None
        total += float((found.row_strategy @ payoffs[:count, :count]).min())
    return total


def distance_on_a_grid(side: int) -> ImplicitGame:
    """A hider and a seeker choose cells of a grid; the hider gets the squared distance."""

    def payoffs(hidden: Any, sought: Any) -> Any:
        across, down = hidden // side - sought // side, hidden % side - sought % side
        return across * across + down * down

    return ImplicitGame(payoffs, (side * side, side * side))


def solve_and_verify(game: ImplicitGame) -> float:
    """Return the value, proved twice."""
    certificate = implicit_double_oracle(game).solution.certificate
    certificate.verify()
    return float(certificate.game_value)


def rows(*, rounds: int = 2, policies: int = 300, most: int = 1000) -> list[Row]:
    """Measure each task."""
    found: list[Row] = []
    for name, (build, peer, target) in CONTESTS.items():
        tree = build()
        best = interleaved(
            {"ours": partial(ours, tree, target), SPIEL: partial(by_open_spiel, peer, target)},
            rounds=rounds,
            calls=10 if name == "Kuhn poker" else 1,
        )
        task = f"{name}: NashConv of at most {target}, from nothing"
        found.append(Row(task, best["ours"], SPIEL, best[SPIEL]))
    payoffs = population(policies)
    best = interleaved(
        {"ours": partial(growing, payoffs), "anew": partial(anew, payoffs)}, rounds=rounds
    )
    task = f"all meta-games of 1 to {policies} policies"
    found.append(Row(task, best["ours"], "our simplex method, each anew", best["anew"]))
    for name, skill in (("noise alone", 0.0), ("policies that improve", 20.0)):
        whole = cpu_seconds(partial(growing, population(most, skill=skill)))
        task = f"all meta-games of 1 to {most} policies, {name}"
        found.append(Row(task, whole, "a limit of 10 s", 10.0))
    large = cpu_seconds(partial(solve_and_verify, distance_on_a_grid(1000)))
    task = "hide and seek, 10^6 x 10^6, exact, certified and verified"
    found.append(Row(task, large, "a limit of 60 s", 60.0))
    return found
