"""Nash, minimax and subgame-perfect certificates: nobody gains more than epsilon by deviating.

Minimax certificates: both sides of a two-player constant-sum game, bounded from its strategies.

Player 0's strategy guarantees ``lower``, player 1's holds player 0 down to ``upper``; the value of
the game lies between, and is known exactly when the two meet.

Subgame-perfect certificates: in no subgame does any player gain more than epsilon by deviating.

Every subgame is checked from the definition: the profile's payoffs in it, and the value of each
player's best response to it there. With perfect information there is a shorter way to see that
epsilon is 0: a profile is an equilibrium in every subgame if and only if no *one-shot deviation*
gains (the one-shot deviation principle), so that at each decision node no child may give the mover
more.
"""

from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    bounds_middle,
    bounds_statement,
    bounds_width,
    claim,
    claimed,
    gains_statement,
    largest_gain,
)
from gametheory_core.certificates.wording import (
    at_most,
    rationals,
    rejecting,
    require_exact_profile,
    require_gain_tolerance,
    written,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.deviations import best_response
from gametheory_core.evaluation.payoffs import (
    expected_payoffs,
    expected_value,
    largest_value,
    node_payoffs,
    scaled_action_payoffs,
)
from gametheory_core.evaluation.subgame_gains import SubgameDeviations, subgame_deviations
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.kinds import require_matrix_or_tree, require_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    payoff_sum,
    require_two_player_constant_sum,
    shortened,
)
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile, Game, Profile, check_profile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.sequences import realization_plan, sequence_form


def certify_nash(game: Game, profile: Profile) -> "NashCertificate":
    """Measure a profile exactly and state the result as a certificate.

    A float profile is measured as the rational profile it means.

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If a player of a tree lacks perfect recall.

    >>> from gametheory_core import NormalFormGame, uniform_profile
    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> certify_nash(pennies, uniform_profile(pennies)).epsilon
    Fraction(0, 1)
    """
    require_matrix_or_tree(game)
    check_profile(game, profile)
    exact = profile.to_exact()
    if isinstance(game, NormalFormGame):
        mixed = cast("MixedProfile", exact)
        values = [scaled_action_payoffs(game, mixed, player=i) for i in range(game.num_players)]
        payoffs = tuple(map(expected_value, values, mixed.strategies))
        responses = tuple(map(largest_value, values))
    else:
        payoffs = rationals(expected_payoffs(game, exact))
        responses = tuple(
            cast("Fraction", best_response(game, exact, player=i).value)
            for i in range(game.num_players)
        )
    gains = tuple(best - own for best, own in zip(responses, payoffs, strict=True))
    return NashCertificate(game=game, profile=exact, payoffs=payoffs, deviation_gains=gains)


def _not_pure(certificate: "NashCertificate") -> str:
    """Ask for pure strategies; where own actions exclude an information set, anything will do."""
    game, profile = certificate.game, certificate.profile
    if isinstance(game, ExtensiveFormGame):
        form, behavior = sequence_form(game), cast("BehavioralProfile", profile)
        strategies = tuple(
            realization_plan(form, behavior, player=i).weights for i in range(game.num_players)
        )
    else:
        strategies = cast("MixedProfile", profile).strategies
    if all(weight in (0, 1) for strategy in strategies for weight in strategy.tolist()):
        return ""
    return "this equilibrium is not pure"


@claim(
    "nash",
    measure=certify_nash,
    proves=("nash", "all-nash", "nash-components"),
    proves_if={"pure-nash": _not_pure},
)
class NashCertificate(Checkable):
    """The claim that each player's best deviation gains exactly ``deviation_gains[player]``.

    Attributes:
        game: Trees need perfect recall of every player.
        profile: Rational.
        payoffs: Expected payoff of each player.
        deviation_gains: Best-response value minus own payoff, for each player; payoff units.
    """

    game: Game
    profile: Profile
    payoffs: tuple[Fraction, ...] = claimed()
    deviation_gains: tuple[Fraction, ...] = claimed()
    epsilon = largest_gain

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return gains_statement(self, "Nash equilibrium")


def certify_minimax(game: Game, profile: Profile) -> "MinimaxCertificate":
    """Measure what both strategies guarantee, exactly, and state it as a certificate.

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the game has not two players, is not constant-sum, or lacks perfect
            recall.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> certificate = certify_minimax(pennies, uniform_profile(pennies))
    >>> str(certificate.game_value), str(certificate.epsilon)
    ('0', '0')
    """
    require_matrix_or_tree(game)
    require_two_player_constant_sum(game)
    check_profile(game, profile)
    exact = profile.to_exact()
    conceded, taken = (_best_payoff(game, exact, player) for player in (0, 1))
    return MinimaxCertificate(
        game=game, profile=exact, lower=payoff_sum(game) - taken, upper=conceded
    )


@claim("minimax", measure=certify_minimax, proves=("nash", "minimax"))
class MinimaxCertificate(Checkable):
    """The claim that the value of the game lies in ``[lower, upper]``.

    Attributes:
        game: Two players, constant-sum; a tree needs perfect recall.
        profile: Rational; the strategies that guarantee the bounds.
        lower, upper: Guaranteed payoff of player 0, and the most player 1's strategy concedes.
    """

    game: Game
    profile: Profile
    lower: Fraction = claimed()
    upper: Fraction = claimed()
    payoffs = answer_payoffs
    epsilon = bounds_width
    game_value = bounds_middle
    statement = bounds_statement

    @property
    def payoff_sum(self) -> Fraction:
        """What the two payoffs add up to; 0 in a zero-sum game."""
        return payoff_sum(self.game)


def _best_payoff(game: Game, profile: Profile, player: int) -> Fraction:
    """Return what a best response earns; in tables by comparing integers."""
    if isinstance(game, NormalFormGame):
        check_profile(game, profile)
        mixed = cast("MixedProfile", profile)
        return largest_value(scaled_action_payoffs(game, mixed, player=player))
    return cast("Fraction", best_response(game, profile, player=player).value)


KIND = "subgame-perfect"


def _measure(
    game: ExtensiveFormGame, profile: BehavioralProfile, epsilon: Fraction
) -> "SubgamePerfectCertificate":
    return certify_subgame_perfect(game, profile, tolerance=max(epsilon, ZERO))


@claim(KIND, measure=_measure, proves=("nash", "subgame-perfect"))
class SubgamePerfectCertificate(Checkable):
    """The claim that a profile is an equilibrium in every subgame, or an epsilon-equilibrium.

    Attributes:
        game: Perfect recall; any number of players, and chance.
        profile: Rational.
        payoffs: Expected payoff of each player from the root; payoff units.
        epsilon: The largest gain of any player from a deviation in any subgame; payoff units.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed(default=ZERO, is_given=True)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.epsilon:
            return (
                "a subgame-perfect equilibrium: no player gains anything by deviating at any node"
            )
        return (
            "an epsilon-equilibrium of every subgame: in none does a player gain more than "
            f"epsilon = {at_most(self.epsilon)}"
        )


def certify_subgame_perfect(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, tolerance: Fraction | None = ZERO
) -> SubgamePerfectCertificate:
    """Check a rational profile in every subgame and state what it pays as a certificate.

    Args:
        game: Perfect recall, any number of players. Without subgames but itself, this is about Nash
            equilibria.
        profile: Rational.
        tolerance: Largest gain accepted, in payoff units; None accepts any. Default: 0.

    Raises:
        CertificateRejected: If a deviation gains more (names where), a player forgets, or the
            profile does not fit.

    Time and memory are linear in the number of nodes, for each player.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> certificate = certify_subgame_perfect(centipede, pure_behavior(centipede, (0, 0)))
    >>> [str(payoff) for payoff in certificate.payoffs]
    ['2', '0']
    """
    require_tree(game)
    require_gain_tolerance(tolerance)
    require_exact_profile(game, profile, kind=KIND)
    if has_perfect_information(game):
        values = node_payoffs(game, profile)
        gains = _one_shot_gains(game, values)
        if not gains.size:
            return SubgamePerfectCertificate(game, profile, rationals(values[0]))
        if tolerance == 0:
            raise _gains_at_node(game, values, int(gains[0]))
    with rejecting(KIND):
        found = subgame_deviations(game, profile)
    epsilon = max([ZERO, *rationals(found.gains.ravel())])
    if tolerance is not None and epsilon > tolerance:
        raise _gains_in_subgame(game, found, epsilon, tolerance)
    return SubgamePerfectCertificate(game, profile, rationals(found.payoffs[0]), epsilon)


def _one_shot_gains(game: ExtensiveFormGame, values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the nodes that pay the mover before them more than what the mover plays."""
    parent = game.parent[1:]
    children = 1 + np.flatnonzero(game.node_player[parent] >= 0)
    parent = game.parent[children]
    mover = game.node_player[parent]
    return children[np.flatnonzero(values[children, mover] > values[parent, mover])]


def _gains_at_node(
    game: ExtensiveFormGame, values: NDArray[Any], child: int
) -> CertificateRejected:
    node = int(game.parent[child])
    player = int(game.node_player[node])
    infoset = game.infosets[game.node_infoset[node]]
    action = child - int(game.first_child[node])
    return CertificateRejected(
        needs="no gain at any node",
        found=f"at {describe_infoset(infoset)} action {infoset.actions[action]!r} pays "
        f"{written(values[child, player])}, while the profile gets "
        f"{written(values[node, player])}",
    )


def _gains_in_subgame(
    game: ExtensiveFormGame, found: SubgameDeviations, epsilon: Fraction, tolerance: Fraction
) -> CertificateRejected:
    k, player = (int(i) for i in np.argwhere(found.gains == epsilon)[0])
    root = int(found.roots[k])
    where = f"the subgame after {shortened(path_to(game, root))}" if root else "the whole tree"
    return CertificateRejected(
        needs=f"no gain above {written(tolerance)} in any subgame",
        found=f"in {where} player {game.players[player]!r} gains {written(epsilon)} over "
        f"{written(found.payoffs[k, player])} by a best response",
    )
