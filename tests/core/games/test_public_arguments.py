"""Public-state games refuse in our own words what is no game, and play that never ends."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest

from gametheory_core import InvalidGame, UnsupportedGame
from gametheory_core.catalog import kuhn_poker_ranges
from gametheory_core.certificates.public_minimax import certify_public_minimax
from gametheory_core.conversions import plans_to_profile, public_to_extensive
from gametheory_core.games import (
    Deal,
    Paid,
    PayoffTable,
    PublicDraw,
    PublicMove,
    PublicStateGame,
    Showdown,
    public_history,
    public_layout,
    public_state_game,
)
from gametheory_core.games.public_states import Situation
from gametheory_core.memory import memory_limit
from gametheory_core.strategies.public_plans import PublicProfile
from tests.wrong_values import python_errors

ONCE = np.ones((1, 2), dtype=int)
DEAL = Deal(ONCE, ONCE)
PAIR = ("x", "y")
GAME = kuhn_poker_ranges(cards=3)
ALWAYS_FIRST = np.array([1, *[1, 0] * 6])


@dataclass
class Rules:
    """Each position has a number."""

    after: Any
    players: Any = ("A", "B")
    hands: Any = (PAIR, PAIR)
    deal: Any = DEAL
    root: Any = 0
    title: Any = "endless"

    def expand(self, position):
        return self.after(position)


MOVE, END = PublicMove(0, {"go": 1}), Paid(1)


def one_move(start=MOVE, end=END, **given):
    return public_state_game(Rules(lambda place: end if place == 1 else start, **given))


@pytest.mark.parametrize(
    "after",
    [
        lambda place: PublicMove(place % 2, {"on": place + 1}),
        lambda place: PublicMove(0, {"on": place + 1, "end": -1}) if place >= 0 else Paid(0),
        lambda place: PublicDraw({"on": (DEAL, place + 1)}),
        lambda place: PublicMove(0, {"left": 2 * place + 1, "right": 2 * place + 2}),
    ],
    ids=["one way", "with a way out", "chance", "a tree"],
)
def test_play_that_never_ends_is_refused_with_the_limit(after):
    with pytest.raises(
        UnsupportedGame, match=r"max_situations = 1,000 situations, but 'endless' has more"
    ):
        public_state_game(Rules(after), max_situations=1_000)


def test_situations_that_do_not_fit_into_memory_are_refused():
    with memory_limit(2**22), pytest.raises(UnsupportedGame, match="situations of 'endless'"):
        public_state_game(Rules(lambda place: PublicMove(0, {"on": place + 1})))


def test_as_many_situations_as_allowed_are_listed():
    rules = Rules(lambda place: PublicMove(0, {"on": place + 1}) if place < 99 else Paid(1))
    assert len(public_state_game(rules, max_situations=100).situations) == 100
    with pytest.raises(UnsupportedGame, match="max_situations = 99 situations"):
        public_state_game(rules, max_situations=99)


def test_positions_that_are_not_hashable_are_refused():
    with pytest.raises(InvalidGame, match=r"positions that are hashable, but found \[1\]"):
        one_move(PublicMove(0, {"go": [1]}))


def test_rules_are_checked():
    found = [
        *python_errors(public_state_game, [Rules(lambda _: Paid(1))], {"max_situations": 100}),
        *python_errors(
            one_move,
            [PublicMove(0, {"go": 1}), Paid(1)],
            {"players": ("A", "B"), "hands": (PAIR, PAIR), "deal": DEAL, "title": "t"},
        ),
        *python_errors(lambda mover: one_move(PublicMove(mover, {"go": 1})), [0]),
        *python_errors(lambda after: one_move(PublicMove(0, after)), [{"go": 1}], wrong=(None, 5)),
        *python_errors(lambda after: one_move(PublicDraw(after)), [{"go": (DEAL, 1)}]),
        *python_errors(lambda pair: one_move(PublicDraw({"go": pair})), [(DEAL, 1)]),
        *python_errors(lambda deal: one_move(PublicDraw({"go": (deal, 1)})), [DEAL]),
    ]
    assert found == []


def test_deals_and_ends_are_checked():
    strengths = ((1, 2), (1, 2))
    found = [
        *python_errors(Deal, [ONCE, ONCE, -ONCE[0]]),
        *python_errors(lambda paid: one_move(end=Paid(paid)), [1]),
        *python_errors(lambda *given: one_move(end=Showdown(*given)), [strengths, 1, 0, -1]),
        *python_errors(lambda one: one_move(end=Showdown((one, (1, 2)), 1, 0, -1)), [(1, 2)]),
        *python_errors(lambda table: one_move(end=PayoffTable(table)), [((1, 2), (3, 4))]),
    ]
    assert found == []


def test_weights_that_do_not_fit_a_machine_word_are_refused():
    with pytest.raises(InvalidGame, match="integers in 2 axes as first of a deal"):
        Deal(np.full((1, 2), 2**64 - 1, dtype=np.uint64), ONCE)


def test_strengths_are_integers():
    with pytest.raises(InvalidGame, match="integers in one axis as strengths"):
        one_move(end=Showdown(((1, 2.5), (1, 2)), 1, 0, -1))


def test_fields_of_the_game_and_its_situations_are_checked():
    right = [getattr(GAME, field.name) for field in fields(GAME)]
    found = python_errors(PublicStateGame, right)
    for field in fields(Situation):

        def changed(value, name=field.name):
            first, *rest = GAME.situations
            return replace(GAME, situations=(replace(first, **{name: value}), *rest))

        found += python_errors(changed, [getattr(GAME.situations[0], field.name)])
    assert found == []


def test_histories_and_plans_are_checked():
    layout, tree = public_layout(GAME), public_to_extensive(GAME)
    plans = PublicProfile((ALWAYS_FIRST, ALWAYS_FIRST))
    found = [
        *python_errors(public_layout, [GAME]),
        *python_errors(lambda game, seen: public_history(game, layout, seen), [GAME, ["bet"]]),
        *python_errors(public_to_extensive, [GAME]),
        *python_errors(plans_to_profile, [GAME, tree, plans]),
        *python_errors(lambda one: PublicProfile((one, ALWAYS_FIRST)), [ALWAYS_FIRST]),
        *python_errors(certify_public_minimax, [GAME, plans]),
    ]
    assert found == []
