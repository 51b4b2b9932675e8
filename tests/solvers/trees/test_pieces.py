"""Pieces: subgames as far as no smaller subgame is reached."""

import numpy as np
from hypothesis import given

import gametheory_core as gt
from gametheory_core.games import subgame_roots
from gametheory_core.testing import extensive_form_games
from solvers.trees.pieces import piece_of, pieces_of


@given(extensive_form_games(max_depth=5, max_moves=12))
def test_pieces_share_out_all_nodes(game):
    """Each move is inside one piece, each subgame but the whole ends another."""
    roots = subgame_roots(game)
    pieces = pieces_of(game, roots)
    nodes = [pieces.nodes(k).tolist() for k in range(len(pieces))]
    assert [own[0] for own in nodes] == roots.tolist()
    assert list(map(len, nodes)) == pieces.sizes.tolist()
    assert all(own == sorted(own) for own in nodes)
    ends = sorted(v for own in nodes for v in own[1:])
    assert ends == list(range(1, game.num_nodes))
    assert all(roots[k] in nodes[above] for k, above in enumerate(pieces.above.tolist()))


@given(extensive_form_games(max_depth=5, max_moves=12))
def test_pieces_of_one_size_are_a_table(game):
    pieces = pieces_of(game, subgame_roots(game))
    for size in set(pieces.sizes.tolist()):
        chosen = np.flatnonzero(pieces.sizes == size)
        rows = [pieces.nodes(k).tolist() for k in chosen.tolist()]
        assert pieces.alike(chosen).tolist() == rows


def test_moves_of_a_single_action_belong_to_chance():
    """Cat's only action is a move of chance in the piece of the two others."""
    paid = {(a, b): gt.Terminal([1, -1, 0] if a == b else [-1, 1, 0]) for a in "HT" for b in "HT"}
    tree = gt.Decision(
        0,
        "a",
        {
            a: gt.Decision(2, "c", {"on": gt.Decision(1, "b", {b: paid[a, b] for b in "HT"})})
            for a in "HT"
        },
    )
    game = gt.from_sketch(tree, players=("Ann", "Bob", "Cat"))
    pieces = pieces_of(game, subgame_roots(game))
    assert len(pieces) == 1
    piece = piece_of(game, pieces.nodes(0), game.exact_terminal_payoffs.tolist())
    assert piece.game.players == ("Ann", "Bob")
    assert piece.infosets == (0, 1)
