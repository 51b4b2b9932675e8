"""Leaders without a mediator, games by name, and how what was learned is judged."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("torch")

from gametheory_core import InvalidArgument, expected_returns, load_game, mediation
from gametheory_core.distributions import point_mass
from gametheory_core.mediation.catalog import WAIT
from learners.experiments import config_from, run
from learners.mediation import DeepJamQLearning, MediatedTurns, ResourceGrid
from learners.mediation.led_batch import MediatedBatch
from learners.mediation.led_games import GivenLeaders, Leaders, led_batch
from tests.learners.mediation.games import CHICKEN, DILEMMA

GRID = "resource_collection_grid"
FOUR = mediation.mediated_chicken(players=4)


def led(leaders, *, game=FOUR, episodes=200, seed=0):
    batch = led_batch(game, episodes=episodes, rng=np.random.default_rng(0))
    return GivenLeaders(batch, leaders, rng=np.random.default_rng(seed))


def leaders_of(batch):
    """Return who leads at each step, (steps, episodes)."""
    turn = batch.reset()
    found = []
    while not turn.is_over.all():
        assert not turn.picks.any()
        found.append(turn.leader)
        turn = batch.step(np.zeros(turn.past.shape, dtype=np.int64))
    return np.array(found)


def test_rules_of_leading_pick_whom_they_say():
    assert (leaders_of(led(Leaders.FIXED)) == 0).all()
    assert (leaders_of(led(Leaders.IN_TURN)) == np.arange(4)[:, None]).all()


def test_lots_of_a_vote_fall_on_everybody_alike():
    """800 lots of four: each about 200 times; a share off by 60 has a chance below 10**-6."""
    counts = Counter(leaders_of(led(Leaders.VOTED)).reshape(-1).tolist())
    assert sorted(counts) == [0, 1, 2, 3]
    assert all(abs(count - 200) < 60 for count in counts.values())


def test_lots_come_from_the_seed_of_the_learner():
    batch = led_batch(FOUR, episodes=50, rng=np.random.default_rng(0))
    lots = [
        leaders_of(
            DeepJamQLearning(batch, leaders=Leaders.VOTED, rng=np.random.default_rng(seed)).batch
        )
        for seed in (1, 2, 1)
    ]
    assert np.array_equal(lots[0], lots[2])
    assert not np.array_equal(lots[0], lots[1])


def test_turns_begin_anew_with_the_episodes():
    batch = led(Leaders.IN_TURN)
    assert np.array_equal(leaders_of(batch), leaders_of(batch))


def test_what_a_step_pays_is_told_with_the_next_leader():
    batch = led(Leaders.FIXED, game=CHICKEN, episodes=1)
    batch.reset()
    turn = batch.step(np.zeros((1, 2), dtype=np.int64))  # straight
    assert turn.leader.tolist() == [0]
    assert turn.rewards.tolist() == [[7, 2]]


def test_leaders_without_a_mediator_learn_for_themselves():
    """In the dilemma whoever leads defects, which pays 3 and -2: in turn both get 2."""
    batch = led_batch(DILEMMA, episodes=50, rng=np.random.default_rng(0))
    learner = DeepJamQLearning(
        batch, leaders=Leaders.IN_TURN, exploration=0.3, rng=np.random.default_rng(1)
    )
    for _ in range(60):
        learner.improve()
    returns = learner.greedy_returns(episodes=3, rng=np.random.default_rng(2))
    assert returns.tolist() == [[2, 2]] * 3
    assert tuple(expected_returns(MediatedTurns(DILEMMA), learner.policies())) == (2, 2, 0)


@pytest.mark.parametrize(("leaders", "share"), [(Leaders.FIXED, 1), (Leaders.VOTED, "1/2")])
def test_policies_have_the_rule_in_the_mediators_place(leaders, share):
    """Player 1 leads always, or with chance 1/2: twice all that it pays to go straight or not."""
    batch = led_batch(
        mediation.mediated_chicken(rounds=2), episodes=1, rng=np.random.default_rng(0)
    )
    learner = DeepJamQLearning(batch, leaders=leaders, rng=np.random.default_rng(1))
    for network in learner._leading:
        network.best = lambda shown, legal: np.zeros(len(shown), dtype=np.int64)  # straight
    share = Fraction(share)
    paid = 2 * (7 * share + 2 * (1 - share))
    found = expected_returns(MediatedTurns(batch.game), learner.policies())
    assert tuple(found) == (paid, 18 - paid, 0)


def test_policies_of_the_grid_wait_where_no_leader_is_due():
    batch = led_batch(load_game(f"{GRID}:size=3"), episodes=1, rng=np.random.default_rng(0))
    learner = DeepJamQLearning(batch, leaders=Leaders.IN_TURN, rng=np.random.default_rng(1))
    pick, rules = learner.policies()[2], learner.batch._batch.rules()
    state = rules.initial().items[0][0]
    seen = [state]
    while not rules.is_placed(state):
        assert pick[tuple(seen)] == point_mass(WAIT)
        state = rules.transition(state, (WAIT,) * 3).items[0][0]
        seen += [WAIT, state]
    assert pick[tuple(seen)] == point_mass("Player 1")
    again = replace(state, collected=1)  # after a leader and a collection
    assert pick[(*seen, "Player 1", again)] == point_mass("Player 2")


def test_stage_of_a_learner_is_that_of_its_batch():
    batch = led_batch(CHICKEN, episodes=2, rng=np.random.default_rng(0))
    rng = np.random.default_rng(1)
    for stage in mediation.MediatorStage:
        learner = DeepJamQLearning(batch, stage=stage, rng=rng)
        assert learner.batch.incentives.stage is stage
    assert DeepJamQLearning(batch, rng=rng).batch is batch
    with pytest.raises(
        InvalidArgument, match="no stage where there is no mediator, but got stage=full"
    ):
        DeepJamQLearning(batch, leaders=Leaders.FIXED, stage=mediation.MediatorStage.FULL, rng=rng)
    alone = DeepJamQLearning(batch, leaders=Leaders.FIXED, rng=rng)
    assert alone.batch.incentives.stage is mediation.MediatorStage.NAIVE


@pytest.mark.parametrize("colors", [1, 2])
@pytest.mark.parametrize("players", [2, 4])
def test_grid_by_name_is_played_as_its_rules_say(colors, players):
    rules = load_game(f"{GRID}:colors={colors},players={players},size=4,steps=9,collections=3")
    batch = led_batch(rules, episodes=2, rng=np.random.default_rng(0))
    assert isinstance(batch, ResourceGrid)
    assert batch.rules() == rules
    assert batch.anew(episodes=5).rules() == rules


def test_other_games_are_refused():
    with pytest.raises(InvalidArgument, match="game to be of type MediatedGame"):
        led_batch(load_game("chicken"), episodes=1, rng=np.random.default_rng(0))


def config_of(folder, game, **options):
    return config_from(
        {
            "output": str(folder),
            "game": game,
            "environment": {"episodes": 20},
            "learner": {"name": "DeepJamQLearning", "batch_size": 8, **options},
            "training": {"iterations": 2, "seeds": [0]},
            "assessment": {"episodes": 30},
        },
        path="test",
    )


@pytest.mark.parametrize("leaders", ["mediated", "in-turn"])
def test_file_trains_on_the_grid_and_judges_by_playing(leaders, tmp_path):
    parameters = {"size": 3, "steps": 8, "players": 3, "colors": 1}
    config = config_of(tmp_path, {"name": GRID, "parameters": parameters}, leaders=leaders)
    found = run(config, seed=0)
    names = {finding.name: finding for finding in found.findings}
    assert set(names) == {*(f"return/Player {k}" for k in (1, 2, 3)), "fairness"}
    assert (
        0
        <= names["fairness"].value
        <= min(own.value for name, own in names.items() if name != "fairness")
    )
    assert names["fairness"].standard_error is not None


def test_file_trains_on_tables_and_judges_exactly(tmp_path):
    game = {"name": "mediated_chicken", "parameters": {"rounds": 2}}
    found = run(config_of(tmp_path, game, stage="pre-final"), seed=0)
    names = {finding.name: finding.value for finding in found.findings}
    assert {"fairness", "gain/Player 1", "return/Player 2"} <= set(names)
    assert names["fairness"] == int(names["fairness"]) <= 12


def test_batches_anew_are_of_the_same_game():
    batch = MediatedBatch(CHICKEN, episodes=3, rng=np.random.default_rng(0))
    other = batch.anew(episodes=7, stage=mediation.MediatorStage.NAIVE)
    assert (other.game, other.num_episodes) == (CHICKEN, 7)
    assert other.incentives.stage is mediation.MediatorStage.NAIVE
    assert batch.incentives.stage is mediation.MediatorStage.FULL
