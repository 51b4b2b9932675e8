"""Race conditions: agents who are alike must be treated alike, whatever their numbers.

A permutation ``p`` renames agent ``i`` as ``p[i]``, in states, joint actions, rewards and
observations. *Equivariance*: renaming before a step or after it is the same,
``K(p s, p a)(p s', p r) = K(s, a)(s', r)``; where it fails, the order in which an environment
resolves its agents matters to them. *Confluence*, which is stronger: every order of resolution
leads to the same state. A random order is equivariant, and not confluent.

For simulators, which give no exact law, two samples are compared by chi-square.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidArgument, LawBroken, UnsupportedGame, named
from gametheory_core.games.checked_rules import require_posg_members
from gametheory_core.games.rules import POSG, JointAction, JointObservation
from gametheory_core.testing.statistics import TwoSamples, compare_samples, holm

Entry = TypeVar("Entry")
State = TypeVar("State", bound=Hashable)
Permutation: TypeAlias = tuple[int, ...]
Relabel: TypeAlias = Callable[[Permutation, Any], Any]

MAX_STATES = 10_000


def rename_agents(permutation: Permutation, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return one entry for each agent, agent ``i``'s moved to place ``permutation[i]``.

    >>> rename_agents((1, 2, 0), "abc")
    ('c', 'a', 'b')
    """
    moved = dict(zip(permutation, entries, strict=True))
    return tuple(moved[agent] for agent in range(len(moved)))


@dataclass(frozen=True)
class Race:
    """Where renaming agents changes what comes next.

    Attributes:
        state, joint_action: Where.
        permutation: Agent ``i`` is renamed ``permutation[i]``.
        what: Of what the laws are: next states and rewards, observations, or the end.
        expected, found: The law with agents renamed after the step, and before it.
    """

    state: Any
    joint_action: JointAction
    permutation: Permutation
    what: str
    expected: dict[Any, Fraction]
    found: dict[Any, Fraction]

    def __str__(self) -> str:
        return (
            f"at state {self.state!r} with actions {self.joint_action!r}, agents renamed "
            f"{self.permutation!r}, the law of {self.what} is {_in_words(self.expected)} with "
            f"agents renamed after the step, and {_in_words(self.found)} with agents renamed before"
        )


def find_race(
    game: POSG,
    *,
    relabel: Relabel,
    relabel_action: Relabel | None = None,
    relabel_observation: Relabel | None = None,
    max_states: int = MAX_STATES,
) -> Race | None:
    """Find where renaming the agents of a POSG changes what comes next, exactly.

    All states that play can reach, all legal joint actions there and all permutations are tried.

    Args:
        game: Rules, or a table that has the states with agents renamed too.
        relabel: (permutation, state) -> the state with agents renamed.
        relabel_action, relabel_observation: The same of one agent's action or observation, where it
            names agents. Default: unchanged.
        max_states: The largest number of pairs of state and joint observation to visit.

    Returns:
        The first witness; None if there is none. Where agents start may differ: only steps count.

    Raises:
        UnsupportedGame: If there are more states than ``max_states``.

    >>> from gametheory_core.catalog import cleanup_fixed_order, relabel
    >>> find_race(cleanup_fixed_order(), relabel=relabel).permutation
    (1, 0)
    """
    require_posg_members(game, "find_race")
    renamings = _Renamings(relabel, relabel_action or unchanged, relabel_observation or unchanged)
    everyone = [p for p in permutations(range(len(game.players))) if p != tuple(sorted(p))]
    for state, joint_action, is_last in _situations(game, max_states):
        for permutation in everyone:
            race = _compare_steps(game, renamings, state, joint_action, permutation)
            if race is None and not is_last:  # nobody acts on what is seen last
                race = _compare_observations(game, renamings, state, joint_action, permutation)
            if race is not None:
                return race
    return None


def check_equivariance(
    game: POSG,
    *,
    relabel: Relabel,
    relabel_action: Relabel | None = None,
    relabel_observation: Relabel | None = None,
    max_states: int = MAX_STATES,
) -> None:
    """Check that a POSG treats its agents alike; parameters as in ``find_race``.

    Raises:
        LawBroken: With state, actions, permutation and both laws.
    """
    require_posg_members(game, "check_equivariance")
    race = find_race(
        game,
        relabel=relabel,
        relabel_action=relabel_action,
        relabel_observation=relabel_observation,
        max_states=max_states,
    )
    if race is not None:
        raise LawBroken(
            needs="agents treated alike",
            found=race,
            remedy="Resolve all actions on the state as it was, or in a random order.",
        )


def check_confluence(
    move: Callable[[int, State, Any], State], cases: Iterable[tuple[State, JointAction]]
) -> None:
    """Check that queued actions lead to the same state in every order of resolution.

    Args:
        move: (player, state, action) -> state, such as the ``move`` of an AEC game.

    Raises:
        LawBroken: With two orders and where they lead.

    >>> check_confluence(lambda player, total, action: total + action, [(0, (1, 2, 3))])
    """
    for state, joint_action in cases:
        everyone = frozenset(range(len(joint_action)))
        reached: dict[frozenset[int], dict[State, tuple[int, ...]]] = {frozenset(): {state: ()}}
        for _ in everyone:  # states reached by each set of players, with an order that does
            following: dict[frozenset[int], dict[State, tuple[int, ...]]] = {}
            for moved, states in reached.items():
                for (middle, order), player in product(states.items(), sorted(everyone - moved)):
                    after = move(player, middle, joint_action[player])
                    following.setdefault(moved | {player}, {}).setdefault(after, (*order, player))
            reached = following
        ends = list(reached[everyone].items())
        if len(ends) > 1:
            (first, one), (second, other), *_ = ends
            raise LawBroken(
                needs="the same outcome in every order",
                found=f"at state {state!r} with actions {joint_action!r} the order {one!r} leads "
                "to "
                f"{first!r}, and {other!r} to {second!r}",
                remedy="Resolve all actions on the state as it was.",
            )


@dataclass(frozen=True)
class _Renamings:
    state: Relabel
    action: Relabel
    observation: Relabel

    def actions(self, permutation: Permutation, joint_action: JointAction) -> JointAction:
        """Return a joint action with agents renamed."""
        return rename_agents(permutation, [self.action(permutation, a) for a in joint_action])


def unchanged(_: Permutation, value: Any) -> Any:
    """Rename nothing: actions and observations that name no agents."""
    return value


def _situations(game: POSG, max_states: int) -> Iterable[tuple[Any, JointAction, bool]]:
    """Return each state with each joint action legal on some way to it, and if it is the last."""
    reached = [
        (state, tuple(seen))
        for state, _ in game.initial()
        if not game.is_terminal(state)
        for seen, _ in game.initial_observation(state)
    ]
    known = set(reached)
    done: set[tuple[Any, JointAction]] = set()
    step = 0
    while reached and step != game.horizon:
        step += 1
        is_last = step == game.horizon
        following: list[tuple[Any, JointObservation]] = []
        for state, seen in reached:
            for joint_action in product(*(game.legal_actions(i, o) for i, o in enumerate(seen))):
                if (state, joint_action) in done:
                    continue
                done.add((state, joint_action))
                yield state, joint_action, is_last
                following.extend(() if is_last else _entered(game, state, joint_action))
        reached = [pair for pair in dict.fromkeys(following) if pair not in known]
        known.update(reached)
        if len(known) > max_states:
            raise UnsupportedGame(
                needs=f"at most {named('max_states')} = {max_states:,} states with what is "
                "observed there",
                found=f"{game.title!r} has more",
                remedy="Raise max_states, or sample: check_simulator_equivariance.",
            )


def _entered(
    game: POSG, state: Any, joint_action: JointAction
) -> Iterable[tuple[Any, JointObservation]]:
    for following, _ in game.transition(state, joint_action):
        if not game.is_terminal(following):
            for seen, _ in game.observation(joint_action, following):
                yield following, tuple(seen)


def _compare_steps(
    game: POSG, renamings: _Renamings, state: Any, joint_action: JointAction, p: Permutation
) -> Race | None:
    there = renamings.state(p, state)
    actions_there = renamings.actions(p, joint_action)
    expected: dict[Any, Fraction] = {}
    for s, weight in game.transition(state, joint_action):
        rewards = rename_agents(p, game.reward(state, joint_action, s))
        _add(expected, (renamings.state(p, s), rewards, game.is_terminal(s)), weight)
    found: dict[Any, Fraction] = {}
    for s, weight in game.transition(there, actions_there):
        rewards = tuple(game.reward(there, actions_there, s))
        _add(found, (s, rewards, game.is_terminal(s)), weight)
    if expected == found:
        return None
    return Race(state, joint_action, p, "next state, rewards and end", expected, found)


def _compare_observations(
    game: POSG, renamings: _Renamings, state: Any, joint_action: JointAction, p: Permutation
) -> Race | None:
    actions_there = renamings.actions(p, joint_action)
    for s, _ in game.transition(state, joint_action):
        if game.is_terminal(s):
            continue
        expected: dict[Any, Fraction] = {}
        for seen, weight in game.observation(joint_action, s):
            renamed = rename_agents(p, [renamings.observation(p, o) for o in seen])
            _add(expected, renamed, weight)
        found: dict[Any, Fraction] = {}
        for seen, weight in game.observation(actions_there, renamings.state(p, s)):
            _add(found, tuple(seen), weight)
        if expected != found:
            what = f"observations on entering {s!r}"
            return Race(state, joint_action, p, what, expected, found)
    return None


def _add(law: dict[Any, Fraction], outcome: Any, weight: Fraction) -> None:
    law[outcome] = law.get(outcome, ZERO) + weight


def _in_words(law: dict[Any, Fraction]) -> str:
    return ", ".join(f"{outcome!r} with {weight}" for outcome, weight in law.items())


Simulate: TypeAlias = Callable[
    [State, JointAction, np.random.Generator], tuple[State, Sequence[float]]
]


@dataclass(frozen=True)
class RaceTest(Generic[State]):
    """How far apart renaming before and after a simulated step are.

    Attributes:
        state, joint_action, permutation: As in ``Race``.
        samples: Chi-square, its p-value, and the effect size.
        corrected_p_value: For the number of tests, by Holm's method.
    """

    state: State
    joint_action: JointAction
    permutation: Permutation
    samples: TwoSamples
    corrected_p_value: float


def check_simulator_equivariance(
    simulate: Simulate[State],
    cases: Iterable[tuple[State, JointAction]],
    *,
    relabel: Relabel,
    relabel_action: Relabel | None = None,
    rng: np.random.Generator,
    draws: int = 400,
    level: float = 1e-6,
) -> tuple[RaceTest[State], ...]:
    """Check that a simulator treats its agents alike, by sampling.

    At each case and permutation two samples are compared: steps with agents renamed after, and
    before. Laws are compared and not paths, since a right random order breaks ties by other draws.

    Args:
        simulate: (state, joint action, rng) -> (next state, rewards), all hashable.
        relabel, relabel_action: As in ``find_race``.
        draws: Of each of the two samples.
        level: Probability, about, with which a right simulator fails; all tests together.

    Returns:
        One for each case and permutation.

    Raises:
        LawBroken: With the case furthest apart, its chi-square, p-value and effect size.
        InvalidArgument: If ``draws`` is no whole number of at least 1.

    >>> def lucky_dip(state, joint_action, rng):
    ...     lucky = rng.integers(2)
    ...     return state, tuple(int(agent == lucky) for agent in range(2))
    >>> (test,) = check_simulator_equivariance(
    ...     lucky_dip,
    ...     [("shop", ("dip", "dip"))],
    ...     relabel=lambda permutation, state: state,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> test.samples.degrees
    1
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(needs="at least 1 draw", found=f"got {draws!r}")
    rename_action = relabel_action or unchanged
    found: list[tuple[State, JointAction, Permutation, TwoSamples]] = []
    for state, joint_action in cases:
        for p in permutations(range(len(joint_action))):
            if p == tuple(sorted(p)):
                continue
            after: Counter[Hashable] = Counter()
            before: Counter[Hashable] = Counter()
            renamed = rename_agents(p, [rename_action(p, a) for a in joint_action])
            for _ in range(draws):
                following, rewards = simulate(state, joint_action, rng)
                after[relabel(p, following), rename_agents(p, rewards)] += 1
                following, rewards = simulate(relabel(p, state), renamed, rng)
                before[following, tuple(rewards)] += 1
            found.append((state, joint_action, p, compare_samples(after, before)))
    corrected = holm([samples.p_value for *_, samples in found])
    tests = tuple(RaceTest(*case, p) for case, p in zip(found, corrected, strict=True))
    worst = min(tests, key=lambda test: test.corrected_p_value, default=None)
    if worst is not None and worst.corrected_p_value <= level:
        raise LawBroken(
            needs="agents treated alike",
            found=f"at state {worst.state!r} with actions {worst.joint_action!r}, agents renamed "
            f"{worst.permutation!r}, {draws} steps renamed after and {draws} before differ: "
            f"chi-square {worst.samples.statistic:.1f} with {worst.samples.degrees} degrees "
            f"of freedom, p = {worst.corrected_p_value:.1e} corrected for {len(tests)} tests, "
            f"effect size {worst.samples.effect:.2f} of at most 1",
        )
    return tests
