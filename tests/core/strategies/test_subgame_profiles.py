"""A profile in a subgame."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BehavioralProfile, InvalidStrategy
from gametheory_core.catalog import load
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.strategies import restricted_profile
from gametheory_core.testing import behavioral_profiles, extensive_form_games


@given(st.data())
def test_profile_is_cut_out(data):
    game = data.draw(extensive_form_games(max_depth=5, max_moves=12))
    profile = data.draw(behavioral_profiles(game))
    root = data.draw(st.sampled_from(subgame_roots(game).tolist()))
    part = subgame(game, root)
    inside = restricted_profile(part, profile)
    own = part.infosets[: part.game.num_decision_infosets].tolist()
    assert [v.tolist() for v in inside.probabilities] == [
        profile.probabilities[s].tolist() for s in own
    ]


def test_profiles_of_other_trees_are_refused():
    game = load("centipede:rounds=3")
    part = subgame(game, 2)
    none = BehavioralProfile(())
    with pytest.raises(InvalidStrategy, match="at each of 3 information sets"):
        restricted_profile(part, none)
