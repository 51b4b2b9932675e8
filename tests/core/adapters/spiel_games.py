"""Games of every kind that OpenSpiel is given, and what it then says of them."""

import re
from dataclasses import replace

import gametheory_core as gt
from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.adapters import to_open_spiel
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, ReversingOrder, Tiger, load
from gametheory_core.conversions import canonical_tree, posg_to_aec
from gametheory_core.games import ExtensiveFormGame
from gametheory_core.games.rules import is_posg, stop_aec
from tests.core.adapters.small_games import Corridor, Wheel

TREES = {
    "kuhn": load("kuhn_poker"),
    "centipede": load("centipede"),
    "one player": from_sketch(
        Decision(0, "", {"": Terminal([1]), "stop": Terminal(["1/3"])}), players=("only",)
    ),
    "a player who never moves": from_sketch(
        Decision(0, "h", {"a": Terminal([1, 0, 2]), "b": Terminal([0, 1, 2])}),
        players=("1", "2", "3"),
    ),
    "paid early": from_sketch(
        Chance(
            {
                "sure": (1, Decision(0, "h", {a: Terminal([k, -k]) for k, a in enumerate("ab")})),
                "never": (0, Terminal([9, 9])),
            },
            payoffs=["1/7", "-1/7"],
        ),
        players=("A", "B"),
    ),
}
POSGS = {
    "one shot": RepeatedGame.of("matching_pennies"),
    "repeated": RepeatedGame.of("prisoners_dilemma", rounds=3),
    "tiger": Tiger(horizon=2),
    "corridor": Corridor(horizon=2),
}
AECS = {
    "team": RandomOrderTeam(),
    "reversing": ReversingOrder(seats=3),
    "wheel": stop_aec(Wheel(), moves=5),
    "nim": load("take_away:piles=2,tokens=3"),
    "queued": posg_to_aec(Tiger(horizon=1)).target,
}
GAMES = {**TREES, **POSGS, **AECS}


def ours(name):
    """Return a game, registered: a name is ``ours_listed_`` and letters."""
    return to_open_spiel(GAMES[name], name="ours_listed_" + re.sub(r"\W", "_", name))


def tree_of(game):
    """Return the tree of a game of any kind."""
    if isinstance(game, ExtensiveFormGame):
        return game
    return (gt.posg_to_extensive if is_posg(game) else gt.aec_to_extensive)(game).target


def canonical(tree, players):
    """Return the canonical form, the players renamed."""
    return canonical_tree(replace(tree, players=tuple(players))).target
