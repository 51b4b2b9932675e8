"""What all tabular learners promise: to go on exactly, refuse nonsense, stop where it breaks."""

from fractions import Fraction

import numpy as np
import pytest

import learners
from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, expected_returns
from gametheory_core.catalog import RepeatedGame, matching_pennies, take_away
from gametheory_core.distributions import point_mass
from learners.batches import batched
from learners.tabular.rules import Corrections
from learners.tabular.temporal_difference import TemporalDifference
from learners.tabular.values import Update
from tests.learners.continuing import PoisonedEnvironment, SilentRules, assert_continues
from tests.learners.tabular.small_games import RandomDecisions

DILEMMA = RepeatedGame.of("prisoners_dilemma", rounds=4)
VALUE_LEARNERS = (
    learners.QLearning,
    learners.DoubleQLearning,
    learners.Sarsa,
    learners.MonteCarloControl,
)
LEARNERS = (*VALUE_LEARNERS, learners.WolfPHC)
EXPLORATIONS = (learners.EpsilonGreedy(0.3), learners.Boltzmann(2.0), learners.ParameterNoise(0.3))


def learner_of(kind, game=DILEMMA, *, episodes=3, seed=1, **options):
    play = learners.batched(game, episodes=episodes, seed=seed)
    return kind(play, rng=np.random.default_rng(seed), **options)


@pytest.mark.parametrize("game", [DILEMMA, take_away(piles=1, tokens=6)])
@pytest.mark.parametrize(
    ("kind", "options"),
    [(kind, {"exploration": way}) for kind in VALUE_LEARNERS for way in EXPLORATIONS]
    + [(learners.WolfPHC, {}), (learners.Sarsa, {"expected": True})],
)
def test_learner_goes_on_bit_for_bit(kind, options, game, tmp_path):
    options = {"iteration": learners.Steps(7), **options}
    assert_continues(lambda: learner_of(kind, game, **options), tmp_path, before=3, after=4)


@pytest.mark.parametrize("kind", LEARNERS)
def test_learner_stops_where_rewards_break(kind):
    play = PoisonedEnvironment(learners.batched(DILEMMA, episodes=3, seed=1), at_step=81)
    learner = kind(play, rng=np.random.default_rng(1), iteration=learners.Steps(20))
    with pytest.raises(learners.Diverged, match="became nan in iteration 5") as caught:
        learners.train(learner, iterations=10, keep_every=2)
    assert caught.value.best.iterations == 4
    assert np.isfinite(learner.values(0)).all()


@pytest.mark.parametrize("kind", LEARNERS)
def test_metrics_say_what_is_documented(kind):
    learner = learner_of(kind, iteration=learners.Episodes(30), step_size=0.2)
    expected = {
        "return/player 1",
        "return/player 2",
        "error/player 1",
        "error/player 2",
        "length",
        "exploration",
        "step size",
    }
    if kind is learners.WolfPHC:
        expected |= {"winning/player 1", "winning/player 2", "entropy/player 1", "entropy/player 2"}
    metrics = learner.improve()
    assert set(metrics) == expected
    assert metrics["length"] == 4
    assert metrics["step size"] == 0.2
    assert set(
        learner_of(kind, iteration=learners.Steps(1), step_size=learners.PerVisit()).improve()
    ) <= {
        "error/player 1",
        "error/player 2",
        "exploration",
        *(name for name in expected if name.startswith(("winning", "entropy"))),
    }


def test_names_differ():
    names = {learner_of(kind).name for kind in LEARNERS} | {
        learner_of(learners.Sarsa, expected=True).name
    }
    assert len(names) == len(LEARNERS) + 1


@pytest.mark.parametrize("kind", LEARNERS)
def test_one_player_learns_against_given_others(kind):
    """Against a player who always defects, and is not changed, defecting is learned."""
    play = learners.batched(DILEMMA, episodes=8, seed=2, sees=learners.Sees.TIMED)
    defect = np.tile([0.0, 1.0], (play.num_observations[1], 1))
    learner = kind(
        play,
        rng=np.random.default_rng(2),
        learns=(0,),
        others={1: defect},
        exploration=0.5 if kind is learners.WolfPHC else learners.EpsilonGreedy(0.5),
    )
    learned = learners.train(learner, iterations=10)
    assert learned.policies[1][(),].items == (("defect", 1),)
    likely = dict(learned.policies[0][(),].items)
    assert likely["defect"] > 0.9
    with pytest.raises(InvalidArgument, match="values: needs a player who learns"):
        learner.values(1)


def test_others_play_uniformly_where_nothing_is_given():
    play = learners.batched(DILEMMA, episodes=200, seed=2)
    learner = learners.QLearning(play, rng=np.random.default_rng(2), learns=(0,))
    learner.improve()
    assert [share for _, share in learner.policies()[1][(),].items] == [0.5, 0.5]


def test_policies_are_copies():
    learner = learner_of(learners.QLearning)
    before = learner.policies()[0]
    first = expected_returns(DILEMMA, learner.policies()).tolist()
    learners.train(learner, iterations=5)
    assert first != expected_returns(DILEMMA, learner.policies()).tolist()
    assert before[(),].items == (("cooperate", 1),)
    learner.values(0)[:] = 7.0
    assert not (learner.values(0) == 7.0).all()


def test_illegal_policy_is_refused():
    """Only the first state of this game has all three actions."""
    play = learners.batched(RandomDecisions(seed=1), episodes=2, seed=1)
    evenly = np.full(play.legal[0].shape, 1 / 3)
    learner = learners.QLearning(
        play, rng=np.random.default_rng(1), exploration=learners.FixedPolicy(evenly)
    )
    with pytest.raises(InvalidStrategy, match="'decider': needs legal actions, but at observation"):
        learners.train(learner, iterations=5)


def test_values_begin_where_they_are_told():
    table = np.arange(10.0).reshape(5, 2)
    learner = learner_of(learners.QLearning, initial={0: table})
    assert learner.values(0).tolist() == table.tolist()
    assert learner.values(1).tolist() == np.zeros((5, 2)).tolist()
    assert (
        learner_of(learners.DoubleQLearning, initial=3.0).values(0).tolist()
        == np.full((5, 2), 3).tolist()
    )


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step_size": 0}, "needs a finite step_size above 0 and at most 1"),
        ({"step_size": 1.5}, "needs a finite step_size above 0 and at most 1"),
        ({"step_size": learners.Linear(2, 1, 5)}, "needs a finite step_size above 0 and at most 1"),
        ({"discount": 1.1}, "needs a finite discount of at least 0 and at most 1"),
        ({"iteration": 5}, "needs iteration to be of type Steps or Episodes"),
        ({"learns": ()}, "needs in learns the number of at least one player"),
        ({"learns": (0, 0)}, "needs in learns the number of at least one player"),
        ({"learns": (2,)}, "needs learns to be an integer from 0 to 1"),
        ({"others": {1: np.ones((5, 2)) / 2}}, "needs in others players who do not learn"),
        ({"learns": (0,), "others": {1: np.ones((5, 2))}}, "needs rows of .* that sum to 1"),
        ({"learns": (0,), "others": {1: np.eye(2)}}, r"needs others\[1\] of shape \(5, 2\)"),
        ({"learns": (0,), "others": [np.eye(2)]}, "needs others to be of type Mapping, but got"),
        ({"learns": (0,), "others": {1: ...}}, r"needs others\[1\] to be a table of numbers"),
        ({"initial": np.inf}, "needs a finite initial"),
        ({"initial": {0: np.zeros((2, 2))}}, "needs in initial a table of finite values"),
    ],
)
def test_bad_options_are_refused_by_name(kind, options, message):
    with pytest.raises(InvalidArgument, match=f"{kind.__name__}: {message}"):
        learner_of(kind, **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: learner_of(learners.QLearning, at_horizon="stop"), "needs a member of AtHorizon"),
        (
            lambda: learner_of(learners.QLearning, exploration=0.1),
            "needs exploration to be of type",
        ),
        (lambda: learner_of(learners.Sarsa, expected=1), "needs expected to be True or False"),
        (lambda: learner_of(learners.MonteCarloControl, visits="all"), "needs a member of Visits"),
        (
            lambda: learner_of(learners.WolfPHC, winning=0.2, losing=0.1),
            "needs 0 < winning <= losing",
        ),
        (lambda: learner_of(learners.WolfPHC, winning=2.0), "needs a finite winning of at least 0"),
        (lambda: learner_of(learners.WolfPHC, exploration=2.0), "needs a finite exploration"),
        (lambda: learners.Steps(0), "needs count to be an integer of at least 1"),
        (lambda: learners.Episodes(0), "needs count to be an integer of at least 1"),
        (
            lambda: learner_of(learners.QLearning, exploration=learners.FixedPolicy(np.eye(2))),
            "needs mixed actions for 5 observations and 2 actions",
        ),
        (
            lambda: learners.QLearning(learners.batched(DILEMMA, episodes=1, seed=1), rng=3),
            "needs rng to be of type Generator",
        ),
    ],
)
def test_other_bad_options_are_refused(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()


def test_features_are_refused():
    class Seen:
        players = ("one",)
        num_observations = (0,)
        discount = 1.0

    with pytest.raises(UnsupportedGame, match="needs numbered observations"):
        learners.QLearning(Seen(), rng=np.random.default_rng(1))


def test_bootstrapping_at_the_horizon_goes_on_for_ever():
    """One state, rewards of 1, discount 1/2: worth 2 where the game goes on, else one reward."""
    game = RepeatedGame(matching_pennies(), rounds=1, recall=0, discount=0)
    play = learners.batched(game, episodes=1, seed=1)
    heads = np.array([[1.0, 0.0]])
    worth = {}
    for at_horizon in learners.AtHorizon:
        learner = learners.QLearning(
            play,
            rng=np.random.default_rng(1),
            discount=0.5,
            step_size=0.5,
            at_horizon=at_horizon,
            learns=(0,),
            others={1: heads},
            exploration=learners.EpsilonGreedy(0.5),
        )
        learners.train(learner, iterations=2)
        worth[at_horizon] = learner.values(0)[0].tolist()
    assert worth[learners.AtHorizon.ENDS] == pytest.approx([1, -1])
    assert worth[learners.AtHorizon.CONTINUES] == pytest.approx([2, 0])


@pytest.mark.parametrize("kind", LEARNERS)
def test_legal_actions_are_learned_where_rules_are_silent(kind):
    """Of three actions two or one are legal in some states; policies are legal where play came."""
    game = RandomDecisions(seed=1)
    play = learners.batched(game, episodes=4, seed=1)
    exploration = 1.0 if kind is learners.WolfPHC else learners.EpsilonGreedy(1.0)
    learner = kind(SilentRules(play), rng=np.random.default_rng(1), exploration=exploration)
    learners.train(learner, iterations=3)
    (policy,) = learner.policies()
    assert not play.legal[0].all()
    for seen in range(1, 3):
        assert {action for action, _ in policy[seen,]} <= set(game.legal_actions(0, seen))
    assert expected_returns(game, learner.policies()).shape == (1,)  # legal wherever play comes


class Counting:
    """One player counts the own moves, each of which pays 1; play is cut after the second."""

    title, players, discount, horizon = "counting", ("A",), Fraction(1), 3
    initial_state = "start"

    def observation(self, player, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return ("go",)

    def is_terminal(self, state):
        return False

    def move(self, player, state, action):
        return state + 1

    def chance(self, state):
        return point_mass(0)

    def reward(self, state, mover, action, after):
        return point_mass((Fraction(mover == 0),))

    def next_player(self, state, mover, action, after):
        return point_mass(0)


@pytest.mark.parametrize(
    ("at_horizon", "worth"),
    [(learners.AtHorizon.ENDS, [1.5, 1]), (learners.AtHorizon.CONTINUES, [2, 2])],
)
def test_in_games_in_turns_what_follows_a_cut_is_valued_by_what_was_seen_last(at_horizon, worth):
    """Nobody observes at the cut: Q(1) = 1 + Q(1) / 2, and not 1 + Q(2) / 2 with an unmet 2."""
    play = learners.batched(Counting(), episodes=1, seed=1)
    play.reset()
    step = np.zeros((1, 1), dtype=int)
    play.step(step)
    turn = play.step(step)
    assert turn.is_truncated.all()
    assert [play.observation_labels[0][o] for o in turn.final_observations[0]] == [1]
    learner = learners.QLearning(
        learners.batched(Counting(), episodes=1, seed=1),
        rng=np.random.default_rng(1),
        at_horizon=at_horizon,
        discount=0.5,
        step_size=0.5,
        iteration=learners.Steps(200),
    )
    learner.improve()
    assert learner.values(0)[:, 0] == pytest.approx(worth)


def test_an_update_of_ones_own_is_composed():
    """No method is overridden: what corrects values is a function of the source of randomness."""

    class StandStill(Update):
        def learn(self, tables, seat, arrival, rate):
            return Corrections(0.0, 0)

    class Idle(TemporalDifference):
        name = "idle"
        make_update = staticmethod(lambda _rng: StandStill())

    play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=2, seed=1)
    learner = Idle(play, rng=np.random.default_rng(1), initial=0.25)
    learner.improve()
    assert all((table.table() == 0.25).all() for table in learner.rule._tables.values())
    assert not hasattr(TemporalDifference, "make_update")
