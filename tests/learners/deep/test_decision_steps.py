import numpy as np
import pytest

from learners.deep.replay import DecisionSteps, Transitions

LEGAL = np.ones(2, dtype=bool)


def transitions_of(turns, *, steps, discount):
    """Play ``turns`` in one episode after another; a turn: (acts, reward, end or None).

    Observations count turns, the final one of an episode is the negative count.
    """
    window = DecisionSteps(num_episodes=1, num_features=0, steps=steps, discount=discount)
    found = []
    for t, (acts, reward, end) in enumerate(turns):
        found.append(
            window.decide(
                observations=np.array([t]),
                legal=LEGAL[None],
                actions=np.array([t % 2]),
                acts=np.array([acts]),
            )
        )
        found.append(
            window.pay(
                rewards=np.array([float(reward)]),
                ends=np.array([end is not None]),
                is_worthless=np.array([end == "terminal"]),
                final_observations=np.array([-t]),
                final_legal=LEGAL[None],
            )
        )
    return [
        (int(o), round(float(r), 6), int(n), round(float(d), 6))
        for each in found
        for o, r, n, d in zip(
            each.observations,
            each.rewards,
            each.next_observations,
            each.next_discounts,
            strict=True,
        )
    ]


def brute_force(turns, *, steps, discount):
    """The same, from the definition, each decision for itself, in order of decisions."""
    found = []
    for t, (acts, _, _) in enumerate(turns):
        if not acts:
            continue
        total, factor, decisions = 0.0, 1.0, 0
        for k in range(t, len(turns)):
            decisions += turns[k][0]
            if decisions > steps:
                found.append((t, round(total, 6), k, round(factor, 6)))
                break
            total += factor * turns[k][1]
            factor *= discount
            if turns[k][2] is not None:
                worth = 0.0 if turns[k][2] == "terminal" else factor
                found.append((t, round(total, 6), -k, round(worth, 6)))
                break
    return found


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_transitions_are_those_of_the_definition(steps):
    rng = np.random.default_rng(steps)
    turns = []
    for _ in range(300):
        end = rng.choice([None, "terminal", "truncated"], p=[0.8, 0.1, 0.1])
        turns.append((bool(rng.random() < 0.6), int(rng.integers(-3, 4)), end))
    found = transitions_of(turns, steps=steps, discount=0.5)
    expected = brute_force(turns, steps=steps, discount=0.5)
    assert len(expected) > 100
    assert sorted(found) == sorted(expected)


def test_truncation_bootstraps_and_termination_does_not():
    for end, worth in (("terminal", 0.0), ("truncated", 0.5)):
        assert transitions_of([(True, 3, end)], steps=1, discount=0.5) == [(0, 3.0, 0, worth)]


def test_a_rest_between_own_turns_is_discounted():
    turns = [(True, 1, None), (False, 1, None), (True, 0, "terminal")]
    assert transitions_of(turns, steps=1, discount=0.5)[0] == (0, 1.5, 2, 0.25)


def test_episodes_side_by_side_do_not_mix():
    window = DecisionSteps(num_episodes=3, num_features=2, steps=1, discount=1.0)
    features = np.arange(6, dtype=np.float32).reshape(3, 2)
    window.decide(
        observations=features,
        legal=np.tile(LEGAL, (3, 1)),
        actions=np.array([0, 1, 0]),
        acts=np.array([True, False, True]),
    )
    done = window.pay(
        rewards=np.array([1.0, 2.0, 3.0]),
        ends=np.array([False, True, True]),
        is_worthless=np.array([False, True, False]),
        final_observations=-features,
        final_legal=np.tile(LEGAL, (3, 1)),
    )
    assert isinstance(done, Transitions)
    assert done.observations.tolist() == [[4.0, 5.0]]
    assert done.next_observations.tolist() == [[-4.0, -5.0]]
    assert (done.rewards.tolist(), done.next_discounts.tolist()) == ([3.0], [1.0])


def test_open_transitions_go_on_from_a_snapshot():
    whole = DecisionSteps(num_episodes=1, num_features=0, steps=2, discount=0.5)
    again = DecisionSteps(num_episodes=1, num_features=0, steps=2, discount=0.5)
    decided = {"legal": LEGAL[None], "actions": np.array([1]), "acts": np.array([True])}
    whole.decide(observations=np.array([4]), **decided)
    again.restore(whole.snapshot())
    whole.decide(observations=np.array([5]), **decided)
    again.decide(observations=np.array([5]), **decided)
    first = whole.decide(observations=np.array([6]), **decided)
    second = again.decide(observations=np.array([6]), **decided)
    assert first.observations.tolist() == second.observations.tolist() == [4]
