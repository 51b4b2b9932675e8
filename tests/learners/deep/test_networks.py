"""Networks: what they remember, whom they let act, and where their weights come from."""

import numpy as np
import pytest
import torch

from gametheory_core import InvalidArgument
from learners.deep import Activation, Encoding, Network, NetworkShape, Recurrence
from learners.deep.agents import Inputs, encode
from learners.deep.networks import entropy, log_probabilities

CPU = torch.device("cpu")
NUMBERED = Encoding(num_observations=5, num_features=0)
RECURRENT = [Recurrence.GRU, Recurrence.LSTM]


def network(shape, *, encoding=NUMBERED, outputs=3, seed=1):
    rng = np.random.default_rng(seed)
    return Network(encoding, outputs=outputs, shape=shape, output_scale=1.0, rng=rng, device=CPU)


def rows(numbers):
    numbers = torch.as_tensor(numbers)
    return Inputs(rows=numbers[..., None], features=torch.zeros(*numbers.shape, 0))


@pytest.mark.parametrize("recurrence", RECURRENT)
def test_a_sequence_at_once_is_the_moments_one_by_one(recurrence):
    net = network(NetworkShape(hidden=(8,), recurrence=recurrence, memory_size=6))
    seen = np.random.default_rng(2).integers(5, size=(7, 4))
    memory = torch.randn(4, net.memory_width, generator=torch.Generator().manual_seed(3))
    whole = net(rows(seen), memory)
    for t in range(7):
        reading = net(rows(seen[t : t + 1]), memory)
        memory = reading.memory
        assert torch.allclose(reading.outputs[0], whole.outputs[t], atol=1e-6)
    assert torch.allclose(memory, whole.memory, atol=1e-6)


@pytest.mark.parametrize("recurrence", RECURRENT)
def test_memory_tells_the_past_apart(recurrence):
    net = network(NetworkShape(hidden=(8,), recurrence=recurrence, memory_size=6))
    said = net(rows([[0, 1], [2, 2]]), net.blank_memory(2)).outputs[1]
    assert not torch.allclose(said[0], said[1], atol=1e-3)


def test_without_memory_the_past_is_nothing():
    net = network(NetworkShape(hidden=(8,)))
    said = net(rows([[0, 1], [2, 2]]), net.blank_memory(2)).outputs[1]
    assert torch.equal(said[0], said[1])


def test_without_hidden_layers_a_network_is_a_table():
    net = network(NetworkShape(hidden=()))
    assert [tuple(each.shape) for each in net.parameters] == [(5, 3)]
    assert torch.equal(net(rows([[4]]), net.blank_memory(1)).outputs[0, 0], net.parameters[0][4])


def test_looking_up_is_multiplying_by_indicators():
    """Numbers, marks and actions before, each by its own row."""
    encoding = Encoding(num_observations=4, num_features=0, num_marks=2, num_previous=3)
    net = network(NetworkShape(hidden=(6,)), encoding=encoding)
    inputs = encode(encoding, np.array([3]), np.array([1]), np.array([-1]), device=CPU)
    indicator = torch.zeros(9)
    indicator[[3, 4 + 1, 6 + 0]] = 1.0
    hidden = torch.tanh(indicator @ net.parts["rows"].weight)
    expected = net.parts["output"](hidden)
    inputs = Inputs(rows=inputs.rows[None], features=inputs.features[None])
    assert torch.allclose(net(inputs, net.blank_memory(1)).outputs[0, 0], expected, atol=1e-6)


def test_features_are_multiplied_and_players_marked():
    encoding = Encoding(num_observations=0, num_features=2, num_marks=2)
    net = network(NetworkShape(hidden=(6,), activation=Activation.RELU), encoding=encoding)
    seen = np.array([[0.5, -2.0, 99.0]])  # the last is padding
    inputs = encode(encoding, seen, np.array([1]), np.array([-1]), device=CPU)
    first = net.parts["features"](torch.tensor([0.5, -2.0])) + net.parts["rows"].weight[1]
    expected = net.parts["output"](torch.relu(first))
    inputs = Inputs(rows=inputs.rows[None], features=inputs.features[None])
    assert torch.allclose(net(inputs, net.blank_memory(1)).outputs[0, 0], expected, atol=1e-6)


def test_weights_come_from_the_given_generator_alone():
    before = torch.random.get_rng_state()
    shape = NetworkShape(hidden=(8, 8), recurrence=Recurrence.LSTM)
    first, again, other = (network(shape, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    pairs = zip(first.parameters, again.parameters, strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    assert not torch.equal(first.parameters[0], other.parameters[0])
    assert all(torch.isfinite(each).all() for each in first.parameters)


def test_first_weights_are_orthogonal():
    net = network(NetworkShape(hidden=(8, 5), recurrence=Recurrence.GRU, memory_size=4))
    hidden = net.parts["hidden1"].weight.detach()
    assert torch.allclose(hidden @ hidden.T, 2 * torch.eye(5), atol=1e-5)
    gates = net.parts["memory"].weight_hh_l0.detach()
    for gate in gates.split(4):
        assert torch.allclose(gate @ gate.T, torch.eye(4), atol=1e-5)
    assert not net.parts["hidden1"].bias.any()


def test_a_copy_has_its_own_parameters():
    net = network(NetworkShape(hidden=(4,)))
    twin = net.copy()
    with torch.no_grad():
        net.parameters[0].add_(1.0)
    assert not torch.equal(twin.parameters[0], net.parameters[0])


def test_illegal_actions_have_no_probability_and_no_gradient():
    outputs = torch.tensor([[5.0, 1.0, -2.0], [0.0, 0.0, 0.0]], requires_grad=True)
    legal = torch.tensor([[False, True, True], [True, False, False]])
    log_shares = log_probabilities(outputs, legal)
    shares = log_shares.exp()
    assert shares[0, 0] == 0.0
    assert shares[1].tolist() == [1.0, 0.0, 0.0]
    assert shares.sum(dim=-1).tolist() == pytest.approx([1.0, 1.0])
    (log_shares[0, 1] + log_shares[1, 0] + entropy(log_shares).sum()).backward()
    assert outputs.grad[0, 0] == 0.0
    assert outputs.grad[1].tolist() == [0.0, 0.0, 0.0]
    assert torch.isfinite(outputs.grad).all()
    assert outputs.grad[0, 1] != 0.0


def test_entropy_of_even_lotteries():
    legal = torch.tensor([[True, True, True], [True, True, False], [True, False, False]])
    found = entropy(log_probabilities(torch.zeros(3, 3), legal))
    assert found.tolist() == pytest.approx([np.log(3), np.log(2), 0.0])


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
