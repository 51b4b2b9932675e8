"""Estimated rationality beside Gambit's, on random games and counts."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from gametheory_core.formats import to_gambit
from solvers.many_players import estimate_rationality

pygambit = pytest.importorskip("pygambit")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("seed", range(12))
def test_likelihood_and_rationality_are_gambits(seed):
    from pygambit.qre import logit_estimate

    rng = np.random.default_rng(seed)
    shape = rng.integers(2, 5, size=2)
    game = NormalFormGame.bimatrix(*(rng.integers(-4, 9, size=(2, *shape)).tolist()))
    counts = [rng.integers(5, 60, size=size).tolist() for size in shape]
    theirs = logit_estimate(to_gambit(game).mixed_strategy_profile(data=counts))
    ours = estimate_rationality(game, counts)
    assert ours.log_likelihood == pytest.approx(theirs.log_like, abs=1e-6)
    assert ours.rationality == pytest.approx(theirs.lam, rel=1e-3, abs=1e-6)
