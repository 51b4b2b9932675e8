"""Security games with every set of covered targets written out, for small sizes."""

from itertools import combinations
from math import comb

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import NumberArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.kinds import require_security
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.security import COVERED, UNCOVERED, SecurityGame
from gametheory_core.labels import label_or_number

MAX_COVERAGES = 20_000


def security_to_bayesian(game: SecurityGame, *, max_coverages: int = MAX_COVERAGES) -> BayesianGame:
    """Write a security game as a Bayesian game, in which the defender leads.

    Args:
        max_coverages: The largest number of sets of covered targets to build; they are counted
            first.

    Returns:
        The leader's actions are ``coverages(game)``, the actions of each type the targets.

    Raises:
        UnsupportedGame: If there are more coverages than ``max_coverages``.

    >>> from gametheory_core import load_game
    >>> security_to_bayesian(load_game("guarded_targets:targets=4,resources=2")).num_actions
    (11, 4)
    """
    require_security(game, function="security_to_bayesian")
    require_integer(max_coverages, function="security_to_bayesian", name="max_coverages", low=1)
    sets = coverages(game, max_coverages=max_coverages)
    is_covered = np.zeros((len(sets), game.num_targets), dtype=bool)
    for row, coverage in enumerate(sets):
        is_covered[row, list(coverage)] = True
    labels = [_coverage_label(game, coverage) for coverage in sets]
    tables = [_table(of_type, is_covered) for of_type in game.given_payoffs]
    return BayesianGame(
        game.types,
        game.prior,
        tuple(
            NormalFormGame.from_payoffs(
                table, players=game.players, actions=(labels, game.targets), title=game.title
            )
            for table in tables
        ),
        game.title,
    )


def security_to_normal(game: SecurityGame, *, max_coverages: int = MAX_COVERAGES) -> NormalFormGame:
    """Write a security game with one type of attacker as a normal form.

    Args:
        game: One type of attacker.
        max_coverages: The largest number of sets of covered targets to build; they are counted
            first.

    Returns:
        The defender's actions are ``coverages(game)``, the attacker's the targets.

    Raises:
        UnsupportedGame: If there are several types, or more coverages than ``max_coverages``.

    >>> from gametheory_core import load_game
    >>> security_to_normal(load_game("guarded_targets:targets=3,resources=1")).actions[0]
    ('none', 'gate 1', 'gate 2', 'gate 3')
    """
    require_security(game, function="security_to_normal")
    require_integer(max_coverages, function="security_to_normal", name="max_coverages", low=1)
    if game.num_types != 1:
        raise UnsupportedGame(
            f"security_to_normal: needs one type of attacker, but {game!r} has {game.num_types}. "
            "Use harsanyi_transform(security_to_bayesian(game)).target."
        )
    return security_to_bayesian(game, max_coverages=max_coverages).games[0]


def coverages(
    game: SecurityGame, *, max_coverages: int = MAX_COVERAGES
) -> tuple[tuple[int, ...], ...]:
    """List the sets of targets that the resources can cover, small sets first.

    Raises:
        UnsupportedGame: If there are more than ``max_coverages``.
    """
    count = sum(comb(game.num_targets, size) for size in range(game.resources + 1))
    if count > max_coverages:
        raise UnsupportedGame(
            f"coverages: needs at most max_coverages = {max_coverages:,} sets of targets, but "
            f"{game!r} has {count:,}. Use security_stackelberg, which needs no list, or raise "
            "max_coverages."
        )
    sizes = range(game.resources + 1)
    return tuple(
        coverage for size in sizes for coverage in combinations(range(game.num_targets), size)
    )


def _table(payoffs: NumberArray, is_covered: np.ndarray) -> NumberArray:
    """Return the payoffs of one type, shape (2, coverages, targets)."""
    return np.where(is_covered, payoffs[:, None, COVERED], payoffs[:, None, UNCOVERED])


def _coverage_label(game: SecurityGame, coverage: tuple[int, ...]) -> str:
    names = [game.targets[i] or label_or_number("", i + 1) for i in coverage]
    return " + ".join(names) or "none"
