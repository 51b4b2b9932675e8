"""JAM-Q-learning: what is learned, by which updates, and that it can be stopped and continued."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, expected_returns, mediation
from gametheory_core.mediation.policies import check_mediated_profile
from learners import Diverged, Exponential, train
from learners.mediation import Explorers, JamQLearning, MediatedTurns, Updates
from solvers.mediation import jam_value_iteration
from tests.benchmarks.plain_jam import PlainJam
from tests.learners.continuing import assert_continues
from tests.learners.mediation.games import CHICKEN, DILEMMA, ONE_COLOR, TWO_COLORS, drawn_game

SEEDS = range(5)
GAMES = {"dilemma": DILEMMA, "chicken": CHICKEN, "two colors": TWO_COLORS, "one color": ONE_COLOR}
NASH = mediation.Fairness(mediation.FairnessKind.NASH, disagreement=(-20, -20))
GINI = mediation.Fairness(mediation.FairnessKind.GINI, weights=("2/3", "1/3"))


def learned(game, *, iterations=200, seed=0, **options):
    learner = JamQLearning(game, rng=np.random.default_rng(seed), **options)
    train(learner, iterations=iterations)
    return learner


def mean_fairness(game, stage, **options):
    found = [
        mediation.mediated_fairness(
            game, learned(game, seed=seed, stage=stage, **options).profile(), mediation.MINIMUM
        )
        for seed in SEEDS
    ]
    return float(sum(found) / len(found))


# What is learned


@pytest.mark.parametrize(
    ("name", "updates"),
    [
        ("dilemma", Updates.SEQUENTIAL),
        ("chicken", Updates.SEQUENTIAL),
        ("dilemma", Updates.SIMULTANEOUS),
    ],
)
def test_each_part_of_the_mediator_makes_returns_fairer(name, updates):
    """Naive < pre-final < full over 5 seeds of 20,000 episodes, as in the exact rounds."""
    game = GAMES[name]
    naive, before_end, full = (
        mean_fairness(game, stage, updates=updates) for stage in mediation.MediatorStage
    )
    exact = [
        float(jam_value_iteration(game, stage=stage).fairness) for stage in mediation.MediatorStage
    ]
    assert exact == sorted(exact)
    assert naive + 1 < before_end < full - 1
    assert full == exact[2]  # the optimum, by every seed


@pytest.mark.parametrize(("name", "values"), [("two colors", [6, 6, 8]), ("one color", [8, 8, 8])])
def test_resources_are_shared_as_fairly_as_exact_rounds_do(name, values):
    game = GAMES[name]
    exact = [jam_value_iteration(game, stage=stage).fairness for stage in mediation.MediatorStage]
    assert exact == values
    assert [mean_fairness(game, stage) for stage in mediation.MediatorStage] == values


def test_learned_profile_is_certified_where_everybody_explores():
    """The core proves that nobody gains anywhere, and that no plan of the mediator is fairer."""
    learner = learned(TWO_COLORS, iterations=400, exploration=0.3)
    found = mediation.certify_mediated(TWO_COLORS, learner.profile(), incentives=learner.incentives)
    found.verify()
    assert found.fairness == 8


def test_whoever_does_not_learn_does_not_explore_where_only_learners_do():
    """Frozen and greedy learners meet one play again and again."""
    learner = JamQLearning(
        CHICKEN, explorers=Explorers.LEARNING, exploration=1.0, rng=np.random.default_rng(0)
    )
    learner.improve()  # agent 0 learns; the mediator, all zero, picks player 0 for ever
    values = learner.agent_values()
    assert values[:, 0].any()
    assert not values[:, 1].any()
    assert not learner.mediator_values().any()


def test_agents_may_know_the_step_alone():
    learner = learned(DILEMMA, memory=mediation.Memory.STEP, iterations=40)
    profile = learner.profile()
    assert (profile.agents, profile.mediator) == (mediation.Memory.STEP, mediation.Memory.HISTORY)
    assert [len(layer) for layer in profile.actions] == [1, 1, 1, 1]
    check_mediated_profile(DILEMMA, profile)


@pytest.mark.parametrize("rule", mediation.EndRule, ids=lambda rule: rule.name.lower())
def test_end_rules_move_what_the_core_says(rule):
    """One round, agents alone: values are rewards with transfers, exactly."""
    from gametheory_core.mediation import end_transfers, mediated_chicken

    game = mediated_chicken(rounds=1)
    learner = learned(game, iterations=60, end_rule=rule, exploration=1.0, step_size=1.0)
    moved = end_transfers(
        game, fairness=mediation.MINIMUM, rule=rule, step=0, state=0, returns=(0, 0), leader=1
    )
    wanted = [game.rewards[game.row(0, 1, a)][1] + moved[a][1] for a in range(3)]
    assert learner.agent_values()[0, 1].tolist() == [float(value) for value in wanted]


@pytest.mark.parametrize("fairness", [GINI, NASH], ids=["gini", "nash"])
def test_other_measures_are_pursued(fairness):
    learner = learned(TWO_COLORS, fairness=fairness)
    best = jam_value_iteration(TWO_COLORS, fairness=fairness).fairness
    assert mediation.mediated_fairness(TWO_COLORS, learner.profile(), fairness) == best


# The loops


@pytest.mark.parametrize("stage", mediation.MediatorStage, ids=lambda stage: stage.name.lower())
@pytest.mark.parametrize(
    ("game", "fairness"),
    [
        (DILEMMA, mediation.MINIMUM),
        (TWO_COLORS, GINI),
        (drawn_game(), mediation.MINIMUM),
        (drawn_game(), NASH),
    ],
    ids=["dilemma", "two colors", "drawn", "drawn, nash"],
)
@pytest.mark.parametrize("updates", Updates, ids=lambda own: own.name.lower())
@pytest.mark.parametrize("explorers", Explorers, ids=lambda own: own.name.lower())
def test_loops_do_what_plain_python_does(game, fairness, stage, updates, explorers):
    """On the same uniform numbers: the same values, node by node, to the last bits."""
    if stage is mediation.MediatorStage.FULL and not game.is_deterministic:
        stage = (
            mediation.MediatorStage.PRE_FINAL
        )  # where play may end or not, there are no transfers
    rate = Exponential(0.9, 0.1, steps=60)
    learner = JamQLearning(
        game,
        fairness=fairness,
        stage=stage,
        updates=updates,
        explorers=explorers,
        exploration=rate,
        block=10,
        rng=np.random.default_rng(3),
    )
    twin = JamQLearning(game, stage=stage, fairness=fairness, rng=np.random.default_rng(3))
    plain = PlainJam(
        game,
        learner.incentives,
        step_size=0.2,
        all_explore=updates is Updates.SIMULTANEOUS or explorers is Explorers.EVERYBODY,
    )
    for k in range(9):
        learner.improve()
        learning = k % (game.num_players + 1) if updates is Updates.SEQUENTIAL else -1
        for row, numbers in enumerate(twin._play.draws(10)):
            plain.episode(rate.at(10 * k + row), numbers.tolist(), learning)
    assert_same_values(learner, plain)


def assert_same_values(learner, plain):
    histories = learner._play.led.histories
    agents, mediator = learner.agent_values(), learner.mediator_values()
    compared, number = 0, 0
    for step, layer in enumerate(histories.layers):
        for node, state in enumerate(layer.states.tolist()):
            key = plain.node(step, state, histories.returns(step, node))
            for player in range(learner.game.num_players):
                own = plain.agent_values(player, key)
                assert agents[number, player] == pytest.approx(own, rel=1e-12, abs=1e-12)
                picks = plain.mediator_values(key, player)
                assert mediator[number, player] == pytest.approx(picks, rel=1e-12, abs=1e-12)
                compared += any(own) + any(picks)
            number += 1
    assert compared > 5


# Policies, for the core to judge


@pytest.mark.parametrize(
    "stage", [mediation.MediatorStage.NAIVE, mediation.MediatorStage.PRE_FINAL]
)
@pytest.mark.parametrize("game", [DILEMMA, drawn_game()], ids=["dilemma", "drawn"])
def test_policies_earn_what_the_profile_earns(game, stage):
    learner = learned(game, stage=stage, iterations=30, seed=4)
    returns = mediation.mediated_returns(game, learner.profile())
    assert tuple(expected_returns(MediatedTurns(game), learner.policies())) == (*returns, 0)


def test_metrics_say_what_was_paid():
    learner = JamQLearning(TWO_COLORS, block=7, rng=np.random.default_rng(0))
    metrics = learner.improve()
    assert set(metrics) == {
        "return/Player 1", "return/Player 2", "fairness", "length", "transfers", "exploration",
        "error/agents",
    }  # fmt: skip
    assert metrics["length"] == 2
    assert metrics["fairness"] <= min(metrics["return/Player 1"], metrics["return/Player 2"])
    total = metrics["return/Player 1"] + metrics["return/Player 2"]
    assert 12 <= total <= 16  # 6 or 8 a round
    assert learner.episodes == 7


# Stopped, continued, refused


@pytest.mark.parametrize("updates", Updates, ids=lambda own: own.name.lower())
def test_restored_learner_goes_on_bit_for_bit(updates, tmp_path):
    def new():
        return JamQLearning(CHICKEN, updates=updates, rng=np.random.default_rng(5))

    assert_continues(new, tmp_path, before=7, after=13)


def test_snapshot_of_another_game_or_stage_is_refused():
    snapshot = JamQLearning(CHICKEN, rng=np.random.default_rng(0)).snapshot()
    for other in (
        JamQLearning(DILEMMA, rng=np.random.default_rng(0)),
        JamQLearning(CHICKEN, stage=mediation.MediatorStage.NAIVE, rng=np.random.default_rng(0)),
    ):
        with pytest.raises(InvalidArgument, match="of another game or other nodes"):
            other.restore(snapshot)


def test_overflow_stops_training():
    """Rewards of which floats cannot add up a block."""
    learner = JamQLearning(paying(10**307), rng=np.random.default_rng(0))
    with pytest.raises(Diverged, match="'return/Ann' became inf in iteration 1") as caught:
        train(learner, iterations=3)
    assert caught.value.quantity == "return/Ann"
    assert not learner.agent_values().any()


def paying(amount):
    return mediation.mediated_game(
        players=["Ann", "Bob"],
        horizon=3,
        initial={"round": 1},
        actions=[["go"], ["go"]],
        play=lambda state, leader, action: ((amount, amount), {"round": 1}),
    )


def test_rewards_that_are_no_floats_are_refused():
    with pytest.raises(UnsupportedGame, match="returns that floats can hold"):
        JamQLearning(paying(10**400), rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stage": "full"}, "a member of MediatorStage as stage"),
        ({"end_rule": 1}, "a member of EndRule as end_rule"),
        ({"memory": "step"}, "a member of Memory as memory"),
        ({"updates": "both"}, "a member of Updates as updates"),
        ({"explorers": None}, "a member of Explorers as explorers"),
        ({"fairness": "min"}, "fairness to be of type Fairness"),
        ({"step_size": 0}, "step_size above 0"),
        ({"step_size": 1.5}, "step_size above 0 and at most 1"),
        ({"exploration": 1.2}, "exploration of at least 0 and at most 1"),
        ({"block": 0}, "block to be an integer of at least 1"),
        ({"rng": None}, "needs rng to be of type Generator, but got None"),
        (
            {"fairness": mediation.Fairness(mediation.FairnessKind.GINI, weights=(1,))},
            "weights for each of 2 players",
        ),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    given = {"rng": np.random.default_rng(0), **options}
    with pytest.raises(InvalidArgument, match=message):
        JamQLearning(CHICKEN, **given)


def test_other_things_than_mediated_games_are_refused():
    with pytest.raises(InvalidArgument, match="game to be of type MediatedGame"):
        JamQLearning("chicken", rng=np.random.default_rng(0))


def test_transfers_are_refused_where_nobody_knows_which_step_is_last():
    with pytest.raises(UnsupportedGame, match="play may end or go on"):
        JamQLearning(drawn_game(), rng=np.random.default_rng(0))
