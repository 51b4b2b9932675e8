"""EXP3 in environments: contexts, resume, turns, divergence, refusals."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, load_game
from gametheory_core.arguments import shown_players
from gametheory_core.catalog import RepeatedGame
from learners import BanditLearner, Exp3, batched
from learners.batch import BatchTurn
from learners.regret import Output
from tests.learners.continuing import assert_continues

GAME = RepeatedGame.of("prisoners_dilemma", rounds=3, recall=1)
MINIMIZER = Exp3(exploration=0.1, low=0, high=5)


def learner(*, game=GAME, minimizer=MINIMIZER, seed=1, episodes=8, steps=10, **options):
    play = batched(game, episodes=episodes, seed=4)
    rng = np.random.default_rng(seed)
    return BanditLearner(play, minimizer=minimizer, rng=rng, steps=steps, **options)


@pytest.mark.parametrize("output", Output)
def test_resumes_bit_for_bit(output, tmp_path):
    assert_continues(lambda: learner(output=output), tmp_path)


def test_metrics_are_those_documented():
    found = learner().improve()
    assert found.keys() == {
        "length",
        *(
            f"{what}/{label}"
            for what in ("return", "entropy")
            for label in shown_players(GAME.players)
        ),
    }
    assert found["length"] == 3


def test_each_observation_is_a_context():
    """One episode by hand: only the minimizer of the observation learns from its payment."""
    own = learner(episodes=1, steps=1)
    for _ in range(7):
        before = own.snapshot()
        seen = 0 if before["turn"] is None else int(before["turn"]["observations"][0, 0])
        own.improve()
        after = own.snapshot()
        rows = [after["states"][0]["exponents"], before["states"][0]["exponents"]]
        changed = np.flatnonzero((rows[0] != rows[1]).any(axis=1)).tolist()
        assert changed in ([seen], [])  # nothing is learned from the payment 0
        reward = after["turn"]["rewards"][0, 0]
        assert bool(changed) == (reward > 0)
        own_chance = MINIMIZER.strategies({"exponents": rows[1]})[seen, after["actions"][0, 0]]
        gain = (rows[0] - rows[1])[seen, after["actions"][0, 0]]
        assert gain == pytest.approx(0.1 / 2 * reward / 5 / own_chance)


class TakingTurns:
    """One episode of four moves, by a, b, a, b; move k pays a the number k, then it ends."""

    players = ("a", "b")
    num_episodes = 1
    num_observations = num_actions = (2, 2)
    action_labels = (("l", "r"),) * 2
    legal = ()

    def __init__(self):
        self.moves = 0

    def turn(self, paid):
        mover = self.moves % 2
        over = np.array([self.moves == 4])
        self.moves %= 4
        seen = np.full((1, 2), self.moves // 2)
        return BatchTurn(
            observations=seen,
            legal=np.ones((1, 2, 2), dtype=bool),
            acts=np.array([[mover == 0, mover == 1]]),
            rewards=np.array([[paid, 0.0]]),
            is_terminal=over,
            is_truncated=~over & False,
            final_observations=seen,
        )

    def reset(self):
        return self.turn(0.0)

    def step(self, actions):
        self.moves += 1
        return self.turn(float(self.moves))

    def snapshot(self):
        return {"moves": self.moves}


def test_payments_between_own_turns_belong_to_the_last():
    """a's first move earns 1 + 2, the second 3 + 4; each in its own context."""
    own = BanditLearner(
        TakingTurns(),
        minimizer=Exp3(exploration=1.0, low=0, high=10),
        rng=np.random.default_rng(0),
        steps=4,
    )
    assert own.improve()["return/a"] == 10
    exponents = own.snapshot()["states"][0]["exponents"]
    # rate 1/2, payments over 10, probabilities 1/2
    assert sorted(exponents[0].tolist()) == [0.0, pytest.approx(0.3)]
    assert sorted(exponents[1].tolist()) == [0.0, pytest.approx(0.7)]


def test_players_with_illegal_actions_are_refused():
    with pytest.raises(UnsupportedGame, match="needs all actions to be legal, but"):
        learner(game=load_game("kuhn_poker"), minimizer=Exp3(exploration=0.2)).improve()


def test_paid_out_of_range_is_refused():
    with pytest.raises(InvalidArgument, match="Exp3.observe_own: needs payoffs from 0.0 to 1.0"):
        learner(minimizer=Exp3(exploration=0.1)).improve()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimizer": "exp3"}, "BanditLearner: needs minimizer to be of type Exp3"),
        ({"steps": 0}, "BanditLearner: needs steps to be an integer of at least 1"),
        ({"output": 1}, "BanditLearner: needs a member of Output"),
    ],
)
def test_senseless_options_are_refused(options, words):
    with pytest.raises(InvalidArgument, match=words):
        learner(**options)
