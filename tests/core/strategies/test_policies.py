"""Policies that are made for a whole game."""

import pytest

import gametheory_core as gt


@pytest.mark.parametrize("name", ["kuhn_poker", "matching_pennies"])
def test_uniform_policies_are_of_rules_alone(name):
    with pytest.raises(gt.InvalidArgument, match="needs a POSG or an AEC game, .* uniform_behav"):
        gt.uniform_policies(gt.load_game(name))
