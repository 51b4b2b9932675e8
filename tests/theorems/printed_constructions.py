"""The constructions as printed, where they go wrong; the library has the corrected ones."""

import itertools
from dataclasses import dataclass

from gametheory_core import expected_payoffs, posg_to_extensive, pure_behavior
from gametheory_core.conversions import INIT
from gametheory_core.conversions.aec_posg import IdlePOSG
from gametheory_core.conversions.posg_aec import QueuedActions
from gametheory_core.distributions import distribution, point_mass, product
from gametheory_core.games import CHANCE, IDLE, NULL
from solvers import sequence_form_lp


def game_value(tree):
    """Return the value of a zero-sum tree, from a verified certificate."""
    certificate = sequence_form_lp(tree).certificate
    certificate.verify()
    return certificate.game_value


def best_common_payoff(tree):
    """Return the most that player 0 gets under any pure profile of a small tree."""
    sizes = [len(s.actions) for s in tree.infosets[: tree.num_decision_infosets]]
    return max(
        expected_payoffs(tree, pure_behavior(tree, choice))[0]
        for choice in itertools.product(*map(range, sizes))
    )


@dataclass(frozen=True)
class ObservationsWithoutActions(QueuedActions):
    """``O'_i((s, a)) = O_i(s)``: observations of the state, whatever was done to see it.

    What is seen is what the first action listed would show.
    """

    first_actions: tuple = ()

    def chance(self, state):
        if state == INIT:
            return super().chance(state)
        inner, _, queued = state
        shown = self.first_actions
        law = []
        for after, weight in self.game.transition(inner, queued):
            views = (
                [((NULL,) * len(self.players), 1)]
                if self.game.is_terminal(after)
                else self.game.observation(shown, after)
            )
            law.extend(((after, o, (NULL,) * len(self.players)), weight * w) for o, w in views)
        return distribution(dict(law))


@dataclass(frozen=True)
class QueueInSight(QueuedActions):
    """The second player sees what the first has queued."""

    def observation(self, player, state):
        return point_mass(state[2][0]) if player == 1 else super().observation(player, state)

    def legal_actions(self, player, observation):
        return self.game.legal_actions(player, NULL if player == 1 else observation)


@dataclass(frozen=True)
class EverybodyObserves(IdlePOSG):
    """Players who do not move observe each state too."""

    def observation(self, joint_action, state):
        if state.mover == CHANCE or self.is_terminal(state):
            return point_mass((IDLE,) * len(self.players))
        views = [self.game.observation(i, state.state) for i in range(len(self.players))]
        joint = product(views)
        return distribution(
            {
                tuple(
                    o if i == state.mover else (IDLE, "saw", o) for i, o in enumerate(seen)
                ): weight
                for seen, weight in joint
            }
        )

    def legal_actions(self, player, observation):
        waits = observation is IDLE or (isinstance(observation, tuple) and observation[0] is IDLE)
        return (IDLE,) if waits else self.game.legal_actions(player, observation)


def posg_value(game, *, horizon=None):
    """Return the value of a zero-sum POSG."""
    return game_value(posg_to_extensive(game, horizon=horizon).target)
