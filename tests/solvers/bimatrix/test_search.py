"""The search ends at the best equilibrium where floats cannot tell payoffs apart."""

from itertools import cycle, islice, product

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from gametheory_core.certificates import EquilibriumObjective, Label
from gametheory_core.certificates.optimal_equilibrium import score_of
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.strategies import supports
from solvers import mixed_integer, vertex_enumeration

LARGEST_SUPPORT = EquilibriumObjective.LARGEST_SUPPORT


def nearly_equal(rng, shape):
    """Payoffs of 0 or 1, up to a difference that floats lose beside 1."""
    hair = 2.0 ** -int(rng.choice([20, 26, 30, 34, 40, 50]))
    return rng.integers(0, 2, (2, *shape)) + hair * rng.integers(-1, 2, (2, *shape))


def extreme_equilibria(game):
    return [solution.profile for solution in vertex_enumeration(game).equilibria]


def best_score(game, profiles, objective, player):
    if objective is LARGEST_SUPPORT:
        return widest_support(profiles)
    return max(score_of(game, p, objective=objective, player=player) for p in profiles)


def widest_support(profiles):
    """Equilibria that can be mixed are those whose strategies are equilibria crosswise too."""
    pairs = {tuple(tuple(own.tolist()) for own in profile.strategies) for profile in profiles}
    rows = sorted({row for row, _ in pairs})
    widest = 0
    for chosen in product([False, True], repeat=len(rows)):
        together = [row for row, here in zip(rows, chosen, strict=True) if here]
        common = {y for _, y in pairs if all((x, y) in pairs for x in together)}
        if together and common:
            widest = max(widest, played(together) + played(common))
    return widest


def played(strategies):
    return sum(any(probabilities) for probabilities in zip(*strategies, strict=True))


@pytest.mark.parametrize(("shape", "seed"), [((2, 2), 1), ((3, 3), 3)], ids=str)
def test_nearly_equal_payoffs_are_told_apart(shape, seed):
    rng = np.random.default_rng(seed)
    objectives = cycle(EquilibriumObjective)
    for _ in range(60):
        game = NormalFormGame.from_payoffs(nearly_equal(rng, shape))
        profiles = extreme_equilibria(game)
        for objective in islice(objectives, 2):
            player = int(rng.integers(2))
            own = player if "payoff" in objective.value else None
            certificate = mixed_integer(game, objective=objective, player=own).certificate
            assert certificate.epsilon == 0
            assert certificate.score == best_score(game, profiles, objective, player)


def test_nearly_equal_payoffs_do_not_hide_that_an_action_must_be_played():
    rng = np.random.default_rng(4)
    refused = 0
    for _ in range(60):
        game = NormalFormGame.from_payoffs(nearly_equal(rng, (2, 3)))
        label = Label(1, int(rng.integers(3)))
        allowed = [p for p in extreme_equilibria(game) if label.action not in supports(p)[1]]
        if allowed:
            found = mixed_integer(game, unplayed=(label,)).certificate
            objective = EquilibriumObjective.LARGEST_WELFARE
            assert found.score == best_score(game, allowed, objective, 0)
            continue
        with pytest.raises(InfeasibleProgram, match="needs an equilibrium without") as e:
            mixed_integer(game, unplayed=(label,))
        e.value.witness.verify()
        refused += 1
    assert refused


@pytest.mark.parametrize("objective", list(EquilibriumObjective))
def test_payoffs_of_very_different_sizes_are_told_apart(objective):
    """Exact payoffs up to 1e400; some are smaller than what floats lose beside others."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        powers = [10 ** int(power) for power in rng.integers(0, 401, 12)]
        payoffs = np.array(powers, dtype=object).reshape(2, 2, 3) * rng.integers(-1, 2, (2, 2, 3))
        game = NormalFormGame.from_payoffs(payoffs)
        certificate = mixed_integer(game, objective=objective).certificate
        assert certificate.epsilon == 0
        assert certificate.score == best_score(game, extreme_equilibria(game), objective, 0)
