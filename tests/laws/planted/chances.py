"""Whether a bug in chance is alive: discover a frequency that differs, confirm it on other plays.

For each game, ``WATCHED`` lists small numbers that say all that chance does, hidden or not, at one
moment. Frequencies of pairs of them, now, before and in the play before, are counted in plays of
the right environment and of one with the bug. The pair that differs most in one half of the plays
must differ in the other half too.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from tests.laws.planted import hints, hunt, potato
from tests.laws.planted.plays import ALONE, moments
from tests.laws.planted.records import Game, Kind

Numbers = list[int]


LAGS = (1, 2, 4)
SURE = 6.0  # standard deviations; two samples of right environments stay far below


def _prospecting(env: Any, moment: Any) -> Numbers:
    ground, seen = env.ground, moment.observations
    signs = [int(seen[agent][1]) for agent in env.possible_agents]
    did = [env._did[agent] for agent in env.possible_agents]
    return [env.round, ground, *(sign != ground for sign in signs), *did]


def _turns(env: Any, moment: Any) -> Numbers:
    wrong = [int(env._views[agent][1]) != env._ground for agent in env.possible_agents]
    did = [env._did[agent] for agent in env.possible_agents]
    return [env.round, env._ground, *wrong, *did]


def _skirmish(env: Any, moment: Any) -> Numbers:
    names = env.possible_agents
    lost = [int(moment.rewards.get(a, 0) < 0) for a in names]
    did = [int(moment.before.get(a, 3)) for a in names]
    found = [int(env._found[a]) for a in names]
    return [min(env.now, 4), env._misses, *lost, *did, *found, *(int(env._ammo[a]) for a in names)]


def _convoys(env: Any, moment: Any) -> Numbers:
    fogs = [int(moment.observations[agent]["fog"]) for agent in env.possible_agents]
    sent = chain(*(moment.before.get(agent, (0, 0)) for agent in env.possible_agents))
    return [*fogs, *map(int, sent)]


def _potato(env: Any, moment: Any) -> Numbers:
    shields = [int(env.shields[agent]) for agent in env.possible_agents]
    live = 3 - sum(env.terminations.get(a, True) for a in env.possible_agents)
    (done,) = moment.before.values() or (3,)
    holder = env.possible_agents.index(env.agent_selection)
    own = env.shields[env.agent_selection]
    at_risk = shields[env._at_risk]
    burst = env._burst and done in {potato.ACTIONS.index(a) for a in (potato.PASS, potato.HOLD)}
    return [
        env.heat, live, 3 if done is None else done, holder, int(own), at_risk, int(burst),
        sum(shields), *shields,
    ]  # fmt: skip


def _hunt(env: Any, moment: Any) -> Numbers:
    hider, seeker = env.cells[hunt.HIDER], env.cells[hunt.SEEKER]
    (done,) = moment.before.values() or (1,)
    mover = int(moment.mover == hunt.SEEKER)
    other = hunt.HIDER if mover else hunt.SEEKER
    slipped = int(env._slipped[other]) if done in {0, 2} else 2
    heard = int(moment.observations[moment.mover][3]) if moment.mover else 2
    wrong = int(heard != int(hunt.is_near(hider, seeker)))
    own = env._action[moment.mover] if moment.mover else 0
    return [
        min(env.now, 10) // 2, mover, slipped, wrong, abs(own), env._caught, hider, seeker,
        (hider - seeker) % hunt.CELLS, env._catches > 1,
    ]  # fmt: skip


def _hints(env: Any, moment: Any) -> Numbers:
    first, second = env._cards["player_0"], env._cards["player_1"]
    leads, follows = (first, second) if env._leader == 0 else (second, first)
    wrong = 2 if not env._bet else int((env._hint == hints.HIGH) != (leads > 2))
    return [
        env._hand, env._leader, first, second, env._bet, wrong, first == second, leads > follows,
        follows > 2,
    ]  # fmt: skip


def _slope(env: Any, moment: Any) -> Numbers:
    return [int(env.cell), int(moment.before.get(ALONE, 2)), int(env._slipped), env.clock >= 7]


def _burglar(env: Any, moment: Any) -> Numbers:
    left, _, silent, alarm = (round(float(x)) for x in moment.observations[ALONE])
    heard = 0 if left else 1
    wrong = 2 if silent else int(heard != env.safe)
    done = int(moment.before.get(ALONE, 4))
    return [env.safe, wrong, done, alarm, min(env._sounds, 2), env._clock > 9]


WATCHED: dict[str, Callable[[Any, Any], Numbers]] = {
    "prospecting": _prospecting,
    "prospecting in turns": _turns,
    "skirmish": _skirmish,
    "convoys": _convoys,
    "potato": _potato,
    "hunt": _hunt,
    "hints": _hints,
    "slope": _slope,
    "burglar": _burglar,
}


def sample(game: Game, bug: Any, plays: range) -> np.ndarray:
    """Play environments three times each, the first time seeded, and watch.

    Returns:
        moments x (now, lags, first and last of the play before) x numbers; -1 where there is none.
    """
    watch = WATCHED[game.name]
    rows: list[list[Numbers]] = []
    for seed in plays:
        env = game.environment(bug)
        last: list[Numbers] = []
        for again in range(3):
            rng = np.random.default_rng(1000 * seed + again)
            seen = [
                watch(env, moment)
                for moment in moments(env, game.kind, rng, seed=None if again else seed)
                if moment.mover is not None or game.kind is not Kind.AEC
            ]
            play = [[*map(int, now), int(again > 0), int(not t)] for t, now in enumerate(seen)]
            blank = [-1] * len(play[0])
            for t, now in enumerate(play):
                back = [play[t - lag] if t >= lag else blank for lag in LAGS]
                past = [last[0], last[-1]] if last and not t else [blank] * 2
                rows.append([now, *back, *past])
            last = play
    return np.array(rows)


def _indicators(columns: np.ndarray, values: list[np.ndarray]) -> np.ndarray:
    """Return one column for each value of each number, and a constant."""
    each = [columns[:, k, None] == own for k, own in enumerate(values)]
    return np.concatenate([*each, np.ones((len(columns), 1), bool)], axis=1).astype(np.float32)


def _frequencies(table: np.ndarray, values: list[np.ndarray]) -> list[np.ndarray]:
    """Return mean products of indicators: two numbers, both now or one before."""
    now, *before = (_indicators(table[:, k], values) for k in range(table.shape[1]))
    return [now.T @ then / len(now) for then in (now, *before)]


def _scores(right: np.ndarray, wrong: np.ndarray, values: list[np.ndarray]) -> np.ndarray:
    """Return by how many standard deviations each frequency differs."""
    found = []
    share = 1 / len(right) + 1 / len(wrong)
    tables = [_frequencies(table, values) for table in (right, wrong)]
    for p, q in zip(*tables, strict=True):
        mean = (p + q) / 2
        spread = np.sqrt(np.maximum(mean * (1 - mean), share) * share)
        found.append(((p - q) / spread).ravel())
    return np.concatenate(found)


@lru_cache(maxsize=16)
def _sampled(game: Game, bug: Any, plays: int, half: int) -> np.ndarray:
    start = half * 10**6
    return sample(game, bug, range(start, start + plays))


def difference(game: Game, bug: Any, *, plays: int) -> float:
    """Return by how many standard deviations the most telling frequency differs, confirmed.

    Args:
        plays: Environments in each half, each played three times.
    """
    wrong = [_sampled(game, bug, plays, half) for half in (2, 3)]
    rights = [_sampled(game, None, plays, half) for half in (0, 1)]
    both = np.concatenate([*rights, *wrong])[:, 0]
    values = [np.unique(both[:, k]) for k in range(both.shape[1])]
    first, second = (_scores(r, w, values) for r, w in zip(rights, wrong, strict=True))
    best = int(np.abs(first).argmax())
    return float(second[best] * np.sign(first[best]))
