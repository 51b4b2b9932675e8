"""Questions to an environment, whose answers are one thing for a right one and another for a bug.

Each probe is asked of the right environment of a game and of one with a bug. It answers with
something to compare; nothing here knows the model.
"""

import random
import time
from collections.abc import Callable
from itertools import zip_longest
from typing import Any
from unittest import mock

import numpy as np

from tests.laws.planted.plays import ALONE, Moment, fingerprint, moments, trace
from tests.laws.planted.records import BugClass, Kind

Make = Callable[[], Any]
SEEDS = range(10)


def plays(make: Make, kind: Kind) -> Any:
    """All that is seen in seeded plays, and in a second play of each environment."""
    seen = []
    for seed in range(60):
        env = make()
        seen += [trace(env, kind, seed=seed, play=seed), trace(env, kind, play=seed + 100)]
    return tuple(seen)


def reseeded(make: Make, kind: Kind) -> Any:
    """Whether a seed gives the same play to a new environment and to used ones."""
    answers = []
    for seed in (0, 3, 5):
        first = _longest(make(), kind, seed)
        env = make()
        trace(env, kind, seed=seed + 1, play=1)
        answers += [_longest(env, kind, seed) == first, _longest(env, kind, seed) == first]
        for steps in (1, 2, 3, 4):  # plays that are broken off
            rng = np.random.default_rng(steps)
            for _, _ in zip(range(steps), moments(env, kind, rng, seed=9), strict=False):
                pass
            answers.append(_longest(env, kind, seed) == first)
    return tuple(answers)


def _longest(env: Any, kind: Kind, seed: int | None = None) -> Any:
    """Four plays with different actions, so that not all are short."""
    return tuple(trace(env, kind, seed=seed, play=play) for play in range(4))


def unseeded(make: Make, kind: Kind) -> Any:
    """Whether plays without a seed repeat themselves, or are the same in all copies."""
    env, first, second = make(), make(), make()
    trace(env, kind, seed=4)
    again = any(len({trace(env, kind, play=k) for _ in range(12)}) == 1 for k in (1, 2))
    alike = [_longest(first, kind) for _ in SEEDS] == [_longest(second, kind) for _ in SEEDS]
    with _global_seed(5):
        third = make()
        there = [_longest(third, kind) for _ in SEEDS]
    with _global_seed(5):
        fourth = make()
        again_there = [_longest(fourth, kind) for _ in SEEDS]
    return again, alike, there == again_there


def seeds_apart(make: Make, kind: Kind) -> Any:
    """How many different plays there are among 40 seeds."""
    env = make()
    return len({_longest(env, kind, seed) for seed in range(40)})


class _global_seed:
    """Seed the generators that all share, and put them back."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __enter__(self) -> None:
        self.kept = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.seed(self.seed)
        np.random.seed(self.seed)  # noqa: NPY002

    def __exit__(self, *error: object) -> None:
        random.setstate(self.kept[0])
        np.random.set_state(self.kept[1])  # noqa: NPY002


def global_generators(make: Make, kind: Kind) -> Any:
    """Whether play uses or changes the generators that all share."""
    answers = []
    for seed in SEEDS:
        seen = []
        for other in (1, 2):
            with _global_seed(other):
                before = repr((random.getstate(), np.random.get_state()))  # noqa: NPY002
                seen.append(_longest(make(), kind, seed))
                after = repr((random.getstate(), np.random.get_state()))  # noqa: NPY002
                answers.append(before == after)
        answers.append(seen[0] == seen[1])
    return all(answers)


def sampling(make: Make, kind: Kind) -> Any:
    """Whether play is the same when the caller samples and seeds action spaces, and observes."""
    answers = []
    for seed in SEEDS:
        alone = trace(make(), kind, seed=seed, play=seed)
        env = make()
        seen = []
        for moment in moments(env, kind, np.random.default_rng(seed), seed=seed):
            seen.append(fingerprint(moment))
            for space in _spaces(env, kind):
                space.seed(7)
                space.sample()
            if kind is Kind.AEC:
                for agent in env.agents:
                    env.observe(agent)
        answers.append(tuple(seen) == alone)
    return all(answers)


def _spaces(env: Any, kind: Kind) -> list[Any]:
    if kind is Kind.GYMNASIUM:
        return [env.action_space]
    return [env.action_space(agent) for agent in env.possible_agents]


def clocks(make: Make, kind: Kind) -> Any:
    """Whether play is the same at two times of day."""
    answers = []
    for seed in SEEDS:
        seen = []
        for now in (10_000_000, 77_001_000):
            with mock.patch.object(time, "time_ns", return_value=now):
                env = make()
                trace(env, kind, seed=1)
                seen.append(_longest(env, kind, seed))
        answers.append(seen[0] == seen[1])
    return all(answers)


def interleaved(make: Make, kind: Kind) -> Any:
    """Whether two environments play in turns as each does alone."""
    answers = []
    for seed in SEEDS:
        alone = [list(trace(make(), kind, seed=seed + i, play=seed + i)) for i in (0, 1)]
        games = [
            moments(make(), kind, np.random.default_rng(seed + i), seed=seed + i) for i in (0, 1)
        ]
        seen: list[list[Any]] = [[], []]
        for pair in zip_longest(*games):
            for own, moment in zip(seen, pair, strict=True):
                if moment is not None:
                    own.append(fingerprint(moment))
        answers.append(seen == alone)
    return all(answers)


def kept_data(make: Make, kind: Kind) -> Any:
    """Whether what was returned is the same after the play and another reset."""
    answers = []
    for seed in SEEDS:
        env = make()
        held: list[tuple[Any, Any]] = []
        for _ in range(2):
            for moment in moments(env, kind, np.random.default_rng(seed), seed=seed):
                data = _returned(moment, kind)
                held.append((data, fingerprint(data)))
        answers.append(all(fingerprint(data) == before for data, before in held))
    return all(answers)


def new_objects(make: Make, kind: Kind) -> Any:
    """Whether observations, infos and masks are new objects in each moment, and for each agent."""
    env = make()
    held: list[Any] = []
    for seed in SEEDS:
        for moment in moments(env, kind, np.random.default_rng(seed), seed=seed):
            held += _mutable(moment.observations)
            infos = list(moment.infos.values()) if kind is not Kind.AEC else []
            held += [*infos, *(part for info in infos for part in _mutable(info))]
    return len({id(data) for data in held}) == len(held)


def _returned(moment: Moment, kind: Kind) -> Any:
    """What a caller may keep: dictionaries of an AEC environment are its attributes."""
    if kind is Kind.AEC:
        info = moment.infos.get(moment.mover, {})
        return moment.observations, {k: v for k, v in info.items() if k != "action_mask"}, info
    return moment[2:7]


def _mutable(data: Any) -> list[Any]:
    """List the arrays, dictionaries and lists within data, not data itself."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    found = []
    for part in inner:
        if isinstance(part, np.ndarray | dict | list):
            found += [part, *_mutable(part)]
    return found


def written_data(make: Make, kind: Kind) -> Any:
    """Whether play is the same when the caller writes into all arrays it was given."""
    answers = []
    for seed in SEEDS:
        alone = trace(make(), kind, seed=seed, play=seed)
        env = make()
        for number in (0, 1):
            answers.append(tuple(_moments_overwritten(env, kind, seed, number)) == alone)
    return all(answers)


def _moments_overwritten(env: Any, kind: Kind, seed: int, number: int) -> list[Any]:
    """Play as ``trace`` does; after each decision overwrite what the decision was made on."""
    rng = np.random.default_rng(seed)
    seen = []
    held: list[Any] = []
    step = env.step

    def overwriting(action: Any) -> Any:
        for array in held:
            if array.flags.writeable:
                array[...] = number
        return step(action)

    env.step = overwriting
    try:
        for moment in moments(env, kind, rng, seed=seed):
            seen.append(fingerprint(moment))
            infos = moment.infos if kind is not Kind.AEC else {}
            parts = [moment.observations, *[i for i in infos.values() if isinstance(i, dict)]]
            if kind is Kind.AEC and moment.mover is not None:
                parts.append(moment.infos.get(moment.mover, {}))
            held[:] = [a for part in parts for a in _mutable(part) if isinstance(a, np.ndarray)]
    finally:
        del env.step
    return seen


def callers_actions(make: Make, kind: Kind) -> Any:
    """Whether step leaves the actions alone, at once and when they are changed afterwards."""
    if kind is not Kind.PARALLEL:
        return True
    return all(_leaves_actions(make, kind, seed) for seed in SEEDS)


def _leaves_actions(make: Make, kind: Kind, seed: int) -> bool:
    env = make()
    step = env.step
    are_left: list[bool] = []

    def changing(actions: Any) -> Any:
        before = fingerprint(actions)
        result = step(actions)
        are_left.append(fingerprint(actions) == before)
        for action in actions.values():
            if isinstance(action, np.ndarray):
                action[...] = 1 - action
        actions.update(dict.fromkeys(actions, np.array([1, 1])))
        return result

    env.step = changing
    played, plain = (
        [_without_actions(m) for m in moments(one, kind, np.random.default_rng(seed), seed=seed)]
        for one in (env, make())
    )
    return all(are_left) and played == plain


def _without_actions(moment: Moment) -> Any:
    return fingerprint(moment._replace(before={}))


def spaces(make: Make, kind: Kind) -> Any:
    """Whether spaces stay the same objects, are not shared, and contain what is seen."""
    env, other = make(), make()
    if kind is Kind.GYMNASIUM:
        before = env.observation_space
        inside = [
            moment.observations[ALONE] in env.observation_space
            for seed in SEEDS
            for moment in moments(env, kind, np.random.default_rng(0), seed=seed)
        ]
        return (
            env.action_space is env.action_space,
            env.observation_space is env.observation_space,
            env.observation_space == before,
            all(inside),
        )
    agents = list(env.possible_agents)
    same = [
        ask(agent) is ask(agent)
        for agent in agents
        for ask in (env.action_space, env.observation_space)
    ]
    apart = len({id(e.action_space(agent)) for agent in agents for e in (env, other)})
    inside = []
    for seed in SEEDS:
        for moment in moments(env, kind, np.random.default_rng(seed), seed=seed):
            inside += [
                bool(env.observation_space(agent).contains(seen))
                for agent, seen in moment.observations.items()
            ]
    return all(same), apart, all(inside)


def observing(make: Make, kind: Kind) -> Any:
    """Whether observe() says the same twice, what it says off turn, and what last() says."""
    if kind is not Kind.AEC:
        return True
    answers: list[Any] = []
    env = make()
    for seed in SEEDS:
        for moment in moments(env, kind, np.random.default_rng(seed), seed=seed):
            for agent in env.agents:
                first, second = fingerprint(env.observe(agent)), fingerprint(env.observe(agent))
                answers += [first, first == second]
            if moment.mover is not None:
                answers.append(env.last(observe=False)[0] is None)
    return tuple(answers)


def counts(make: Make, kind: Kind) -> Any:
    """Whether num_agents and max_num_agents count agents, and possible_agents stays."""
    if kind is Kind.GYMNASIUM:
        return True
    env = make()
    most = len(env.possible_agents)
    answers = []
    for seed in SEEDS:
        for _ in moments(env, kind, np.random.default_rng(0), seed=seed):
            answers.append(env.num_agents == len(env.agents))
            answers.append(env.max_num_agents == len(env.possible_agents) == most)
    return all(answers)


def after_the_end(make: Make, kind: Kind) -> Any:
    """What happens on a dead step with an action, and on a step after the end."""
    env = make()
    said = []
    for moment in moments(env, kind, np.random.default_rng(0), seed=0):
        dead = moment.terminations.get(moment.mover) or moment.truncations.get(moment.mover)
        if kind is Kind.AEC and dead:
            break
    try:
        env.step({} if kind is Kind.PARALLEL else 0)
        said.append("taken")
    except Exception as error:  # noqa: BLE001  (what is raised is the answer)
        said.append(type(error).__name__)
    return tuple(said)


def calls(make: Make, kind: Kind) -> Any:
    """What reset takes and returns, and whether a seeded reset makes np_random."""
    said: list[Any] = []
    for asked in ({}, {"seed": 3}, {"options": {}}, {"seed": 4, "options": {"a": 1}}):
        try:
            said.append(type(make().reset(**asked)).__name__)
        except TypeError:
            said.append("refused")
    if kind is Kind.GYMNASIUM:
        env = make()
        if "refused" not in said:
            env.reset(seed=3)
        said.append(env.unwrapped._np_random is None)
    return tuple(said)


SEEN = frozenset({BugClass.DYNAMICS, BugClass.LEAK, BugClass.LIFE_CYCLE})
PROBES: dict[Callable[[Make, Kind], Any], frozenset[BugClass]] = {
    plays: SEEN,
    spaces: SEEN | {BugClass.SHARED_STATE},
    observing: SEEN,
    counts: SEEN,
    after_the_end: SEEN,
    calls: SEEN | {BugClass.SEEDING},
    reseeded: SEEN | {BugClass.SEEDING},
    unseeded: frozenset({BugClass.SEEDING}),
    seeds_apart: frozenset({BugClass.SEEDING}),
    global_generators: frozenset({BugClass.SEEDING}),
    sampling: frozenset({BugClass.SEEDING, BugClass.LIFE_CYCLE}),
    clocks: frozenset({BugClass.SEEDING}),
    interleaved: frozenset({BugClass.SHARED_STATE}),
    kept_data: frozenset({BugClass.ALIASING}),
    new_objects: frozenset({BugClass.ALIASING}),
    written_data: frozenset({BugClass.ALIASING}),
    callers_actions: frozenset({BugClass.ALIASING}),
}
