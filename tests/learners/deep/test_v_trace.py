import numpy as np
import pytest

from learners.advantages import generalized_advantages, known_decisions, v_trace


def rollout(seed, *, steps=12, lanes=5, acts=0.7, on_policy=False):
    """Random arrays of a rollout, ends and turns of others included."""
    rng = np.random.default_rng(seed)
    return {
        "rewards": rng.normal(size=(steps, lanes)),
        "values": rng.normal(size=(steps + 1, lanes)),
        "beyond": rng.normal(size=(steps, lanes)),
        "acts": rng.random((steps + 1, lanes)) < acts,
        "is_over": rng.random((steps, lanes)) < 0.15,
        "ratios": np.ones((steps, lanes)) if on_policy else rng.lognormal(size=(steps, lanes)),
        "discount": 0.9,
    }


def decisions_of(played, lane):
    """A lane's own decisions: step, reward until the next, discount until it, and what is there.

    What is there is the step of the next decision of the episode, or a value after which all ends.
    """
    found = []
    steps = len(played["rewards"])
    for t in range(steps):
        if not played["acts"][t, lane]:
            continue
        paid, factor = 0.0, 1.0
        for k in range(t, steps):
            paid += factor * played["rewards"][k, lane]
            factor *= played["discount"]
            if played["is_over"][k, lane]:
                found.append((t, paid, factor, float(played["beyond"][k, lane]), None))
                break
            if played["acts"][k + 1, lane]:
                found.append((t, paid, factor, float(played["values"][k + 1, lane]), k + 1))
                break
    return {t: rest for t, *rest in found}


def by_definition(played, lane, t, *, largest_ratio, largest_trace, trace_decay):
    """The target of one decision, and its advantage, by the sums as printed, in O(T^2)."""
    chain = decisions_of(played, lane)
    ratios, values = played["ratios"][:, lane], played["values"][:, lane]
    total, factor, here = values[t], 1.0, t
    while here in chain:
        paid, discount, expected, following = chain[here]
        rho = min(largest_ratio, ratios[here])
        total += factor * rho * (paid + discount * expected - values[here])
        if following is None:
            break
        factor *= discount * trace_decay * min(largest_trace, ratios[here])
        here = following
    paid, discount, expected, following = chain[t]
    options = {
        "largest_ratio": largest_ratio,
        "largest_trace": largest_trace,
        "trace_decay": trace_decay,
    }
    later = (
        expected if following not in chain else by_definition(played, lane, following, **options)[0]
    )
    return total, min(largest_ratio, ratios[t]) * (paid + discount * later - values[t])


@pytest.mark.parametrize("acts", [1.0, 0.6])
@pytest.mark.parametrize("cuts", [(1, 1, 1), (2.0, 0.5, 0.9), (np.inf, np.inf, 1), (0.7, 1, 0)])
def test_targets_are_the_sums_of_the_definition(acts, cuts):
    options = dict(zip(("largest_ratio", "largest_trace", "trace_decay"), cuts, strict=True))
    counted = 0
    for seed in range(6):
        played = rollout(seed, acts=acts)
        found = v_trace(**played, **options)
        known = known_decisions(acts=played["acts"], is_over=played["is_over"])
        for t, lane in np.argwhere(known):
            target, advantage = by_definition(played, lane, t, **options)
            assert found.targets[t, lane] == pytest.approx(target)
            assert found.advantages[t, lane] == pytest.approx(advantage)
            counted += 1
    assert counted > 60


def test_on_policy_targets_are_the_returns_of_the_rest_of_the_rollout():
    played = rollout(1, acts=1.0, on_policy=True)
    found = v_trace(**played)
    steps = len(played["rewards"])
    for lane in range(5):
        for t in range(steps):
            expected, factor = 0.0, 1.0
            for k in range(t, steps):
                expected += factor * played["rewards"][k, lane]
                factor *= 0.9
                if played["is_over"][k, lane]:
                    expected += factor * played["beyond"][k, lane]
                    break
            else:
                expected += factor * played["values"][steps, lane]
            assert found.targets[t, lane] == pytest.approx(expected)
            assert found.advantages[t, lane] == pytest.approx(expected - played["values"][t, lane])


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_on_policy_it_is_generalized_advantage_estimation(trace):
    played = rollout(2, acts=0.7, on_policy=True)
    found = v_trace(**played, trace_decay=trace)
    other = generalized_advantages(
        **{name: value for name, value in played.items() if name != "ratios"}, trace=trace
    )
    known = known_decisions(acts=played["acts"], is_over=played["is_over"])
    assert (known == other.is_known).all()
    assert known.any()
    above = found.targets - played["values"][:-1]
    assert above[known] == pytest.approx(other.advantages[known])


def test_an_end_lets_nothing_through():
    played = rollout(3, acts=1.0)
    played["is_over"][:] = False
    played["is_over"][5] = True
    before = v_trace(**played).targets[:6]
    played["rewards"][6:] += 100
    played["values"][6:] -= 50
    assert (v_trace(**played).targets[:6] == before).all()


def test_cut_ratios_bound_what_a_step_adds():
    played = rollout(4, acts=1.0)
    huge = dict(played, ratios=1e6 * np.ones_like(played["ratios"]))
    ones = dict(played, ratios=np.ones_like(played["ratios"]))
    assert (v_trace(**huge).targets == v_trace(**ones).targets).all()


def test_decisions_whose_sequel_lies_beyond_the_rollout_are_not_known():
    acts = np.array([[True], [True], [True], [False], [False]])
    over = np.zeros((4, 1), dtype=bool)
    assert known_decisions(acts=acts, is_over=over)[:, 0].tolist() == [True, True, False, False]
    over[3] = True
    assert known_decisions(acts=acts, is_over=over)[:, 0].tolist() == [True, True, True, False]
