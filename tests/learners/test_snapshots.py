"""Snapshots of what was made with other options are refused at once, and change nothing."""

import numpy as np
import pytest

import learners
from gametheory_core import Decision, InvalidArgument, Terminal, from_sketch, load_game
from gametheory_core.catalog import RepeatedGame
from learners.batches import stacked
from learners.environment import environment_of
from learners.snapshots import require_fitting

GAME = RepeatedGame.of("prisoners_dilemma", rounds=3)
TABULAR = (
    learners.QLearning,
    learners.DoubleQLearning,
    learners.Sarsa,
    learners.MonteCarloControl,
    learners.WolfPHC,
)
LEARNERS = (*TABULAR, learners.TabularReinforce, learners.TabularPPO)


def made(kind, *, episodes=2, sees=learners.Sees.LAST, **options):
    play = learners.batched(GAME, episodes=episodes, seed=1, sees=sees)
    return kind(play, rng=np.random.default_rng(1), **options)


def improved(learner):
    learner.improve()
    return learner


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize(
    "change", [{"sees": learners.Sees.HISTORY}, {"episodes": 3}, {"learns": (0,)}, {"learns": (1,)}]
)
def test_learners_refuse_snapshots_of_other_options(kind, change):
    kept = improved(made(kind)).snapshot()
    other = made(kind, **change)
    before = repr(other.snapshot())
    with pytest.raises(InvalidArgument, match="restore: needs a snapshot of"):
        other.restore(kept)
    assert repr(other.snapshot()) == before
    other.improve()
    again = made(kind)
    again.restore(kept)
    assert repr(again.snapshot()) == repr(kept)


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("wrong", [{}, None, {"rule": 1}])
def test_learners_refuse_what_is_no_snapshot(kind, wrong):
    with pytest.raises(InvalidArgument, match="restore: needs a snapshot of what was made with"):
        made(kind).restore(wrong)


def test_learners_refuse_snapshots_of_other_learners():
    for kept, other in (
        (made(learners.DoubleQLearning), made(learners.QLearning)),
        (made(learners.WolfPHC), made(learners.QLearning)),
        (made(learners.QLearning), made(learners.WolfPHC)),
        (
            made(learners.QLearning, exploration=learners.ParameterNoise(0.1)),
            made(learners.QLearning),
        ),
        (made(learners.TabularPPO), made(learners.TabularReinforce, learns=(0,))),
    ):
        with pytest.raises(InvalidArgument, match="in the one given '.*' (has the|is of)"):
            other.restore(kept.snapshot())


def test_environments_refuse_snapshots_of_other_games():
    def play(name):
        return environment_of(load_game(name), rng=np.random.default_rng(1))

    for wrong in ({}, None):
        with pytest.raises(InvalidArgument, match="restore: needs a snapshot of what was made"):
            play("kuhn_poker").restore(wrong)
    kuhn = play("kuhn_poker")
    turn = kuhn.reset()
    kuhn.step({turn.movers[0]: "bet"})
    dilemma = environment_of(GAME, rng=np.random.default_rng(1))
    with pytest.raises(InvalidArgument, match="where 2 players are to act. Make the environment"):
        dilemma.restore(kuhn.snapshot())
    played = environment_of(GAME, rng=np.random.default_rng(1))
    played.reset()
    played.step({0: "defect", 1: "defect"})
    with pytest.raises(InvalidArgument, match=r"legal actions \[1, 1\] where 1 players are to act"):
        kuhn.restore(played.snapshot())


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"a": [np.zeros(2)]}, "'a' has 1 entries, not 2"),
        ({"a": 3}, "'a' is no sequence"),
        ({"a": [np.zeros(2), {"b": np.zeros(3)}]}, r"'a/1/b' is of shape \(3,\), not \(2, 2\)"),
        ({"a": [np.zeros(2), {"b": 1.0}]}, "'a/1/b' is no array"),
        ({"a": [np.zeros(2, dtype=int), {"b": np.zeros((2, 2))}]}, "'a/0' is of type int64, not"),
        ({"a": [np.zeros(2), 5]}, "'a/1' is no mapping"),
        ({"b": 3}, r"everything has the parts \['b'\], not \['a'\]"),
    ],
)
def test_what_does_not_fit_is_named(given, match):
    own = {"a": [np.zeros(2), {"b": np.zeros((2, 2))}]}
    with pytest.raises(InvalidArgument, match=match):
        require_fitting(given, own)
    require_fitting({"a": (np.ones(2), {"b": np.ones((2, 2))})}, own)


def test_stacked_environments_refuse_snapshots_of_other_games():
    def one(game, labels):
        return stacked([environment_of(game, rng=np.random.default_rng(1))], action_labels=labels)

    pair = one(GAME, (("cooperate", "defect"),) * 2)
    tree = from_sketch(Decision(0, "only", {"go": Terminal([1])}), players=["A"])
    alone = one(tree, (("go",),))
    assert len(alone.players) == 1
    for wrong in ({}, None, alone.snapshot()):
        with pytest.raises(InvalidArgument, match="restore: needs a snapshot of what was made wit"):
            pair.restore(wrong)
