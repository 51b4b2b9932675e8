import copy

import numpy as np
import pytest
import torch

from gametheory_core import InvalidArgument, UnsupportedGame
from learners import deep
from learners.deep.action_values import ActionValues, Head
from learners.deep.optimization import Broken
from learners.deep.replay import Transitions

TABLE = deep.NetworkShape(())  # one row of outputs an observation


@pytest.fixture(autouse=True)
def _one_thread():
    torch.set_num_threads(1)


def table_values(seed=1, observations=6, actions=3, **options):
    return ActionValues(
        deep.Encoding(num_observations=observations, num_features=0),
        num_actions=actions,
        options=deep.ValueOptions(**{"shape": TABLE} | options),
        rng=np.random.default_rng(seed),
    )


def some_transitions(count=40, observations=6, actions=3, seed=2):
    rng = np.random.default_rng(seed)
    legal = rng.random((count, actions)) < 0.5
    legal[np.arange(count), rng.integers(actions, size=count)] = True
    worth = rng.choice([0.0, 0.5, 0.9], size=count).astype(np.float32)
    legal[worth == 0] = False  # nothing can be done where play has ended
    return Transitions(
        rng.integers(observations, size=count),
        rng.integers(actions, size=count),
        rng.normal(size=count).astype(np.float32),
        rng.integers(observations, size=count),
        legal,
        worth,
    )


def slow_values(held, observations):
    """The slow copy's values, by copying what is held under another name."""
    swapped = copy.deepcopy(held.snapshot())
    swapped["network"] = swapped["copy"]
    again = table_values()
    again.restore(swapped)
    return again.values(observations)


@pytest.mark.parametrize("next_value", list(deep.NextValue))
def test_targets_are_those_of_the_definition(next_value):
    held = table_values(next_value=next_value, slow_copy=deep.CopyEvery(1000), step_size=0.1)
    batch = some_transitions()
    for _ in range(20):  # so that network and copy differ
        held.update(batch)
    slow = slow_values(held, batch.next_observations)
    fast = held.values(batch.next_observations)
    assert np.abs(slow - fast).max() > 0.1
    expected = []
    for k in range(len(batch)):
        legal = np.flatnonzero(batch.next_legal[k])
        if batch.next_discounts[k] == 0:
            expected.append(batch.rewards[k])
            continue
        judge = fast if next_value is deep.NextValue.DOUBLE else slow
        best = legal[np.argmax(judge[k, legal])]
        expected.append(batch.rewards[k] + batch.next_discounts[k] * slow[k, best])
    assert np.allclose(held.targets(batch), expected, atol=1e-6)


def test_the_two_kinds_of_target_differ_and_double_is_never_larger():
    double = table_values(slow_copy=deep.CopyEvery(1000), step_size=0.1)
    batch = some_transitions()
    for _ in range(20):
        double.update(batch)
    largest = table_values(next_value=deep.NextValue.LARGEST)
    largest.restore(double.snapshot())
    more = largest.targets(batch) - double.targets(batch)
    assert more.min() >= 0
    assert more.max() > 0.01


def test_fitting_reaches_any_targets_and_moves_nothing_else():
    held = table_values(step_size=0.02)
    observations, actions = np.array([0, 1, 5]), np.array([2, 0, 1])
    targets = np.array([1.5, -2.0, 0.25])
    before = held.values(np.arange(6))
    for _ in range(600):
        held.fit(observations, actions, targets)
    after = held.values(np.arange(6))
    assert np.allclose(after[observations, actions], targets, atol=1e-3)
    after[observations, actions] = before[observations, actions]
    assert (after == before).all()


@pytest.mark.parametrize("loss", list(deep.ValueLoss))
def test_losses_are_the_means_of_their_definitions(loss):
    held = table_values(loss=loss)
    observations, actions = np.array([0, 3, 3]), np.array([1, 1, 2])
    targets = np.array([0.3, 5.0, -4.0])
    error = np.abs(held.values(observations)[np.arange(3), actions] - targets)
    each = np.where((error < 1) | (loss is deep.ValueLoss.SQUARED), error**2 / 2, error - 0.5)
    assert held.fit(observations, actions, targets)["loss/value"] == pytest.approx(each.mean())


def test_a_slow_copy_follows_after_so_many_updates():
    held = table_values(slow_copy=deep.CopyEvery(3))
    batch = some_transitions()
    first = held.values(np.arange(6))
    for update in range(1, 7):
        held.update(batch)
        slow = slow_values(held, np.arange(6))
        if update < 3:
            assert (slow == first).all()
        if update % 3 == 0:
            assert (slow == held.values(np.arange(6))).all()


def test_a_slow_copy_moves_by_its_share():
    held = table_values(slow_copy=deep.MoveBy(0.25), step_size=0.1)
    before = slow_values(held, np.arange(6))
    held.update(some_transitions())
    expected = 0.75 * before + 0.25 * held.values(np.arange(6))
    assert np.allclose(slow_values(held, np.arange(6)), expected, atol=1e-6)
    assert not np.allclose(before, expected, atol=1e-3)


def test_a_dueling_head_moves_all_actions_by_the_shared_value():
    """Of one fit, a third moves each action by V; the plain head moves the action taken only."""
    held = table_values(head=Head.DUELING, step_size=0.1)
    before = held.values(np.arange(6))
    held.fit(np.array([4]), np.array([0]), np.array([9.0]))
    moved = held.values(np.arange(6)) - before
    assert (moved[:4] == 0).all()
    assert moved[4, 0] > 0.1
    assert moved[4].mean() == pytest.approx(0.1, abs=1e-3)  # Adam's first step, by V alone


@pytest.mark.parametrize("features", [0, 4])
@pytest.mark.parametrize("head", list(Head))
def test_learning_goes_on_from_a_snapshot_bit_for_bit(features, head):
    def made(seed):
        return ActionValues(
            deep.Encoding(num_observations=0 if features else 6, num_features=features),
            num_actions=3,
            options=deep.ValueOptions(
                shape=deep.NetworkShape((8,)),
                head=head,
                slow_copy=deep.CopyEvery(4),
                step_size=0.01,
            ),
            rng=np.random.default_rng(seed),
        )

    batch = some_transitions()
    if features:
        rng = np.random.default_rng(5)
        seen, then = rng.normal(size=(2, len(batch), features)).astype(np.float32)
        batch = Transitions(
            seen, batch.actions, batch.rewards, then, batch.next_legal, batch.next_discounts
        )
    whole, again = made(1), made(2)
    for _ in range(6):
        whole.update(batch)
    again.restore(whole.snapshot())
    assert [whole.update(batch) for _ in range(5)] == [again.update(batch) for _ in range(5)]
    assert (whole.values(batch.observations) == again.values(batch.observations)).all()


@pytest.mark.parametrize("head", list(Head))
def test_several_actions_of_one_observation_are_as_many_observations(head):
    """K targets a row are the same step as K rows with one target each."""
    shown, targets = np.arange(6), np.arange(12.0).reshape(6, 2)
    actions = np.array([[0, 1], [1, 2]] * 3)
    together, apart = (table_values(head=head, step_size=0.1) for _ in range(2))
    found = together.fit(shown, actions, targets)
    wanted = apart.fit(shown.repeat(2), actions.ravel(), targets.ravel())
    assert found == pytest.approx(wanted, rel=1e-4)
    assert together.values(shown) == pytest.approx(apart.values(shown), abs=1e-5)


def features_values(seed=3, **options):
    return ActionValues(
        deep.Encoding(num_observations=0, num_features=5),
        num_actions=3,
        options=deep.ValueOptions(shape=deep.NetworkShape((16, 8)), step_size=0.01, **options),
        rng=np.random.default_rng(seed),
    )


@pytest.mark.parametrize("head", list(Head))
@pytest.mark.parametrize("loss", list(deep.ValueLoss))
def test_fitting_steps_along_the_gradient_of_the_loss(head, loss):
    """Weights move as torch's layers, loss and Adam move them; gradients are long and cut."""
    rng = np.random.default_rng(4)
    seen, actions = rng.normal(size=(20, 5)).astype(np.float32), rng.integers(3, size=20)
    targets = (3 * rng.normal(size=20)).astype(np.float32)
    held = features_values(head=head, loss=loss, max_gradient_norm=0.5)
    own = {
        name: torch.from_numpy(value).requires_grad_()
        for name, value in held.network.snapshot().items()
    }
    peer = torch.optim.Adam(own.values(), lr=0.01)
    for _ in range(5):
        values = torch.from_numpy(seen)
        for name in ("features", "hidden1", "output"):
            values = values @ own[f"{name}.weight"].T + own[f"{name}.bias"]
            values = values if name == "output" else torch.tanh(values)
        if head is Head.DUELING:
            more = values[:, :-1]
            values = values[:, -1:] + more - more.mean(dim=-1, keepdim=True)
        chosen = values[torch.arange(20), torch.from_numpy(actions)]
        kind = torch.nn.functional.mse_loss
        if loss is deep.ValueLoss.HUBER:
            kind = torch.nn.functional.smooth_l1_loss
        wanted = kind(chosen, torch.from_numpy(targets))
        peer.zero_grad()
        (wanted / 2 if loss is deep.ValueLoss.SQUARED else wanted).backward()
        norm = torch.nn.utils.clip_grad_norm_(own.values(), 0.5)
        peer.step()
        found = held.fit(seen, actions, targets)
        assert found["gradient norm"] == pytest.approx(norm.item(), rel=1e-4)
        assert norm > 0.5
    for name, value in held.network.snapshot().items():
        assert value == pytest.approx(own[name].detach().numpy(), abs=1e-5)


def test_first_weights_are_uniform_unless_said_otherwise():
    even = features_values().network.snapshot()
    straight = features_values(first_weights=deep.FirstWeights.ORTHOGONAL).network.snapshot()
    assert all(even[name].any() for name in even)
    assert not any(own.any() for name, own in straight.items() if name.endswith("bias"))


def test_numbers_that_are_none_are_refused_by_name():
    held = table_values()
    with pytest.raises(Broken, match="loss/value became nan"):
        held.fit(np.array([0]), np.array([0]), np.array([np.nan]))


def test_senseless_options_are_refused_by_name():
    with pytest.raises(UnsupportedGame, match="without a memory"):
        deep.ValueOptions(shape=deep.NetworkShape((8,), recurrence=deep.Recurrence.GRU))
    for options, name in (
        ({"step_size": 0.0}, "step_size"),
        ({"step_size": 1e31}, r"step_size above 0 and at most 1e\+30, but got 1e\+31"),
        ({"step_size": 10**400}, "step_size above 0 and at most"),
        ({"head": "dueling"}, "head"),
        ({"next_value": 2}, "next_value"),
        ({"loss": None}, "loss"),
        ({"slow_copy": 10}, "slow_copy"),
        ({"max_gradient_norm": -1.0}, "max_gradient_norm"),
        ({"shape": (64, 64)}, "shape"),
    ):
        with pytest.raises(InvalidArgument, match=name):
            deep.ValueOptions(**options)
    with pytest.raises(InvalidArgument, match="updates"):
        deep.CopyEvery(0)
    with pytest.raises(InvalidArgument, match="share"):
        deep.MoveBy(1.5)
