"""Advantages against a plain loop over each lane's own decisions."""

import numpy as np
import pytest

from learners.advantages import generalized_advantages, returns_to_go


def plain(lane, *, discount, trace):
    """Estimate one lane's advantages by the definition; None where what follows is not known."""
    rewards, values, beyond, acts, over = lane
    own = [t for t in range(len(rewards)) if acts[t]]
    found = {}
    for t in reversed(own):
        paid, factor, s = 0.0, 1.0, t
        while True:  # to the next own decision, or to the end
            paid += factor * rewards[s]
            factor *= discount
            if over[s]:
                found[t] = paid + factor * beyond[s] - values[t]
                break
            s += 1
            if s == len(rewards) and not acts[s]:
                found[t] = None
                break
            if acts[s]:
                later = found.get(s)
                delta = paid + factor * values[s] - values[t]
                found[t] = delta + trace * factor * (0.0 if later is None else later)
                break
    return found


def play(rng, *, steps, lanes, alternate):
    over = rng.random((steps, lanes)) < 0.2
    acts = rng.random((steps + 1, lanes)) < 0.5 if alternate else np.ones((steps + 1, lanes), bool)
    return {
        "rewards": rng.normal(size=(steps, lanes)),
        "values": rng.normal(size=(steps + 1, lanes)),
        "beyond": np.where(over, rng.normal(size=(steps, lanes)), 0.0),
        "acts": acts,
        "is_over": over,
    }


@pytest.mark.parametrize("alternate", [False, True])
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_advantages_are_those_of_a_plain_loop(alternate, trace):
    rng = np.random.default_rng(3)
    for _ in range(20):
        game = play(rng, steps=12, lanes=5, alternate=alternate)
        found = generalized_advantages(**game, discount=0.9, trace=trace)
        earliest = 12
        for lane in range(5):
            names = ("rewards", "values", "beyond", "acts", "is_over")
            expected = plain([game[name][:, lane] for name in names], discount=0.9, trace=trace)
            for t, advantage in expected.items():
                if advantage is None:
                    earliest = min(earliest, t)
                else:
                    assert found.advantages[t, lane] == pytest.approx(advantage)
        # From the first decision on whose outcome is out of sight, none counts, in any lane.
        counted = game["acts"][:-1] & (np.arange(12) < earliest)[:, None]
        assert np.array_equal(found.is_known, counted)
        assert counted.any() or alternate


def test_everything_counts_where_all_act_always():
    game = play(np.random.default_rng(4), steps=6, lanes=3, alternate=False)
    assert generalized_advantages(**game, discount=1.0, trace=0.9).is_known.all()


def test_returns_to_go_stop_at_ends():
    rewards = np.array([[1.0], [2.0], [4.0], [8.0]])
    over = np.array([[False], [True], [False], [False]])
    found = returns_to_go(rewards, is_over=over, discount=0.5)
    assert found[:, 0].tolist() == [2.0, 2.0, 8.0, 8.0]
