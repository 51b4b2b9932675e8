"""A profile in a subgame, and back: what is played outside stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BehavioralProfile, InvalidStrategy, uniform_behavior
from gametheory_core.catalog import load
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.strategies import restricted_profile
from gametheory_core.strategies.behavioral import replaced_in_subgame
from gametheory_core.testing import behavioral_profiles, extensive_form_games


@given(st.data())
def test_profile_is_cut_out_and_put_back(data):
    game = data.draw(extensive_form_games(max_depth=5, max_moves=12))
    profile = data.draw(behavioral_profiles(game))
    root = data.draw(st.sampled_from(subgame_roots(game).tolist()))
    part = subgame(game, root)
    inside = restricted_profile(part, profile)
    own = part.infosets[: part.game.num_decision_infosets].tolist()
    assert [v.tolist() for v in inside.probabilities] == [
        profile.probabilities[s].tolist() for s in own
    ]
    other = data.draw(behavioral_profiles(part.game))
    changed = replaced_in_subgame(part, profile, by=other)
    assert restricted_profile(part, changed) == other
    for s in set(range(game.num_decision_infosets)) - set(own):
        assert changed.probabilities[s].tolist() == profile.probabilities[s].tolist()
    assert replaced_in_subgame(part, changed, by=inside) == profile


def test_profiles_of_other_trees_are_refused():
    game = load("centipede:rounds=3")
    part = subgame(game, 2)
    none = BehavioralProfile(())
    with pytest.raises(InvalidStrategy, match="at each of 3 information sets"):
        restricted_profile(part, none)
    with pytest.raises(InvalidStrategy, match="at each of 2 information sets"):
        replaced_in_subgame(part, uniform_behavior(game), by=none)
