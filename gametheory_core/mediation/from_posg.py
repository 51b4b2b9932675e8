"""POSGs in which everybody sees the state, as mediated games with naive followers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn, TypeAlias, cast

from gametheory_core.arguments import require_function, require_member
from gametheory_core.arrays import ONE
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.games.rules import POSG, InformationState, PosgPlay, Step
from gametheory_core.games.table_content import Kernel
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import MediatedPlay
from gametheory_core.mediation.policies import MediatedProfile, MediatedWalk
from gametheory_core.mediation.stage_responses import Answer, Joint, Stages, mediated_by, stages_of
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from

Key: TypeAlias = tuple[Any, int, Any]  # state, leader, action
Published: TypeAlias = Mapping[Any, Any] | Callable[[Any, int, Any], Any]
PosgToMediated: TypeAlias = Conversion[POSG, MediatedGame, PolicyProfile, MediatedProfile]


class StateControl(Enum):
    """Whose actions may move the state."""

    LEADER = "the leader's alone"
    EVERYBODY = "everybody's, though followers do not look ahead"


def mediate(
    game: POSG,
    *,
    responses: Published,
    horizon: int | None = None,
    control: StateControl = StateControl.LEADER,
) -> PosgToMediated:
    """Carry a POSG in which everybody sees the state to the mediated game with naive followers.

    Args:
        responses: (state, leader, action) -> joint action of the others, a tuple in the players'
            order, with the leader as a number from 0. No key, or None, says that the player cannot
            lead with the action. ``naive_responses(game)`` computes the map where there is only
            one.
        horizon: Stop after so many steps; needed if the game has no horizon.
        control: ``LEADER``: refuse a step from which the next state depends on the followers, who
            then have no reason but the step's rewards. As anybody may be the leader, the next state
            then depends on nobody's action with which one can lead. ``EVERYBODY``: the next state
            is that after the responses.

    Returns:
        ``target`` is the mediated game. Its profiles and plays go back to the POSG, and keep
        returns and outcomes; profiles of the POSG do not say who leads, and have no image.

    Raises:
        UnsupportedGame: If a follower would rather do something else in this step, or the next
            state depends on followers, or somebody does not see the state, or play has no end; each
            with a witness.
        InvalidArgument: If a response is no joint action of the others, differs when asked twice,
            or is about a step that is never asked for.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.mediation import naive_responses
    >>> sexes = RepeatedGame.of("battle_of_the_sexes", rounds=2, recall=0)
    >>> mediate(sexes, responses=naive_responses(sexes)).target.rewards[0].tolist()
    [Fraction(3, 1), Fraction(2, 1)]
    """
    require_member(control, StateControl, name="control")
    if not isinstance(responses, Mapping):
        remedy = "Give naive_responses(game), a dictionary, or a function of your own."
        require_function(responses, name="responses", remedy=remedy)
    stages = stages_of(game, horizon=horizon)
    answers: dict[Key, tuple[Any, ...]] = {}

    def respond(state: Any, leader: int, action: Any) -> Joint | None:
        answer = _published(responses, state, leader, action)
        if answer is None:
            return None
        joint = _checked_joint(stages, (state, leader, action), answer)
        _refuse_better(stages, (state, leader, action), joint)
        if control is StateControl.LEADER:
            _refuse_followers_control(stages, (state, leader, action), joint)
        answers[state, leader, action] = stages.labels(state, joint)
        return joint

    target = mediated_by(stages, respond)
    if isinstance(responses, Mapping):
        idle = [key for key in cast("Mapping[Any, Any]", responses) if key not in answers]
        if idle:
            raise InvalidArgument(
                needs="responses to steps that play can reach",
                found=f"there is one to {idle[0]!r}",
                remedy="Look for a misspelt label, or leave it out.",
            )
    preserves = frozenset({Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE})
    return Conversion(game, target, LedPlay(stages, target, answers), preserves)


def _published(responses: Published, state: Any, leader: int, action: Any) -> Any:
    if isinstance(responses, Mapping):
        return cast("Mapping[Any, Any]", responses).get((state, leader, action))
    first, again = (responses(state, leader, action) for _ in range(2))
    if first != again:
        raise InvalidArgument(
            needs="one response to each action",
            found=f"responses({state!r}, {leader}, {action!r}) gives {first!r} and then {again!r}",
        )
    return first


def _checked_joint(stages: Stages, key: Key, answer: object) -> Joint:
    """Return the joint action, as positions, after checking that the others can do so."""
    state, leader, action = key
    legal = stages.legal(state)
    others = [i for i in range(len(legal)) if i != leader]
    given = cast("Answer", answer) if isinstance(answer, tuple) else ()
    if len(given) != len(others) or any(
        done not in legal[i] for done, i in zip(given, others, strict=True)
    ):
        raise InvalidArgument(
            needs=f"a tuple of legal actions of the {len(others)} others",
            found=f"where {stages.called(state, leader, action)} the response is {answer!r}",
            remedy=f"Legal are {tuple(legal[i] for i in others)!r}.",
        )
    full = (*given[:leader], action, *given[leader:])
    return tuple(own.index(done) for own, done in zip(legal, full, strict=True))


def _refuse_better(stages: Stages, key: Key, joint: Joint) -> None:
    state, leader, action = key
    gain = stages.better_response(state, leader, joint)
    if gain is None:
        return
    own, name = stages.legal(state)[gain.player], stages.view.game.players[gain.player]
    raise UnsupportedGame(
        needs="responses that nobody would rather change in this step",
        found=f"where {stages.called(state, leader, action)} player {name!r} gets {gain.paid} by "
        f"the response {own[joint[gain.player]]!r} and would get {gain.better} by "
        f"{own[gain.position]!r}",
        remedy="Mend the response, or use naive_responses(game).",
    )


def _refuse_followers_control(stages: Stages, key: Key, joint: Joint) -> None:
    state, leader, action = key
    usual = stages.law(stages.row(state, joint))
    for other in stages.after(state, leader, joint[leader]):
        law = stages.law(stages.row(state, other))
        if law != usual:
            shown = [
                f"{{{', '.join(f'{s!r}: {weight}' for s, weight in chances.items())}}} after "
                f"{stages.labels(state, done)!r}"
                for chances, done in ((usual, joint), (law, other))
            ]
            raise UnsupportedGame(
                needs="next states that depend on the leader's action alone",
                found=f"where {stages.called(state, leader, action)} they are {shown[0]} and "
                f"{shown[1]}",
                remedy="Give control=StateControl.EVERYBODY, if followers do not look ahead.",
            )


@dataclass(frozen=True, eq=False)
class LedPlay:
    """Profiles and plays of the mediated game as what all players of the POSG do.

    Attributes:
        stages: Of the POSG.
        joint_actions: (state, leader, action) -> the joint action.
    """

    stages: Stages
    game: MediatedGame
    joint_actions: Mapping[Key, tuple[Any, ...]]

    def to_target(self, profile: PolicyProfile) -> NoReturn:
        """Refuse: a profile of the POSG does not say who leads.

        Raises:
            InvalidStrategy: Always.
        """
        raise InvalidStrategy(
            needs="a profile of the mediated game",
            found=f"got {profile!r}, which does not say who leads",
            remedy="Only profiles of the mediated game can be carried: to_source.",
        )

    def to_source(self, profile: MediatedProfile) -> PolicyProfile:
        """Let each player do its part, following leaders and returns by the states that it sees.

        Raises:
            InvalidStrategy: If the profile does not fit the mediated game; and from a policy that
                is asked about states which the profile never leads to.
        """
        walk = MediatedWalk(self.game, profile)
        return tuple(self._policy(walk, player) for player in range(self.game.num_players))

    def _policy(self, walk: MediatedWalk, player: int) -> Policy:
        seen = self.stages.view.states_seen(player)

        def act(past: InformationState) -> Distribution[Any]:
            labels = [self.stages.view.game.states[seen[o]] for o in past[::2]]
            return point_mass(self._joint_action(walk, labels)[player])

        return policy_from(act)

    def _joint_action(self, walk: MediatedWalk, labels: list[Any]) -> tuple[Any, ...]:
        """Return what all do in the last of the states that play has come through."""
        game = self.game
        node = walk.histories.start[self._position(game.initial_kernel, 0, labels[0])]
        for t, (label, following) in enumerate(pairwise(labels)):
            leader, action = walk.choice(t, node)
            row = game.row(game.state_index[label], leader, action)
            node = walk.next_node(t, node, self._position(game.transition_kernel, row, following))
        leader, action = walk.choice(len(labels) - 1, node)
        return self.joint_actions[labels[-1], leader, game.actions[leader][action]]

    def _position(self, kernel: Kernel, row: int, label: Any) -> int:
        outcomes = [self.game.states[s] for s in kernel.outcome[kernel.row(row)].tolist()]
        if label not in outcomes:
            raise InvalidStrategy(
                needs="states to which the profile leads",
                found=f"{label!r} is none",
                remedy="Somebody has not done as the profile says.",
            )
        return outcomes.index(label)

    def outcome_to_source(self, outcome: MediatedPlay) -> Distribution[PosgPlay]:
        """Return the distribution of plays of the POSG: what is seen beside the state is drawn."""
        table = self.stages.view.game
        states = (*(step.state for step in outcome.steps), outcome.final_state)
        laws: list[tuple[tuple[Step, ...], Fraction]] = [((), ONE)]
        joint: tuple[Any, ...] = ()
        for t, (step, following) in enumerate(zip(outcome.steps, states[1:], strict=True)):
            seen = (
                table.observation(joint, step.state) if t else table.initial_observation(step.state)
            )
            joint = self.joint_actions[step.state, step.leader, step.action]
            paid = tuple(map(Fraction, table.reward(step.state, joint, following)))
            laws = [
                ((*steps, Step(step.state, signal, joint, paid)), weight * chance)
                for steps, weight in laws
                for signal, chance in seen
            ]
        return Distribution(tuple((PosgPlay(s, outcome.final_state), w) for s, w in laws))
