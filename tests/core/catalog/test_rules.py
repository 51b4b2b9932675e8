"""Rules of the catalogue: every question that play can lead to has a well-formed exact answer."""

import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from gametheory_core import BayesianGame, ExtensiveFormGame, NormalFormGame, SecurityGame
from gametheory_core.catalog import catalog, load
from gametheory_core.compact import AnonymousGame, CongestionGame, GraphicalGame, PolymatrixGame
from gametheory_core.distributions import Distribution
from gametheory_core.games import CHANCE, PublicStateGame, stop_aec, stop_posg
from gametheory_core.mediation import MediatedGame
from tests.core.catalog.walks import aec_steps, posg_steps

SMALL = {"rir_rps": "rir_rps:repetitions=4,recall=2", "take_away": "take_away:piles=2,tokens=4"}
LARGE = {"resource_collection_grid"}  # to be walked through; see tests/core/mediation
COMPACT = PolymatrixGame | GraphicalGame | CongestionGame | AnonymousGame
FORMS = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame | MediatedGame | COMPACT
FORMS |= PublicStateGame
RULES = [
    SMALL.get(name, name)
    for name in catalog()
    if name not in LARGE and not isinstance(load(name), FORMS)
]
POSGS = [name for name in RULES if hasattr(load(name), "transition")]
AECS = [name for name in RULES if hasattr(load(name), "next_player")]


def test_every_set_of_rules_is_of_one_kind():
    assert len(POSGS) >= 10
    assert len(AECS) >= 8
    assert sorted(POSGS + AECS) == sorted(RULES)


@pytest.mark.parametrize("name", RULES)
def test_rules_are_frozen_values(name):
    game = load(name)
    assert game == load(name)
    assert hash(game) == hash(load(name))
    assert pickle.loads(pickle.dumps(game)) == game
    assert type(game).__name__ in repr(game)
    assert all(game != load(other) for other in RULES if other != name)
    with pytest.raises(FrozenInstanceError, match="cannot assign"):
        game.discount = Fraction(1, 3)


@pytest.mark.parametrize("name", RULES)
def test_rules_name_their_players_and_discount(name):
    game = load(name)
    assert game.title
    assert len(set(game.players)) == len(game.players) >= 1
    assert isinstance(game.discount, Fraction)
    assert 0 <= game.discount <= 1


def well_formed(rewards, players):
    return (
        isinstance(rewards, tuple)
        and len(rewards) == len(players)
        and all(type(reward) in {int, Fraction} for reward in rewards)
    )


@pytest.mark.parametrize("name", POSGS)
def test_posg_answers_all_that_play_can_ask(name):
    game = load(name)
    steps = posg_steps(game)
    assert steps
    assert not any(game.is_terminal(state) for state, _ in game.initial())
    for step in steps:
        hash((step.state, step.seen))
        law = game.transition(step.state, step.action)
        assert isinstance(law, Distribution)
        assert law == game.transition(step.state, step.action)
        assert well_formed(step.rewards, game.players)
        assert all(
            len(o) == len(game.players) for o, _ in game.observation(step.action, step.state)
        )
        for i, seen in enumerate(step.seen):
            legal = game.legal_actions(i, seen)
            assert len(set(legal)) == len(legal) >= 1


@pytest.mark.parametrize("name", AECS)
def test_aec_answers_all_that_play_can_ask(name):
    game = load(name)
    steps = aec_steps(game)
    assert any(game.is_terminal(step.next_state) for step in steps)
    assert {step.mover for step in steps} == {*range(len(game.players)), CHANCE} - (
        {1} if "payment" in name else set()
    )
    for step in steps:
        hash(step.state)
        assert well_formed(step.rewards, game.players)
        if step.mover != CHANCE:
            legal = game.legal_actions(step.mover, step.seen)
            assert len(set(legal)) == len(legal) >= 1
            again = game.move(step.mover, step.state, step.action)
            assert again == step.next_state


@pytest.mark.parametrize("name", [name for name in AECS if load(name).horizon is None])
def test_no_move_of_an_aec_game_comes_back_to_where_it_was(name):
    """So that games without a horizon end: states with their movers form no cycle."""
    after = {}
    for step in aec_steps(load(name)):
        following = {(step.next_state, player) for player in step.next_movers}
        after.setdefault((step.state, step.mover), set()).update(following)
    remaining = set(after)
    while remaining:
        last = {turn for turn in remaining if not after[turn] & remaining}
        assert last
        remaining -= last


@pytest.mark.parametrize("name", POSGS)
def test_posg_can_be_stopped_early(name):
    assert stop_posg(load(name), steps=1).horizon == 1


@pytest.mark.parametrize("name", AECS)
def test_aec_can_be_stopped_early(name):
    assert stop_aec(load(name), moves=1).horizon == 1
