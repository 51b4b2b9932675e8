"""Gambit on sequential equilibria of its catalogue: nobody regrets anything, and beliefs agree."""

import pytest

import gametheory_core as gt
from gametheory_core.formats import parse_efg
from solvers import sequential_equilibrium

pygambit = pytest.importorskip("pygambit")
pytestmark = pytest.mark.peer


def trees():
    names = list(pygambit.catalog.games()["Game"]) if hasattr(pygambit, "catalog") else []
    if not names:
        pytest.skip("this pygambit has no catalogue")
    return [peer for name in names if (peer := pygambit.catalog.load(name)).is_tree]


def test_every_tree_with_perfect_recall_is_solved_without_regret():
    solved = 0
    for peer in trees():
        game = parse_efg(peer.to_efg())
        if not gt.games.properties.has_perfect_recall(game):
            continue
        certificate = sequential_equilibrium(game).certificate
        certificate.verify()
        solved += 1
        theirs = peer.mixed_behavior_profile(rational=True)
        places = {(s.player, s.number): k for k, s in enumerate(game.infosets) if s.player >= 0}
        for i, player in enumerate(peer.players):
            for infoset in player.infosets:
                shares = certificate.profile.probabilities[places[i, infoset.number + 1]]
                for action, share in zip(infoset.actions, shares.tolist(), strict=True):
                    theirs[action] = pygambit.Rational(share.numerator, share.denominator)
        assert theirs.max_regret() == 0
        for i, player in enumerate(peer.players):
            assert theirs.payoff(player) == certificate.payoffs[i]
            for infoset in player.infosets:
                if not theirs.infoset_prob(infoset):
                    continue
                ours = certificate.beliefs[places[i, infoset.number + 1]]
                beliefs = [theirs.belief(node) for node in infoset.members]
                assert sorted(map(str, beliefs)) == sorted(map(str, ours))
    assert solved >= 27
