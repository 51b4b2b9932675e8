"""Composed correspondences, and plans of one who remembers beside one who forgets."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import Decision, Terminal, conversions, extensive_to_normal, from_sketch
from gametheory_core.conversions.conversion import Composed
from gametheory_core.distributions import distribution


@dataclass(frozen=True)
class Steps:
    """Writes down which way a profile went, and knows where outcomes come from."""

    name: str
    origins: dict

    def to_target(self, profile):
        return f"{profile}{self.name}>"

    def to_source(self, profile):
        return f"{profile}{self.name}<"

    def outcome_to_source(self, outcome):
        return distribution(self.origins[outcome])


COMPOSED = Composed(
    Steps("1", {"x": {"a": "1/2", "b": "1/2"}, "y": {"b": 1}}),
    Steps("2", {"end": {"x": "2/3", "y": "1/3"}}),
)


def test_profiles_take_the_steps_in_order():
    assert COMPOSED.to_target("p") == "p1>2>"
    assert COMPOSED.to_source("p") == "p2<1<"


def test_outcomes_with_several_ways_back_get_the_sum():
    assert COMPOSED.outcome_to_source("end") == distribution({"a": "1/3", "b": "2/3"})


def test_only_the_player_who_forgets_gets_full_plans():
    def then(first):
        ends = {b: Terminal([int(first == b), 0]) for b in "lr"}
        return Decision(0, "again", ends)

    ann = Decision(0, "now", {a: then(a) for a in "lr"})
    last = Decision(1, "last", {"u": Terminal([0, 1]), "d": Terminal([0, 2])})
    game = from_sketch(
        Decision(1, "start", {"in": ann, "out": last}), players=("Ann who forgets", "Bob")
    )
    conversion = extensive_to_normal(game)
    assert conversion.target.actions == (("ll", "lr", "rl", "rr"), ("in / *", "out / u", "out / d"))
    assert conversion.target.exact_payoffs[0].tolist() == [
        [1, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
    ]


PENNIES, TREE = gt.load_game("matching_pennies"), gt.load_game("one_card_poker")
BAYESIAN = gt.BayesianGame.from_payoffs(
    [[[2, 4], [1, 3]]] * 2, [[[1, 0], [0, 1]]] * 2, prior=["1/2", "1/2"]
)
BETWEEN_PROFILES = {
    "normal form": extensive_to_normal(TREE),
    "restriction": conversions.restrict_actions(PENNIES, [(0,), (0, 1)]),
    "Harsanyi": conversions.harsanyi_transform(BAYESIAN),
    "canonical tree": conversions.canonical_tree(TREE),
    "tree of a matrix": conversions.normal_to_extensive(PENNIES),
    "rules of a matrix": conversions.normal_to_posg(PENNIES),
    "rules of a tree": conversions.extensive_to_aec(TREE),
}


def with_another_action(game):
    """A profile in which the last player has, somewhere, an action too many."""
    tree = isinstance(game, gt.ExtensiveFormGame)
    vectors = list(gt.uniform_behavior(game).probabilities if tree else ())
    vectors = vectors or list(gt.uniform_profile(game).strategies)
    vectors[-1] = np.append(vectors[-1], Fraction(0))
    return gt.BehavioralProfile(tuple(vectors)) if tree else gt.MixedProfile(tuple(vectors))


@pytest.mark.parametrize("name", BETWEEN_PROFILES)
def test_profiles_that_do_not_fit_are_refused_both_ways(name):
    conversion = BETWEEN_PROFILES[name]
    ways, tables = conversion.correspondence, (gt.NormalFormGame, gt.ExtensiveFormGame)
    tables += (gt.BayesianGame,)
    asked = 0
    for carry, game in ((ways.to_target, conversion.source), (ways.to_source, conversion.target)):
        if isinstance(game, tables):
            asked += 1
            with pytest.raises(gt.InvalidStrategy, match="profile"):
                carry(with_another_action(game))
    assert asked
