from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, kuhn_poker
from gametheory_core.conversions import posg_from_tables
from gametheory_core.evaluation import policy_nash_conv, return_gains
from learners import AtHorizon, Diverged, Linear, Sees, batched, deep, train
from learners.deep.action_values import Head
from learners.deep.dqn import exploring_shares, value_choice
from tests.learners.continuing import PoisonedEnvironment, assert_continues
from tests.learners.deep.decision_problems import layered_problem

SMALL = deep.NetworkShape((32,), activation=deep.Activation.RELU)
TABLE = deep.NetworkShape(())
COPY = deep.CopyEvery(25)
QUICK = {
    "values": deep.ValueOptions(shape=SMALL, step_size=0.01, slow_copy=COPY),
    "exploration": 1.0,
    "updates": 4,
    "batch_size": 256,
}


def learner_of(game, *, episodes=64, seed=1, sees=Sees.LAST, **options):
    environment = batched(game, episodes=episodes, seed=seed, sees=sees)
    return deep.DQN(environment, rng=np.random.default_rng(seed), **options)


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (5, {}),
        (
            2,
            {
                "values": deep.ValueOptions(
                    shape=SMALL, head=Head.DUELING, step_size=0.01, slow_copy=COPY
                )
            },
        ),
        (  # returns over two decisions are those of the policy that explores, which must end
            3,
            {
                "values": deep.ValueOptions(shape=TABLE, step_size=0.05, slow_copy=COPY),
                "span": 2,
                "exploration": Linear(1.0, 0.05, steps=400),
                "capacity": 5000,
            },
        ),
        (
            4,
            {
                "values": deep.ValueOptions(
                    shape=TABLE,
                    next_value=deep.NextValue.LARGEST,
                    slow_copy=deep.MoveBy(0.1),
                    step_size=0.05,
                )
            },
        ),
    ],
)
def test_random_decision_problems_are_solved_exactly(seed, options):
    """Exact arithmetic finds no policy that returns more; at first there is one."""
    game = layered_problem(seed)
    learner = learner_of(game, **QUICK | options)
    assert return_gains(game, learner.policies())[0] > 0
    learned = train(learner, iterations=150)
    assert return_gains(game, learned.policies)[0] == 0


def test_independent_learners_find_what_all_should_do_in_a_dilemma():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    learned = train(learner_of(game, **QUICK), iterations=60)
    assert policy_nash_conv(game, learned.policies) == 0
    assert {"loss/value/player 1", "loss/value/player 2"} <= set(learned.metrics[-1])


def test_a_player_who_takes_turns_learns_a_best_response_in_poker():
    learner = learner_of(kuhn_poker(), sees=Sees.HISTORY, learns=(1,), **QUICK)
    rules = learner._environment.rules
    before = return_gains(rules, learner.policies())[1]
    learned = train(learner, iterations=250)
    assert return_gains(rules, learned.policies)[1] == 0 < before


@pytest.mark.parametrize("loss", list(deep.ValueLoss))
def test_the_huber_loss_misses_means_and_the_squared_loss_does_not(loss):
    """Ten with probability 1/4 is worth 2.5, more than 2 for sure; Huber's value of it is 1/3."""
    game = posg_from_tables(
        players=["player"],
        actions=[["safe", "risky"]],
        initial={"here": 1},
        transitions={
            ("here", ("safe",)): {"paid": 1},
            ("here", ("risky",)): {"won": "1/4", "lost": "3/4"},
        },
        rewards={("here", ("safe",), "paid"): (2,), ("here", ("risky",), "won"): (10,)},
        terminal=["paid", "won", "lost"],
    )
    values = deep.ValueOptions(shape=TABLE, loss=loss, step_size=0.02)
    learned = train(learner_of(game, **QUICK | {"values": values}), iterations=100)
    missed = return_gains(game, learned.policies)[0]
    assert missed == (0 if loss is deep.ValueLoss.SQUARED else Fraction(1, 2))


INVEST = posg_from_tables(
    players=["player"],
    actions=[["take", "invest"]],
    initial={"poor": "1/2", "rich": "1/2"},
    transitions={
        ("poor", ("take",)): {"poor": 1},
        ("poor", ("invest",)): {"rich": 1},
        ("rich", ("take",)): {"rich": 1},
    },
    rewards={("poor", ("take",), "poor"): (1,), ("rich", ("take",), "rich"): (3,)},
    observations={
        (("take",), "poor"): {("poor",): 1},
        (("invest",), "rich"): {("rich",): 1},
        (("take",), "rich"): {("rich",): 1},
    },
    initial_observations={"poor": {("poor",): 1}, "rich": {("rich",): 1}},
    legal_actions={(0, "rich"): ["take"]},
    discount="9/10",
    horizon=1,
)


@pytest.mark.parametrize(
    ("at_horizon", "expected"), [(AtHorizon.CONTINUES, "invest"), (AtHorizon.ENDS, "take")]
)
def test_cut_episodes_are_followed_by_what_was_asked(at_horizon, expected):
    """After one step nothing is left to gain; without the cut, investing pays 27 against 10."""
    learner = learner_of(INVEST, at_horizon=at_horizon, **QUICK)
    for _ in range(100):
        learner.improve()
    assert learner.policies()[0]["poor",].items[0][0] == expected


def test_values_of_a_cut_game_are_those_of_the_endless_one():
    """By half: 3 / (1 - 1/2) = 6 in ``rich``, where investing is illegal, and 3 before.

    Investing there is held to be worth 50 from the beginning, which must not count.
    """
    options = {"values": deep.ValueOptions(shape=TABLE, step_size=0.05, slow_copy=COPY)}
    learner = learner_of(INVEST, at_horizon=AtHorizon.CONTINUES, discount=0.5, **QUICK | options)
    names = learner._environment.observation_labels[0]
    invest = learner._environment.action_labels[0].index("invest")
    held = learner._seats[0].values
    for _ in range(1500):
        held.fit(np.array([names.index("rich")]), np.array([invest]), np.array([50.0]))
    assert held.values(np.array([names.index("rich")]))[0, invest] > 20
    for _ in range(100):
        learner.improve()
    values = held.values(np.array([names.index("rich"), names.index("poor")]))
    assert values[0, 0] == pytest.approx(6, abs=0.05)
    assert values[1] == pytest.approx([2.5, 3], abs=0.05)


def test_what_is_not_legal_is_never_played():
    shares = exploring_shares(
        np.array([[1.0, 5.0, 2.0], [0.0, 0.0, 0.0]]),
        np.array([[True, False, True], [True, True, True]]),
        0.3,
    )
    assert shares == pytest.approx(np.array([[0.15, 0, 0.85], [0.8, 0.1, 0.1]]))


def test_what_is_not_legal_is_not_played_even_where_values_are_infinite():
    values = np.array([[3.0, -np.inf, -np.inf]])
    legal = np.array([[False, True, True]])
    assert exploring_shares(values, legal, 0.0).tolist() == [[0.0, 1.0, 0.0]]
    chosen = value_choice(values[0], legal[0])
    assert chosen.tolist() == [0.0, 1.0, 0.0]


def test_exploration_follows_its_schedule():
    learner = learner_of(
        RepeatedGame.of("prisoners_dilemma", rounds=2), exploration=Linear(1.0, 0.0, steps=8)
    )
    assert [learner.improve()["exploration"] for _ in range(4)] == [1.0, 0.5, 0.0, 0.0]


@pytest.mark.parametrize("game", [RepeatedGame.of("prisoners_dilemma", rounds=3), kuhn_poker()])
def test_a_run_that_is_continued_ends_as_if_never_stopped(game, tmp_path):
    options = {"span": 2, "warm_up": 20, "capacity": 90, "values": deep.ValueOptions(shape=SMALL)}
    assert_continues(lambda: learner_of(game, **options), tmp_path, before=11, after=13)


def test_policies_that_were_taken_out_do_not_learn_on():
    game = layered_problem(1)
    learner = learner_of(game, **QUICK)
    early = learner.policies()
    gain = return_gains(game, early)[0]
    for _ in range(100):
        learner.improve()
    fresh = learner_of(game, **QUICK).policies()
    assert return_gains(game, fresh)[0] == gain
    states = [(label,) for label in learner._environment.observation_labels[0]][:3]
    assert [early[0][s] for s in states] == [fresh[0][s] for s in states]


@pytest.mark.parametrize("reward", [float("nan"), float("inf")])
def test_a_broken_reward_stops_the_run_and_is_named(reward):
    environment = PoisonedEnvironment(
        batched(layered_problem(1), episodes=4, seed=1), at_step=30, reward=reward
    )
    learner = deep.DQN(environment, rng=np.random.default_rng(1), warm_up=1000)
    with pytest.raises(Diverged, match="'reward/player' became") as caught:
        train(learner, iterations=50, keep_every=2)
    assert caught.value.quantity == "reward/player"
    assert caught.value.best.iterations == 6
    assert environment.made == 24


def test_values_that_explode_stop_the_run_and_are_named():
    environment = PoisonedEnvironment(
        batched(layered_problem(1), episodes=4, seed=1), at_step=30, reward=1e300
    )
    learner = deep.DQN(environment, rng=np.random.default_rng(1))
    with pytest.raises(Diverged, match="'loss/value' became inf"):
        train(learner, iterations=100)
    values = deep.ValueOptions(step_size=1e30, max_gradient_norm=None, loss=deep.ValueLoss.SQUARED)
    learner = learner_of(layered_problem(1), values=values)
    with pytest.raises(Diverged, match="loss/value|parameters/values|gradient norm"):
        train(learner, iterations=100)


def test_senseless_options_are_refused_by_name():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    for options, name in (
        ({"span": 0}, "span"),
        ({"steps": 0}, "steps"),
        ({"updates": 0}, "updates"),
        ({"batch_size": 2.5}, "batch_size"),
        ({"warm_up": 500, "capacity": 100}, "warm_up within capacity"),
        ({"batch_size": 10**11}, "batch_size within capacity, but 100000000000"),
        (
            {"span": 10**10},
            "needs at most 1,073,741,824 bytes, but open transitions of 10,000,000,",
        ),
        ({"capacity": 10**400}, r"but over 2\^1328 transitions"),
        ({"capacity": 10**9}, "most .* bytes"),
        ({"exploration": 1.5}, "exploration"),
        ({"exploration": Linear(1.0, -0.5, steps=5)}, "exploration"),
        ({"exploration": "much"}, "exploration"),
        ({"discount": 1.01}, "discount"),
        ({"at_horizon": "ends"}, "at_horizon"),
        ({"learns": (2,)}, "learns"),
        ({"others": {0: None}}, "others"),
        ({"values": {"step_size": 1}}, "options"),
    ):
        with pytest.raises(InvalidArgument, match=name):
            learner_of(game, **options)
    with pytest.raises(InvalidArgument, match="rng"):
        deep.DQN(batched(game, episodes=2, seed=1), rng=3)
    with pytest.raises(UnsupportedGame, match="without a memory"):
        learner_of(
            game,
            values=deep.ValueOptions(
                shape=deep.NetworkShape((4,), recurrence=deep.Recurrence.LSTM)
            ),
        )


def test_boltzmann_exploration_draws_in_proportion_to_exponentials():
    values = np.array([[1.0, 2.0, 5.0], [-np.inf, 0.0, 700.0], [1e9, 3.0, 1.0]])
    legal = np.array([[True, True, False], [True, True, True], [True, True, True]])
    soft = exploring_shares(values, legal, 0.0, 0.5)
    first = np.exp([2.0, 4.0]) / np.exp([2.0, 4.0]).sum()
    assert soft == pytest.approx(np.array([[*first, 0], [0, 0, 1], [1, 0, 0]]))
    mixed = exploring_shares(values, legal, 0.3, 0.5)
    assert mixed[0] == pytest.approx(0.7 * soft[0] + 0.3 * np.array([0.5, 0.5, 0]))
    cold = exploring_shares(values, legal, 0.1, 1e-4)
    assert cold == pytest.approx(exploring_shares(values, legal, 0.1))


def test_a_temperature_makes_what_is_learned_soft():
    game = RepeatedGame.of("prisoners_dilemma", rounds=1)
    greedy, soft = (learner_of(game, temperature=t, exploration=0.0) for t in (None, 2.0))
    for learner in (greedy, soft):
        learner.improve()
    values = soft._seats[0].values.values(np.array([0]))
    expected = exploring_shares(values, np.ones((1, 2), bool), 0.0, 2.0)[0]
    assert soft.frozen()[0] == pytest.approx(expected, abs=1e-6)
    exact = dict(soft.policies()[0][((),)].items)
    labels = soft._environment.action_labels[0]
    assert [float(exact[a]) for a in labels] == pytest.approx(expected, abs=1e-6)
    assert sorted(greedy.frozen()[0]) == [0, 1]


@pytest.mark.parametrize("temperature", [0, -1, float("nan")])
def test_temperatures_are_above_zero(temperature):
    with pytest.raises(InvalidArgument, match="temperature"):
        learner_of(RepeatedGame.of("prisoners_dilemma", rounds=1), temperature=temperature)
