"""Steps are clipped, and what breaks is named."""

import numpy as np
import pytest
import torch

from gametheory_core import InvalidArgument
from learners import Linear
from learners.deep import Device, Encoding, Network, NetworkShape
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
    with torch.no_grad():
        net.parameters[0].fill_(start)
    return net


def step(net, loss, *, step_size=1.0, max_gradient_norm=None, weights=None):
    optimizer = torch.optim.SGD(net.parameters, lr=step_size)
    return gradient_step(
        optimizer,
        {"policy": net},
        {"loss/policy": loss},
        weights=weights,
        max_gradient_norm=max_gradient_norm,
    )


def test_long_gradients_are_shortened():
    net = table()
    metrics = step(
        net, (net.parameters[0] * torch.tensor([[3.0], [4.0]])).sum(), max_gradient_norm=0.5
    )
    assert metrics["gradient norm"] == pytest.approx(5.0)
    assert net.parameters[0][:, 0].tolist() == pytest.approx([1 - 0.3, 1 - 0.4], abs=1e-6)


def test_short_gradients_stay_and_losses_are_weighted():
    net = table()
    metrics = step(
        net, net.parameters[0][0, 0] * 0.5, max_gradient_norm=10.0, weights={"loss/policy": 0.5}
    )
    assert metrics == pytest.approx({"loss/policy": 0.5, "gradient norm": 0.25})
    assert net.parameters[0][0, 0].item() == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("loss", "step_size", "quantity"),
    [
        (lambda p: p.sum() * float("inf"), 1.0, "loss/policy"),
        (lambda p: p.sum() * float("nan"), 1.0, "loss/policy"),
        (lambda p: (p - 1).sqrt().sum(), 1.0, "gradient norm"),  # 0, with an infinite slope
        (lambda p: p.sum() * 1e10, 1e30, "parameters/policy"),
    ],
)
def test_what_is_not_finite_is_named(loss, step_size, quantity):
    net = table()
    with pytest.raises(Broken, match="became") as caught:
        step(net, loss(net.parameters[0]), step_size=step_size)
    assert caught.value.quantity == quantity
    if not quantity.startswith("parameters"):
        assert net.parameters[0].tolist() == [[1.0], [1.0]]  # no step was made


def test_networks_and_optimizers_come_back_bit_for_bit():
    def adam(net):
        return Adam(net.parameters, step_size=0.1)

    def train(net, optimizer, steps):
        for k in range(steps):
            net.parameters[0].grad = None
            (net.parameters[0] * (k % 3 - 1.3)).square().sum().backward()
            optimizer.step()

    net = table()
    optimizer = adam(net)
    train(net, optimizer, 3)
    optimizer.step_size = 0.03
    kept = net.snapshot(), optimizer.snapshot()
    train(net, optimizer, 6)
    fresh = table(start=7.0)
    again = adam(fresh)
    fresh.restore(kept[0])
    again.restore(kept[1])
    train(fresh, again, 6)
    assert fresh.parameters[0].tolist() == net.parameters[0].tolist()
    assert again.step_size == 0.03
    assert kept[0]["rows.weight"].tolist() != net.parameters[0].tolist()  # kept is a copy


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


def test_steps_are_those_of_torch_and_what_has_no_gradient_stands():
    drawn = torch.Generator().manual_seed(1)
    sizes = [(3, 2), (4,), (2,)]
    own = [torch.nn.Parameter(torch.randn(size, generator=drawn)) for size in sizes]
    theirs = [torch.nn.Parameter(each.detach().clone()) for each in own]
    first = own[2].tolist()
    mine, peer = Adam(own, step_size=0.1, floor=1e-5), torch.optim.Adam(theirs, lr=0.1, eps=1e-5)
    for _ in range(5):
        for a, b in zip(own[:2], theirs[:2], strict=True):
            a.grad = torch.randn(a.shape, generator=drawn)
            b.grad = a.grad.clone()
        mine.step()
        peer.step()
    for a, b in zip(own, theirs, strict=True):
        assert a.detach().numpy() == pytest.approx(b.detach().numpy(), abs=1e-6)
    assert own[2].tolist() == first
