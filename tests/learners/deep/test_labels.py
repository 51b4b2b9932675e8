"""What a policy network learns beside how to play: labels of the environment."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import RepeatedGame
from learners import AtHorizon, batched, train
from learners.deep import ActorCritic, NetworkShape, Recurrence, Sharing, actor_critic
from learners.roshambo import PopulationPlay, Recall, embedded_population
from tests.learners.continuing import assert_continues

EVERYBODY = embedded_population()
EASY = {name: EVERYBODY[name] for name in ("cycle_up", "cycle_down", "half_rock")}
ALIKE = dict.fromkeys("abc", EVERYBODY["half_rock"])
LSTM = NetworkShape((16,), recurrence=Recurrence.LSTM, memory_size=16)
THROWS = 20


def learner_of(bots=EASY, *, seed=1, episodes=32, self_play=0.0, **options):
    play = PopulationPlay(
        bots, episodes=episodes, seed=seed, recall=Recall(1), throws=THROWS, self_play=self_play
    )
    given = {"network": LSTM, "steps": THROWS, "lag": 1, "step_size": 0.01, **options}
    return ActorCritic(
        play, at_horizon=AtHorizon.CONTINUES, rng=np.random.default_rng(seed), **given
    )


def parameters(learner, which="policy"):
    return learner.group.actors[0].networks[which].snapshot()


# The loss


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_loss_is_a_mixture(share, monkeypatch):
    """Slopes with a share of labels are those without and those of labels alone, mixed."""
    met = {}

    def lessons(own):
        def kept(actor, optimizer, read, given, *, max_gradient_norm):
            met[own] = given
            return {}

        monkeypatch.setattr(actor_critic, "learn", kept)
        learner_of(auxiliary_weight=own, value_weight=0.7, entropy_weight=0.2).improve()
        return met[own]

    without, mixture, alone = map(lessons, (0.0, share, 1.0))
    assert set(mixture.losses) == {"loss/policy", "loss/value", "entropy", "loss/labels"}
    assert mixture.losses == without.losses == alone.losses
    assert not without.slopes["policy"][..., 3:].any()
    assert not alone.slopes["policy"][..., :3].any()
    for name, slopes in mixture.slopes.items():
        wanted = (1 - share) * without.slopes[name] + share * alone.slopes[name]
        assert slopes == pytest.approx(wanted, abs=1e-7)
        assert np.abs(slopes).max() > 0 or share == 1.0


# No share, and the whole


def test_without_a_share_play_and_learning_are_those_of_the_actor_critic_bit_for_bit():
    """Only the length of the gradient is a sum of more zeros, and may round otherwise."""
    free = {"max_gradient_norm": None}
    plain, labeled = learner_of(**free), learner_of(auxiliary_weight=0.0, **free)
    for _ in range(4):
        theirs, own = dict(plain.improve()), dict(labeled.improve())
        assert own.pop("loss/labels") > 0
        assert 0 <= own.pop("labels told") <= 1
        norm = theirs.pop("gradient norm")
        assert own.pop("gradient norm") == pytest.approx(norm, rel=1e-6)
        assert own == theirs
    for which in ("policy", "value"):
        found = parameters(labeled, which)
        for name, value in parameters(plain, which).items():
            assert np.array_equal(found[name], value)
    assert not parameters(labeled)["labels.weight"].any()


def test_twin_with_a_share_learning_is_another():
    plain, labeled = learner_of(), learner_of(auxiliary_weight=0.5)
    for _ in range(3):
        plain.improve(), labeled.improve()
    assert not np.array_equal(
        parameters(plain)["memory.weight_hh_l0"], parameters(labeled)["memory.weight_hh_l0"]
    )


def test_of_the_whole_share_nothing_is_left_to_learn_how_to_play():
    learner = learner_of(auxiliary_weight=1.0)
    before, values = parameters(learner), parameters(learner, "value")
    for _ in range(3):
        learner.improve()
    moved = {name for name, own in parameters(learner).items() if (own != before[name]).any()}
    assert not any(name.startswith("output") for name in moved)
    assert {"labels.weight", "labels.bias", "memory.weight_hh_l0"} <= moved
    assert all((own == values[name]).all() for name, own in parameters(learner, "value").items())


# What can be told


@pytest.mark.parametrize("sharing", list(Sharing))
def test_labels_are_those_of_the_moment_in_the_lane_that_meets_them(sharing):
    """Also where matches end in the midst of a rollout."""
    steps = 2 * THROWS + 3
    learner = learner_of(auxiliary_weight=0.5, self_play=0.5, sharing=sharing, episodes=5)
    other = learner_of(auxiliary_weight=0.5, self_play=0.5, sharing=sharing, episodes=5)
    met = learner.group.play(steps)
    play = other.group.environment
    actions, found = (
        np.concatenate([getattr(own, name).reshape(steps, 5, -1) for own in met], axis=2)
        for name in ("actions", "labels")
    )
    for own, labels in zip(actions, found, strict=True):
        assert (labels == play.labels()).all()
        play.step(own)
    assert len(np.unique(found)) == len(EASY) + 1


@pytest.mark.parametrize("self_play", [0.0, 0.25])
def test_bots_that_differ_are_told_apart(self_play):
    learner = learner_of(
        episodes=24,
        steps=16,  # matches end in the midst of rollouts
        auxiliary_weight=0.5,
        self_play=self_play,
        **({"sharing": Sharing.SHARED} if self_play else {}),
    )
    curve = train(learner, iterations=60).metrics
    assert curve[0]["labels told"] <= 0.5
    assert np.mean([made["labels told"] for made in curve[-10:]]) > 0.6


def test_twin_bots_that_are_alike_are_not():
    """Of 40 x 24 matches a third of all throws is told, by Hoeffding within 9 per cent."""
    learner = learner_of(ALIKE, episodes=24, auxiliary_weight=0.5)
    curve = train(learner, iterations=50).metrics[-40:]
    told = np.mean([made["labels told"] for made in curve])
    bound = np.sqrt(np.log(2e6) / (2 * 24 * len(curve)))
    assert bound < 0.09
    assert abs(told - 1 / 3) < bound


# Continuing, and refusals


def test_training_with_labels_and_itself_goes_on_bit_for_bit(tmp_path):
    def make():
        return learner_of(
            episodes=6, steps=7, auxiliary_weight=0.5, self_play=0.5, sharing=Sharing.SHARED
        )

    assert_continues(make, tmp_path)


def test_where_there_is_nothing_to_tell_it_is_refused():
    play = batched(RepeatedGame.of("matching_pennies", rounds=2), episodes=2, seed=1)
    with pytest.raises(InvalidArgument, match="auxiliary_weight.*two labels.*it has none"):
        ActorCritic(play, auxiliary_weight=0.1, rng=np.random.default_rng(1))
    with pytest.raises(InvalidArgument, match="it has 1.*Leave it out"):
        learner_of({"cycle_up": EVERYBODY["cycle_up"]}, auxiliary_weight=0.1)
    with pytest.raises(InvalidArgument, match="hidden is empty"):
        learner_of(auxiliary_weight=0.1, network=NetworkShape(()))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_out_of_its_range_is_refused(share):
    with pytest.raises(InvalidArgument, match="auxiliary_weight of at least 0 and at most 1"):
        learner_of(auxiliary_weight=share)
