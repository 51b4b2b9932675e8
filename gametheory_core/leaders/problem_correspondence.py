"""How leader policies and plays travel between a game and its leader's problem."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.information_states import InformationState
from gametheory_core.games.rules import POSG, PosgPlay, Step
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    LeaderPolicy,
    StochasticLeader,
    check_leader_policy,
)
from gametheory_core.leaders.policy_forms import to_policy
from gametheory_core.leaders.query_oracle import QueryDisplay
from gametheory_core.leaders.view import LeaderView
from gametheory_core.strategies.policies import (
    Policy,
    PolicyProfile,
    action_lottery,
    check_profile_length,
)

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
