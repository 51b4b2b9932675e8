"""What every learner promises: it can be stopped, kept in a file, and continued to the last bit.

Environments that try learners: they pay what is no number, or are silent about what is legal.
"""

from dataclasses import replace

from learners import load_snapshot, save_snapshot


def assert_continues(make, folder, *, before=2, after=3):
    """Compare a learner with one that is made anew and goes on from the first one's file."""

    def kept(snapshot, name):
        save_snapshot(folder / name, snapshot)
        return (folder / name).read_bytes()

    whole, fresh = make(), make()
    for _ in range(before):
        whole.improve()
    snapshot = whole.snapshot()
    half = kept(snapshot, "half")
    rest = [dict(whole.improve()) for _ in range(after)]
    assert kept(snapshot, "same") == half  # a snapshot is a copy
    fresh.improve()
    fresh.restore(load_snapshot(folder / "half"))
    assert [dict(fresh.improve()) for _ in range(after)] == rest
    assert kept(fresh.snapshot(), "fresh") == kept(whole.snapshot(), "whole") != half


class SilentRules:
    """An environment that says what is legal only when it is a player's turn."""

    legal = ()

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)


class PoisonedEnvironment:
    """An environment that pays ``reward`` in one step, and otherwise what another pays."""

    def __init__(self, inner, *, at_step, reward=float("nan")):
        self._inner = inner
        self._at_step = at_step
        self._reward = reward
        self.made = 0

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def step(self, actions):
        self.made += 1
        turn = self._inner.step(actions)
        if self.made != self._at_step:
            return turn
        rewards = turn.rewards.copy()
        rewards[0, 0] = self._reward
        return replace(turn, rewards=rewards)

    def snapshot(self):
        return {"inner": self._inner.snapshot(), "made": self.made}

    def restore(self, snapshot):
        self._inner.restore(snapshot["inner"])
        self.made = snapshot["made"]
