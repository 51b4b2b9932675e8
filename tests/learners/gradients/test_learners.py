"""REINFORCE and PPO as learners: resume, divergence, other players, turns, what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import extensive_to_aec
from gametheory_core.evaluation import return_gains
from learners import Diverged, Sees, TabularPPO, TabularReinforce, batched, train
from learners.advantages import Credit, StepWeights
from learners.gradients import Baseline
from learners.gradients.learner import play_episodes
from learners.gradients.tabular import Ascent
from tests.learners.continuing import PoisonedEnvironment, SilentRules, assert_continues
from tests.theorems.hidden_state_games import hidden_state_game

GAME = iterated_prisoners_dilemma(rounds=4)
LEARNERS = [
    (TabularReinforce, {}),
    (TabularReinforce, {"ascent": Ascent.ADAM, "entropy_bonus": 0.01, "baseline": Baseline.NONE}),
    (TabularReinforce, {"credit": Credit.WHOLE, "discount": 0.9, "learns": (1,)}),
    (TabularReinforce, {"weights": StepWeights.EQUAL, "discount": 0.9}),
    (TabularPPO, {}),
    (TabularPPO, {"minibatches": 3, "divergence_limit": 0.01, "learns": (0,), "trace": 0.5}),
]


def learner(kind, options, *, game=GAME, episodes=16, seed=1, **more):
    play = batched(game, episodes=episodes, seed=seed, **more)
    return kind(play, rng=np.random.default_rng(seed), **options)


@pytest.mark.parametrize(("kind", "options"), LEARNERS)
def test_resumes_bit_for_bit(kind, options, tmp_path):
    assert_continues(lambda: learner(kind, options), tmp_path)


@pytest.mark.parametrize(("kind", "options"), LEARNERS)
def test_metrics_are_those_documented(kind, options):
    own = learner(kind, options)
    found = own.improve()
    for name in found:
        what = name.split("/")[0]
        assert what in kind.__doc__
    assert found["length"] == 4
    assert {f"return/{label}" for label in GAME.players} <= set(found)
    learners = {name.split("/")[1] for name in found if name.startswith("entropy")}
    assert learners == {GAME.players[i] for i in options.get("learns", (0, 1))}


@pytest.mark.parametrize("kind", [TabularReinforce, TabularPPO])
def test_rewards_that_are_no_numbers_stop_the_run(kind):
    play = PoisonedEnvironment(batched(GAME, episodes=4, seed=1), at_step=12)
    own = kind(play, rng=np.random.default_rng(1))
    with pytest.raises(Diverged, match=r"'return/.*' became nan in iteration 3") as caught:
        train(own, iterations=9, keep_every=1)
    assert caught.value.best.iterations == 2
    assert np.isfinite(own.table(0)).all()


@pytest.mark.parametrize("kind", [TabularReinforce, TabularPPO])
def test_both_learn_to_defect_in_the_end(kind):
    """The stage game's dominant action at the last step, which the time shows."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0)
    own = learner(kind, {"step_size": 0.3}, game=game, episodes=64, sees=Sees.TIMED)
    train(own, iterations=60)
    assert own.table(0)[:2, 1].min() > 0.95  # after two steps nobody acts


@pytest.mark.parametrize("kind", [TabularReinforce, TabularPPO])
def test_a_single_learner_answers_the_others_as_they_are(kind):
    """Against tit-for-tat in a long dilemma, to cooperate; tit-for-tat is left alone."""
    game = iterated_prisoners_dilemma(rounds=20)
    play = batched(game, episodes=64, seed=2)
    labels = play.observation_labels[1]
    assert labels[2:4] == ((("C", "D"),), (("D", "C"),))
    copies = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1], [0, 1]])  # the first player's action
    own = kind(play, rng=np.random.default_rng(2), step_size=0.02, learns=(0,), others={1: copies})
    before = own.improve()
    learned = train(own, iterations=150)
    assert (
        learned.metrics[-1][f"return/{game.players[0]}"] > before[f"return/{game.players[0]}"] + 5
    )
    assert own.table(1).tolist() == copies.tolist()
    assert own.table(0)[1, 0] > 0.9


@pytest.mark.parametrize("kind", [TabularReinforce, TabularPPO])
def test_players_who_take_turns_learn(kind):
    """Kuhn poker with full memory against uniform play: exact gain of a best response."""
    rules = extensive_to_aec(gt.load_game("kuhn_poker")).target
    for player in (0, 1):
        options = {"step_size": 1.0 if kind is TabularReinforce else 0.1, "learns": (player,)}
        own = learner(kind, options, game=rules, episodes=256, sees=Sees.HISTORY)
        before = return_gains(rules, own.policies())[player]
        train(own, iterations=80)
        after = return_gains(rules, own.policies())[player]
        assert before > Fraction(1, 3)
        assert after < Fraction(1, 20)


def test_returns_are_estimated_right():
    """The mean of sampled returns against the core's exact ones: five standard errors."""
    play = batched(GAME, episodes=20_000, seed=5)
    tables = [np.full((5, 2), 0.5)] * 2
    rollout = play_episodes(play, tables, rng=np.random.default_rng(5))
    exact = gt.expected_returns(GAME, gt.uniform_policies(GAME)).astype(float)
    spread = rollout.returns.std(axis=0) / np.sqrt(20_000)
    assert (abs(rollout.returns.mean(axis=0) - exact) < 5 * spread).all()


def test_nobody_acts_after_the_end():
    """Episodes that end by chance: the next ones, begun at once, are no part of the rollout."""
    game = hidden_state_game(1)
    play = batched(game, episodes=200, seed=1)
    tables = [legal / legal.sum(axis=1, keepdims=True) for legal in play.legal]
    rollout = play_episodes(play, tables, rng=np.random.default_rng(1))
    assert set(rollout.lengths.tolist()) == {1, 2, 3, 4}
    inside = np.arange(4)[:, None] < rollout.lengths
    assert (rollout.acts == inside[:, :, None]).all()
    assert (rollout.rewards[~inside] == 0).all()
    assert (rollout.rewards[inside] != 0).any()


def test_without_known_legal_actions_those_met_are_learned():
    """Nothing but the turn says what is legal; illegal actions are never drawn."""
    rules = gt.load_game("kuhn_poker")
    for kind in (TabularReinforce, TabularPPO):
        tables = []
        for wrapped in (lambda play: play, SilentRules):
            play = wrapped(batched(rules, episodes=128, seed=3, sees=Sees.HISTORY))
            own = kind(play, rng=np.random.default_rng(3))
            train(own, iterations=5)
            tables.append(own.table(0))
        assert tables[0].tolist() == tables[1].tolist()


def test_episodes_that_do_not_end_are_refused():
    game = RepeatedGame.of("prisoners_dilemma", rounds=None, recall=0)
    own = learner(TabularReinforce, {"longest": 50}, game=game)
    with pytest.raises(
        gt.UnsupportedGame, match="needs episodes that end within longest = 50 steps"
    ):
        own.improve()


def test_features_are_refused():
    class Features:
        players = ("a",)
        num_observations = (0,)

    with pytest.raises(
        gt.UnsupportedGame, match="Reinforce: needs numbered observations.*learners"
    ):
        TabularReinforce(Features(), rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        (TabularReinforce, {"step_size": 0}, "TabularReinforce: needs a finite step_size above 0"),
        (
            TabularReinforce,
            {"discount": 1.5},
            "TabularReinforce: needs a finite discount of at least",
        ),
        (TabularReinforce, {"baseline": "none"}, "TabularReinforce: needs a member of Baseline"),
        (TabularReinforce, {"baseline_step": 0}, "needs a finite baseline_step above 0|at most 1"),
        (TabularReinforce, {"learns": ()}, "needs in learns the number of at least"),
        (TabularReinforce, {"learns": (2,)}, "needs learns to be an integer from 0 to 1"),
        (
            TabularReinforce,
            {"others": {0: np.ones((5, 2))}},
            "players who do not learn, but player 0",
        ),
        (
            TabularReinforce,
            {"learns": (0,), "others": {1: np.ones((5, 3)) / 3}},
            r"others\[1\] of shape \(5, 2\)",
        ),
        (
            TabularReinforce,
            {"learns": (0,), "others": {1: np.ones((5, 2))}},
            "rows of others.*row 0",
        ),
        (TabularPPO, {"clip": 0}, "TabularPPO: needs a finite clip above 0"),
        (TabularPPO, {"trace": 2}, "TabularPPO: needs a finite trace"),
        (TabularPPO, {"epochs": 0}, "TabularPPO: needs epochs to be an integer of at least 1"),
        (TabularPPO, {"minibatches": 1.5}, "TabularPPO: needs minibatches to be an integer"),
        (TabularPPO, {"divergence_limit": 0}, "TabularPPO: needs a finite divergence_limit above"),
    ],
)
def test_senseless_options_are_refused(kind, options, words):
    with pytest.raises(gt.InvalidArgument, match=words):
        learner(kind, options)
