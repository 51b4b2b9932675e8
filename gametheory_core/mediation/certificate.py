"""Mediated certificates, and who gains by deviating in a mediated game.

Agents that remember returns are checked at every node, picked or not: no action there may give more
than the one they would take. By the one-shot deviation principle no deviation whatever then gains
anywhere. Agents that know the step alone, under a mediator that remembers more, are checked from
the start of play: no other plan may give more. The mediator is checked at every node: no other
leader, with later picks as they are, may make the returns fairer. Where nothing is drawn and the
mediator remembers returns, no other plan of the mediator is then fairer either; else one may be.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import attained, rejecting, written
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.mediation.fairness import (
    Fairness,
    FairnessKind,
    MediatorStage,
    check_fairness,
    fairness_value,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Integers, Memory, mediated_histories
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import (
    Indices,
    MediatorIncentives,
    action_values,
    kept_values,
    mediated_fairness,
    mediated_returns,
    profile_nodes,
    profile_values,
    transfers_of,
)


@dataclass(frozen=True)
class MediatedDeviation:
    """A choice at one node that is better than the one of a profile.

    Attributes:
        step, node: Where, among the nodes that the mediator tells apart.
        player: Who deviates; None for the mediator.
        choice: The better action, or leader.
        value, better: What the profile gives from there on and what the deviation does; for the
            mediator, how fair the returns are.
    """

    step: int
    node: int
    player: int | None
    choice: int
    value: Fraction
    better: Fraction


def agent_deviation(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> MediatedDeviation | None:
    """Return a node at which an agent, picked or not, would gain by leading otherwise; or None.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    If there is none, no deviation at all gains at any node: this is the one-shot deviation
    principle on a finite horizon.
    """
    nodes = profile_nodes(game, profile)
    for step, found in enumerate(profile_values(nodes, transfers_of(nodes, incentives))):
        agents = np.arange(game.num_players)
        by_action = found.values[:, agents, :, agents].transpose(1, 0, 2)  # what the leader gets
        kept = kept_values(nodes, step, found.values)[:, agents, agents]
        is_legal = nodes.histories.layers[step].row >= 0
        gains = np.argwhere(is_legal & (by_action > kept[:, :, None]))
        if len(gains):
            node, agent, action = gains[0].tolist()
            pair = [int(kept[node, agent]), int(by_action[node, agent, action])]
            value, better = found.vector(pair)
            return MediatedDeviation(step, node, agent, action, value, better)
    return None


def mediator_deviation(
    game: MediatedGame, profile: MediatedProfile, fairness: Fairness
) -> MediatedDeviation | None:
    """Return a node at which picking another leader is fairer, or None.

    A mediator that remembers returns judges those of all steps, one that does not those to come.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.
    """
    check_fairness(fairness, game.num_players)
    nodes = profile_nodes(game, profile)
    remembers = profile.mediator is Memory.HISTORY
    for step, found in enumerate(profile_values(nodes, transfers_of(nodes, None))):
        # returns so far plus what is kept of each leader's value, over one denominator
        weight = game.discount**step if remembers else ONE
        kept = kept_values(nodes, step, found.values)
        past = nodes.histories.layers[step].returns
        part = weight / found.unit
        unit = lcm(part.denominator, nodes.histories.denominator)
        later, before = int(part * unit), unit // nodes.histories.denominator
        leaders = nodes.profile.leaders[step]
        totals = kept.astype(object) * later + (past.astype(object) * before)[:, None, :]
        for node, by_leader in enumerate(totals.tolist()):  # is another leader fairer?
            judged = [_judged(fairness, numbers, unit) for numbers in by_leader]
            best = max(judged)
            if best > judged[leaders[node]]:
                choice = judged.index(best)
                pair = [by_leader[leaders[node]], by_leader[choice]]
                value, better = (
                    fairness_value(fairness, [Fraction(number, unit) for number in numbers])
                    for numbers in pair
                )
                return MediatedDeviation(step, node, None, choice, value, better)
    return None


def _judged(fairness: Fairness, numbers: list[int], unit: int) -> Fraction | int:
    """Return how fair returns are, in an order that is that of fairness: the lowest, in parts."""
    if fairness.kind is FairnessKind.MINIMUM:
        return min(numbers)
    return fairness_value(fairness, [Fraction(number, unit) for number in numbers])


def best_leading_value(
    game: MediatedGame, profile: MediatedProfile, agent: int, incentives: MediatorIncentives
) -> Fraction:
    """Return the most that an agent can expect from the start by leading otherwise, anywhere.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the agents remember less than the mediator and something is drawn: their
            plans cannot react to it, and the best one is not found from the end backwards.

    Where nothing is drawn, whoever plans for steps knows the whole past that the plan leads to, so
    that plans for steps get as much from the start as plans for histories do.
    """
    nodes = profile_nodes(game, profile)
    if profile.agents is not profile.mediator and not game.is_deterministic:
        raise UnsupportedGame(
            needs="agents that remember as much as the mediator, or a game in which nothing is "
            "drawn",
            found=f"{game!r} draws states",
        )

    def choose(step: int, values: Integers) -> tuple[Indices, Indices]:
        leaders = nodes.leaders(step)
        every = np.arange(len(leaders))
        own = values[every, leaders, :, agent]
        is_legal = nodes.histories.layers[step].row[every, leaders] >= 0
        lowest = own.min() - 1 if own.size else 0
        best = np.where(is_legal, own, lowest).argmax(axis=1)
        planned = nodes.actions(step)[every, leaders]
        return leaders, np.where(leaders == agent, best, planned)

    found = action_values(nodes, transfers_of(nodes, incentives), choose)
    if not found:
        return ZERO
    leaders, actions = choose(0, found[0].values)
    own = found[0].values[np.arange(len(leaders)), leaders, actions, agent].tolist()
    weights = zip(game.initial_kernel.weight.tolist(), nodes.histories.start, strict=True)
    parts = (weight * own[node] for weight, node in weights if node >= 0)
    return sum(parts, ZERO) / found[0].unit


KIND = "mediated"


def certify_mediated(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> "MediatedCertificate":
    """Check agents and mediator against every deviation and state what they get.

    Raises:
        CertificateRejected: If somebody gains by deviating (names where), or something does not fit
            the game.

    Time is linear in the number of nodes, leaders, actions and players, in rationals.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> game = mediated_chicken(rounds=1)
    >>> str(certify_mediated(game, all_brake, incentives=MediatorIncentives()).fairness)
    '6'
    """
    require_declared_arguments(MediatedCertificate, profile=profile, incentives=incentives)
    remembers = profile.mediator is Memory.HISTORY
    if remembers is (incentives.stage is MediatorStage.NAIVE):
        raise CertificateRejected(
            needs="a mediator that remembers returns unless its stage is NAIVE",
            found=f"it knows {profile.mediator.value} at stage {incentives.stage.name}",
        )
    with rejecting(KIND):
        replace(incentives.fairness)  # refuses numbers that are no measure
        _require_no_deviation(game, profile, incentives)
        returns = mediated_returns(game, profile)
        fairness = mediated_fairness(game, profile, incentives.fairness)
    return MediatedCertificate(game, profile, incentives, returns, fairness)


@claim(KIND, measure=certify_mediated, proves=("mediated",))
class MediatedCertificate(Checkable):
    """The claim that no agent gains and no pick is fairer, and how fair the outcome is.

    Attributes:
        incentives: The measure of fairness, and which transfers agents count.
        returns: What each player expects from the start, without transfers.
        fairness: How fair the returns from each first state are, expected over these.
    """

    game: MediatedGame
    profile: MediatedProfile
    incentives: MediatorIncentives
    returns: tuple[Fraction, ...] = claimed()
    fairness: Fraction = claimed()
    epsilon = None

    @property
    def is_subgame_perfect(self) -> bool:
        """Whether agents are checked at every node, not from the start of play alone."""
        return self.profile.agents is self.profile.mediator

    @property
    def has_fairest_plan(self) -> bool:
        """Whether no plan of the mediator is fairer at any node, agents doing what they do.

        Let nothing be drawn and the mediator remember. Each pick at a node then leads to one node
        of the next step, or to the end, and the returns of all steps are the same seen from either;
        so the fairest that any plan reaches from a node is the best, over picks, of the fairest
        reached from the nodes that they lead to. Backwards from the last step: if the later picks
        reach that much from each next node, and no single pick beats the one made, so does it.

        Returns to come of a mediator that forgets, or expected returns, change from one node to the
        next: what is fairest here may count on picks that are not the fairest there.
        """
        return self.game.is_deterministic and self.profile.mediator is Memory.HISTORY

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What each player expects from the start, without transfers."""
        return self.returns

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        where = "at any node" if self.is_subgame_perfect else "from the start by another plan"
        judged = "" if self.game.is_deterministic else "of expected returns "
        picks = "no other plan of the mediator is fairer at any node"
        if not self.has_fairest_plan:
            expected = "" if self.game.is_deterministic else "expected "
            remembers = self.profile.mediator is Memory.HISTORY
            counted = "returns" if remembers else "returns to come"
            picks = (
                f"no single other pick of the mediator makes {expected}{counted} fairer at any "
                "node, later picks being as they are"
            )
        return (
            f"no agent gains by leading otherwise {where}, and {picks}: fairness {judged}"
            f"{attained(self.fairness)} ({self.incentives.fairness.kind.value})"
        )


def _require_no_deviation(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> None:
    if profile.agents is profile.mediator:
        found = agent_deviation(game, profile, incentives)
        if found is not None:
            raise _gain(game, profile, found)
    else:
        _require_best_plans(game, profile, incentives)
    found = mediator_deviation(game, profile, incentives.fairness)
    if found is not None:
        raise _gain(game, profile, found)


def _require_best_plans(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> None:
    got = mediated_returns(game, profile, incentives=incentives)
    for agent, name in enumerate(game.players):
        best = best_leading_value(game, profile, agent, incentives)
        if best > got[agent]:
            raise CertificateRejected(
                needs="best plans of all agents",
                found=f"{name!r} gets {written(got[agent])} and could get {written(best)} by "
                "another plan",
            )


def _gain(
    game: MediatedGame, profile: MediatedProfile, found: MediatedDeviation
) -> CertificateRejected:
    histories = mediated_histories(game, memory=profile.mediator)
    where = histories.name(found.step, found.node)
    if found.player is None:
        problem = (
            f"the fairest leaders, but at {where} the returns with {game.players[found.choice]!r} "
            f"are worth {written(found.better)} and those with the one picked "
        )
    else:
        action = game.actions[found.player][found.choice]
        problem = (
            f"no gain of any agent at any node, but at {where} {game.players[found.player]!r} gets "
            f"{written(found.better)} by {action!r} and by its own action "
        )
    return CertificateRejected(
        needs=f"{problem}{written(found.value)}", where=f"{KIND} certificate"
    )
