"""Steps are clipped, and what breaks is named."""

import numpy as np
import pytest
import torch

from gametheory_core import InvalidArgument
from learners import Linear
from learners.deep import Device, Encoding, Network, NetworkShape
from learners.deep.agents import Inputs
from learners.deep.optimization import Adam, Broken, gradient_step, torch_device
from learners.schedules import as_step_schedule


def table(start=1.0):
    net = Network(
        Encoding(num_observations=2, num_features=0),
        outputs=1,
        shape=NetworkShape(hidden=()),
        output_scale=1.0,
        rng=np.random.default_rng(1),
        device=torch.device("cpu"),
    )
    net.restore({"rows.weight": np.full((2, 1), start)})
    return net


def value_of(net):
    return net.snapshot()["rows.weight"][:, 0].tolist()


def step(net, slopes, *, loss=0.0, step_size=1.0, max_gradient_norm=None):
    """One of Adam's first steps, which is as long as the step size, whatever the gradient."""
    inputs = Inputs(np.arange(2)[None, :, None], np.empty((1, 2, 0), np.float32))
    reading = net(inputs, net.blank_memory(2), is_tracked=True)
    net.differentiate(reading, np.array(slopes, np.float32)[None, :, None])
    optimizer = Adam([net.layers], step_size=step_size, floor=0.0)
    return gradient_step(
        optimizer,
        {"policy": net.layers},
        {"loss/policy": loss},
        max_gradient_norm=max_gradient_norm,
    ), optimizer


def test_long_gradients_are_shortened_and_short_ones_stay():
    for longest, scale in ((0.5, 0.1), (10.0, 1.0), (None, 1.0)):
        metrics, optimizer = step(table(), [3.0, 4.0], max_gradient_norm=longest)
        assert metrics["gradient norm"] == pytest.approx(5.0)
        first = optimizer.snapshot()["first"][0]["rows.weight"][:, 0]
        assert first == pytest.approx([0.3 * scale, 0.4 * scale], rel=1e-5)


def test_steps_lead_downhill():
    net = table()
    step(net, [3.0, -4.0], step_size=0.25)
    assert value_of(net) == pytest.approx([0.75, 1.25])


@pytest.mark.parametrize(
    ("slopes", "loss", "step_size", "quantity"),
    [
        ([1.0, 1.0], float("inf"), 1.0, "loss/policy"),
        ([1.0, 1.0], float("nan"), 1.0, "loss/policy"),
        ([1.0, float("inf")], 0.0, 1.0, "gradient norm"),
        ([1e10, 1e10], 0.0, 1e30, "parameters/policy"),
    ],
)
def test_what_is_not_finite_is_named(slopes, loss, step_size, quantity):
    net = table()
    with pytest.raises(Broken, match="became") as caught:
        step(net, slopes, loss=loss, step_size=step_size)
    assert caught.value.quantity == quantity
    if not quantity.startswith("parameters"):
        assert value_of(net) == [1.0, 1.0]  # no step was made


class Alone:
    """One tensor, or vector, as what is moved."""

    def __init__(self, values):
        self.parameters = [values]
        self.gradients = [values * 0]

    def named(self, vectors):
        return {"own": np.array(vectors[0].tolist(), np.float32)}

    def put(self, vectors, given):
        vectors[0][...] = self.made(given["own"])

    def made(self, values):
        is_torch = isinstance(self.parameters[0], torch.Tensor)
        return torch.from_numpy(values) if is_torch else values


def plain_and_torch(start=1.0):
    values = np.linspace(start, 2, 7, dtype=np.float32)
    return Alone(values), Alone(torch.from_numpy(values.copy()))


@pytest.mark.parametrize("which", [0, 1], ids=["plain", "torch"])
def test_optimizers_come_back_bit_for_bit(which):
    rng = np.random.default_rng(1)
    gradients = rng.normal(size=(9, 7)).astype(np.float32)

    def train(moved, optimizer, times):
        for gradient in gradients[times]:
            moved.gradients[0][...] = moved.made(gradient)
            optimizer.step()

    own, fresh = plain_and_torch()[which], plain_and_torch(start=-7.0)[which]
    optimizer, again = (Adam([each], step_size=0.1) for each in (own, fresh))
    train(own, optimizer, slice(3))
    optimizer.step_size = 0.03
    kept = own.named(own.parameters), optimizer.snapshot()
    fresh.put(fresh.parameters, kept[0])
    again.restore(kept[1])
    train(own, optimizer, slice(3, 9))
    train(fresh, again, slice(3, 9))
    assert fresh.parameters[0].tolist() == own.parameters[0].tolist()
    assert (again.step_size, again.made) == (0.03, 9)
    assert kept[0]["own"].tolist() != own.parameters[0].tolist()  # kept is a copy


def test_a_network_of_another_shape_is_refused():
    state = table().snapshot()
    with pytest.raises(InvalidArgument, match=r"needs 'rows.weight' of shape \(2, 1\)"):
        table().restore({"rows.weight": state["rows.weight"].T})
    with pytest.raises(InvalidArgument, match=r"snapshot has None"):
        table().restore({})
    with pytest.raises(InvalidArgument, match=r"'more' of shape None"):
        table().restore({**state, "more": np.zeros(1)})


def test_step_sizes_go_down_a_line():
    line = as_step_schedule(Linear(1.0, 0.0, steps=4))
    assert [line.at(k) for k in (0, 2, 4, 9)] == [1.0, 0.5, 0.0, 0.0]
    assert as_step_schedule(30).at(5) == 30.0
    for value in (-1, Linear(0, 0.5, steps=1)):
        with pytest.raises(InvalidArgument, match="needs a finite step_size above 0"):
            as_step_schedule(value)
    with pytest.raises(InvalidArgument, match="needs a finite step_size of at least 0"):
        as_step_schedule(Linear(1, -1, steps=1))


def test_devices():
    assert torch_device(Device.CPU).type == "cpu"
    found = torch_device(Device.AUTO).type
    assert found == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(InvalidArgument, match="member of Device"):
        torch_device("cpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card")
def test_a_missing_graphics_card_is_said():
    with pytest.raises(InvalidArgument, match="needs a graphics card"):
        torch_device(Device.CUDA)


@pytest.mark.parametrize("memory", [(0.9, 0.999), (0.0, 0.9)])
def test_steps_are_those_of_torch(memory):
    rng = np.random.default_rng(1)
    plain, own = plain_and_torch()
    theirs = torch.nn.Parameter(own.parameters[0].clone())
    optimizers = [Adam([each], step_size=0.1, floor=1e-5) for each in (plain, own)]
    peer = torch.optim.Adam([theirs], lr=0.1, eps=1e-5, betas=memory)
    for _ in range(8):
        gradient = rng.normal(size=7).astype(np.float32)
        theirs.grad = torch.from_numpy(gradient)
        peer.step()
        for each, optimizer in zip((plain, own), optimizers, strict=True):
            optimizer.memory = memory
            each.gradients[0][...] = each.made(gradient)
            optimizer.step()
            found = each.named(each.parameters)["own"]
            assert found == pytest.approx(theirs.detach().numpy(), abs=1e-6)
