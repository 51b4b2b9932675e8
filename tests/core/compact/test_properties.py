"""Constant sums, decided edge by edge, with two joint actions as the witness."""

from hypothesis import given

from gametheory_core import compact, load_game
from gametheory_core.games import is_constant_sum


@given(compact.zero_sum_polymatrix_games())
def test_generated_constant_sums_are_recognized(game):
    assert compact.is_constant_sum_polymatrix(game)


@given(compact.polymatrix_games(max_actions=2))
def test_the_verdict_is_that_of_the_normal_form(game):
    verdict = compact.is_constant_sum_polymatrix(game)
    assert bool(verdict) == bool(is_constant_sum(compact.compact_to_normal(game)))
    if not verdict:
        count = game.num_players
        first, second = verdict.witness[:count], verdict.witness[count:]
        assert sum(compact.pure_payoffs(game, first)) != sum(compact.pure_payoffs(game, second))


def test_a_sum_may_be_constant_though_no_edge_is():
    """Ann gets on one edge what she pays on the other, for her second action."""
    ring = load_game("ring_of_pennies:players=3")
    edges = {tuple(pair): list(ring.bimatrix(e)) for e, pair in enumerate(ring.edges.tolist())}
    edges[0, 1][0] = edges[0, 1][0] + [[0], [7]]
    edges[0, 2][1] = edges[0, 2][1] - [[0], [7]]
    game = compact.PolymatrixGame.from_edges({k: tuple(v) for k, v in edges.items()})
    assert compact.is_constant_sum_polymatrix(game)
    edges[0, 2][1][1, 1] -= 1
    bent = compact.PolymatrixGame.from_edges({k: tuple(v) for k, v in edges.items()})
    assert "payoffs sum to 0 where all play their first action" in (
        compact.is_constant_sum_polymatrix(bent).reason
    )
