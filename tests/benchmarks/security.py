"""Security games and correlated commitment, beside plain linear programs.

Ours are exact, certificate included. Peers are our own ``strong_stackelberg`` on the game with all
coverages written out; one float program for each target, solved by scipy (HiGHS); and the program
of correlated commitment in scipy, with rows built by array operations.
"""

import numpy as np
from scipy.optimize import linprog

from gametheory_core import NormalFormGame, SecurityGame
from gametheory_core.conversions import security_to_normal
from solvers import correlated_commitment, security_stackelberg, strong_stackelberg
from tests.benchmarks.measure import Row, interleaved

SEED = 8
PER_TARGET = "one float program for each target, scipy (HiGHS)"
EXPANDED = "ours: strong_stackelberg with all coverages written out"
DENSE = "the same program in floats, scipy (HiGHS)"


def random_security(targets: int, resources: int) -> SecurityGame:
    """Draw integer payoffs: from -10 to 10 uncovered, up to 20 more or less when covered."""
    rng = np.random.default_rng(SEED)
    loss, free = rng.integers(-10, 11, (2, targets))
    relief, width = rng.integers(1, 21, (2, targets))
    return SecurityGame.from_payoffs(
        resources=resources,
        defender_uncovered=loss.tolist(),
        defender_covered=(loss + relief).tolist(),
        attacker_uncovered=free.tolist(),
        attacker_covered=(free - width).tolist(),
    )


def random_form(actions: int) -> NormalFormGame:
    """Draw a game of three players with integer payoffs."""
    rng = np.random.default_rng(SEED)
    return NormalFormGame.from_payoffs(rng.integers(-100, 101, (3, actions, actions, actions)))


def ours(game: SecurityGame) -> float:
    """Return the defender's payoff; the lottery is found and certified too."""
    return float(security_stackelberg(game).payoffs[0])


def verified(game: SecurityGame) -> None:
    """Verify once more what the solver returned, as a third party would."""
    security_stackelberg(game).certificate.verify()


def expanded(game: SecurityGame) -> float:
    """Write out all coverages and solve."""
    return float(strong_stackelberg(security_to_normal(game)).payoffs[0])


def by_target(game: SecurityGame) -> float:
    """Solve for the cover under which each target is best to attack, in floats."""
    (loss, held_loss), (free, held) = np.asarray(game.exact_payoffs[0], dtype=float)
    count, width, relief = game.num_targets, free - held, held_loss - loss
    best = -np.inf
    for t in range(count):
        # free_i - width_i c_i <= free_t - width_t c_t  for all i
        rows = np.diag(-width)
        rows[:, t] += width[t]
        rows = np.vstack([rows, np.ones(count)])
        bounds = np.append(free[t] - free, game.resources)
        objective = np.zeros(count)
        objective[t] = -relief[t]
        found = linprog(objective, A_ub=rows, b_ub=bounds, bounds=(0, 1))
        if found.status == 0:
            best = max(best, loss[t] - found.fun)
    return float(best)


def correlated(game: NormalFormGame) -> float:
    """Return the leader's payoff."""
    return float(correlated_commitment(game).payoffs[0])


def dense_correlated(game: NormalFormGame) -> float:
    """Write the program with dense rows, a block of an array at a time."""
    payoffs, counts = game.payoffs, game.num_actions
    rows = []
    for j in range(1, game.num_players):
        table_of = np.moveaxis(payoffs[j], j, 0)
        for a in range(counts[j]):
            for b in range(counts[j]):
                if a != b:
                    gain = np.zeros(counts)
                    np.moveaxis(gain, j, 0)[a] = table_of[b] - table_of[a]
                    rows.append(gain.ravel())
    found = linprog(
        -payoffs[0].ravel(),
        A_ub=np.array(rows),
        b_ub=np.zeros(len(rows)),
        A_eq=np.ones((1, payoffs[0].size)),
        b_eq=[1.0],
    )
    return float(-found.fun)


def rows(
    *,
    small: tuple[int, int] = (12, 3),
    middle: tuple[int, int] = (60, 12),
    large: tuple[int, int] = (1000, 100),
    actions: int = 10,
    rounds: int = 3,
) -> list[Row]:
    """Measure security games (targets, resources), and a game of three players."""
    found: list[Row] = []
    for (targets, resources), name, peer in (
        (small, EXPANDED, expanded),
        (middle, PER_TARGET, by_target),
    ):
        game = random_security(targets, resources)
        best = interleaved(
            {"ours": lambda game=game: ours(game), name: lambda game=game, peer=peer: peer(game)},
            rounds=rounds,
        )
        task = f"security game, {targets} targets, {resources} resources"
        found.append(Row(task, best["ours"], name, best[name]))
    game = random_security(*large)
    best = interleaved(
        {"ours": lambda: ours(game), "verify": lambda: verified(game)}, rounds=rounds
    )
    task = f"security game, {large[0]} targets, {large[1]} resources"
    found.append(Row(task, best["ours"], "ours: solved and verified once more", best["verify"]))
    form = random_form(actions)
    best = interleaved(
        {"ours": lambda: correlated(form), DENSE: lambda: dense_correlated(form)}, rounds=rounds
    )
    task = f"correlated commitment, 3 players, {actions} x {actions} x {actions}"
    found.append(Row(task, best["ours"], DENSE, best[DENSE]))
    return found
