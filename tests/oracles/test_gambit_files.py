"""Gambit reads what we write and we read what it writes: same payoffs, same structure."""

import io
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from gametheory_core.formats import format_efg, format_nfg, parse_efg, parse_nfg
from gametheory_core.games import CHANCE
from gametheory_core.testing import extensive_form_games, forgetful_games, normal_form_games

pygambit = pytest.importorskip("pygambit")
pytestmark = pytest.mark.peer


def table_of(peer):
    """Payoffs of Gambit's table by joint action."""
    counts = [len(player.strategies) for player in peer.players]
    return {
        cell: [Fraction(peer[cell][player]) for player in peer.players]
        for cell in product(*map(range, counts))
    }


def our_table(game):
    return {
        cell: game.exact_payoffs[(slice(None), *cell)].tolist()
        for cell in product(*map(range, game.num_actions))
    }


def paid_at(node, players):
    try:
        return [Fraction(node.outcome[player]) for player in players]
    except KeyError:  # no outcome here
        return [Fraction(0)] * len(players)


def peer_nodes(peer):
    """Walk Gambit's tree in preorder: mover, information set, payoffs paid here, chance weights."""
    players = list(peer.players)
    seen, rows, pending = {}, [], [peer.root]
    while pending:
        node = pending.pop()
        paid = paid_at(node, players)
        if node.is_terminal:
            rows.append(("end", None, (), paid))
            continue
        infoset = node.infoset
        is_chance = infoset.is_chance
        owner = CHANCE if is_chance else players.index(infoset.player)
        number = seen.setdefault((owner, infoset.number), len(seen))
        weights = tuple(Fraction(a.prob) for a in infoset.actions) if is_chance else ()
        rows.append((owner, number, (tuple(a.label for a in infoset.actions), weights), paid))
        pending.extend(reversed(list(node.children)))
    return rows


def our_nodes(game):
    seen, rows, pending = {}, [], [0]
    while pending:
        node = pending.pop()
        outcome = int(game.node_outcome[node])
        paid = [Fraction(0)] * game.num_players
        if outcome >= 0:
            paid = list(game.outcomes[outcome].payoffs)
        index = int(game.node_infoset[node])
        if index < 0:
            rows.append(("end", None, (), paid))
            continue
        infoset = game.infosets[index]
        number = seen.setdefault((infoset.player, infoset.number), len(seen))
        facts = (infoset.actions, infoset.probabilities or ())
        rows.append((infoset.player, number, facts, paid))
        first = int(game.first_child[node])
        pending.extend(reversed(range(first, first + int(game.num_children[node]))))
    return rows


def peer_reads(read, text):
    return read(io.BytesIO(text.encode("utf-8")))


@given(normal_form_games())
def test_gambit_reads_our_tables(game):
    assert table_of(peer_reads(pygambit.read_nfg, format_nfg(game))) == our_table(game)


@given(normal_form_games())
def test_we_read_gambit_s_tables(game):
    written = peer_reads(pygambit.read_nfg, format_nfg(game)).to_nfg()
    back = parse_nfg(written)
    assert our_table(back) == our_table(game)
    assert back.actions == game.actions


@given(extensive_form_games() | forgetful_games())
def test_gambit_reads_our_trees_and_we_read_its(game):
    peer = peer_reads(pygambit.read_efg, format_efg(game))
    assert [player.label for player in peer.players] == list(game.players)
    assert peer_nodes(peer) == our_nodes(game)
    assert our_nodes(parse_efg(peer.to_efg())) == our_nodes(game)


def test_gambit_s_outcome_version_reads_alike():
    game = pygambit.Game.new_table([2, 3], title='of "tables"')
    for number, cell in enumerate(product(range(2), range(3))):
        for player in game.players:
            game[cell][player] = pygambit.Rational(number, 7) - int(player.label)
    back = parse_nfg(game.to_nfg())
    assert back.title == 'of "tables"'
    assert our_table(back) == table_of(game)


def test_we_read_gambit_s_escaped_backslashes():
    """Gambit 16.7 writes them escaped, and cannot read them back itself."""
    game = pygambit.Game.new_table([1, 1], title='a\\b "c" \\')
    assert parse_nfg(game.to_nfg()).title == 'a\\b "c" \\'


def test_we_read_every_game_of_gambit_s_catalogue():
    names = list(pygambit.catalog.games()["Game"]) if hasattr(pygambit, "catalog") else []
    if not names:
        pytest.skip("this pygambit has no catalogue")
    for name in names:
        peer = pygambit.catalog.load(name)
        if peer.is_tree:
            assert our_nodes(parse_efg(peer.to_efg())) == peer_nodes(peer), name
        else:
            assert our_table(parse_nfg(peer.to_nfg())) == table_of(peer), name
