"""Self-play in RirRPS: play against frozen tables, and where the time of PPO goes.

The peer plays OpenSpiel's repeated rock-paper-scissors by ``rl_environment``, an opponent drawn
anew from the same tables in each episode; the live player throws evenly on both sides.
"""

from functools import cached_property

import numpy as np

from gametheory_core.catalog import RirRPS
from learners import batched
from learners.self_play import Append, DeltaUniform, Menagerie, SelfPlay, SelfPlayScheme
from tests.benchmarks.measure import Row, cpu_seconds, interleaved

SEED = 5
PEER = "OpenSpiel `rl_environment`"


class EvenThrows:
    """A live learner that learns nothing: play alone is measured."""

    name = "even throws"

    def __init__(self, environment, *, steps, rng):
        self.environment, self.steps, self.rng = environment, steps, rng
        environment.reset()

    def improve(self):
        """Play some steps."""
        shape = (self.environment.num_episodes, 1)
        for _ in range(self.steps):
            self.environment.step(self.rng.integers(3, size=shape))
        return {}

    def policies(self):
        """Return a policy that is never asked."""
        return ({},)

    def snapshot(self):
        """Return nothing: nothing is learned."""
        return {}

    def restore(self, snapshot):
        """Stay as it is."""

    def frozen(self):
        """Return even mixed actions."""
        return np.full((self.environment.num_observations[0], 3), 1 / 3)


def against_tables(tables: np.ndarray, *, episodes: int, steps: int) -> SelfPlay:
    """Return a live player that meets tables, all alike."""
    return SelfPlay(
        batched(RirRPS(), episodes=episodes, seed=SEED),
        scheme=SelfPlayScheme(DeltaUniform(0), Append()),
        live=lambda play, rng: EvenThrows(play, steps=steps, rng=rng),
        every=10**9,  # tables stay as they are
        begins_with=Menagerie(tuple(tables)),
        rng=np.random.default_rng(SEED),
    )


class Peer:
    """The same matches in OpenSpiel, one step at a time."""

    def __init__(self, tables: np.ndarray) -> None:
        self.tables = tables
        self.rng = np.random.default_rng(SEED)

    @cached_property
    def environment(self):
        """Ten throws."""
        import pyspiel
        from open_spiel.python import rl_environment

        game = pyspiel.load_game("repeated_game(stage_game=matrix_rps(),num_repetitions=10)")
        return rl_environment.Environment(game)

    def play(self, steps: int) -> None:
        """Play so many steps."""
        rng, made = self.rng, 0
        while made < steps:
            table = self.tables[rng.integers(len(self.tables))]
            now = self.environment.reset()
            window: list[int] = []
            while not now.last() and made < steps:
                number = 0
                for code in window:
                    number = number * 9 + code
                row = table[(0, 1, 10, 91)[len(window)] + number]
                both = int(rng.integers(3)), int(rng.choice(3, p=row))
                now = self.environment.step(both)
                window = [*window, 3 * both[1] + both[0]][-3:]
                made += 1


def rows(*, tables: int = 100, episodes: int = 1024, steps: int = 200, peer_steps: int = 4000,
         iterations: int = 5,
         rounds: int = 3) -> list[Row]:  # fmt: skip
    """Measure each task, a million steps."""
    known = np.random.default_rng(SEED).dirichlet(np.ones(3), (tables, 820))
    ours, peer = against_tables(known, episodes=episodes, steps=steps), Peer(known)
    best = interleaved({"ours": ours.improve, PEER: lambda: peer.play(peer_steps)}, rounds=rounds)
    million = 10**6 / (episodes * steps), 10**6 / peer_steps
    played = Row("a million steps against 100 tables", best["ours"] * million[0], PEER,
                 best[PEER] * million[1])  # fmt: skip
    return [played, ppo_row(iterations)]


def ppo_row(iterations: int) -> Row:
    """Measure what play is of an iteration of PPO."""
    learner = SelfPlay(
        batched(RirRPS(), episodes=128, seed=SEED),
        scheme=SelfPlayScheme(DeltaUniform(0), Append()),
        live={"name": "PPO", "steps": 20, "epochs": 4, "minibatches": 4},
        rng=np.random.default_rng(SEED),
    )
    learner.improve()
    updates = 0.0
    learn = learner.live.learn

    def timed(experiences):
        nonlocal updates
        found = {}
        updates += cpu_seconds(lambda: found.update(learn(experiences)))
        return found

    learner.live.learn = timed
    whole = cpu_seconds(lambda: [learner.improve() for _ in range(iterations)])
    task = "PPO in self-play: environment, opponents and freezing"
    return Row(task, whole - updates, "PPO's updates", updates)
