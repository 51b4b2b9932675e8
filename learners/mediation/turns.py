"""A mediated game as an agent-environment-cycle game, in which the mediator is one more player.

A step is three moves: chance draws the state, the mediator picks, the leader acts and everybody is
paid. So what learners of mediated games hold are policies like any others, and the core's
expectation over plays checks their returns by a way of its own. What was learned is judged by how
fair it is, and by what agents would gain by leading otherwise.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.distributions import Distribution, distribution, point_mass
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.rules import InformationState, Rewards, last_observation
from gametheory_core.mediation.certificate import (
    MediatedCertificate,
    best_leading_value,
    certify_mediated,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import MediatedHistories, Memory, mediated_histories
from gametheory_core.mediation.policies import MediatedProfile, Tables, check_mediated_profile
from gametheory_core.mediation.values import MediatorIncentives, mediated_fairness, mediated_returns
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners._kernels.play import CHANCE
from learners.findings import Appraisal, Finding, Standing, by_player
from learners.protocol import Judge

MEDIATOR = "mediator"
NOBODY = -1
NOT_ACTED = -1
NOT_BEGUN = -2


@dataclass(frozen=True)
class Moment:
    """Where play of a mediated game stands.

    Attributes:
        state: Label; before chance has drawn the first one, None (which may be a label, too).
        returns: Collected before this step, discounted to step 0.
        leader: Who has been picked for this step; ``NOBODY`` before.
        row: Of the game, if the leader has acted; ``NOT_ACTED`` before, ``NOT_BEGUN`` before chance
            has drawn the first state.
    """

    step: int
    state: Hashable
    returns: tuple[Fraction, ...]
    leader: int = NOBODY
    row: int = NOT_ACTED


Seen: TypeAlias = tuple[int, Hashable, tuple[Fraction, ...]]  # step, state, returns so far


@dataclass(frozen=True)
class MediatedTurns:
    """The rules, for any mediated game; the mediator is the last player, and is paid nothing.

    Whoever moves sees the step, the state and the returns so far. What a mediator is
    after, fairness of returns, is no sum of rewards.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> MediatedTurns(mediated_chicken()).players
    ('Player 1', 'Player 2', 'mediator')
    """

    game: MediatedGame

    @property
    def title(self) -> str:
        """For people."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """The agents, then the mediator."""
        return (*self.game.players, MEDIATOR)

    @property
    def discount(self) -> Fraction:
        """That of the mediated game: a step has one move of chance."""
        return self.game.discount

    @property
    def horizon(self) -> int | None:
        """Three moves a step."""
        return 3 * self.game.horizon

    @property
    def initial_state(self) -> Moment:
        """Nothing drawn, nothing paid."""
        return Moment(0, None, (ZERO,) * self.game.num_players, row=NOT_BEGUN)

    def observation(self, player: int, state: Moment) -> Distribution[Seen]:
        """Show the step, the state and the returns so far."""
        del player
        return point_mass((state.step, state.state, state.returns))

    def legal_actions(self, player: int, observation: Seen) -> tuple[Any, ...]:
        """Players to pick, by label, for the mediator; what an agent may do as the leader."""
        game = self.game
        if player == game.num_players:
            return game.players
        labels = game.actions[player]
        return tuple(labels[a] for a in game.legal(game.state_index[observation[1]], player))

    def is_terminal(self, state: Moment) -> bool:
        """Tell whether play has ended: by the horizon, or in a state without rows."""
        return state.step == self.game.horizon or (
            state.row == NOT_ACTED and self.game.is_terminal(self.game.state_index[state.state])
        )

    def move(self, player: int, state: Moment, action: Any) -> Moment:
        """Remember who was picked, or what the leader did and paid."""
        game, step = self.game, state.step
        if player == game.num_players:
            return Moment(step, state.state, state.returns, game.players.index(action))
        number = game.actions[player].index(action)
        row = game.row(game.state_index[state.state], player, number)
        paid = game.rewards[row].tolist()
        weight = game.discount**step
        returns = tuple(h + weight * r for h, r in zip(state.returns, paid, strict=True))
        return Moment(step + 1, state.state, returns, player, row)

    def chance(self, state: Moment) -> Distribution[Moment]:
        """Draw the first state, or the next one."""
        kernel, row = self.game.initial_kernel, 0
        if state.row >= 0:
            kernel, row = self.game.transition_kernel, state.row
        places = kernel.row(row)
        weights = zip(kernel.outcome[places].tolist(), kernel.weight[places].tolist(), strict=True)
        return distribution(
            {
                Moment(state.step, self.game.states[number], state.returns): weight
                for number, weight in weights
            }
        )

    def reward(
        self, state: Moment, mover: int, action: Any, next_state: Moment
    ) -> Distribution[Rewards]:
        """Pay for what the leader does."""
        del state, action
        if mover in (CHANCE, self.game.num_players):
            return point_mass((0,) * (self.game.num_players + 1))
        return point_mass((*self.game.rewards[next_state.row].tolist(), 0))

    def next_player(
        self, state: Moment, mover: int, action: Any, next_state: Moment
    ) -> Distribution[int]:
        """Let chance, the mediator and the leader follow each other."""
        del state, action
        if mover == CHANCE:
            return point_mass(self.game.num_players)
        return point_mass(next_state.leader if mover == self.game.num_players else CHANCE)


def profile_policies(game: MediatedGame, profile: MediatedProfile) -> PolicyProfile:
    """Return a profile as policies of ``MediatedTurns(game)``: the agents', then the mediator's.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> from gametheory_core import expected_returns
    >>> all_straight = MediatedProfile(actions=(((0, 0),),), leaders=((1,),))
    >>> game = mediated_chicken(rounds=1)
    >>> policies = profile_policies(game, all_straight)
    >>> [str(paid) for paid in expected_returns(MediatedTurns(game), policies)]
    ['2', '7', '0']
    """
    check_mediated_profile(game, profile)

    def picked(step: int, node: int) -> Distribution[str]:
        return point_mass(game.players[profile.leaders[step][node]])

    return turn_policies(
        game, profile.actions, picked, agents=profile.agents, mediator=profile.mediator
    )


def turn_policies(
    game: MediatedGame,
    actions: Tables,
    picked: Callable[[int, int], Distribution[str]],
    *,
    agents: Memory,
    mediator: Memory,
) -> PolicyProfile:
    """Return policies of ``MediatedTurns(game)`` for given actions and a distribution of picks.

    Args:
        actions: ``actions[step][node][agent]``.
        picked: Step and node of the mediator -> distribution of the player picked, by label.
        agents, mediator: Whose nodes are meant.
    """
    led = _Places(mediated_histories(game, memory=agents))
    places = _Places(mediated_histories(game, memory=mediator))

    def leading(agent: int) -> Policy:
        def act(information_state: InformationState) -> Distribution[Any]:
            step, node = led.of(last_observation(information_state))
            return point_mass(game.actions[agent][actions[step][node][agent]])

        return policy_from(act)

    def pick(information_state: InformationState) -> Distribution[Any]:
        return picked(*places.of(last_observation(information_state)))

    return (*(leading(agent) for agent in range(game.num_players)), policy_from(pick))


class _Places:
    """Where a policy has its entry for what is seen."""

    def __init__(self, histories: MediatedHistories) -> None:
        self._remembers = histories.memory is Memory.HISTORY
        self._state_index = histories.game.state_index
        self._number = {
            (step, int(layer.states[node]), self._key(histories.returns(step, node))): node
            for step, layer in enumerate(histories.layers)
            for node in range(layer.num_nodes)
        }

    def _key(self, returns: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        return returns if self._remembers else ()

    def of(self, seen: Seen) -> tuple[int, int]:
        step, state, returns = seen
        return step, self._number[step, self._state_index[state], self._key(returns)]


def assess_mediated(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> Appraisal:
    """Judge a mediator and its agents exactly.

    Args:
        incentives: The measure of fairness, and which transfers agents count.

    Returns:
        ``return/<player>`` without transfers, ``fairness``, and ``gain/<player>``: what an agent
        would get more, transfers included, by another plan from the start. If nobody gains anywhere
        and no pick is fairer, returns and fairness are proved; else ``method`` says who gains.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If agents remember less than the mediator and something is drawn.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> found = assess_mediated(
    ...     mediated_chicken(rounds=1), all_brake, incentives=MediatorIncentives()
    ... )
    >>> str(found["fairness"])
    '6'
    """
    returns = mediated_returns(game, profile)
    fairness = mediated_fairness(game, profile, incentives.fairness)
    paid = mediated_returns(game, profile, incentives=incentives)
    gains = tuple(
        best_leading_value(game, profile, agent, incentives) - own for agent, own in enumerate(paid)
    )
    certificates: tuple[Certificate, ...] = ()
    method = "exact, from the definitions"
    try:
        certificates = (certify_mediated(game, profile, incentives=incentives),)
    except CertificateRejected as error:
        method = f"exact; no equilibrium: {error}"
    standing = Standing.PROVED if certificates else Standing.EXACT
    named = {**by_player("return", game.players, returns), "fairness": fairness}
    deviations = {**by_player("gain", game.players, gains), "nash_conv": sum(gains, ZERO)}
    findings = (
        *(Finding(name, value, standing) for name, value in named.items()),
        *(Finding(name, value, Standing.EXACT) for name, value in deviations.items()),
    )
    return Appraisal(game.title or "untitled game", method, findings, certificates)


def mediation_findings(certificate: MediatedCertificate) -> dict[str, Fraction]:
    """Return the numbers that a certified mediation proves."""
    return {
        **by_player("return", certificate.game.players, certificate.returns),
        "fairness": certificate.fairness,
    }


def _appraise(learner: Any, options: Any) -> Appraisal:
    del options  # nothing is chosen
    return assess_mediated(learner.game, learner.profile(), incentives=learner.incentives)


def _expected_fairness(learner: Any) -> tuple[Finding, ...]:
    return (Finding("fairness", learner.play().expected_fairness, Standing.EXACT),)


BY_FAIRNESS = Judge(reads=(), appraise=_appraise)
UNDER_DRAWN_LEADERS = Judge(reads=("max_nodes",), rules=MediatedTurns, adds=_expected_fairness)
