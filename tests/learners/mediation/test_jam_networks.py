"""JAM-Q-learning with networks: on games in which the core can judge it, and on the grid."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, expected_returns, mediation
from gametheory_core.mediation.catalog import COLLECT, WAIT
from learners import Diverged, Exponential, train
from learners.deep import Activation, CopyEvery, NetworkShape, NextValue, ValueLoss, ValueOptions
from learners.mediation import DeepJamQLearning, MediatedTurns, ResourceGrid, Updates
from tests.learners.continuing import assert_continues

pytest.importorskip("torch")

import torch

from learners.mediation.jam_networks import Disturbed, Leading, Starts
from learners.mediation.led_batch import MediatedBatch, fairness_of_floats, greedy_returns
from learners.mediation.resource_grid import ACTIONS
from tests.learners.mediation.games import CHICKEN, DILEMMA, TWO_COLORS, drawn_game
from tests.learners.mediation.test_resource_grid import GATHER, LEFT, as_state, collecting

SMALL = ValueOptions(
    shape=NetworkShape((32, 32), activation=Activation.RELU),
    next_value=NextValue.LARGEST,
    loss=ValueLoss.SQUARED,
    slow_copy=CopyEvery(100),
    step_size=2e-3,
)


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def batch_of(game, *, stage=mediation.MediatorStage.FULL, episodes=50, seed=0):
    incentives = mediation.MediatorIncentives(mediation.MINIMUM, stage)
    rng = np.random.default_rng(seed)
    return MediatedBatch(game, incentives=incentives, episodes=episodes, rng=rng)


def learner_of(batch, *, seed=0, **options):
    given = {"values": SMALL, "batch_size": 64, "capacity": 4000, **options}
    return DeepJamQLearning(batch, rng=np.random.default_rng(seed), **given)


# What is learned


@pytest.mark.slow  # quickly, with tables: test_jam_q_learning
def test_each_part_of_the_mediator_makes_returns_fairer():
    """The dilemma from one seed: naive < pre-final < full = 6, the optimum, judged by the core."""
    found = []
    for stage in mediation.MediatorStage:
        batch = batch_of(DILEMMA, stage=stage)
        learner = DeepJamQLearning(batch, rng=np.random.default_rng(100))
        train(learner, iterations=160, keep_every=1000)
        found.append(
            float(mediation.mediated_fairness(DILEMMA, batch.profile(learner), mediation.MINIMUM))
        )
    assert found[0] < found[1] < found[2] == 6


@pytest.mark.parametrize("updates", Updates, ids=lambda own: own.name.lower())
def test_full_mediator_makes_two_colors_fair(updates):
    batch = batch_of(TWO_COLORS)
    learner = learner_of(
        batch, updates=updates, exploration=Exponential(0.5, 0.02, steps=4000), updates_per_step=2
    )
    train(learner, iterations=100, keep_every=1000)
    assert mediation.mediated_fairness(TWO_COLORS, batch.profile(learner), mediation.MINIMUM) == 8


def test_followers_learn_to_stay_near_the_leader():
    """On the grid, followers alone: the bonus of 20 steps, beside that of random moves."""

    def new(seed):
        rng = np.random.default_rng(seed)
        return ResourceGrid(size=3, steps=20, collection_bonus=0, episodes=40, rng=rng)

    learner = learner_of(new(0), exploration=Exponential(1.0, 0.05, steps=500))
    metrics = train(learner, iterations=15, keep_every=1000).metrics
    assert metrics[-1]["bonus"] > metrics[0]["bonus"] + 0.1
    assert metrics[-1]["bonus"] <= 0.1 * 20


def collecting_learner(action):
    """Player 1 leads where green is, with a follower beside it that turns; one step is made."""
    grid, _ = collecting(0, 2)
    learner = learner_of(grid, exploration=0.0, following_discount=0.9)
    for network, own in ((learner._leading[0], action), (learner._following, LEFT)):
        network.best = lambda shown, legal, own=own: np.full(len(shown), own)
    turn = learner._step(grid.look(), 0.0)
    return learner, turn


def test_followers_are_done_when_their_leader_collects():
    """What they are paid then is worth more than to be near for ever, so that they help."""
    learner, turn = collecting_learner(GATHER)
    assert turn.rewards.tolist() == [[4, 4]]
    kept = learner._following.replay.snapshot()["kept"]
    assert kept["rewards"] == pytest.approx([0.1 + 3])
    assert kept["rewards"] > 0.1 / (1 - 0.9)
    assert kept["next_discounts"].tolist() == [0]


def test_follower_of_a_leader_who_goes_on_has_the_bonus_of_each_step():
    learner, turn = collecting_learner(LEFT)
    assert len(learner._following.replay) == 0
    learner._step(turn, 0.0)
    kept = learner._following.replay.snapshot()["kept"]
    assert kept["rewards"] == pytest.approx([0.1])
    assert kept["next_discounts"] == pytest.approx([0.9])


# Policies, for the core to judge


@pytest.mark.parametrize(
    "stage", [mediation.MediatorStage.NAIVE, mediation.MediatorStage.PRE_FINAL]
)
@pytest.mark.parametrize("game", [TWO_COLORS, drawn_game("1")], ids=["two colors", "drawn"])
def test_policies_earn_what_the_profile_earns(game, stage):
    batch = batch_of(game, stage=stage)
    learner = learner_of(batch)
    train(learner, iterations=3)
    returns = mediation.mediated_returns(game, batch.profile(learner))
    assert tuple(expected_returns(MediatedTurns(game), learner.policies())) == (*returns, 0)


def test_greedy_play_returns_what_the_profile_is_worth():
    batch = batch_of(CHICKEN)
    learner = learner_of(batch)
    train(learner, iterations=5)
    played = greedy_returns(learner, batch_of(CHICKEN, episodes=3, seed=5))
    worth = [float(own) for own in mediation.mediated_returns(CHICKEN, batch.profile(learner))]
    assert played.tolist() == [worth] * 3


def test_policies_of_the_grid_play_its_rules_as_greedy_play_does():
    """Follow the simulator; at each state, policies of the rules do what the networks do."""
    made = ResourceGrid(size=3, steps=40, episodes=8, rng=np.random.default_rng(1))
    learner = learner_of(made, exploration=0.5)
    train(learner, iterations=2)
    policies = learner.policies()
    rules = made.rules()
    turn = made.reset()
    seen = [[] for _ in range(8)]
    collected = 0
    kinds = ("red", "blue", "green")
    rng = np.random.default_rng(0)
    while not turn.is_over.all():
        due = np.flatnonzero(turn.picks)
        for e in due.tolist():
            state = as_state(made.positions(), e, 3, kinds)
            wanted = int(learner.pick(turn.mediator[[e]], turn.past[[e]])[0])
            picked = policies[2][(*seen[e], state)]
            assert picked.items == ((rules.players[wanted], 1),)
            seen[e] += [state, WAIT]
        turn = made.pick(rng.integers(2, size=8))
        actions = rng.integers(5, size=(8, 2))
        for e in np.flatnonzero(~turn.is_over).tolist():
            state = as_state(made.positions(), e, 3, kinds)
            for agent in range(2):
                legal = turn.legal[[e], agent]
                leads = state.leader == agent
                wanted = int(learner.act(agent, turn.agents[[e], agent], legal, leads=leads)[0])
                done = policies[agent][(*seen[e], state)]
                assert done.items == ((ACTIONS[wanted], 1),)
            seen[e] += [state, COLLECT]
        turn = made.step(actions)
        collected += int(turn.rewards.any(axis=1).sum())
    assert collected > 0


def test_metrics_say_what_was_paid():
    learner = learner_of(batch_of(TWO_COLORS), batch_size=8)
    metrics = learner.improve()
    assert metrics["length"] == 2
    assert metrics["bonus"] == 0
    assert 6 <= metrics["return/Player 1"] + metrics["return/Player 2"] <= 16
    losses = {name for name in metrics if name.startswith("loss/")}
    assert losses == {"loss/Player 1", "loss/Player 2", "loss/mediator"}


def test_only_the_learner_whose_turn_it_is_learns():
    learner = learner_of(batch_of(TWO_COLORS), batch_size=16, updates=Updates.SEQUENTIAL)
    names = [sorted(n for n in learner.improve() if n.startswith("loss/")) for _ in range(6)]
    assert names == [["loss/Player 1"], ["loss/Player 2"], ["loss/mediator"]] * 2


# Targets


def test_leaders_wait_until_they_lead_again():
    """Chicken, one episode by hand: what is kept is what was paid in between, with transfers."""
    batch = batch_of(CHICKEN, episodes=1)
    learner = learner_of(batch, exploration=0.0, disturbed=Disturbed.KEPT)
    script = iter([(0, 0), (1, 0), (0, 2), (1, 1)])  # leader and action: straight ... swerve
    picks = []

    def pick(turn, rate):
        leader, action = next(script)
        picks.append((leader, action))
        learner._picking.close(np.array([0]), turn.mediator, turn.past, ended=False)
        learner._picking.decide(np.array([0]), turn.mediator, np.array([leader]))
        return batch.pick(np.array([leader]))

    learner._pick = pick
    learner._explored = lambda chosen, legal, rate: np.array([picks[-1][1]])
    learner.improve()
    first, second = (own.replay.snapshot()["kept"] for own in learner._leading)
    # returns 7 2 | 2 7 | 6 6 | 7 2; the last action, swerve by player 1, is not ideal: it pays 5
    assert first["rewards"].tolist() == [9, 13 + 5]
    assert second["rewards"].tolist() == [13, 2 - 5]
    assert first["next_discounts"].tolist() == second["next_discounts"].tolist() == [1, 0]
    kept = learner._picking.snapshot()["kept"]
    assert kept["paid"].tolist() == [[7, 2], [2, 7], [6, 6], [7, 2]]
    assert kept["continues"].tolist() == [True, True, True, False]
    assert kept["past"][:3].tolist() == [[7, 2], [9, 9], [15, 15]]


def test_shared_leaders_keep_what_each_has_done():
    """Chicken without exploring: one network keeps what else the networks of both would keep."""
    kept = []
    for leading in Leading:
        learner = learner_of(batch_of(CHICKEN, episodes=1), leading=leading)
        plan = iter([0, 1, 0, 1])
        learner._picking.best = lambda values, past, plan=plan: np.full(len(past), next(plan))
        for network in learner._leading:
            network.best = lambda shown, legal: np.full(len(shown), 0)
        learner._exploration = Exponential(1e-9, 1e-9, steps=1)
        learner.improve()
        own = [network.replay.snapshot()["kept"] for network in learner._leading]
        kept.append({key: np.concatenate([part[key] for part in own]) for key in own[0]})
    apart, shared = kept
    assert len(shared["actions"]) == 4
    order = [np.lexsort(own["observations"].T) for own in kept]
    for name in apart:
        assert apart[name][order[0]].tolist() == shared[name][order[1]].tolist()


@pytest.mark.parametrize("updates", Updates, ids=lambda own: own.name.lower())
def test_shared_leaders_learn_as_one(updates):
    learner = learner_of(
        batch_of(TWO_COLORS), batch_size=8, leading=Leading.SHARED, updates=updates
    )
    names = [sorted(n for n in learner.improve() if n.startswith("loss/")) for _ in range(3)]
    both = ["loss/leaders", "loss/mediator"]
    assert names == (
        [both] * 3 if updates is Updates.SIMULTANEOUS else [both[:1], both[1:], both[:1]]
    )


def test_explored_starts_are_as_frequent_as_exploring():
    learner = learner_of(
        batch_of(TWO_COLORS), starts=Starts.EXPLORED, exploration=Exponential(0.5, 0.1, steps=50)
    )
    asked = []
    begin = learner.batch.reset

    def reset(*, astray):
        asked.append(astray)
        return begin(astray=astray)

    learner.batch.reset = reset
    train(learner, iterations=3)
    assert asked == pytest.approx([0.5, 0.1, 0.1])


def test_episodes_that_go_astray_are_at_any_node_with_its_returns():
    batch = batch_of(TWO_COLORS, episodes=500)
    turn = batch.reset(astray=1.0)
    table = batch._led.table
    assert set(batch._node.tolist()) == set(range(len(table.past)))
    assert turn.past.tolist() == table.past[batch._node].tolist()
    assert not turn.is_over.any()
    assert not batch.reset().past.any()


def scripted(learner, picks, actions):
    """Have one episode explore as told: (leader, action) each step; -1 for what is best."""
    plan = iter(zip(picks, actions, strict=True))
    now = []
    best_of = learner._explored
    draw = learner._rng

    class Told:
        def random(self, shape):
            return np.zeros(shape) if now[0][0] >= 0 else np.ones(shape)

        def integers(self, _high, *, size):
            return np.full(size, now[0][0])

    pick = learner._pick

    def told_pick(turn, _rate):
        now[:] = [next(plan)]
        learner._rng = Told()
        try:
            return pick(turn, 0.5)
        finally:
            learner._rng = draw

    def told_action(chosen, legal, rate):
        del legal, rate
        return chosen if now[0][1] < 0 else np.full_like(chosen, now[0][1])

    learner._pick, learner._explored = told_pick, told_action
    learner.improve()
    learner._explored = best_of
    return {
        "leading": [own.replay.snapshot()["kept"] for own in learner._leading],
        "picking": learner._picking.snapshot()["kept"],
    }


def best_everywhere(learner, *, leader, action):
    """Make everybody prefer one leader and one action, at every node."""
    learner._picking.best = lambda values, past: np.full(len(past), leader)
    for network in learner._leading:
        network.best = lambda shown, legal: np.full(len(shown), action)


@pytest.mark.parametrize(
    ("picks", "actions", "first", "second", "picked"),
    [  # player 1 leads and brakes unless somebody explores; (6, 6), straight (7, 2)
        ([-1] * 4, [-1] * 4, [6, 6, 6, 6], [], 4),
        ([-1] * 4, [-1, 0, -1, -1], [6, 7, 6, 6], [], 3),  # own exploration is learned from
        ([-1, 1, -1, -1], [-1] * 4, [6, 6], [12 + 6], 4),  # the pick disturbs player 1's first
        ([-1, 1, -1, -1], [-1, 0, -1, -1], [6, 6], [7 + 6 + 6], 3),  # and so does the action
        ([1, -1, -1, -1], [-1, -1, 0, -1], [6, 7, 6], [], 3),  # player 2 is disturbed by player 1
    ],
    ids=["nobody", "own action", "pick", "pick and action", "other's action"],
)
@pytest.mark.parametrize("leading", Leading, ids=lambda own: own.name.lower())
def test_decisions_are_left_out_after_which_others_explore(
    picks, actions, first, second, picked, leading
):
    learner = learner_of(batch_of(CHICKEN, episodes=1), leading=leading)
    best_everywhere(learner, leader=0, action=2)
    kept = scripted(learner, picks, actions)
    own = [network["rewards"].tolist() for network in kept["leading"]]
    if leading is Leading.OWN:
        assert own == [first, second]
    else:
        assert sorted(own[0]) == sorted(first + second)
    assert len(kept["picking"]["leader"]) == picked


def test_kept_disturbed_decisions_are_all_learned_from():
    learner = learner_of(batch_of(CHICKEN, episodes=1), disturbed=Disturbed.KEPT)
    best_everywhere(learner, leader=0, action=2)
    kept = scripted(learner, [-1, 1, -1, -1], [-1, 0, -1, -1])
    assert kept["leading"][0]["rewards"].tolist() == [6 + 2, 6, 6]
    assert len(kept["picking"]["leader"]) == 4


@pytest.mark.parametrize(
    "fairness",
    [
        mediation.MINIMUM,
        mediation.Fairness(mediation.FairnessKind.GINI, weights=("3/4", "1/4")),
        mediation.Fairness(mediation.FairnessKind.NASH, disagreement=(-3, 0)),
    ],
    ids=["minimum", "gini", "nash"],
)
def test_fairness_of_floats_is_the_cores(fairness):
    vectors = np.random.default_rng(0).integers(0, 9, size=(50, 2))
    found = fairness_of_floats(fairness, vectors.astype(float))
    assert found.tolist() == [
        float(mediation.fairness_value(fairness, own)) for own in vectors.tolist()
    ]


def test_below_disagreement_is_worse_than_anything_above():
    nash = mediation.Fairness(mediation.FairnessKind.NASH)
    worse, worst, good = fairness_of_floats(nash, np.array([[-1.0, 9], [-2, -3], [0, 0]]))
    assert worst < worse < good


# Stopped, continued, refused


@pytest.mark.parametrize("kind", ["chicken", "grid"])
def test_restored_learner_goes_on_bit_for_bit(kind, tmp_path):
    def new():
        batch = (
            batch_of(CHICKEN, episodes=20, seed=1)
            if kind == "chicken"
            else ResourceGrid(size=3, steps=12, episodes=10, rng=np.random.default_rng(1))
        )
        own = {"leading": Leading.SHARED, "starts": Starts.EXPLORED} if kind == "grid" else {}
        return learner_of(batch, seed=1, batch_size=16, capacity=150, **own)

    assert_continues(new, tmp_path, before=4, after=4)


def test_values_that_are_no_numbers_stop_training():
    batch = batch_of(CHICKEN)
    batch._led.table.rewards[:] = np.nan
    learner = learner_of(batch, batch_size=16)
    with pytest.raises(Diverged, match=r"return/Player 1|loss/value"):
        train(learner, iterations=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"updates": "both"}, "a member of Updates"),
        ({"batch_size": 0}, "batch_size to be an integer"),
        ({"updates_per_step": 0}, "updates_per_step to be an integer"),
        ({"capacity": 0}, "capacity to be an integer"),
        ({"leaders": "me"}, "a member of Leaders"),
        ({"stage": "full"}, "a member of MediatorStage"),
        ({"disturbed": True}, "a member of Disturbed"),
        ({"leading": "shared"}, "a member of Leading"),
        ({"starts": True}, "a member of Starts"),
        ({"leading_discount": 1.1}, "leading_discount of at least 0 and at most 1"),
        ({"exploration": -0.1}, "exploration of at least 0"),
        ({"values": 3}, "options to be of type ValueOptions"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(InvalidArgument, match=message):
        learner_of(batch_of(CHICKEN), **options)


def test_batches_refuse_discounts_and_other_sizes():
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidArgument, match="a game without a discount"):
        MediatedBatch(drawn_game(), episodes=1, rng=rng)
    with pytest.raises(InvalidArgument, match="of type MediatedGame"):
        MediatedBatch("chicken", episodes=1, rng=rng)
    with pytest.raises(InvalidArgument, match=r"restore: needs a snapshot of what was made"):
        batch_of(CHICKEN, episodes=2).restore(batch_of(CHICKEN, episodes=3).snapshot())
