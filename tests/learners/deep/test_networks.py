"""Networks: what they remember, whom they let act, and where their weights come from."""

import numpy as np
import pytest
import torch

from gametheory_core import InvalidArgument
from learners.deep import Activation, Encoding, FirstWeights, Network, NetworkShape, Recurrence
from learners.deep.agents import Inputs, encode
from learners.deep.plain_layers import PlainLayers
from learners.deep.torch_layers import TorchLayers

CPU = torch.device("cpu")
NUMBERED = Encoding(num_observations=5, num_features=0)
RECURRENT = [Recurrence.GRU, Recurrence.LSTM]


def network(shape, *, encoding=NUMBERED, seed=1, kind=FirstWeights.ORTHOGONAL):
    return Network(
        encoding,
        outputs=3,
        shape=shape,
        first_weights=kind,
        output_scale=1.0,
        rng=np.random.default_rng(seed),
        device=CPU,
    )


def rows(numbers):
    numbers = np.asarray(numbers)
    return Inputs(rows=numbers[..., None], features=np.zeros((*numbers.shape, 0), np.float32))


@pytest.mark.parametrize("recurrence", RECURRENT)
def test_a_sequence_at_once_is_the_moments_one_by_one(recurrence):
    net = network(NetworkShape(hidden=(8,), recurrence=recurrence, memory_size=6))
    seen = np.random.default_rng(2).integers(5, size=(7, 4))
    memory = torch.randn(4, net.memory_width, generator=torch.Generator().manual_seed(3))
    whole = net(rows(seen), memory)
    for t in range(7):
        reading = net(rows(seen[t : t + 1]), memory)
        memory = reading.memory
        assert np.allclose(reading.outputs[0], whole.outputs[t], atol=1e-6)
    assert torch.allclose(memory, whole.memory, atol=1e-6)


@pytest.mark.parametrize("recurrence", RECURRENT)
def test_memory_tells_the_past_apart(recurrence):
    net = network(NetworkShape(hidden=(8,), recurrence=recurrence, memory_size=6))
    said = net(rows([[0, 1], [2, 2]]), net.blank_memory(2)).outputs[1]
    assert not np.allclose(said[0], said[1], atol=1e-3)


def test_without_memory_the_past_is_nothing():
    net = network(NetworkShape(hidden=(8,)))
    said = net(rows([[0, 1], [2, 2]]), net.blank_memory(2)).outputs[1]
    assert np.array_equal(said[0], said[1])


def test_without_hidden_layers_a_network_is_a_table():
    net = network(NetworkShape(hidden=()))
    (weights,) = net.snapshot().values()
    assert weights.shape == (5, 3)
    assert np.array_equal(net(rows([[4]]), net.blank_memory(1)).outputs[0, 0], weights[4])


def through(own, first, squash):
    """Numbers of a network with one hidden layer, by its weights."""
    return squash(first) @ own["output.weight"].T + own["output.bias"]


def test_looking_up_is_multiplying_by_indicators():
    """Numbers, marks and actions before, each by its own row."""
    encoding = Encoding(num_observations=4, num_features=0, num_marks=2, num_previous=3)
    net = network(NetworkShape(hidden=(6,)), encoding=encoding)
    inputs = encode(encoding, np.array([[3]]), np.array([[1]]), np.array([[-1]]))
    indicator = np.zeros(9)
    indicator[[3, 4 + 1, 6 + 0]] = 1.0
    own = net.snapshot()
    expected = through(own, indicator @ own["rows.weight"], np.tanh)
    assert np.allclose(net(inputs, net.blank_memory(1)).outputs[0, 0], expected, atol=1e-6)


def test_features_are_multiplied_and_players_marked():
    encoding = Encoding(num_observations=0, num_features=2, num_marks=2)
    net = network(NetworkShape(hidden=(6,), activation=Activation.RELU), encoding=encoding)
    seen = np.array([[[0.5, -2.0, 99.0]]])  # the last is padding
    inputs = encode(encoding, seen, np.array([[1]]), np.array([[-1]]))
    own = net.snapshot()
    first = own["features.weight"] @ [0.5, -2.0] + own["features.bias"] + own["rows.weight"][1]
    expected = through(own, first, lambda values: np.maximum(values, 0))
    assert np.allclose(net(inputs, net.blank_memory(1)).outputs[0, 0], expected, atol=1e-6)


ENCODINGS = {
    "numbers": NUMBERED,
    "many numbers": Encoding(num_observations=500, num_features=0),
    "shared": Encoding(num_observations=4, num_features=0, num_marks=2, num_previous=3),
    "features": Encoding(num_observations=0, num_features=3),
    "features and marks": Encoding(num_observations=0, num_features=3, num_marks=2),
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("hidden", [(), (6,), (8, 7, 5)], ids=str)
@pytest.mark.parametrize("activation", list(Activation))
@pytest.mark.parametrize("labels", [0, 3])
def test_layers_and_gradients_are_those_of_torch(name, hidden, activation, labels):
    """Same weights, same moments, any slopes: same numbers, and same gradients."""
    if labels and not hidden:
        return
    encoding, shape = ENCODINGS[name], NetworkShape(hidden, activation=activation)
    sizes = {"outputs": 2, "num_labels": labels, "shape": shape}
    own, theirs = PlainLayers(encoding, **sizes), TorchLayers(encoding, device=CPU, **sizes)
    rng = np.random.default_rng(len(name) + labels)
    weights = {name: rng.normal(size=own.shape) for name, own in own.named(own.parameters).items()}
    for layers in (own, theirs):
        layers.put(layers.parameters, weights)
    count = 64
    inputs = encode(
        encoding,
        rng.normal(size=(count, 3)) if encoding.num_features else rng.integers(0, 4, count),
        rng.integers(0, 2, count),
        rng.integers(-1, 2, count),
    )
    slopes = rng.normal(size=(count, 2 + labels)).astype(np.float32)
    values, trace = own.read(inputs)
    for _ in range(2):  # what was found before is written over
        expected, _ = theirs.read(inputs, torch.zeros(count, 0), is_tracked=True)
        assert values == pytest.approx(expected.detach().numpy(), abs=1e-4)
        own.differentiate(trace, slopes)
        theirs.differentiate(expected, slopes)
    found, wanted = own.named(own.gradients), theirs.named(theirs.gradients)
    assert list(found) == list(wanted)
    for which, gradient in wanted.items():
        assert found[which] == pytest.approx(gradient, abs=2e-3, rel=1e-3), which
        assert np.abs(gradient).max() > 0.01


def test_weights_come_from_the_given_generator_alone():
    before = torch.random.get_rng_state()
    shape = NetworkShape(hidden=(8, 8), recurrence=Recurrence.LSTM)
    first, again, other = (network(shape, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    first, again, other = (net.snapshot() for net in (first, again, other))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not np.array_equal(first["rows.weight"], other["rows.weight"])
    assert all(np.isfinite(own).all() for own in first.values())


def test_first_weights_are_orthogonal():
    net = network(NetworkShape(hidden=(8, 5), recurrence=Recurrence.GRU, memory_size=4))
    own = net.snapshot()
    hidden = own["hidden1.weight"]
    assert np.allclose(hidden @ hidden.T, 2 * np.eye(5), atol=1e-5)
    for gate in np.split(own["memory.weight_hh_l0"], 3):
        assert np.allclose(gate @ gate.T, np.eye(4), atol=1e-5)
    assert not own["hidden1.bias"].any()


def test_uniform_first_weights_reach_as_far_as_the_inputs_allow():
    encoding = Encoding(num_observations=0, num_features=4)
    net = network(NetworkShape((400, 100)), encoding=encoding, kind=FirstWeights.UNIFORM)
    inputs = {"features": 4, "hidden1": 400, "output": 100}
    for name, own in net.snapshot().items():
        reach = 1 / inputs[name.split(".")[0]] ** 0.5
        assert np.abs(own).max() <= reach * (1 + 1e-6)
        assert np.abs(own).max() > 0.5 * reach
        if own.size >= 400:
            assert own.var() == pytest.approx(reach**2 / 3, rel=0.15)
    rows = network(NetworkShape((6,)), kind=FirstWeights.UNIFORM).snapshot()["rows.weight"]
    assert 0.3 < np.abs(rows).max() <= 5**-0.5


def test_a_copy_has_its_own_parameters():
    for recurrence in Recurrence:
        net = network(NetworkShape(hidden=(4,), recurrence=recurrence))
        twin = net.copy()
        before = net.snapshot()
        net.restore({name: own + 1 for name, own in before.items()})
        for name, own in twin.snapshot().items():
            assert np.array_equal(own, before[name])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"hidden": (8, 0)}, "each hidden size to be an integer of at least 1"),
        ({"hidden": 8}, "hidden to be a sequence"),
        ({"activation": "tanh"}, "member of Activation"),
        ({"recurrence": "gru"}, "member of Recurrence"),
        ({"memory_size": 0}, "memory_size"),
        ({"hidden": (10**7, 10**7)}, "needs at most 268,435,456 weights, but layers of 10,000,000"),
        ({"hidden": (10**400,)}, r"layers of over 2\^1328 numbers"),
        ({"recurrence": Recurrence.GRU, "memory_size": 10**10}, "have over 2\\^68"),
        ({"hidden": (), "recurrence": Recurrence.GRU}, "needs a hidden layer before a memory"),
    ],
)
def test_bad_shapes_are_refused(options, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        NetworkShape(**options)


def test_tables_of_too_many_rows_are_refused_before_they_are_made():
    with pytest.raises(InvalidArgument, match="Network: needs at most 268,435,456 weights"):
        Network(
            Encoding(num_observations=10**9, num_features=0),
            outputs=2,
            shape=NetworkShape(hidden=()),
            output_scale=1.0,
            rng=np.random.default_rng(1),
            device=torch.device("cpu"),
        )
