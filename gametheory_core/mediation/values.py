"""What a mediated game is worth at every node, by the definitions.

With ``h`` the returns so far, the mediator's *full* value of letting ``j`` lead is what everybody
will have in the end, and its *truncated* value is what is still to come::

    Q(t, s, h, j)    = h + discount^t * Qhat(t, s, h, j)
    Qhat(t, s, h, j) = E[ r + discount * Qhat(t + 1, s', h', j') ],   j' the next leader

so that a mediator that learns ``Qhat`` acts by the fairness of ``h + discount^t * Qhat``. Without
the power of the discount it would weigh past and future anew at each step.

The plays of a profile, each with its exact probability, pay on average what the recursion says.

The recursion behind the values of a mediated game: from the last step back, exactly.

In integers, each step over one denominator of its own, and for all nodes of a step at once: in
rationals, node by node, certifying took several times as long.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ZERO
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, LawBroken, UnsupportedGame
from gametheory_core.mediation.fairness import (
    MINIMUM,
    EndRule,
    Fairness,
    MediatorStage,
    Vector,
    check_fairness,
    end_transfers,
    fairness_value,
    require_known_ends,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    MOST_INT64,
    Integers,
    MediatedHistories,
    MediatedPlay,
    MediatedStep,
    Memory,
    mediated_histories,
    node_map,
)
from gametheory_core.mediation.policies import (
    MediatedProfile,
    MediatedWalk,
    check_mediated_profile,
    random_mediated_profile,
)

LeaderValues: TypeAlias = tuple[tuple[tuple[Vector, ...], ...], ...]  # [step][node][leader]
Transfers: TypeAlias = list[dict[tuple[int, int, int], Vector]]  # [step][node, leader, action]
Indices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Choose: TypeAlias = Callable[[int, Integers], tuple[Indices, Indices]]


@dataclass(frozen=True)
class MediatorIncentives:
    """What the mediator is after, and by which means it moves the agents.

    Attributes:
        end_rule: In force at stage ``FULL`` alone.
    """

    fairness: Fairness = MINIMUM
    stage: MediatorStage = MediatorStage.FULL
    end_rule: EndRule = EndRule.HISTORY_IDEAL


@dataclass(frozen=True)
class ProfileNodes:
    """A profile that fits its game, over the nodes that its mediator tells apart."""

    game: MediatedGame
    profile: MediatedProfile
    histories: MediatedHistories
    agent_nodes: "list[np.ndarray[tuple[int], np.dtype[np.int64]]]"

    @property
    def num_steps(self) -> int:
        """Number of layers."""
        return len(self.histories.layers)

    def num_nodes(self, step: int) -> int:
        """Return the number of nodes of a layer."""
        return self.histories.layers[step].num_nodes

    def state(self, step: int, node: int) -> int:
        """Return the state of a node."""
        return int(self.histories.layers[step].states[node])

    def leaders(self, step: int) -> Indices:
        """Return who is picked at each node of a step."""
        return np.array(self.profile.leaders[step], dtype=np.int64)

    def actions(self, step: int) -> Indices:
        """Return what each agent does if it leads, a row for each node of a step."""
        rows = np.array(self.profile.actions[step], dtype=np.int64)
        return rows[self.agent_nodes[step]]


@dataclass(frozen=True, eq=False)
class ActionValues:
    """What everybody gets from the nodes of one step on.

    Attributes:
        values (nodes, leaders, actions, players): int64 if all fit, else Python integers; zero
            where an action is not legal.
        unit: Of which value 1 is one part.
    """

    values: Integers
    unit: int

    def vector(self, numerators: Sequence[int]) -> Vector:
        """Return numbers of these as rationals."""
        return tuple(Fraction(number, self.unit) for number in numerators)


def profile_nodes(game: MediatedGame, profile: MediatedProfile) -> ProfileNodes:
    """Check a profile and lay it over its nodes.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
    """
    check_mediated_profile(game, profile)
    histories = mediated_histories(game, memory=profile.mediator)
    return ProfileNodes(game, profile, histories, node_map(histories, profile.agents))


def transfers_of(nodes: ProfileNodes, incentives: MediatorIncentives | None) -> Transfers:
    """Return what moves among the agents after each step; nothing without a full mediator."""
    found: Transfers = [{} for _ in nodes.histories.layers]
    game = nodes.game
    if incentives is None or incentives.stage is not MediatorStage.FULL:
        return found
    check_fairness(incentives.fairness, game.num_players)
    require_known_ends(game, rule=incentives.end_rule)
    for step, layer in enumerate(nodes.histories.layers):
        is_last = (layer.row >= 0) & (layer.child < 0).all(axis=3)
        for node, leader in np.argwhere(is_last.any(axis=2)).tolist():
            moved = end_transfers(
                game,
                fairness=incentives.fairness,
                rule=incentives.end_rule,
                step=step,
                state=nodes.state(step, node),
                returns=nodes.histories.returns(step, node),
                leader=leader,
            )
            paid = ((action, vector) for action, vector in moved.items() if any(vector))
            found[step].update(((node, leader, action), vector) for action, vector in paid)
    return found


def action_values(nodes: ProfileNodes, transfers: Transfers, choose: Choose) -> list[ActionValues]:
    """Return what everybody gets from each node on, by leader and action there.

    Args:
        transfers: Counted.
        choose: Of a step and its values; which leader and which action are taken at each node.

    A step's unit is a multiple of the next one's and of all denominators that it adds, so that
    nothing is rounded: rewards are over ``D``, chances over ``W`` and transfers over ``D * P``, so
    that the unit ``m`` steps before the end is ``D * P * (W * discount denominator)^m``.
    """
    game, layers = nodes.game, nodes.histories.layers
    rewards, law = game.scaled_rewards, game.transition_kernel.scaled
    paid = [part for step in transfers for vector in step.values() for part in vector]
    extra = lcm(*(part.denominator for part in paid))
    grow = law.denominator * game.discount.denominator
    unit = rewards.denominator * extra
    largest = max((abs(r) for r in rewards.numerators.ravel().tolist()), default=0) * extra
    largest += max((abs(part) for part in paid), default=ZERO) * unit
    fits = len(layers) * largest * grow ** max(0, len(layers) - 1) < MOST_INT64
    numbers = _Numbers(np.int64 if fits else object, extra, game.discount.numerator, unit)
    chances = _padded_chances(game, numbers.kind)
    found: list[ActionValues] = []
    after = np.zeros((0, game.num_players), dtype=numbers.kind)
    scale = 1  # of the step's unit to that of the last
    for step in reversed(range(len(layers))):
        values = _with_later(nodes, step, after, chances, numbers, scale)
        for place, vector in transfers[step].items():
            values[place] += [int(part * unit) * scale for part in vector]
        found.append(ActionValues(values, unit * scale))
        leader, action = choose(step, values)
        after = values[np.arange(len(values)), leader, action]
        scale *= grow
    return found[::-1]


@dataclass(frozen=True)
class _Numbers:
    """How values are written: their type, and the factors of rewards and of what follows."""

    kind: type
    extra: int
    discount: int
    unit: int


def _padded_chances(game: MediatedGame, kind: type) -> Integers:
    """Return the chance of each outcome of each row, as integers, 0 where there is none."""
    kernel = game.transition_kernel
    sizes = kernel.sizes
    chances = np.zeros((len(sizes), max(sizes.tolist(), default=1)), dtype=kind)
    chances[np.arange(chances.shape[1]) < sizes[:, None]] = kernel.scaled.numerators
    return chances


def _with_later(
    nodes: ProfileNodes,
    step: int,
    after: Integers,
    chances: Integers,
    numbers: _Numbers,
    scale: int,
) -> Integers:
    """Return the rewards of a step and what follows, by node, leader, action and player."""
    layer = nodes.histories.layers[step]
    rewards = (nodes.game.scaled_rewards.numerators * (numbers.extra * scale)).astype(numbers.kind)
    values = rewards[layer.row]
    values[layer.row < 0] = 0
    for outcome in range(layer.child.shape[3]):
        child = layer.child[..., outcome]
        goes_on = child >= 0
        factor = chances[layer.row[goes_on], outcome] * numbers.discount
        values[goes_on] += factor[:, None] * after[child[goes_on]]
    return values


def profile_values(nodes: ProfileNodes, transfers: Transfers) -> list[ActionValues]:
    """Return what everybody gets by leader and action at each node, by the profile later on."""

    def choose(step: int, _values: Integers) -> tuple[Indices, Indices]:
        leader = nodes.leaders(step)
        return leader, nodes.actions(step)[np.arange(len(leader)), leader]

    return action_values(nodes, transfers, choose)


def kept_values(nodes: ProfileNodes, step: int, values: Integers) -> Integers:
    """Return what everybody gets for each leader at each node of a step, by its own action."""
    actions = nodes.actions(step)
    count, players = actions.shape
    return values[np.arange(count)[:, None], np.arange(players)[None, :], actions]


def leader_values(nodes: ProfileNodes, transfers: Transfers) -> LeaderValues:
    """Return what everybody gets for each leader picked at each node, by the profile later on."""
    return tuple(
        tuple(
            tuple(own.vector(vector) for vector in by_leader)
            for by_leader in kept_values(nodes, step, own.values).tolist()
        )
        for step, own in enumerate(profile_values(nodes, transfers))
    )


def start_values(nodes: ProfileNodes, values: list[ActionValues]) -> list[tuple[Fraction, Vector]]:
    """Return the chance of each first state, and what everybody gets from there on."""
    nothing = (ZERO,) * nodes.game.num_players
    first: list[Vector] = []
    if values:
        leader = nodes.leaders(0)
        own = kept_values(nodes, 0, values[0].values)[np.arange(len(leader)), leader]
        first = [values[0].vector(vector) for vector in own.tolist()]
    weights = nodes.game.initial_kernel.weight.tolist()
    return [
        (weight, first[node] if node >= 0 else nothing)
        for weight, node in zip(weights, nodes.histories.start, strict=True)
    ]


def with_past(past: Vector, weight: Fraction, later: Vector) -> Vector:
    """Return the returns of all steps: those so far, and the discounted ones to come."""
    return tuple(h + weight * q for h, q in zip(past, later, strict=True))


def truncated_values(game: MediatedGame, profile: MediatedProfile) -> LeaderValues:
    """Return what each player will still get for each leader picked, at each mediator's node.

    Args:
        profile: Agents' actions, and who leads later on.

    Returns:
        ``[step][node][leader]``, a tuple with a value for each player, in rewards of that step.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> all_straight = MediatedProfile(actions=(((0, 0),),), leaders=((0,),))
    >>> by_leader = truncated_values(mediated_chicken(rounds=1), all_straight)[0][0]
    >>> [tuple(map(str, values)) for values in by_leader]
    [('7', '2'), ('2', '7')]
    """
    nodes = profile_nodes(game, profile)
    return leader_values(nodes, transfers_of(nodes, None))


def full_values(game: MediatedGame, profile: MediatedProfile) -> LeaderValues:
    """Return what each player will have in the end for each leader picked, at each node.

    Args:
        profile: With a mediator that remembers returns.

    Returns:
        ``[step][node][leader]``, a tuple with a value for each player, discounted to step 0.

    Raises:
        InvalidArgument: If the mediator does not know the returns so far.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> swerve_then_brake = MediatedProfile(
    ...     actions=(((1, 1),), ((2, 2),) * 3), leaders=((0,), (0, 0, 0))
    ... )
    >>> by_leader = full_values(mediated_chicken(rounds=2), swerve_then_brake)[1][0]
    >>> [tuple(map(str, values)) for values in by_leader]  # after returns (2, 7)
    [('8', '13'), ('8', '13')]
    """
    truncated = truncated_values(game, profile)
    if profile.mediator is not Memory.HISTORY:
        raise InvalidArgument(
            needs="a mediator that remembers returns",
            found="it knows the step alone",
            remedy="Use truncated_values.",
        )
    histories = mediated_histories(game)
    return tuple(
        tuple(
            tuple(
                with_past(histories.returns(step, node), game.discount**step, later)
                for later in leaders
            )
            for node, leaders in enumerate(layer)
        )
        for step, layer in enumerate(truncated)
    )


def mediated_returns(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives | None = None
) -> Vector:
    """Return what each player expects from the start.

    Args:
        incentives: Whose transfers to count as well. Default: the game's own rewards alone.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> all_straight = MediatedProfile(actions=(((0, 0),),), leaders=((0,),))
    >>> game = mediated_chicken(rounds=1)
    >>> [str(paid) for paid in mediated_returns(game, all_straight)]
    ['7', '2']
    >>> fined = mediated_returns(game, all_straight, incentives=MediatorIncentives())
    >>> [str(paid) for paid in fined]
    ['2', '7']
    """
    nodes = profile_nodes(game, profile)
    starts = start_values(nodes, profile_values(nodes, transfers_of(nodes, incentives)))
    return tuple(
        sum((weight * returns[i] for weight, returns in starts), ZERO)
        for i in range(game.num_players)
    )


def mediated_fairness(game: MediatedGame, profile: MediatedProfile, fairness: Fairness) -> Fraction:
    """Return how fair the returns of a profile are, expected over the first states.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.

    Where next states are drawn, this is the fairness of expected returns from each first state: a
    distribution that treats everybody equally may treat nobody so.

    >>> from gametheory_core.mediation import MINIMUM, mediated_chicken
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> str(mediated_fairness(mediated_chicken(rounds=1), all_brake, MINIMUM))
    '6'
    """
    nodes = profile_nodes(game, profile)
    starts = start_values(nodes, profile_values(nodes, transfers_of(nodes, None)))
    return sum((weight * fairness_value(fairness, returns) for weight, returns in starts), ZERO)


MAX_PLAYS = 200_000


class _Branch(NamedTuple):
    weight: Fraction
    state: int
    node: int
    steps: tuple[MediatedStep, ...]


def mediated_trajectories(
    game: MediatedGame, profile: MediatedProfile, *, max_plays: int = MAX_PLAYS
) -> Distribution[MediatedPlay]:
    """Return the distribution of plays: states, leaders, actions and rewards, by labels.

    Args:
        max_plays: The largest number of different plays to follow.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If there are more than ``max_plays`` plays.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> brakes = MediatedProfile(actions=(((2, 2),),), leaders=((1,),))
    >>> [(play, _)] = mediated_trajectories(mediated_chicken(rounds=1), brakes)
    >>> play.steps[0].leader, play.steps[0].action
    (1, 'brake')
    """
    require_integer(max_plays, name="max_plays", low=1)
    walk = MediatedWalk(game, profile)
    first = zip(game.initial_kernel.outcome.tolist(), walk.histories.start, strict=True)
    weights = game.initial_kernel.weight.tolist()
    branches = [
        _Branch(weight, state, node, ())
        for (state, node), weight in zip(first, weights, strict=True)
    ]
    for t in range(game.horizon):
        branches = [after for branch in branches for after in _followed(walk, t, branch)]
        if len(branches) > max_plays:
            raise UnsupportedGame(
                needs=f"at most max_plays = {max_plays:,} plays",
                found=f"there are {len(branches):,} after {t + 1} steps",
                remedy="Shorten the horizon, or raise it.",
            )
    return Distribution(
        tuple((MediatedPlay(b.steps, game.states[b.state]), b.weight) for b in branches)
    )


def _followed(walk: MediatedWalk, step: int, branch: _Branch) -> Iterator[_Branch]:
    if branch.node < 0:
        yield branch
        return
    game = walk.histories.game
    leader, action = walk.choice(step, branch.node)
    row = game.row(branch.state, leader, action)
    taken = MediatedStep(
        game.states[branch.state],
        leader,
        game.actions[leader][action],
        tuple(game.rewards[row].tolist()),
    )
    entries = game.transition_kernel.row(row)
    after = game.transition_kernel.outcome[entries].tolist()
    weights = game.transition_kernel.weight[entries].tolist()
    for position, (state, weight) in enumerate(zip(after, weights, strict=True)):
        node = walk.next_node(step, branch.node, position)
        yield _Branch(branch.weight * weight, state, node, (*branch.steps, taken))


def check_mediated(game: MediatedGame, *, rng: np.random.Generator, num_profiles: int = 3) -> None:
    """Check exactly, on random profiles, that returns of plays are those of the recursion.

    Raises:
        LawBroken: With the profile and both returns.
        UnsupportedGame: If the game has too many nodes or plays to list.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> check_mediated(mediated_chicken(rounds=2), rng=np.random.default_rng(0))
    """
    for _ in range(num_profiles):
        profile = random_mediated_profile(game, rng=rng)
        paid, values = _returns_of_plays(game, profile), mediated_returns(game, profile)
        if paid != values:
            raise LawBroken(
                found=f"{game!r} must pay what its values say, but plays pay "
                f"({', '.join(map(str, paid))}) and values are ({', '.join(map(str, values))}) "
                f"for {profile!r}",
                where="check_mediated",
            )


def _returns_of_plays(game: MediatedGame, profile: MediatedProfile) -> tuple[Fraction, ...]:
    totals = [ZERO] * game.num_players
    for play, weight in mediated_trajectories(game, profile):
        for t, step in enumerate(play.steps):
            share = weight * game.discount**t
            totals = [u + share * r for u, r in zip(totals, step.rewards, strict=True)]
    return tuple(totals)
