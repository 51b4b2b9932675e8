"""Policies of leaders and followers in other forms: as text, as policies, in the leader's problem.

A deterministic leader is written as one digit for each observation, such as 10101. As policies of
the POSG, leaders and followers are keyed by information state.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.rules import POSG, InformationState, PosgPlay, Step, last_observation
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    LeaderPolicy,
    MemoizedLeader,
    PlannedFollower,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
    check_follower_policy,
    check_leader_policy,
)
from gametheory_core.leaders.query_oracle import QueryDisplay
from gametheory_core.leaders.view import LeaderView
from gametheory_core.strategies.policies import (
    Policy,
    PolicyProfile,
    action_lottery,
    check_profile_length,
    policy_from,
    reactive,
)

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
IDLE = "-"


def leader_to_text(view: LeaderView, policy: LeaderPolicy) -> str:
    """Write a policy as the numbers of its actions, in the order of the leader's observations.

    A digit is the number of the action among ``game.actions[leader]``, after 9 follow letters; a
    dash stands where the leader never acts.

    Raises:
        InvalidStrategy: If the policy does not fit, or is not deterministic.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_to_text(view, DeterministicLeader((1, 0, 1, 0, 1)))
    '10101'
    """
    _require_few_actions(view, "leader_to_text")
    check_leader_policy(view, policy)
    if not isinstance(policy, DeterministicLeader):
        raise InvalidStrategy(
            needs="a deterministic policy: a text has no place for lotteries",
            found=f"got a {type(policy).__name__}",
        )
    return "".join(IDLE if action < 0 else DIGITS[action] for action in policy.actions)


def leader_from_text(view: LeaderView, text: str) -> DeterministicLeader:
    """Read a policy that ``leader_to_text`` wrote.

    Args:
        text: A digit or letter for each observation, a dash where the leader never acts.

    Raises:
        InvalidArgument: If it is no text.
        InvalidStrategy: If the text has another length, or an action that is not legal; names the
            observation.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_from_text(view, "10101").actions
    (1, 0, 1, 0, 1)
    """
    require_instance(text, str, name="text", remedy='Put digits in quotes: "10".')
    _require_few_actions(view, "leader_from_text")
    seen = view.game.observations[view.leader]
    if len(text) != len(seen):
        raise InvalidStrategy(
            needs=f"one digit for each of {len(seen)} observations, {', '.join(map(repr, seen))}",
            found=f"got {text!r}",
        )
    actions: list[int] = []
    for o, digit in enumerate(text):
        legal = view.leader_actions(o)
        allowed = "".join(DIGITS[a] for a in legal) or IDLE
        if digit not in allowed:
            raise InvalidStrategy(
                needs=f"one of {', '.join(allowed)} for observation {seen[o]!r}",
                found=f"got {digit!r} in {text!r}",
            )
        actions.append(DIGITS.index(digit) if legal else -1)
    return DeterministicLeader(tuple(actions))


def _require_few_actions(view: LeaderView, owner: str) -> None:
    count = len(view.game.actions[view.leader])
    if count > len(DIGITS):
        raise UnsupportedGame(
            needs=f"at most {len(DIGITS)} actions",
            found=f"the leader has {count}",
            remedy="Write the policy by labels with leader_policy(view, ...).",
            where=owner,
        )


def to_policy(view: LeaderView, policy: LeaderPolicy | FollowerPolicy) -> Policy:
    """Return a leader's or a follower's policy as a policy of the POSG.

    A ``MemoizedLeader`` becomes the behavior in which the draw is the likelier the better it fits
    its own past. A ``TimedFollower`` becomes one that counts steps; what the follower sees must
    tell apart the states in which she acts differently.

    Args:
        policy: Any of those in ``strategies.leader_policies``.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If a ``TimedFollower`` needs more than the follower sees, with the states;
            or if it is a ``PlannedFollower``, who knows what no player sees.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> to_policy(view, DeterministicLeader((1, -1, -1, -1, -1)))[((),)].items
    (('straight', Fraction(1, 1)),)
    """
    if isinstance(policy, DeterministicLeader | StochasticLeader | MemoizedLeader):
        check_leader_policy(view, policy)
        if isinstance(policy, MemoizedLeader):
            return _memoized(view, policy)
        actions = policy.actions if isinstance(policy, DeterministicLeader) else policy.lotteries
        return _reactive(view, view.leader, actions)
    check_follower_policy(view, policy)
    if isinstance(policy, PlannedFollower):
        raise UnsupportedGame(
            needs="a policy that depends on what the follower sees",
            found="a PlannedFollower also knows the leader's plan",
            remedy="Take one of its policies.",
        )
    if isinstance(policy, StationaryFollower):
        return _reactive(view, view.follower, policy.actions)
    return _timed(view, policy)


def _law(labels: tuple[Hashable, ...], choice: int | tuple[Fraction, ...]) -> Distribution[Any]:
    if isinstance(choice, int):
        return point_mass(labels[choice])
    return Distribution(tuple((a, w) for a, w in zip(labels, choice, strict=True) if w))


def _reactive(view: LeaderView, player: int, choices: tuple[Any, ...]) -> Policy:
    seen, labels = view.game.observations[player], view.game.actions[player]
    acts = [choice not in (-1, ()) for choice in choices]
    rows = zip(seen, choices, acts, strict=True)
    return reactive({o: _law(labels, choice) for o, choice, act in rows if act})


def _memoized(view: LeaderView, policy: MemoizedLeader) -> Policy:
    labels = view.game.actions[view.leader]
    number = {o: k for k, o in enumerate(view.game.observations[view.leader])}

    def act(known: InformationState) -> Distribution[Any]:
        """Draw among the plans that would have done what was done; of none, the first plan."""
        done = list(zip(known[0:-1:2], known[1::2], strict=True))
        now = number[last_observation(known)]
        weights: dict[Hashable, Fraction] = {}
        for plan, weight in zip(policy.plans, policy.weights, strict=True):
            if all(labels[plan.actions[number[o]]] == a for o, a in done):
                action = labels[plan.actions[now]]
                weights[action] = weights.get(action, ZERO) + weight
        if not weights:
            return point_mass(labels[policy.plans[0].actions[now]])
        total = sum(weights.values(), ZERO)
        return Distribution(tuple((a, w / total) for a, w in weights.items()))

    return policy_from(act)


def _timed(view: LeaderView, policy: TimedFollower) -> Policy:
    seen = view.follower_observation
    labels, observations = (view.game.actions[view.follower], view.game.observations[view.follower])
    table: list[dict[Hashable, Hashable]] = []
    for step, actions in enumerate(policy.actions):
        states = view.reachable(step).nonzero()[0].tolist()
        first: dict[int, int] = {}
        for state in states:
            known = first.setdefault(int(seen[state]), state)
            if actions[known] != actions[state]:
                raise UnsupportedGame(
                    needs="a follower who sees the states apart in which she acts differently",
                    found=f"at step {step} she sees {observations[seen[state]]!r} in both "
                    f"{view.game.states[known]!r} and {view.game.states[state]!r}",
                    remedy="Show her the state, or take FollowerClass.STATIONARY.",
                )
        table.append({observations[o]: labels[actions[state]] for o, state in first.items()})

    def act(known: InformationState) -> Distribution[Any]:
        return point_mass(table[len(known) // 2][last_observation(known)])

    return policy_from(act)


MAX_PASTS = 100_000


@dataclass(frozen=True)
class CarriedLeader:
    """A leader policy at work in the leader's problem: it answers as it would play.

    Attributes:
        display: What is shown beside observations, to be overlooked.
    """

    view: LeaderView
    policy: LeaderPolicy
    display: QueryDisplay

    @cached_property
    def _plays(self) -> Policy:
        return to_policy(self.view, self.policy)

    def __getitem__(self, information_state: InformationState, /) -> Distribution[Any]:
        """Return the distribution of the next action."""
        return self._plays[overlooked(information_state, self.display)]


@dataclass(frozen=True)
class LeaderProblemWays:
    """The correspondence of ``leader_problem``."""

    view: LeaderView
    problem: POSG
    display: QueryDisplay

    def to_target(self, profile: LeaderPolicy) -> PolicyProfile:
        """Return the policy that answers queries as the leader would play.

        A ``StochasticLeader`` draws afresh at each query and each use, so that its answers need not
        be what it plays; a ``MemoizedLeader`` keeps to what it drew.

        Raises:
            InvalidStrategy: If it is no leader policy of the game.
        """
        check_leader_policy(self.view, profile)
        return (CarriedLeader(self.view, profile, self.display),)

    def to_source(self, profile: PolicyProfile) -> LeaderPolicy:
        """Return the leader policy that a memoryless policy of the problem stands for.

        Where the policy never acts, the first legal action stands. What ``to_target`` made goes
        back to what it was made of, a ``MemoizedLeader`` too.

        Raises:
            InvalidStrategy: If the policy plays otherwise after equal observations; names two
                pasts.
            UnsupportedGame: If there are too many pasts to look at.
        """
        check_profile_length(self.problem.players, profile, owner="leader_problem")
        (policy,) = profile
        if isinstance(policy, CarriedLeader) and policy.view == self.view:
            return policy.policy
        found = self._lotteries(policy)
        game, leader = self.view.game, self.view.leader
        lotteries: list[tuple[Fraction, ...]] = []
        for o, label in enumerate(game.observations[leader]):
            legal = self.view.leader_actions(o)
            law = found.get(label) or (
                point_mass(game.actions[leader][legal[0]]) if legal else None
            )
            lotteries.append(tuple(law[a] for a in game.actions[leader]) if law and legal else ())
        if all(not own or max(own) == ONE for own in lotteries):
            return DeterministicLeader(tuple(own.index(ONE) if own else -1 for own in lotteries))
        return StochasticLeader(tuple(lotteries))

    def outcome_to_source(self, outcome: PosgPlay) -> Distribution[PosgPlay]:
        """Return the play of the game that follows the queries."""
        steps = tuple(
            self._step(step, following)
            for step, following in zip(
                outcome.steps,
                (*(s.state for s in outcome.steps[1:]), outcome.final_state),
                strict=True,
            )
            if step.state[0] == "play"
        )
        return point_mass(PosgPlay(steps, outcome.final_state[3]))

    def _step(self, step: Step, following: Any) -> Step:
        game = self.view.game
        place, after = step.state[3], following[3]
        number = game.state_index[place]
        joint = cast("Any", self.problem).joint_action(step.state, step.actions[0])
        own = (self.view.leader_observation[number], self.view.follower_observation[number])
        ordered = own if self.view.leader == 0 else own[::-1]
        observations = tuple(
            labels[int(o)] for labels, o in zip(game.observations, ordered, strict=True)
        )
        rewards = tuple(map(Fraction, game.reward(place, joint, after)))
        return Step(place, observations, joint, rewards)

    def _lotteries(self, policy: Policy) -> dict[Any, Distribution[Any]]:
        """Follow the policy wherever chance leads, and collect what it does by observation."""
        found: dict[Any, tuple[dict[Any, Fraction], InformationState]] = {}
        game = self.problem
        frontier = {
            (state, seen): None
            for state, _ in game.initial()
            if not game.is_terminal(state)
            for seen, _ in game.initial_observation(state)
        }
        met = 0
        while frontier:  # all pasts of one length
            met += len(frontier)
            if met > MAX_PASTS:
                raise UnsupportedGame(
                    needs=f"a policy with at most {MAX_PASTS:,} pasts to be read as a leader "
                    "policy",
                    found="there are more",
                    remedy="Give the leader policy itself.",
                )
            following: dict[Any, None] = {}
            for state, past in frontier:
                law = action_lottery(game, 0, policy, past)
                label = overlooked(past[-1:], self.display)[0]
                # one choice for each observation, whatever came before it
                known = found.setdefault(label, (dict(law), past))
                if known[0] != dict(law):
                    raise InvalidStrategy(
                        needs="a policy without memory",
                        found=f"after {label!r} it plays {_shares(known[0])} in {known[1]!r} and "
                        f"{_shares(dict(law))} in {past!r}",
                        remedy="Policies with memory have no leader policy to go back to.",
                    )
                for action, _ in law:
                    for after, _ in game.transition(state, (action,)):
                        if not game.is_terminal(after):
                            for (seen,), _ in game.observation((action,), after):
                                following[after, (*past, action, seen)] = None
            frontier = following
        return {label: Distribution(tuple(law.items())) for label, (law, _) in found.items()}


def overlooked(information_state: InformationState, display: QueryDisplay) -> InformationState:
    """Return an information state without what is shown beside observations."""
    if display is QueryDisplay.AS_PLAY:
        return information_state
    return tuple(x if k % 2 else x[1] for k, x in enumerate(information_state))


def _shares(law: dict[Any, Fraction]) -> str:
    return ", ".join(f"{action!r} with {weight}" for action, weight in law.items())
