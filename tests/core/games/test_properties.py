"""Properties of trees against their naive definitions, with true witnesses."""

from hypothesis import given

from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.games import (
    CHANCE,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
)
from gametheory_core.games.properties import own_history
from gametheory_core.testing import extensive_form_games, forgetful_games
from tests.core.naive_trees import histories, own_steps


def members(game):
    by_infoset = {}
    for node, s in enumerate(game.node_infoset.tolist()):
        if 0 <= s < game.num_decision_infosets:
            by_infoset.setdefault(s, []).append(node)
    return by_infoset


@given(forgetful_games())
def test_perfect_recall_is_one_own_past_at_each_information_set(game):
    known = histories(game)
    for player in [None, *range(game.num_players)]:
        recalls = all(
            len({own_steps(game, known[v], game.infosets[s].player) for v in nodes}) == 1
            for s, nodes in members(game).items()
            if player in {None, game.infosets[s].player}
        )
        verdict = has_perfect_recall(game, player=player)
        assert bool(verdict) == recalls
        if not verdict:
            first, second = verdict.witness
            mover = int(game.node_player[first])
            assert player in {None, mover}
            assert game.node_infoset[first] == game.node_infoset[second]
            pasts = {own_steps(game, known[v], mover) for v in (first, second)}
            assert len(pasts) == 2
            assert f"player 'player {mover + 1}' forgets at" in verdict.reason


@given(forgetful_games())
def test_absence_of_mind_is_an_information_set_met_twice_on_a_path(game):
    known = histories(game)
    twice = any(
        game.infosets[h.infoset].player != CHANCE and h.infoset in {s for s, _ in h.steps}
        for h in known
        if h.infoset >= 0
    )
    verdict = is_absent_minded(game)
    assert bool(verdict) == twice
    if verdict:
        above, below = verdict.witness
        assert above in known[below].above
        assert game.node_infoset[above] == game.node_infoset[below]
        assert "is met at" in verdict.reason


@given(forgetful_games())
def test_perfect_information_is_one_node_at_each_information_set(game):
    verdict = has_perfect_information(game)
    assert bool(verdict) == all(len(nodes) == 1 for nodes in members(game).values())
    if not verdict:
        first, second = verdict.witness
        assert first != second
        assert game.node_infoset[first] == game.node_infoset[second]


@given(extensive_form_games())
def test_generated_trees_have_perfect_recall(game):
    assert has_perfect_recall(game)
    assert not is_absent_minded(game)


@given(extensive_form_games(perfect_information=True))
def test_generated_trees_have_perfect_information_where_asked(game):
    assert has_perfect_information(game)


def test_own_history_leaves_out_the_others():
    last = Decision(0, "later", {"c": Terminal([0, 0])})
    root = Decision(0, "now", {"a": Decision(1, "", {"b": last})})
    game = from_sketch(root, players=("A", "B"))
    assert own_history(game, 0, 3) == ("a", "c")
    assert own_history(game, 1, 3) == ("b",)


def test_a_later_action_forgotten_at_an_earlier_node_is_seen():
    later = Decision(0, "later", {"x": Terminal([0])})
    root = Decision(0, "now", {"a": Chance({"delay": (1, later)}), "b": later})
    verdict = has_perfect_recall(from_sketch(root, players=("A",)))
    assert not verdict
    assert "reached after own actions ('b',) by ('b',) and after ('a',)" in verdict.reason
