"""Strictly competitive trees: minimax strategies are all that commitment and correlation come to.

What is better for one player is worse for the other, so that minimax strategies of the zero-sum
twin, by one linear program, are an optimal commitment and its reply. They are an equilibrium of
every mediator too, as good as any for whatever sum of payoffs (``certificates.competition``).
"""

from dataclasses import replace
from typing import cast

from gametheory_core import BehavioralProfile, MinimaxCertificate, best_response, pure_behavior
from gametheory_core.errors import NotConverged
from gametheory_core.games.competition import zero_sum_twin
from gametheory_core.games.extensive_form import ExtensiveFormGame
from solvers.solution import Budget, Meter, OnIteration, Solution
from solvers.trees.linear_program import sequence_form_lp


def twin_minimax(
    game: ExtensiveFormGame, *, budget: Budget, on_iteration: OnIteration | None = None
) -> Solution[BehavioralProfile, MinimaxCertificate]:
    """Return minimax strategies of the zero-sum twin of a strictly competitive tree.

    Args:
        game: Strictly competitive, perfect recall.
        budget, on_iteration: In pivots.

    Returns:
        Exact ones, or the best found when the budget ends first.
    """
    try:
        return sequence_form_lp(zero_sum_twin(game), budget=budget, on_iteration=on_iteration)
    except NotConverged as error:
        return cast("Solution[BehavioralProfile, MinimaxCertificate]", error.best)


def minimax_commitment(game: ExtensiveFormGame, *, leader: int, meter: Meter) -> BehavioralProfile:
    """Return the leader's minimax strategy and a best reply, counted as one linear program.

    The reply holds the leader down to the value, unless the budget ends first.
    """
    limit = 0 if meter.is_exhausted else None
    found = twin_minimax(game, budget=Budget(meter.seconds_left, limit))
    meter.step(1 - int(limit == 0))
    if not found.certificate.epsilon:
        return found.profile
    return _with_best_reply(game, found.profile, follower=1 - leader)


def _with_best_reply(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, follower: int
) -> BehavioralProfile:
    answer = iter(best_response(game, profile, player=follower).actions)
    movers = game.infoset_player[: game.num_decision_infosets].tolist()
    replies = pure_behavior(game, [next(answer) if i == follower else 0 for i in movers])
    pairs = zip(movers, profile.probabilities, replies.probabilities, strict=True)
    return replace(
        profile, probabilities=tuple(reply if i == follower else own for i, own, reply in pairs)
    )
