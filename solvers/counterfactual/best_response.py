"""Best responses and deviation gains in trees, in floats and fast: what a profile leaves to gain.

The functions have the names and meanings of the core's, which are exact, and agree with these up to
rounding. One pass over the ends of play serves all players at once.
"""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gametheory_core.arrays import FloatArray, as_float, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.deviations import BestResponse
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.behavioral import BehavioralProfile, check_profile
from solvers.counterfactual.reply_tables import EvaluationTables, evaluation_tables
from solvers.requirements import require_player

if TYPE_CHECKING:
    from solvers._kernels.tree_replies import ReplyResults

PreparedTree: TypeAlias = ExtensiveFormGame | EvaluationTables


def float_best_response(
    game: PreparedTree, profile: BehavioralProfile, *, player: int
) -> BestResponse:
    """Find a pure best response of one player to the others' strategies, in floats.

    Args:
        game: A tree with any number of players; its tables, for repeated use.
        profile: Only the other players' strategies matter, and these players may forget.
        player: Who responds, from 0; needs perfect recall.

    Returns:
        The value is a float, in payoff units. Ties, as floats see them, go to the first action.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the responding player lacks perfect recall; carries the witness.
        InvalidArgument: If there is no such player.

    Time is linear in the number of ends of play that differ in more than chance. The first call in
    a process waits for compiled code to load; where a single small game is evaluated once, the
    core's exact function is quicker.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> float_best_response(kuhn, uniform_behavior(kuhn), player=0).value
    0.5
    """
    tables = _tables(game)
    require_player(player, tables.game)
    _require_recall(tables, (player,))
    found = _evaluated(tables, profile)
    own = player_infosets(tables.game, player)
    return BestResponse(
        player,
        float(found.responses[player] + tables.middle[player]),
        tuple(found.actions[own.start : own.stop].tolist()),
    )


def float_deviation_gains(game: PreparedTree, profile: BehavioralProfile) -> FloatArray:
    """Return, for each player, best-response value minus own value, in floats; payoff units.

    Arguments and errors as in ``float_best_response``; all players need perfect recall.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> float_deviation_gains(kuhn, uniform_behavior(kuhn)).round(6).tolist()
    [0.375, 0.541667]
    """
    return freeze(_gains(_tables(game), profile))


def float_nash_conv(game: PreparedTree, profile: BehavioralProfile) -> float:
    """Return the sum of ``float_deviation_gains``; payoff units.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> round(float_nash_conv(evaluation_tables(kuhn), uniform_behavior(kuhn)), 6)
    0.916667
    """
    return float(_gains(_tables(game), profile).sum())


def float_exploitability(game: PreparedTree, profile: BehavioralProfile) -> float:
    """Return half of ``float_nash_conv``; two-player constant-sum trees only (refused if not).

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> tables = evaluation_tables(kuhn)
    >>> round(float_exploitability(tables, uniform_behavior(kuhn)), 6)
    0.458333
    """
    tables = _tables(game)
    if tables.game.num_players != 2:
        raise UnsupportedGame(
            needs="two players",
            found=f"{tables.game!r} has {tables.game.num_players}",
            remedy="Use float_nash_conv.",
        )
    if not tables.constant_sum:
        raise UnsupportedGame(
            needs="a constant-sum game",
            found=tables.constant_sum.reason,
            remedy="Use float_nash_conv.",
        )
    gains = _gains(tables, profile)
    return float(gains[0] + gains[1]) / 2


def _gains(tables: EvaluationTables, profile: BehavioralProfile) -> FloatArray:
    _require_recall(tables, range(tables.game.num_players))
    found = _evaluated(tables, profile)
    return found.responses - found.values


def _evaluated(tables: EvaluationTables, profile: BehavioralProfile) -> "ReplyResults":
    from solvers._kernels.tree_replies import ReplyResults, find_replies  # noqa: PLC0415 numba

    game = tables.game
    check_profile(game, profile)
    results = ReplyResults(
        np.empty(tables.num_histories),
        np.empty(tables.num_histories),
        np.empty(game.num_players),
        np.empty(game.num_players),
        np.empty(game.num_decision_infosets, dtype=np.uint32),
    )
    find_replies(tables.compiled, as_float(profile.flat), results)
    return results


def _tables(game: PreparedTree) -> EvaluationTables:
    if isinstance(game, EvaluationTables):
        return game
    require_tree(game)
    return evaluation_tables(game)


def _require_recall(tables: EvaluationTables, players: "range | tuple[int]") -> None:
    for player in players:
        verdict = tables.recall[player]
        if not verdict:
            raise UnsupportedGame(
                needs="perfect recall of the responding player",
                found=verdict.reason,
                remedy="Use extensive_to_normal(game).target and its pure strategies instead.",
            )
